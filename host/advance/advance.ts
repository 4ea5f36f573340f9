import { startPlay } from '../game/play.ts';
import type { AtMs, CellId } from '../ids.ts';
import { createLinks, dueAt as linksDueAt, settleLinks } from '../sensing/links.ts';
import { aloneOn } from '../sensing/neighbours.ts';
import { createSensing, interruptRoll, dueAt as sensingDueAt, settle } from '../sensing/sensing.ts';
import { standingOn } from '../sensing/standing.ts';
import { afterPlay } from './after-play.ts';
import { freshMatch } from './best-of.ts';
import { hearWire, takeNotices } from './hear.ts';
import type { Input, Output } from './input.ts';
import { freshStart } from './match-start.ts';
import { autoPass, autoPassDueAt, takeCommand, takeSensed } from './referee.ts';
import type { TableSetting } from './setting.ts';
import { coresIn } from './standing.ts';
import type { Collected, TableState } from './state.ts';
import { speak, speakDueAt, wantScene } from './strips.ts';

/** A table at its first moment. Throws a RangeError when the ruleset's options are not legal. */
export function startTable(setting: TableSetting, atMs: AtMs): TableState {
  const play = startPlay(setting.ruleset, setting.rulesetOptions);
  const state: TableState = {
    atMs,
    game: 1,
    links: createLinks({ links: setting.links, layout: setting.layout }),
    sensing: createSensing({
      layout: setting.layout,
      calibration: setting.calibration,
      limits: setting.limits,
    }),
    calibration: setting.calibration,
    calibrating: null,
    start: freshStart(setting),
    play,
    activity: { kind: 'idle' },
    boards: new Map(),
    lights: [],
    lightsStale: true,
    rulings: [],
    retracted: [],
    standing: [],
    alone: [],
    match: freshMatch(setting.bestOf ?? 1),
    passSinceMs: null,
  };
  afterPlay(state, setting, atMs, []);
  wantScene(state, setting, atMs);
  return state;
}

/**
 * The whole host as one step: takes one input into the state and returns what is to be done about it, in order.
 * Everything that fell due before the input is settled first, each at its own due time, so that a late alarm changes
 * nothing. An input older than the state counts as of now: clocks at the edge are monotonic.
 */
export function advance(state: TableState, input: Input, setting: TableSetting): readonly Output[] {
  const collected: Collected = { notices: [], sensed: [], outputs: [] };
  const atMs = Math.max(state.atMs, input.atMs);
  // Nobody watched since the state's own time: what falls due meanwhile is in doubt already.
  if (input.kind === 'link' && input.restarted === true) {
    interruptRoll(state.sensing, atMs);
    // Colours may have been worked out by an older host.
    state.lightsStale = true;
  }
  settleUpTo(state, setting, atMs, collected);
  state.atMs = atMs;
  switch (input.kind) {
    case 'line':
    case 'link':
    case 'dropped':
      hearWire(state, setting, input, atMs, collected);
      break;
    case 'command':
      takeCommand(state, setting, input.id, input.command, atMs, collected.sensed, collected.outputs);
      break;
    case 'tick':
      break;
    default:
      input satisfies never;
  }
  finish(state, setting, atMs, collected);
  return collected.outputs;
}

/** When the table next wants a tick; Infinity while it waits for inputs only. Read from the state alone. */
export function nextWake(state: TableState, setting: TableSetting): AtMs {
  return Math.min(
    linksDueAt(state.links),
    sensingDueAt(state.sensing) ?? Number.POSITIVE_INFINITY,
    autoPassDueAt(state, setting),
    speakDueAt(state),
  );
}

const NOWHERE: readonly CellId[] = [];

/** More due moments than this in one step means that something asks to be woken for ever: a mistake of ours. */
const MOST_DUE = 1_000_000;

function settleUpTo(state: TableState, setting: TableSetting, toMs: AtMs, collected: Collected): void {
  for (let n = 0; n < MOST_DUE; n++) {
    const due = nextWake(state, setting);
    if (due > toMs) return;
    const atMs = Math.max(due, state.atMs);
    state.atMs = atMs;
    if (linksDueAt(state.links) <= atMs) {
      settleLinks(state.links, atMs, collected.notices);
      takeNotices(state, collected);
    }
    settle(state.sensing, atMs, collected.sensed);
    if (autoPassDueAt(state, setting) <= atMs) {
      autoPass(state, setting, atMs, collected.sensed, collected.outputs);
    }
    finish(state, setting, atMs, collected);
  }
  throw new Error('table never settles');
}

/** Where balls stand and which tiles lie alone matters while cores are laid, and lights show where a core may go. */
function lookAtField(state: TableState, { ruleset }: TableSetting): void {
  const hands = state.activity.kind === 'hands';
  const { sensing } = state;
  const standing = hands ? standingOn(sensing) : NOWHERE;
  const tells = hands && sensing.neighbours.reports.length > 0;
  const alone = tells ? aloneOn(sensing, coresIn(ruleset.cues(state.play.state))) : NOWHERE;
  if (same(standing, state.standing) && same(alone, state.alone)) return;
  state.standing = standing;
  state.alone = alone;
  state.lightsStale = true;
}

function same(a: readonly CellId[], b: readonly CellId[]): boolean {
  return a.length === b.length && a.every((cell, i) => cell === b[i]);
}

/** Brings sensing and play to rest with one another, then lights and wires. */
function finish(state: TableState, setting: TableSetting, atMs: AtMs, collected: Collected): void {
  if (collected.sensed.length > 0) takeSensed(state, setting, collected.sensed, collected.outputs);
  lookAtField(state, setting);
  if (state.lightsStale) wantScene(state, setting, atMs);
  speak(state, atMs, collected.outputs);
}

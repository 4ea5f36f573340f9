import type { Actor, GameEvent, Refusal } from '../game/ruleset.ts';
import type { AtMs } from '../ids.ts';
import { healthOf, unheard } from '../sensing/health.ts';
import type { HealthFinding } from '../sensing/health-finding.ts';
import { linksSeen } from '../sensing/links.ts';
import type { SenseOutput } from '../sensing/sensing.ts';
import { actorWords } from './actor-words.ts';
import { afterPlay, tell } from './after-play.ts';
import { MATCH_ENDED } from './end-match.ts';
import type { Command, Output } from './input.ts';
import type { TableSetting } from './setting.ts';
import { vacantIn } from './standing.ts';
import type { TableState } from './state.ts';
import type { MatchStart } from './state-parts.ts';

export const BEGUN: MatchStart = { begun: true, overrode: null };
const PENDING: MatchStart = { begun: false, overrode: null };

/** How a match stands before anything was played: it waits where the setting wants its sensors looked at first. */
export function freshStart(setting: TableSetting): MatchStart {
  return setting.checksSensors === true ? PENDING : BEGUN;
}

/** Everything that keeps a match from beginning now. Means something while nobody has the mat in hand. */
export function startBlocks(state: TableState, setting: TableSetting, atMs: AtMs): readonly HealthFinding[] {
  const vacant = vacantIn(setting.ruleset.cues(state.play.state));
  const found = healthOf(state.sensing, linksSeen(state.links), atMs, vacant);
  return [...unheard(state.sensing, atMs), ...found].filter(({ blocks }) => blocks);
}

/** Most reasons that a refusal spells out; a screen lists them all. */
const SPELT_OUT = 3;

export function blockRefusal(blocks: readonly HealthFinding[]): Refusal {
  const said = blocks.slice(0, SPELT_OUT).map(({ text, remedy }) => `${text} ${remedy}`);
  const more = blocks.length > SPELT_OUT ? ` And ${blocks.length - SPELT_OUT} more.` : '';
  return {
    code: 'match/blocked',
    message: `The match cannot begin yet. ${said.join(' ')}${more} The operator or a judge may begin it all the same and say why.`,
    rules: [],
  };
}

/** Nobody can say what a match shall begin in spite of before its sensors were looked at. */
export function stillListening(blocks: readonly HealthFinding[]): Refusal | undefined {
  const listening = blocks.filter(({ code }) => code === 'health/listening');
  if (listening.length === 0) return undefined;
  const said = listening.map(({ text }) => text).join(' ');
  const message = `${said} Keep hands off the mat for two seconds; then what is wrong is known, and may be overridden.`;
  return { code: 'match/listening', message, rules: [] };
}

export const GOING_ON: Refusal = {
  code: 'calibrate/going-on',
  message: 'The mat is being calibrated: finish that or cancel it first.',
  rules: [],
};

/**
 * Why nothing may be played now, or undefined. A match whose sensors are found sound begins with the first thing that
 * is played.
 */
export function heldBack(
  state: TableState,
  setting: TableSetting,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  if (state.calibrating !== null) return GOING_ON;
  if (state.match.ended !== undefined) return MATCH_ENDED;
  if (state.start.begun) return undefined;
  const blocks = startBlocks(state, setting, atMs);
  if (blocks.length > 0) return blockRefusal(blocks);
  begin(state, setting, BEGUN, atMs, sensed, outputs);
  return undefined;
}

/** Begins the match that waits, when its sensors are sound or somebody says why it shall begin all the same. */
export function startMatch(
  state: TableState,
  setting: TableSetting,
  command: Extract<Command, { readonly do: 'start-match' }>,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  const { by, despite } = command;
  if (by.role === 'player') {
    return { code: 'match/not-yours', message: 'A match is begun by the operator or a judge.', rules: [] };
  }
  if (state.calibrating !== null) return heldBack(state, setting, atMs, sensed, outputs);
  if (state.match.ended !== undefined) return MATCH_ENDED;
  if (state.start.begun) return { code: 'match/begun', message: 'This match has begun already.', rules: [] };
  const blocks = startBlocks(state, setting, atMs);
  const why = despite?.trim() ?? '';
  const listening = stillListening(blocks);
  if (listening !== undefined) return listening;
  if (blocks.length > 0 && why === '') return blockRefusal(blocks);
  begin(state, setting, startBy(by, why, blocks), atMs, sensed, outputs);
  return undefined;
}

export function startBy(by: Actor, why: string, blocks: readonly HealthFinding[]): MatchStart {
  return blocks.length === 0
    ? BEGUN
    : { begun: true, overrode: { by, why, blocks: blocks.map(({ text }) => text) } };
}

function begin(
  state: TableState,
  setting: TableSetting,
  start: MatchStart,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): void {
  state.start = start;
  tell([begunEvent(start)], atMs, outputs);
  afterPlay(state, setting, atMs, sensed);
}

export function begunEvent({ overrode }: MatchStart): GameEvent {
  if (overrode === null) return { type: 'match/begun', rules: [], text: 'The match begins.', data: {} };
  const { by, why, blocks } = overrode;
  return {
    type: 'match/begun-all-the-same',
    rules: [],
    text: `${actorWords(by)} begins the match all the same: ${why}`,
    data: { by: JSON.parse(JSON.stringify(by)), why, blocks: [...blocks] },
  };
}

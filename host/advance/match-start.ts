import { startPlay } from '../game/play.ts';
import type { Actor, GameEvent, Refusal } from '../game/ruleset.ts';
import type { AtMs, Json } from '../ids.ts';
import { healthOf, unheard } from '../sensing/health.ts';
import type { HealthFinding } from '../sensing/health-finding.ts';
import { linksSeen } from '../sensing/links.ts';
import type { SenseOutput } from '../sensing/sensing.ts';
import { afterPlay, tell } from './after-play.ts';
import { awaitsNextGame, freshMatch, matchGoingOn } from './best-of.ts';
import { commandProblem } from './command-shape.ts';
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

function refused(blocks: readonly HealthFinding[]): Refusal {
  const said = blocks.slice(0, SPELT_OUT).map(({ text, remedy }) => `${text} ${remedy}`);
  const more = blocks.length > SPELT_OUT ? ` And ${blocks.length - SPELT_OUT} more.` : '';
  return {
    code: 'match/blocked',
    message: `The match cannot begin yet. ${said.join(' ')}${more} The operator or a judge may begin it all the same and say why.`,
    rules: [],
  };
}

const GOING_ON: Refusal = {
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
  if (state.start.begun) return undefined;
  const blocks = startBlocks(state, setting, atMs);
  if (blocks.length > 0) return refused(blocks);
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
  if (state.start.begun) return { code: 'match/begun', message: 'This match has begun already.', rules: [] };
  const blocks = startBlocks(state, setting, atMs);
  const why = despite?.trim() ?? '';
  if (blocks.length > 0 && why === '') return refused(blocks);
  begin(state, setting, startBy(by, why, blocks), atMs, sensed, outputs);
  return undefined;
}

function startBy(by: Actor, why: string, blocks: readonly HealthFinding[]): MatchStart {
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

function begunEvent({ overrode }: MatchStart): GameEvent {
  if (overrode === null) return { type: 'match/begun', rules: [], text: 'The match begins.', data: {} };
  const { by, why, blocks } = overrode;
  const who = by.name === undefined ? `The ${by.role}` : `${by.name} (${by.role})`;
  return {
    type: 'match/begun-all-the-same',
    rules: [],
    text: `${who} begins the match all the same: ${why}`,
    data: { by: JSON.parse(JSON.stringify(by)), why, blocks: [...blocks] },
  };
}

type NewGame = Extract<Command, { readonly do: 'new-game' }>;

/** Starts another game in place of the one that is on. */
export function newGame(
  state: TableState,
  setting: TableSetting,
  command: NewGame,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  const made = newGameOf(state, setting, command, atMs);
  if ('code' in made) return made;
  const { play, start, match } = made;
  state.match = match;
  state.play = play;
  state.game += 1;
  state.rulings = [];
  state.retracted = [];
  state.start = start;
  tell(state.play.events, atMs, outputs);
  if (start.overrode !== null) tell([begunEvent(start)], atMs, outputs);
  afterPlay(state, setting, atMs, sensed);
  return undefined;
}

/** Whether a new game would begin if it were asked for now. Changes nothing. */
export function mayBeginAnew(
  state: TableState,
  setting: TableSetting,
  command: NewGame,
  atMs: AtMs,
): boolean {
  return commandProblem(command) === undefined && !('code' in newGameOf(state, setting, command, atMs));
}

/** Another game and how its match stands, or why there may be none. */
function newGameOf(
  state: TableState,
  setting: TableSetting,
  command: NewGame,
  atMs: AtMs,
): Pick<TableState, 'play' | 'start' | 'match'> | Refusal {
  const { by, options, bestOf, despite } = command;
  const goesOn = options === undefined && bestOf === undefined ? matchGoingOn(state, setting) : undefined;
  if (state.calibrating !== null) return GOING_ON;
  // Players begin the next game of their match themselves, and nothing else.
  const theirs = goesOn !== undefined && despite === undefined && awaitsNextGame(state, setting);
  if (by.role === 'player' && !theirs) {
    const message =
      'A new match is started by the operator or a judge; players begin the next game of theirs.';
    return { code: 'new-game/not-yours', message, rules: [] };
  }
  // The same decks play on.
  const again = goesOn === undefined ? undefined : nextOptions(state, setting);
  const play = playOf(setting, options ?? again);
  if ('code' in play) return play;
  const why = despite?.trim() ?? '';
  let start = freshStart(setting);
  // While hands or balls are on the mat its sensors are not watched; such a match waits until they have been.
  if (!start.begun && state.activity.kind === 'idle') {
    const blocks = startBlocks(state, setting, atMs);
    if (blocks.length > 0 && why === '') return refused(blocks);
    if (why !== '') start = startBy(by, why, blocks);
  }
  const match = goesOn ?? freshMatch(bestOf ?? setting.bestOf ?? 1);
  return { play, start, match };
}

function nextOptions({ play }: TableState, { ruleset }: TableSetting): Json {
  return ruleset.nextGame?.(play.options, play.state) ?? play.options;
}

function playOf(setting: TableSetting, options: Json | undefined): TableState['play'] | Refusal {
  let play: TableState['play'];
  try {
    play = startPlay(setting.ruleset, options ?? setting.rulesetOptions);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { code: 'new-game/options', message: error.message, rules: [] };
  }
  const off = cellOffMat(play, setting);
  if (off === undefined) return play;
  const message = `The mat has no cell ${off.slice(0, 20)}: give the cells of layout ${setting.layout.name} as the field.`;
  return { code: 'new-game/other-mat', message, rules: [] };
}

/** A cell that the game speaks of and no sensor watches, or undefined. */
function cellOffMat(play: TableState['play'], { layout, ruleset }: TableSetting): string | undefined {
  const cells = ruleset.cues(play.state).flatMap((cue) => ('cell' in cue ? [cue.cell] : []));
  return cells.find((cell) => !layout.cells.some((one) => one.cell === cell));
}

import { startPlay } from '../game/play.ts';
import type { GameEvent, Refusal } from '../game/ruleset.ts';
import type { AtMs, Json, Side } from '../ids.ts';
import type { SenseOutput } from '../sensing/sensing.ts';
import { afterPlay, tell } from './after-play.ts';
import { awaitsNextGame, chooserOf, freshMatch, matchGoingOn, matchSeen } from './best-of.ts';
import { commandProblem } from './command-shape.ts';
import type { Command, Output } from './input.ts';
import {
  begunEvent,
  blockRefusal,
  freshStart,
  GOING_ON,
  startBlocks,
  startBy,
  stillListening,
} from './match-start.ts';
import type { TableSetting } from './setting.ts';
import type { TableState } from './state.ts';

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
  const { play, start, match, goesOn } = made;
  state.match = match;
  state.play = play;
  state.game += 1;
  state.rulings = [];
  state.retracted = [];
  state.start = start;
  tell(seriesEvents(state, setting, goesOn), atMs, outputs);
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

type Made = Pick<TableState, 'play' | 'start' | 'match'> & { readonly goesOn: boolean };

/** Another game and how its match stands, or why there may be none. */
function newGameOf(state: TableState, setting: TableSetting, command: NewGame, atMs: AtMs): Made | Refusal {
  const { by, options, bestOf, despite, first } = command;
  const goesOn = options === undefined && bestOf === undefined ? matchGoingOn(state, setting) : undefined;
  if (state.calibrating !== null) return GOING_ON;
  // Players begin the next game of their match themselves, and nothing else.
  const theirs = goesOn !== undefined && despite === undefined && awaitsNextGame(state, setting);
  if (by.role === 'player' && !theirs) {
    const message =
      'A new match is started by the operator or a judge; players begin the next game of theirs.';
    return { code: 'new-game/not-yours', message, rules: [] };
  }
  const chooser = goesOn === undefined ? undefined : chooserOf(state, setting);
  const notChosen = choiceProblem(command, chooser);
  if (notChosen !== undefined) return notChosen;
  // The same decks play on.
  const again = goesOn === undefined ? undefined : nextOptions(state, setting, first ?? chooser);
  const play = playOf(setting, options ?? again);
  if ('code' in play) return play;
  const why = despite?.trim() ?? '';
  let start = freshStart(setting);
  // While hands or balls are on the mat its sensors are not watched; such a match waits until they have been.
  if (!start.begun && state.activity.kind === 'idle') {
    const blocks = startBlocks(state, setting, atMs);
    if (blocks.length > 0 && why === '') return blockRefusal(blocks);
    const listening = stillListening(blocks);
    if (listening !== undefined) return listening;
    if (why !== '') start = startBy(by, why, blocks);
  }
  const match = goesOn ?? freshMatch(bestOf ?? setting.bestOf ?? 1);
  return { play, start, match, goesOn: goesOn !== undefined };
}

/** Where the loser of a game says who begins the next one, nobody else does and it has to be said. */
function choiceProblem({ by, first }: NewGame, chooser: Side | 'lot' | undefined): Refusal | undefined {
  if (chooser === undefined || chooser === 'lot') {
    if (first === undefined) return undefined;
    const message =
      chooser === 'lot'
        ? 'Nobody lost the last game: the lot says who begins this one. Leave "first" away.'
        : 'Nobody chooses who begins this game: leave "first" away. With loserChooses in the config the loser of a game does.';
    return { code: 'new-game/no-choice', message, rules: [] };
  }
  if (by.role === 'player' && by.player !== chooser) {
    const message = `Player ${chooser} lost the last game and says who begins the next one.`;
    return { code: 'new-game/loser-chooses', message, rules: [] };
  }
  if (first !== undefined) return undefined;
  const message = `Say who begins the next game, as player ${chooser} chooses who lost the last one: "first" is A or B.`;
  return { code: 'new-game/say-first', message, rules: [] };
}

/** A game of a match of several, for the record: whether it belongs to the match before it, and how that stands. */
function seriesEvents(state: TableState, setting: TableSetting, goesOn: boolean): readonly GameEvent[] {
  const seen = matchSeen(state, setting);
  if (seen === undefined) return [];
  const { game, bestOf, won } = seen;
  const text = goesOn
    ? `Game ${game} of ${bestOf} of this match, ${won.A}–${won.B}.`
    : `A match of ${bestOf} games: two wins end it.`;
  return [{ type: 'match/game', rules: [], text, data: { game, bestOf, won: { ...won }, goesOn } }];
}

function nextOptions({ play }: TableState, { ruleset }: TableSetting, first?: Side | 'lot'): Json {
  return ruleset.nextGame?.(play.options, play.state, first) ?? play.options;
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

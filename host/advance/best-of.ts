import { matchWinner, wins, withGame } from '../game/event.ts';
import type { Cue } from '../game/ruleset.ts';
import { opponentOf, type Side } from '../ids.ts';
import type { MatchSeen } from '../scene/scene.ts';
import type { TableSetting } from './setting.ts';
import type { TableState } from './state.ts';
import type { TableMatch } from './state-parts.ts';

const BOTH = ['A', 'B'] as const;

/** A match of which no game was played. */
export function freshMatch(bestOf: 1 | 3): TableMatch {
  return { bestOf, games: [] };
}

type Now = Pick<TableState, 'match' | 'play'>;

/** The match with the game that is on, once that is over; without it before. */
function withCurrent({ match, play }: Now, { ruleset }: TableSetting): TableMatch {
  const winner = ruleset.over(play.state);
  // A judge may give a game of a match that is over another winner; what was won before stays.
  return winner === undefined || matchWinner(match, BOTH) !== undefined
    ? match
    : withGame(match, BOTH, winner);
}

/** The match of three that a next game belongs to; undefined when it is over, so that another one begins. */
export function matchGoingOn(state: Now, setting: TableSetting): TableMatch | undefined {
  const match = withCurrent(state, setting);
  if (match.bestOf === 1 || match.ended !== undefined) return undefined;
  return matchWinner(match, BOTH) === undefined ? match : undefined;
}

/** Whether a game has ended and its match goes on: then its players may begin the next one. */
export function awaitsNextGame(state: Now, setting: TableSetting): boolean {
  return setting.ruleset.over(state.play.state) !== undefined && matchGoingOn(state, setting) !== undefined;
}

/** Whether nothing more is played: the game is over, or its match was ended. */
export function isOver({ match, play }: Now, { ruleset }: TableSetting): boolean {
  return match.ended !== undefined || ruleset.over(play.state) !== undefined;
}

/** Who says who begins the next game, `lot` when nobody lost the last one; undefined where nobody is asked. */
export function chooserOf(state: Now, setting: TableSetting): Side | 'lot' | undefined {
  if (setting.loserChooses !== true || !awaitsNextGame(state, setting)) return undefined;
  const winner = setting.ruleset.over(state.play.state);
  return winner === 'A' || winner === 'B' ? opponentOf(winner) : 'lot';
}

/** Cues as they stand: a match that was ended shows that in place of what its game waits for. */
export function cuesNow({ match, play }: Now, { ruleset }: TableSetting): readonly Cue[] {
  const cues = ruleset.cues(play.state);
  if (match.ended === undefined) return cues;
  const lying = cues.filter(({ cue }) => cue === 'core' || cue === 'vacant' || cue === 'attached');
  return [...lying, { cue: 'game-over', winner: match.ended.winner }];
}

/** How a match of three games stands, for screens; undefined for single games. */
export function matchSeen(state: Now, setting: TableSetting): MatchSeen | undefined {
  const { match } = state;
  if (match.bestOf === 1) return undefined;
  const now = withCurrent(state, setting);
  const chooser = chooserOf(state, setting);
  return {
    bestOf: match.bestOf,
    game: match.games.length + 1,
    won: { A: wins(now, 'A'), B: wins(now, 'B') },
    winner: match.ended?.winner ?? matchWinner(now, BOTH) ?? null,
    ...(match.ended === undefined ? {} : { ended: { by: match.ended.by, why: match.ended.why } }),
    ...(chooser === undefined || chooser === 'lot' ? {} : { chooser }),
  };
}

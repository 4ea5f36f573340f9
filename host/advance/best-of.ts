import { type Match, matchWinner, wins, withGame } from '../game/event.ts';
import type { Side } from '../ids.ts';
import type { MatchSeen } from '../scene/scene.ts';
import type { TableSetting } from './setting.ts';
import type { TableState } from './state.ts';

const BOTH = ['A', 'B'] as const;

/** Games of a match that were played to their end before the one that is on. */
export type Played = Match<Side>;

/** A match of which no game was played. */
export function freshMatch(bestOf: 1 | 3): Played {
  return { bestOf, games: [] };
}

/** The match with the game that is on, once that is over; without it before. */
type Now = Pick<TableState, 'match' | 'play'>;

function withCurrent({ match, play }: Now, { ruleset }: TableSetting): Played {
  const winner = ruleset.over(play.state);
  // A judge may give a game of a match that is over another winner; what was won before stays.
  return winner === undefined || matchWinner(match, BOTH) !== undefined
    ? match
    : withGame(match, BOTH, winner);
}

/** The match of three that a next game belongs to; undefined when it is over, so that another one begins. */
export function matchGoingOn(state: TableState, setting: TableSetting): Played | undefined {
  const match = withCurrent(state, setting);
  if (match.bestOf === 1) return undefined;
  return matchWinner(match, BOTH) === undefined ? match : undefined;
}

/** Whether a game has ended and its match goes on: then its players may begin the next one. */
export function awaitsNextGame(state: TableState, setting: TableSetting): boolean {
  return setting.ruleset.over(state.play.state) !== undefined && matchGoingOn(state, setting) !== undefined;
}

/** How a match of three games stands, for screens; undefined for single games. */
export function matchSeen(state: Now, setting: TableSetting): MatchSeen | undefined {
  const { match } = state;
  if (match.bestOf === 1) return undefined;
  const now = withCurrent(state, setting);
  return {
    bestOf: match.bestOf,
    game: match.games.length + 1,
    won: { A: wins(now, 'A'), B: wins(now, 'B') },
    winner: matchWinner(now, BOTH) ?? null,
  };
}

/**
 * Events around single games: a match of one or three games, and Swiss rounds with standings. Plain values and pure
 * functions; nothing here knows what game is played.
 */

/** A player of an event, by a short name that is theirs alone. */
export type Entrant = string;

/** How a match ended for its two players; a bye has no opponent. */
export type MatchResult = {
  readonly round: number;
  readonly a: Entrant;
  readonly b: Entrant | null;
  /** Games won by each. */
  readonly gamesA: number;
  readonly gamesB: number;
};

/** Points of a match: won 3, drawn 1, lost 0; a bye counts as won two to none. */
const WON = 3;
const DRAWN = 1;
/** Lowest share of points that an opponent counts with in a tie-break. */
const FLOOR = 1 / 3;

/** A match that is being played: games in their order. */
export type Match<Side extends string> = {
  readonly bestOf: 1 | 3;
  readonly games: readonly (Side | 'draw')[];
};

/** Games won by a side. */
export function wins<Side extends string>(match: Match<Side>, side: Side): number {
  return match.games.filter((one) => one === side).length;
}

/**
 * Who has won a match, `draw` when it is over without a winner, undefined while it goes on: best of one ends with its
 * game, best of three with two wins or three games. `timeUp` ends it with whoever leads.
 */
export function matchWinner<Side extends string>(
  match: Match<Side>,
  sides: readonly [Side, Side],
  timeUp = false,
): Side | 'draw' | undefined {
  const [a, b] = sides;
  const wonA = wins(match, a);
  const wonB = wins(match, b);
  const needed = match.bestOf === 1 ? 1 : 2;
  const isOver = wonA >= needed || wonB >= needed || match.games.length >= match.bestOf || timeUp;
  if (!isOver) return undefined;
  if (wonA === wonB) return 'draw';
  return wonA > wonB ? a : b;
}

/** The match with one more game. Throws a RangeError when it is over. */
export function withGame<Side extends string>(
  match: Match<Side>,
  sides: readonly [Side, Side],
  winner: Side | 'draw',
): Match<Side> {
  if (matchWinner(match, sides) !== undefined) throw new RangeError('This match is over.');
  return { ...match, games: [...match.games, winner] };
}

/** One line of the standings, best first. */
export type Standing = {
  readonly entrant: Entrant;
  readonly points: number;
  readonly played: number;
  /** Mean share of points of the opponents, each at least a third: the first tie-break. */
  readonly opponents: number;
  /** Share of own games won: the second tie-break. */
  readonly games: number;
  readonly rank: number;
};

function outcomeFor(
  result: MatchResult,
  entrant: Entrant,
): { points: number; won: number; lost: number } | undefined {
  if (result.a !== entrant && result.b !== entrant) return undefined;
  const won = result.a === entrant ? result.gamesA : result.gamesB;
  const lost = result.a === entrant ? result.gamesB : result.gamesA;
  return { points: won > lost ? WON : won === lost ? DRAWN : 0, won, lost };
}

function tally(
  entrant: Entrant,
  results: readonly MatchResult[],
): { points: number; played: number; won: number; all: number } {
  let points = 0;
  let played = 0;
  let won = 0;
  let all = 0;
  for (const result of results) {
    const own = outcomeFor(result, entrant);
    if (own === undefined) continue;
    points += own.points;
    played += 1;
    won += own.won;
    all += own.won + own.lost;
  }
  return { points, played, won, all };
}

/** The standings after these results: points, opponents' share, own games' share, then the order of entry. */
export function standings(
  entrants: readonly Entrant[],
  results: readonly MatchResult[],
): readonly Standing[] {
  const share = (entrant: Entrant): number => {
    const { points, played } = tally(entrant, results);
    return played === 0 ? FLOOR : Math.max(FLOOR, points / (played * WON));
  };
  const rows = entrants.map((entrant) => {
    const { points, played, won, all } = tally(entrant, results);
    const met = results.flatMap((one) =>
      one.a === entrant ? (one.b ?? []) : one.b === entrant ? one.a : [],
    );
    const opponents = met.length === 0 ? 0 : met.reduce((sum, one) => sum + share(one), 0) / met.length;
    return { entrant, points, played, opponents, games: all === 0 ? 0 : won / all };
  });
  const better = (x: (typeof rows)[number], y: (typeof rows)[number]) =>
    y.points - x.points || y.opponents - x.opponents || y.games - x.games;
  const sorted = [...rows].sort(better);
  return sorted.map((row, index) => {
    const first = sorted.findIndex((one) => better(one, row) === 0);
    return { ...row, rank: (first < 0 ? index : first) + 1 };
  });
}

/** Two who play each other, or one who has a bye. */
export type Pairing = readonly [Entrant, Entrant | null];

/** Most steps of one search for pairs: far more than an event of usual length needs, and soon done. */
const MOST_TRIES = 20_000;

type Search = { readonly met: (a: Entrant, b: Entrant) => boolean; tries: number };

/** Pairs of neighbours with at most so many who meet again, or undefined when there are none or none is found in time. */
function pairUp(left: readonly Entrant[], again: number, search: Search): readonly Pairing[] | undefined {
  const [first, ...rest] = left;
  if (first === undefined) return [];
  for (const other of rest) {
    const cost = search.met(first, other) ? 1 : 0;
    if (cost > again) continue;
    search.tries -= 1;
    if (search.tries < 0) return undefined;
    const others = rest.filter((one) => one !== other);
    const more = pairUp(others, again - cost, search);
    if (more !== undefined) return [[first, other], ...more];
  }
  return undefined;
}

/**
 * Pairs the next round: neighbours in the standings, as few as can be meet again, the lowest who has had none gets the
 * bye of an odd number. Throws a RangeError when an entrant is named twice.
 */
export function nextRound(entrants: readonly Entrant[], results: readonly MatchResult[]): readonly Pairing[] {
  if (new Set(entrants).size < entrants.length) throw new RangeError('An entrant is named twice.');
  const order = standings(entrants, results).map((row) => row.entrant);
  const games = new Set(results.flatMap(({ a, b }) => (b === null ? [] : [`${a}\n${b}`, `${b}\n${a}`])));
  const met = (a: Entrant, b: Entrant) => games.has(`${a}\n${b}`);
  const byes = order.length % 2 === 0 ? [null] : byesFor(order, results);
  for (let again = 0; again <= order.length; again += 1) {
    for (const bye of byes) {
      const others = order.filter((one) => one !== bye);
      const pairs = pairUp(others, again, { met, tries: MOST_TRIES });
      if (pairs !== undefined) return bye === null ? pairs : [...pairs, [bye, null]];
    }
  }
  return [];
}

/** Who gets the bye: the lowest first, of those who have had fewest. */
function byesFor(order: readonly Entrant[], results: readonly MatchResult[]): readonly Entrant[] {
  const had = (entrant: Entrant) => results.filter((one) => one.b === null && one.a === entrant).length;
  const fewest = Math.min(...order.map(had));
  return [...order].reverse().filter((one) => had(one) === fewest);
}

/** The result that a bye counts as. */
export function byeResult(round: number, entrant: Entrant): MatchResult {
  return { round, a: entrant, b: null, gamesA: 2, gamesB: 0 };
}

/** Swiss rounds for so many players, and how many go on to a final (D-8.2). */
export function roundsFor(players: number): { readonly rounds: number; readonly top: number } {
  if (players <= 8) return { rounds: 3, top: 4 };
  if (players <= 16) return { rounds: 4, top: 4 };
  return { rounds: 5, top: 8 };
}

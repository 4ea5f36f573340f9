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

function pairUp(
  left: readonly Entrant[],
  met: (a: Entrant, b: Entrant) => boolean,
): readonly Pairing[] | undefined {
  const [first, ...rest] = left;
  if (first === undefined) return [];
  for (const other of rest) {
    if (met(first, other)) continue;
    const more = pairUp(
      rest.filter((one) => one !== other),
      met,
    );
    if (more !== undefined) return [[first, other], ...more];
  }
  return undefined;
}

/**
 * Pairs the next round: neighbours in the standings, nobody meets twice as long as that can be, the lowest who has had
 * none gets the bye of an odd number. Throws a RangeError when an entrant is named twice.
 */
export function nextRound(entrants: readonly Entrant[], results: readonly MatchResult[]): readonly Pairing[] {
  if (new Set(entrants).size < entrants.length) throw new RangeError('An entrant is named twice.');
  const order = standings(entrants, results).map((row) => row.entrant);
  const hadBye = (entrant: Entrant) => results.some((one) => one.b === null && one.a === entrant);
  const met = (a: Entrant, b: Entrant) =>
    results.some((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a));
  if (order.length % 2 === 0) return pairUp(order, met) ?? pairUp(order, () => false) ?? [];
  const free = [...order].reverse();
  const byes = [...free.filter((one) => !hadBye(one)), ...free.filter(hadBye)];
  for (const bye of byes) {
    const pairs = pairUp(
      order.filter((one) => one !== bye),
      met,
    );
    if (pairs !== undefined) return [...pairs, [bye, null]];
  }
  const [bye = ''] = byes;
  const others = order.filter((one) => one !== bye);
  return [...(pairUp(others, () => false) ?? []), [bye, null]];
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

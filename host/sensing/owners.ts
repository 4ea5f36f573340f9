import { exp } from '../exact.ts';
import type { Side } from '../ids.ts';
import { type Gates, launchMs } from './gates.ts';
import type { Tiles } from './tiles.ts';

/** One arrival as attribution sees it. */
export interface Token {
  readonly cell: number;
  readonly atMs: number;
  /** When that stay ended, Infinity while it lasts. */
  readonly untilMs: number;
  /** Closest approach, in seated reference balls, sign as read. */
  readonly peak: number;
  /** Chance that it opened there. */
  readonly opened: number;
  /** Number of the arrival within its visit: 1 is a second ball on a tile that holds one. */
  readonly nth: number;
}

/** What is known of one ball before it reaches the tiles. */
export interface Runner {
  readonly side: Side;
  /** Sign of its field, 0 when calibration does not know it. */
  readonly polarity: 1 | -1 | 0;
  readonly strength: number;
  readonly gates: Gates;
  /** Times of this side's gates can be trusted. */
  readonly gatesKnown: boolean;
  /** y of its far gate. */
  readonly gateY: number;
  /** +1: its own edge is at +y. */
  readonly own: 1 | -1;
  /** Speed past the far gate, mm/ms, NaN when not seen. */
  readonly speed: number;
}

/** Which ball each token belongs to. */
export interface Attribution {
  /** By token: 0 for the first runner, 1 for the second. */
  readonly owner: readonly number[];
  /** By token: chance that the owner is right. */
  readonly sure: readonly number[];
  /** Polarity had a say. */
  readonly byPolarity: boolean;
}

/** Most tokens of which every sharing is tried; beyond, the earliest ones that did not open go by distance alone. */
const MOST = 10;
/** Penalties, in natural logarithms of odds: never, hardly, not likely. */
const NEVER = -9;
const HARDLY = -4;
const ODD = -1.5;
/** Fastest ball, mm/ms, and half the way across a tile, mm. */
const FASTEST = 2.4;
const HALF_TILE = 20;
/** Rolling loss per ms at most, mm/ms². */
const MOST_LOSS = 0.0007;
/** A ball that opens stops within this time and this far (magnet catching steel). */
const STOPPED_MS = 80;

/** How well a first token fits what the gates saw of this ball. */
function fromLaunch(tiles: Tiles, runner: Runner, token: Token): number {
  const y = (tiles.y[token.cell] ?? 0) * runner.own;
  // Rows nearer to the own edge are met first.
  let score = Math.max(-1.5, Math.min(1.5, y / 45));
  if (!runner.gatesKnown) return score;
  const launched = launchMs(runner.gates);
  if (!(launched <= token.atMs + 5)) return score + (launched > token.atMs ? NEVER : HARDLY);
  const passed = runner.gates.far.blockedMs;
  if (!(passed >= 0)) return score + ODD;
  if (passed > token.atMs + 5) return score + NEVER;
  const way = Math.max(5, runner.gateY * runner.own - y - HALF_TILE);
  if (!(runner.speed > 0)) return score;
  const took = token.atMs - passed;
  const soonest = (0.8 * way) / (1.25 * runner.speed) - 25;
  // A slanted way is longer and rolling takes speed off.
  const slow = runner.speed * runner.speed * 0.72 - 2 * MOST_LOSS * way * 1.25;
  const latest = slow > 0 ? (1.5 * way + 2 * HALF_TILE) / Math.sqrt(slow) + 60 : Infinity;
  if (took < soonest) score += Math.max(NEVER, (took - soonest) / 15);
  else if (took > latest) score += Math.max(HARDLY, (latest - took) / 150);
  return score;
}

/** How well the same ball comes from one token to a later one. */
function onwards(tiles: Tiles, runner: Runner, from: Token, to: Token): number {
  const dx = (tiles.x[to.cell] ?? 0) - (tiles.x[from.cell] ?? 0);
  const dy = (tiles.y[to.cell] ?? 0) - (tiles.y[from.cell] ?? 0);
  const way = Math.sqrt(dx * dx + dy * dy);
  const dt = Math.max(1, to.atMs - from.atMs);
  const adjacent = way < 60;
  let score = 0;
  if (from.cell === to.cell) return to.nth > 0 && from.untilMs > to.atMs + STOPPED_MS ? NEVER : -0.3;
  const fastest = runner.speed > 0 ? runner.speed * 1.3 + 0.15 : FASTEST;
  const needed = Math.max(0, way - 2 * HALF_TILE) / dt;
  if (needed > fastest) score += Math.max(NEVER, (1 - needed / fastest) * 3);
  // One ball cannot stand on two tiles that do not touch.
  const overlap = from.untilMs - to.atMs;
  if (overlap > 20 && !adjacent) score += Math.max(NEVER, -overlap / 20);
  if (from.opened > 0.5 && from.untilMs > to.atMs + STOPPED_MS) {
    score += adjacent && to.atMs - from.atMs < STOPPED_MS ? -0.2 : NEVER;
  } else if (overlap > 300 && adjacent) score += ODD;
  const back = dy * runner.own;
  if (back > 10) score += from.opened > 0.5 ? -0.5 : ODD;
  // A ball that left a tile and came to the next one a good while later was slow: possible, less likely.
  const pause = to.atMs - Math.min(from.untilMs, to.atMs);
  if (pause > 400) score += Math.max(HARDLY, -pause / 400);
  return score;
}

/** How well a token's closest approach fits a ball's polarity: only a strong reading has a safe sign. */
function byPolarity(runner: Runner, token: Token): number {
  const size = Math.abs(token.peak);
  if (runner.polarity === 0 || size < 0.06) return 0;
  const fits = token.peak * runner.polarity > 0;
  const weight = size > 0.5 ? 7 : size > 0.2 ? 4 : 1;
  return fits ? 0 : -weight;
}

/**
 * Shares the tokens out to the balls: of all sharings the one that fits gates, tracks and polarities best, and how
 * sure each token's owner is against all the others. With one ball everything is its own. Two balls of one polarity
 * switch that evidence off.
 */
export function shareOut(tiles: Tiles, runners: readonly Runner[], tokens: readonly Token[]): Attribution {
  const [one, two] = runners;
  if (one === undefined || two === undefined) {
    return { owner: tokens.map(() => 0), sure: tokens.map(() => 1), byPolarity: false };
  }
  const polar = one.polarity !== 0 && two.polarity !== 0 && one.polarity !== two.polarity;
  const skip = Math.max(0, tokens.length - MOST);
  const used = tokens.slice(skip);
  const n = used.length;
  const weight = new Float64Array(1 << n);
  let best = 0;
  for (let mask = 0; mask < weight.length; mask += 1) {
    let score = 0;
    let lastOne: Token | undefined;
    let lastTwo: Token | undefined;
    for (let i = 0; i < n; i += 1) {
      const token = used[i];
      if (token === undefined) continue;
      const second = ((mask >> i) & 1) === 1;
      const runner = second ? two : one;
      const last = second ? lastTwo : lastOne;
      score += last === undefined ? fromLaunch(tiles, runner, token) : onwards(tiles, runner, last, token);
      if (polar) score += byPolarity(runner, token);
      if (second) lastTwo = token;
      else lastOne = token;
    }
    for (const runner of runners) {
      const seen = (runner === two ? lastTwo : lastOne) !== undefined;
      if (!seen && runner.gates.far.blockedMs >= 0) score += ODD / 2;
    }
    weight[mask] = score;
    if (score > (weight[best] ?? 0)) best = mask;
  }
  const top = weight[best] ?? 0;
  let total = 0;
  const agree = new Float64Array(n);
  for (let mask = 0; mask < weight.length; mask += 1) {
    const p = exp((weight[mask] ?? 0) - top);
    total += p;
    for (let i = 0; i < n; i += 1)
      if (((mask >> i) & 1) === ((best >> i) & 1)) agree[i] = (agree[i] ?? 0) + p;
  }
  const early = tokens.slice(0, skip).map((token) => {
    const y = tiles.y[token.cell] ?? 0;
    return y * one.own >= y * two.own ? 0 : 1;
  });
  return {
    owner: [...early, ...used.map((_, i) => (best >> i) & 1)],
    sure: [...early.map(() => 0.5), ...used.map((_, i) => (agree[i] ?? 0) / total)],
    byPolarity: polar,
  };
}

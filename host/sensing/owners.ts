import { exp } from '../exact.ts';
import type { Tiles } from './tiles.ts';
import {
  ends,
  fits,
  hasOpened,
  LAID,
  launchTrack,
  NEVER,
  onTrack,
  type Runner,
  type Token,
  type Track,
} from './tracks.ts';

/** Which ball each token belongs to. */
export interface Attribution {
  /** By token: 0 for the first runner, 1 for the second. */
  readonly owner: readonly number[];
  /** By token: chance that the owner is right. */
  readonly sure: readonly number[];
  /** Polarity had a say. */
  readonly byPolarity: boolean;
  /** A ball reads the other polarity than calibration knows: it is another ball, or its magnet was turned. */
  readonly turned: boolean;
  /** By ball: 1 where its magnet read as calibrated, -1 the other way round, 0 where nothing told. */
  readonly reads: readonly number[];
}

/** Most tokens of which every sharing is tried; beyond, the earliest go by the nearer edge alone. */
const MOST = 10;
/** A ball that was launched and touched nothing. */
const TOUCHED_NOTHING = -1;

/**
 * What a token's closest approach says of a polarity: how much, with the sign that was read. Only a strong reading has a
 * safe sign.
 */
export function signOf({ peak, laid }: Token): number {
  // What was laid down says nothing of a ball's magnet.
  if (laid === 1) return 0;
  const size = Math.abs(peak);
  const weight = size > 0.4 ? 8 : size > 0.15 ? 4 : size < 0.05 ? 0 : 1.5;
  return peak < 0 ? -weight : weight;
}

/** What speaks against a ball's polarity as calibrated, and against the other one, so far. */
interface Against {
  readonly known: number;
  readonly other: number;
}

const NOTHING_AGAINST: Against = { known: 0, other: 0 };

function withToken(against: Against, runner: Runner, token: Token, tokens: readonly Token[]): Against {
  const sign = signOf(token);
  if (runner.polarity === 0 || sign === 0) return against;
  const weight = Math.abs(sign);
  const { known, other } = against;
  if (sign * runner.polarity > 0) return { known, other: other + weight };
  // Where both stand on one tile their sum has been read: that is no word on either magnet alone.
  const joint = tokens.some(({ cell, nth }) => cell === token.cell && nth !== token.nth);
  return { known: known + weight, other: joint ? other + weight : other };
}

function isTurned(runner: Runner, against: Against): boolean {
  return runner.exchanged - against.other > -against.known;
}

function readAs(runner: Runner, against: Against): number {
  return isTurned(runner, against) ? -1 : against.other > against.known ? 1 : 0;
}

/** Natural logarithm of what polarity says, the ball's magnet being as calibrated or not. */
function polarity(runner: Runner, against: Against): number {
  return Math.max(-against.known, runner.exchanged - against.other);
}

interface Best {
  mask: number;
  top: number;
  reads: readonly number[];
}

/** Tries every sharing of the tokens from `i` on; `weight` takes the logarithm of each by its mask. */
function tryAll(
  tiles: Tiles,
  runners: readonly [Runner, Runner],
  tokens: readonly Token[],
  polar: boolean,
  tracks: readonly [Track, Track],
  against: readonly [Against, Against],
  i: number,
  mask: number,
  score: number,
  weight: Float64Array,
  best: Best,
): void {
  const token = tokens[i];
  if (token === undefined) {
    let sum = score + polarity(runners[0], against[0]) + polarity(runners[1], against[1]);
    for (const which of [0, 1] as const) {
      sum += ends(tiles, tracks[which]);
      if (tracks[which].last === undefined && runners[which].gates.far.blockedMs >= 0) sum += TOUCHED_NOTHING;
    }
    weight[mask] = sum;
    if (sum > best.top) {
      best.top = sum;
      best.mask = mask;
      best.reads = [readAs(runners[0], against[0]), readAs(runners[1], against[1])];
    }
    return;
  }
  for (const which of [0, 1] as const) {
    const runner = runners[which];
    const track = tracks[which];
    const fit = fits(tiles, runner, track, token);
    const next = score + (token.laid === 1 ? Math.max(LAID, fit) : fit);
    const signs = polar ? withToken(against[which], runner, token, tokens) : against[which];
    // What is this far behind the best cannot matter any more.
    const other = which === 0 ? 1 : 0;
    const signed = polarity(runner, signs) + polarity(runners[other], against[other]);
    if (next + signed < best.top + 2 * NEVER) continue;
    const moved = token.laid === 1 ? track : onTrack(tiles, track, token);
    tryAll(
      tiles,
      runners,
      tokens,
      polar,
      which === 0 ? [moved, tracks[1]] : [tracks[0], moved],
      which === 0 ? [signs, against[1]] : [against[0], signs],
      i + 1,
      mask | (which << i),
      next,
      weight,
      best,
    );
  }
}

function bitOf(mask: number, i: number): number {
  return (mask >> i) & 1;
}

/**
 * The other ball's opening on the same tile, -1 where there is none: which of the two came first changes nothing, both
 * opened there and both hold it.
 */
function partnerOf(tokens: readonly Token[], mask: number, i: number): number {
  const own = tokens[i];
  if (own === undefined || !hasOpened(own)) return -1;
  return tokens.findIndex(
    (token, j) =>
      token.cell === own.cell &&
      token.nth !== own.nth &&
      hasOpened(token) &&
      token.untilMs === own.untilMs &&
      bitOf(mask, j) !== bitOf(mask, i),
  );
}

/**
 * Shares the tokens out to the balls: of all sharings the one that fits gates, tracks and polarities best, and how
 * sure each token's owner is against all the others. With one ball everything is its own. Two balls of one polarity
 * switch that evidence off.
 */
export function shareOut(tiles: Tiles, runners: readonly Runner[], tokens: readonly Token[]): Attribution {
  const [one, two] = runners;
  if (one === undefined || two === undefined) {
    return {
      owner: tokens.map(() => 0),
      sure: tokens.map(() => 1),
      byPolarity: false,
      turned: false,
      reads: [0],
    };
  }
  const polar = one.polarity !== 0 && two.polarity !== 0 && one.polarity !== two.polarity;
  const skip = Math.max(0, tokens.length - MOST);
  const used = tokens.slice(skip);
  const n = used.length;
  const weight = new Float64Array(1 << n).fill(-Infinity);
  const best: Best = { mask: 0, top: -Infinity, reads: [0, 0] };
  const tracks = [launchTrack(one), launchTrack(two)] as const;
  tryAll(tiles, [one, two], used, polar, tracks, [NOTHING_AGAINST, NOTHING_AGAINST], 0, 0, 0, weight, best);
  const partners = used.map((_, i) => partnerOf(used, best.mask, i));
  let total = 0;
  const agree = new Float64Array(n);
  for (let mask = 0; mask < weight.length; mask += 1) {
    const p = exp((weight[mask] ?? -Infinity) - best.top);
    if (!(p > 0)) continue;
    total += p;
    for (let i = 0; i < n; i += 1) {
      const j = partners[i] ?? -1;
      const same = j < 0 ? bitOf(mask, i) === bitOf(best.mask, i) : bitOf(mask, i) !== bitOf(mask, j);
      if (same) agree[i] = (agree[i] ?? 0) + p;
    }
  }
  const early = tokens.slice(0, skip).map((token) => {
    const y = tiles.y[token.cell] ?? 0;
    return y * one.own >= y * two.own ? 0 : 1;
  });
  return {
    owner: [...early, ...used.map((_, i) => (best.mask >> i) & 1)],
    sure: [...early.map(() => 0.5), ...used.map((_, i) => (agree[i] ?? 0) / total)],
    byPolarity: polar && !best.reads.includes(-1),
    turned: best.reads.includes(-1),
    reads: best.reads,
  };
}

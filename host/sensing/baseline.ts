import type { SensingLimits } from './limits.ts';
import type { Tiles } from './tiles.ts';

/** Time constant of the slow baseline, and its largest slew (8 K of warm-up in minutes is slower). */
const SLOW_MS = 30_000;
const SLEW_MT_PER_S = 0.05;
/** A tile and its neighbours must have been idle this long before the slow baseline moves. */
const IDLE_MS = 10_000;
/** One step up to this is taken after a visit, when it has been still for this long. */
const STEP_MT = 1;
const STEP_AFTER_MS = 2000;
/** Half a count: quantised noise must not walk the baseline. */
const DEAD_BAND_COUNTS = 0.5;
/** A level further from the stored rest than this is a magnet, not drift. */
export const MAGNET_MT = 1.5;
/** Weight of a quiet line in the level before a roll: five lines, a tenth of a second. */
const ZERO_WEIGHT = 0.2;

/**
 * The level that means "no ball" for every hall, counts. `slow` follows drift while nothing happens and is frozen in
 * rolls and while hands are on the mat. `zero` is what a roll measures from: the level just before the first sign of a
 * ball, so that remanence, standing balls and the static light of a roll cancel.
 */
export interface Baseline {
  readonly slow: Float64Array;
  readonly zero: Float64Array;
  /** Last time each cell was disturbed. */
  readonly disturbedMs: Float64Array;
  /** Disturbance after which a step of the steel's remanence was accepted; NaN before the level was ever near to rest. */
  readonly steppedMs: Float64Array;
  /** Until the first quiet line has come the stored rest stands in. */
  readonly heard: Uint8Array;
  /** What the whole board has moved by since `zero` was frozen, counts, by cell. */
  readonly common: Float64Array;
}

export function createBaseline(tiles: Tiles): Baseline {
  return {
    slow: Float64Array.from(tiles.rest),
    zero: Float64Array.from(tiles.rest),
    disturbedMs: new Float64Array(tiles.cells.length).fill(-Infinity),
    steppedMs: new Float64Array(tiles.cells.length * tiles.halls).fill(NaN),
    heard: new Uint8Array(tiles.cells.length),
    common: new Float64Array(tiles.cells.length),
  };
}

/** What a quiet level is used for: drift is learnt when idle, the zero of a roll before its first sign. */
export type Learning = 'drift' | 'zero' | 'frozen';

/** Time constant with which the slow baseline follows what a whole board moves by: no ball does that. */
const COMMON_MS = 1000;

/**
 * One quiet mean of one hall, counts. `sinceMs` is the time since that tile's last quiet line, `common` what its whole
 * board is off the slow baseline by.
 */
export function learnLevel(
  base: Baseline,
  tiles: Tiles,
  limits: SensingLimits,
  cell: number,
  hall: number,
  counts: number,
  atMs: number,
  sinceMs: number,
  learning: Learning,
  common = 0,
): void {
  const at = cell * tiles.halls + hall;
  let slow = base.slow[at] ?? 0;
  const zero = base.zero[at] ?? 0;
  if (learning === 'frozen') return;
  // Before a roll any steady level is the zero, whatever it is; a step is taken at once.
  const far = Math.abs(counts - zero) * limits.mtPerCount > limits.onsetMt / 2;
  base.zero[at] = base.heard[cell] === 0 || far ? counts : zero + (counts - zero) * ZERO_WEIGHT;
  if (learning !== 'drift') return;
  const off = counts - slow - common;
  if (common !== 0) {
    slow += common * Math.min(1, sinceMs / COMMON_MS);
    base.slow[at] = slow;
  }
  if (Math.abs(off) * limits.mtPerCount > MAGNET_MT) {
    base.disturbedMs[cell] = atMs;
    return;
  }
  const since = base.disturbedMs[cell] ?? 0;
  // A visit leaves the steel a little magnetised: one step is taken, once all has been still.
  if (base.steppedMs[at] !== since && atMs - since >= STEP_AFTER_MS) {
    const small = Math.abs(off) * limits.mtPerCount <= STEP_MT;
    // A level that was further off from the beginning on is looked at as a whole: see `learnRemains`.
    if (small || !Number.isNaN(base.steppedMs[at])) {
      base.steppedMs[at] = since;
      if (small) base.slow[at] = base.zero[at] ?? slow;
      return;
    }
  }
  if (atMs - since < IDLE_MS || Math.abs(off) <= DEAD_BAND_COUNTS) return;
  for (const n of tiles.near[cell] ?? []) if (atMs - (base.disturbedMs[n] ?? 0) < IDLE_MS) return;
  const most = ((SLEW_MT_PER_S / limits.mtPerCount) * sinceMs) / 1000;
  const step = (off * sinceMs) / SLOW_MS;
  base.slow[at] = slow + Math.max(-most, Math.min(most, step));
}

/**
 * Whether a cell's level before a roll is that of a magnet lying on it. `common` is what its whole board is off by;
 * `hall` the one that is watched.
 */
export function magnetAt(
  base: Baseline,
  tiles: Tiles,
  limits: SensingLimits,
  cell: number,
  hall = 0,
  common = 0,
): boolean {
  const at = cell * tiles.halls + hall;
  return Math.abs((base.zero[at] ?? 0) - (base.slow[at] ?? 0) - common) * limits.mtPerCount > MAGNET_MT;
}

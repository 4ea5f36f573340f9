import type { Tiles } from './tiles.ts';

/** Weight of one quiet line in the running mean and spread: a second and a half. */
const WEIGHT = 1 / 75;
/** A change between two lines that is a thing, not noise: one mT. */
const STEP_COUNTS = 10;
/** The most that one change counts as noise, counts: a thing put down comes in two lines at most, noise in many. */
const MOST_COUNTS = 2;

/**
 * What quiet lines show of every hall and contact, kept up while no roll is watched. Typed buffers, changed in place;
 * nothing is allocated for a line.
 */
export interface HealthWatch {
  /** Running mean and mean square deviation of the 20 ms means, counts, by cell · halls + hall. */
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  /** Last value, and how many lines in a row had just it. */
  readonly last: Float64Array;
  readonly same: Int32Array;
  /** Quiet lines heard of each cell. */
  readonly heard: Int32Array;
  /** When each contact was last seen open, and last seen at all. */
  readonly openMs: Float64Array;
  readonly seenMs: Float64Array;
}

export function createHealthWatch(tiles: Tiles): HealthWatch {
  const n = tiles.cells.length;
  return {
    mean: Float64Array.from(tiles.rest),
    variance: new Float64Array(n * tiles.halls),
    last: new Float64Array(n * tiles.halls).fill(-1),
    same: new Int32Array(n * tiles.halls),
    heard: new Int32Array(n),
    openMs: new Float64Array(n).fill(NaN),
    seenMs: new Float64Array(n).fill(NaN),
  };
}

/** One quiet mean of one hall, counts. */
export function watchHall(watch: HealthWatch, at: number, counts: number, first: boolean): void {
  const off = counts - (watch.mean[at] ?? 0);
  if (first) {
    watch.mean[at] = counts;
    watch.variance[at] = 0;
  } else {
    // Something was put down or taken away: the level is there at once.
    watch.mean[at] = Math.abs(off) > STEP_COUNTS ? counts : (watch.mean[at] ?? 0) + off * WEIGHT;
    const counted = Math.min(Math.abs(off), MOST_COUNTS);
    watch.variance[at] = (watch.variance[at] ?? 0) * (1 - WEIGHT) + counted * counted * WEIGHT;
  }
  watch.same[at] = watch.last[at] === counts ? (watch.same[at] ?? 0) + 1 : 0;
  watch.last[at] = counts;
}

/** One quiet bit of one contact. */
export function watchContact(watch: HealthWatch, cell: number, closed: boolean, atMs: number): void {
  if (!closed || Number.isNaN(watch.openMs[cell] ?? NaN)) watch.openMs[cell] = atMs;
  watch.seenMs[cell] = atMs;
  watch.heard[cell] = (watch.heard[cell] ?? 0) + 1;
}

/** People have handled the mat: what was seen before says nothing of now. */
export function forgetHealth(watch: HealthWatch): void {
  watch.heard.fill(0);
  watch.same.fill(0);
  watch.openMs.fill(NaN);
}

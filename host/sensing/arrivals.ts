import { FEATURES, fillWindow, WINDOWS } from './features.ts';
import type { OpenScore } from './score.ts';
import { BIN_MS, binAt, type TraceSource, type Visit } from './visits.ts';

/** Balls that one visit may hold: both (5.7.2.2), and one more for a ball that leaves and comes back. */
export const MAX_ARRIVALS = 3;
/** Change of level, in seated reference balls, that a second magnet makes at least when it opens on the tile. */
const STEP = 0.3;
/** Bins on each side of a step that must be level; a second arrival is at least 20 ms after the first. */
const FLAT_BINS = 4;
const SECOND_AFTER_MS = 20;
/** What is left of a ball's level when it has gone. */
const GONE_SHARE = 0.35;

/** One ball coming to a tile. */
export interface Arrival {
  atMs: number;
  /** Level that was there before, in seated reference balls. */
  base: number;
  readonly features: Float64Array;
  /** Windows of the features that are complete. */
  windows: number;
  /** Chance that the ball opened here, at the windows so far; NaN before the first score. */
  score: number;
  /** Largest signed level over `base` so far: the closest approach. */
  peak: number;
  /** Signed level over `base` at which it stands, from the last complete window. */
  level: number;
  /** When it left the tile again, Infinity while it stays. */
  leftMs: number;
}

export function createArrival(): Arrival {
  return {
    atMs: 0,
    base: 0,
    features: new Float64Array(FEATURES.length),
    windows: 0,
    score: NaN,
    peak: 0,
    level: 0,
    leftMs: Infinity,
  };
}

export function beginArrival(arrival: Arrival, atMs: number, base: number): void {
  arrival.atMs = atMs;
  arrival.base = base;
  arrival.features.fill(0);
  arrival.windows = 0;
  arrival.score = NaN;
  arrival.peak = 0;
  arrival.level = 0;
  arrival.leftMs = Infinity;
}

/** Mean level of bins [from, to) that are known, NaN when none is. */
export function meanLevel(visit: Visit, from: number, to: number): number {
  let sum = 0;
  let n = 0;
  for (let i = Math.max(0, from); i < Math.min(to, visit.bins); i += 1) {
    const v = visit.level[i] ?? NaN;
    if (!Number.isNaN(v)) {
      sum += v;
      n += 1;
    }
  }
  return n > 0 ? sum / n : NaN;
}

/** Largest deviation from the mean of bins [from, to). */
function unrest(visit: Visit, from: number, to: number, mean: number): number {
  let most = 0;
  for (let i = Math.max(0, from); i < Math.min(to, visit.bins); i += 1) {
    const off = Math.abs((visit.level[i] ?? mean) - mean);
    if (off > most) most = off;
  }
  return most;
}

/**
 * First step of the level after `afterMs` between two level stretches, with the contact closed through it: a second
 * magnet has come, or the first has moved. Returns the bin of the step or -1.
 */
export function stepAfter(visit: Visit, afterMs: number, need: number): number {
  const first = binAt(visit, afterMs) + FLAT_BINS;
  for (let i = first; i + FLAT_BINS + 2 <= visit.bins; i += 1) {
    const before = meanLevel(visit, i - FLAT_BINS, i);
    const after = meanLevel(visit, i + 2, i + 2 + FLAT_BINS);
    const change = Math.abs(after - before);
    if (!(change >= need)) continue;
    const calm = 0.25 * change;
    if (unrest(visit, i - FLAT_BINS, i, before) > calm) continue;
    if (unrest(visit, i + 2, i + 2 + FLAT_BINS, after) > calm) continue;
    return i;
  }
  return -1;
}

/** Largest signed level over the base within [fromMs, toMs). */
function peakOf(visit: Visit, base: number, fromMs: number, toMs: number): number {
  let peak = 0;
  for (let i = binAt(visit, fromMs); i <= binAt(visit, toMs - 1); i += 1) {
    const v = (visit.level[i] ?? NaN) - base;
    if (!Number.isNaN(v) && Math.abs(v) > Math.abs(peak)) peak = v;
  }
  return peak;
}

/** Updates one arrival with what the trace shows up to `toMs`; `untilMs` is where the next arrival begins. */
export function followArrival(
  source: TraceSource,
  visit: Visit,
  arrival: Arrival,
  toMs: number,
  untilMs: number,
  scoreOf: OpenScore,
): void {
  while (arrival.windows < WINDOWS.length) {
    const [from, to] = WINDOWS[arrival.windows] ?? [0, Infinity];
    if (arrival.atMs + to > toMs) break;
    if (arrival.atMs + to <= untilMs || arrival.windows < 2) {
      fillWindow(source, visit, arrival.atMs, arrival.base, arrival.windows, arrival.features);
      const level = meanLevel(visit, binAt(visit, arrival.atMs + from), binAt(visit, arrival.atMs + to) + 1);
      if (!Number.isNaN(level)) arrival.level = level - arrival.base;
    }
    arrival.windows += 1;
  }
  arrival.peak = peakOf(visit, arrival.base, arrival.atMs - BIN_MS, Math.min(toMs, untilMs, visit.endMs));
  arrival.score = scoreOf(arrival.features, arrival.windows);
}

/**
 * What is left of the balls on this tile at the end of the trace: an arrival has left when contact is open and its
 * level gone, or when the visit has ended.
 */
export function leftAt(visit: Visit, arrival: Arrival): number {
  if (visit.endMs < Infinity) return visit.endMs;
  const last = visit.bins;
  const now = meanLevel(visit, last - 5, last);
  const touched = visit.touch[last - 1] ?? 0;
  const was = Math.abs(arrival.level) > Math.abs(arrival.peak) / 2 ? arrival.level : arrival.peak;
  if (touched > 0 || !(Math.abs(now - arrival.base) < GONE_SHARE * Math.abs(was))) return Infinity;
  return visit.fromMs + (last - 5) * BIN_MS;
}

export { SECOND_AFTER_MS, STEP };

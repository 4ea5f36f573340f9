import type { Visit } from './visits.ts';

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
export function unrest(visit: Visit, from: number, to: number, mean: number): number {
  let most = 0;
  for (let i = Math.max(0, from); i < Math.min(to, visit.bins); i += 1) {
    const off = Math.abs((visit.level[i] ?? mean) - mean);
    if (off > most) most = off;
  }
  return most;
}

/** A level that only a ball on the tile makes, in seated reference balls: below it a step is a first arrival. */
export const STANDING = 0.25;
/** Share that leaves no room for a departure. */
export const HELD_WHOLE = 0.97;

/** Share of bins [from, to) for which the contact was closed. */
export function touchedShare(visit: Visit, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += visit.touch[i] ?? 0;
  return to > from ? sum / (to - from) : 0;
}

/** Whether a step leads towards nothing. */
export function falls(before: number, after: number): boolean {
  return after * before > 0 ? Math.abs(after) < Math.abs(before) : Math.abs(after) < STANDING;
}

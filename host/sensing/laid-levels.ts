import { hallFor } from './blind.ts';
import { readEach } from './rings.ts';
import { BIN_MS, binCounts, seatedCounts, shareFrom, type TraceSource } from './visits.ts';

/** Longest stretch that bins are laid over in every way, ms. */
export const LAID_MS = 512;

const samples = new Float64Array(LAID_MS + BIN_MS);
const counts = new Float64Array(LAID_MS);
const inOrder = new Float64Array(BIN_MS);

/** Puts a value to its place among the first `n`, which are in order. */
function insert(value: number, n: number): void {
  let i = n - 1;
  for (; i >= 0 && (inOrder[i] ?? 0) > value; i -= 1) inOrder[i + 1] = inOrder[i] ?? 0;
  inOrder[i + 1] = value;
}

/** Takes a value out from among the first `n`, which are in order. */
function remove(value: number, n: number): void {
  let i = 0;
  while (i < n && inOrder[i] !== value) i += 1;
  for (; i + 1 < n; i += 1) inOrder[i] = inOrder[i + 1] ?? 0;
}

function middleInOrder(n: number): number {
  const mid = n >> 1;
  const upper = inOrder[mid] ?? 0;
  return n === 0 ? NaN : n % 2 === 1 ? upper : ((inOrder[mid - 1] ?? 0) + upper) / 2;
}

/**
 * What `binCounts` gives for the bins that begin at each of `n` milliseconds from `fromMs` on, into `counts`: from one to
 * the next a single sample goes and a single one comes.
 */
function layCounts(source: TraceSource, cell: number, hall: number, fromMs: number, n: number): void {
  const { rings, base, tiles } = source;
  // The lights' share is taken off bin by bin: rare enough to do it the plain way.
  if ((rings.shiftedMs[cell] ?? 0) > fromMs) {
    for (let i = 0; i < n; i += 1) counts[i] = binCounts(source, cell, hall, fromMs + i);
    return;
  }
  const zero = base.zero[cell * tiles.halls + hall] ?? 0;
  const last = BIN_MS - 1;
  readEach(rings, cell, hall, fromMs, n + last, samples);
  let known = 0;
  for (let i = 0; i < n + last; i += 1) {
    const comes = samples[i] ?? NaN;
    const goes = i < BIN_MS ? NaN : (samples[i - BIN_MS] ?? NaN);
    if (comes !== goes) {
      if (!Number.isNaN(goes)) {
        remove(goes, known);
        known -= 1;
      }
      if (!Number.isNaN(comes)) {
        insert(comes, known);
        known += 1;
      }
    }
    if (i >= last) counts[i - last] = middleInOrder(known) - zero;
  }
}

/**
 * Levels of the bins that begin at each of `n` milliseconds from `fromMs` on, whole ms, into `levels`: a trace of this cell
 * as `extendTrace` makes it, for all eight ways to lay its bins at once. At most `LAID_MS`.
 */
export function layLevels(
  source: TraceSource,
  cell: number,
  fromMs: number,
  n: number,
  levels: Float64Array,
): void {
  const hall = hallFor(source.sees[cell] ?? 0);
  if (hall >= source.tiles.halls) {
    levels.fill(0, 0, n);
    return;
  }
  layCounts(source, cell, hall, fromMs, n);
  levels.set(counts.subarray(0, n));
  if (hall === 0) {
    for (const other of source.tiles.near[cell] ?? []) {
      const share = shareFrom(source, cell, other);
      if (share === 0) continue;
      layCounts(source, other, 0, fromMs, n);
      for (let i = 0; i < n; i += 1) {
        const there = counts[i] ?? NaN;
        if (!Number.isNaN(there)) levels[i] = (levels[i] ?? NaN) - share * there;
      }
    }
  }
  const seated = seatedCounts(source, cell, hall);
  for (let i = 0; i < n; i += 1) levels[i] = (levels[i] ?? NaN) / seated;
}

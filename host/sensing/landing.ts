import { hallFor } from './blind.ts';
import { medianOf } from './medians.ts';
import { readHall } from './rings.ts';
import { BIN_MS, seatedCounts, type TraceSource, type Visit } from './visits.ts';

/** A landing is looked for in the bin of its steepest rise, the one before and the one after. */
const SPAN_MS = 3 * BIN_MS;
/** An anchor lies this long before the level has risen half way: the score was fitted with the beginning of the bin. */
const BEFORE_HALF_MS = BIN_MS / 2;

const levels = new Float64Array(SPAN_MS);
const ends = new Float64Array(BIN_MS);

/**
 * When the rise of a bin happened, host ms: counted sample by sample, so that it does not matter where in the rise the
 * bin begins. The bin's own beginning where samples are missing.
 */
export function landingMs(source: TraceSource, visit: Visit, bin: number, base: number): number {
  const { cell } = visit;
  const binMs = visit.fromMs + bin * BIN_MS;
  const hall = hallFor(source.sees[cell] ?? 0);
  if (hall >= source.tiles.halls) return binMs;
  const fromMs = binMs - BIN_MS;
  if (readHall(source.rings, cell, hall, fromMs, fromMs + SPAN_MS, levels) < SPAN_MS) return binMs;
  const zero = source.base.zero[cell * source.tiles.halls + hall] ?? 0;
  const seated = seatedCounts(source, cell, hall);
  for (let k = 0; k < SPAN_MS; k += 1) levels[k] = Math.abs(((levels[k] ?? 0) - zero) / seated - base);
  for (let k = 0; k < BIN_MS; k += 1) ends[k] = levels[k] ?? 0;
  const before = medianOf(ends, BIN_MS);
  for (let k = 0; k < BIN_MS; k += 1) ends[k] = levels[SPAN_MS - BIN_MS + k] ?? 0;
  const half = (before + medianOf(ends, BIN_MS)) / 2;
  let beyond = 0;
  for (let k = 0; k < SPAN_MS; k += 1) if ((levels[k] ?? 0) > half) beyond += 1;
  return fromMs + SPAN_MS - beyond - BEFORE_HALF_MS;
}

import type { Baseline } from './baseline.ts';
import type { SensingLimits } from './limits.ts';
import { STEPS_PER_COUNT } from './rings.ts';
import type { Tiles } from './tiles.ts';

/**
 * Finds where a field begins on each tile: above the threshold for several samples in a row, with a lower threshold
 * for its end. Looks at the first hall of a tile only, in quarter counts; one comparison a sample, nothing allocated.
 */
export interface OnsetWatch {
  /** Level without a ball and thresholds, quarter counts, by cell. */
  readonly zero: Float64Array;
  readonly on: Float64Array;
  readonly off: Float64Array;
  /** Samples in a row above `on`. */
  readonly run: Int32Array;
  /** Start of the field now there, NaN when there is none. */
  readonly sinceMs: Float64Array;
  /** Last sample above `off` while a field was there, -Infinity before the first. */
  readonly aboveMs: Float64Array;
}

export function createOnsets(cells: number): OnsetWatch {
  return {
    zero: new Float64Array(cells),
    on: new Float64Array(cells),
    off: new Float64Array(cells),
    run: new Int32Array(cells),
    sinceMs: new Float64Array(cells).fill(NaN),
    aboveMs: new Float64Array(cells).fill(-Infinity),
  };
}

/** Threshold of a tile in counts. */
export function onsetCounts(tiles: Tiles, limits: SensingLimits, cell: number): number {
  const noise = tiles.noise[cell * tiles.halls] ?? 0.3;
  return Math.max(limits.onsetMt / limits.mtPerCount, limits.onsetSigmas * noise);
}

/** Takes the thresholds anew from baseline and limits; called for a cell whenever its zero moved. */
export function setThreshold(
  watch: OnsetWatch,
  base: Baseline,
  tiles: Tiles,
  limits: SensingLimits,
  cell: number,
): void {
  const on = onsetCounts(tiles, limits, cell) * STEPS_PER_COUNT;
  watch.zero[cell] = (base.zero[cell * tiles.halls] ?? 0) * STEPS_PER_COUNT;
  watch.on[cell] = on;
  watch.off[cell] = on * limits.offShare;
}

/** Forgets fields seen so far. */
export function clearOnsets(watch: OnsetWatch): void {
  watch.run.fill(0);
  watch.sinceMs.fill(NaN);
  watch.aboveMs.fill(-Infinity);
}

/**
 * Samples of one tile in time order, ten-bit counts, every `step`-th from `offset`. Returns true when a field began
 * within them (its start is `sinceMs`). Lines that come out of order only repeat what a later line has said.
 */
export function watchSamples(
  watch: OnsetWatch,
  cell: number,
  fromMs: number,
  samples: Uint16Array,
  offset: number,
  step: number,
  count: number,
  holdMs: number,
  pauseMs: number,
): boolean {
  const zero = watch.zero[cell] ?? 0;
  const on = watch.on[cell] ?? 0;
  const off = watch.off[cell] ?? 0;
  let run = watch.run[cell] ?? 0;
  let since = watch.sinceMs[cell] ?? NaN;
  // The usual case: nothing here. Ten-bit counts against the bounds, nothing else.
  const low = (zero - off) / STEPS_PER_COUNT;
  const high = (zero + off) / STEPS_PER_COUNT;
  let least = 1024;
  let most = -1;
  for (let i = 0, at = offset; i < count; i += 1, at += step) {
    const v = samples[at] ?? 0;
    if (v < least) least = v;
    if (v > most) most = v;
  }
  if (least >= low && most <= high) {
    watch.run[cell] = 0;
    return false;
  }
  // A field after a pause is a new one: its start is what counts from then on.
  if (fromMs - (watch.aboveMs[cell] ?? 0) > pauseMs) {
    since = NaN;
    run = 0;
  }
  let above = -1;
  let began = false;
  let k = offset;
  for (let i = 0; i < count; i += 1, k += step) {
    const d = (samples[k] ?? 0) * STEPS_PER_COUNT - zero;
    const size = d < 0 ? -d : d;
    if (size > off) above = i;
    if (size > on) {
      run += 1;
      if (run === holdMs && Number.isNaN(since)) {
        since = fromMs + i - holdMs + 1;
        began = true;
      }
    } else run = 0;
  }
  watch.run[cell] = run;
  if (above >= 0 && fromMs + above > (watch.aboveMs[cell] ?? 0)) watch.aboveMs[cell] = fromMs + above;
  watch.sinceMs[cell] = since;
  return began;
}

/** A quiet mean, quarter counts: the only word on tiles that send no bursts. */
export function watchMean(
  watch: OnsetWatch,
  cell: number,
  fromMs: number,
  toMs: number,
  mean: number,
): boolean {
  const d = mean - (watch.zero[cell] ?? 0);
  const size = d < 0 ? -d : d;
  if (size > (watch.off[cell] ?? 0) && toMs > (watch.aboveMs[cell] ?? 0)) watch.aboveMs[cell] = toMs;
  if (size <= (watch.on[cell] ?? 0)) return false;
  const since = watch.sinceMs[cell] ?? NaN;
  if (!Number.isNaN(since)) return false;
  watch.sinceMs[cell] = fromMs;
  return true;
}

/** The field of a tile has gone: the next one is a new one. */
export function endField(watch: OnsetWatch, cell: number): void {
  watch.sinceMs[cell] = NaN;
  watch.run[cell] = 0;
}

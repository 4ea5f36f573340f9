import type { Baseline } from './baseline.ts';
import type { SensingLimits } from './limits.ts';
import { STEPS_PER_COUNT } from './rings.ts';
import type { Tiles } from './tiles.ts';

/**
 * Finds where a field begins on each tile: above the threshold for several samples in a row, with a lower threshold
 * for its end. Looks at one hall of a tile, in quarter counts; one comparison a sample, nothing allocated.
 */
export interface OnsetWatch {
  /** Hall that is looked at: 0, or 1 where the first is blind, NO_HALL where none can see. */
  readonly hall: Uint8Array;
  /** Largest deviation of the tile's first hall in its newest samples, and what of its neighbours' appears on it. */
  readonly size: Float64Array;
  readonly cross: Float64Array;
  /** Least and greatest of a tile's newest samples, counts, where anything is there at all. */
  readonly least: Int16Array;
  readonly most: Int16Array;
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

/** Of its own for the loops below: what a module shares, engines look up anew at every use. */
const STEPS = STEPS_PER_COUNT;
/** In the place of a hall's number: no hall of the tile can see. */
export const NO_HALL = 255;
/** Quarter counts that no ten-bit sample reaches. */
const UNREACHABLE = 16_384;
/** The threshold is at least so many times what the neighbours' fields make here. */
const CROSS_TIMES = 3;

export function createOnsets(cells: number): OnsetWatch {
  return {
    hall: new Uint8Array(cells),
    size: new Float64Array(cells),
    cross: new Float64Array(cells),
    least: new Int16Array(cells),
    most: new Int16Array(cells),
    zero: new Float64Array(cells),
    on: new Float64Array(cells),
    off: new Float64Array(cells),
    run: new Int32Array(cells),
    sinceMs: new Float64Array(cells).fill(NaN),
    aboveMs: new Float64Array(cells).fill(-Infinity),
  };
}

/** Threshold of a tile in counts, without its neighbours. */
export function onsetCounts(tiles: Tiles, limits: SensingLimits, cell: number, hall = 0): number {
  const noise = tiles.noise[cell * tiles.halls + hall] ?? 0.3;
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
  const hall = watch.hall[cell] ?? 0;
  if (hall === NO_HALL) {
    watch.on[cell] = UNREACHABLE;
    watch.off[cell] = UNREACHABLE;
    return;
  }
  const on = onsetCounts(tiles, limits, cell, hall) * STEPS;
  const zero = (base.zero[cell * tiles.halls + hall] ?? 0) + (base.common[cell] ?? 0);
  watch.zero[cell] = zero * STEPS;
  watch.on[cell] = on;
  watch.off[cell] = on * limits.offShare;
}

/** The level without a ball moved by so many counts. */
export function moveZero(watch: OnsetWatch, cell: number, counts: number): void {
  watch.zero[cell] = (watch.zero[cell] ?? 0) + counts * STEPS;
}

/** What the neighbours' newest fields make here by the calibrated row; a hall off the centre has no such row. */
export function takeCross(watch: OnsetWatch, tiles: Tiles, cell: number): void {
  const row = cell * tiles.cells.length;
  let cross = 0;
  if (watch.hall[cell] === 0)
    for (const n of tiles.near[cell] ?? [])
      cross += Math.abs(tiles.share[row + n] ?? 0) * (watch.size[n] ?? 0);
  watch.cross[cell] = cross;
}

/** Forgets fields seen so far. */
export function clearOnsets(watch: OnsetWatch): void {
  watch.run.fill(0);
  watch.sinceMs.fill(NaN);
  watch.aboveMs.fill(-Infinity);
  watch.size.fill(0);
  watch.cross.fill(0);
}

/**
 * First look at a block of samples, before `watchSamples` of any tile of the same line: how far it goes from the level
 * without a ball. False when nothing is there, which is the usual case.
 */
export function sizeUp(
  watch: OnsetWatch,
  cell: number,
  samples: Uint16Array,
  offset: number,
  step: number,
  count: number,
): boolean {
  const zero = (watch.zero[cell] ?? 0) / STEPS;
  const off = (watch.off[cell] ?? 0) / STEPS;
  let least = 1024;
  let most = -1;
  for (let i = 0, at = offset; i < count; i += 1, at += step) {
    const v = samples[at] ?? 0;
    if (v < least) least = v;
    if (v > most) most = v;
  }
  const size = Math.max(zero - least, most - zero);
  watch.size[cell] = watch.hall[cell] === 0 ? size * STEPS : 0;
  if (size > off) {
    watch.least[cell] = least;
    watch.most[cell] = most;
    return true;
  }
  watch.run[cell] = 0;
  return false;
}

/** Field above which a visit begins on a tile, given what its neighbours make there, quarter counts. */
function onLevel(watch: OnsetWatch, cell: number): number {
  return Math.max(watch.on[cell] ?? 0, CROSS_TIMES * (watch.cross[cell] ?? 0));
}

/** Field down to which that visit lasts, quarter counts. */
function offLevel(watch: OnsetWatch, cell: number, on: number): number {
  return ((watch.off[cell] ?? 0) / (watch.on[cell] ?? 0)) * on;
}

/**
 * Whether all of the block sized up last only goes on with a field that is known: what stands on the tile is above the
 * threshold in every sample, which is the usual case of a ball. Has then noted what `watchSamples` would.
 */
export function goesOn(
  watch: OnsetWatch,
  cell: number,
  fromMs: number,
  count: number,
  pauseMs: number,
): boolean {
  if (Number.isNaN(watch.sinceMs[cell] ?? NaN)) return false;
  const aboveMs = watch.aboveMs[cell] ?? 0;
  if (fromMs - aboveMs > pauseMs) return false;
  const zero = watch.zero[cell] ?? 0;
  const over = (watch.least[cell] ?? 0) * STEPS - zero;
  const under = zero - (watch.most[cell] ?? 0) * STEPS;
  const smallest = Math.max(over, under);
  const on = onLevel(watch, cell);
  if (!(smallest > on && smallest > offLevel(watch, cell, on))) return false;
  watch.run[cell] = (watch.run[cell] ?? 0) + count;
  const lastMs = fromMs + count - 1;
  if (lastMs > aboveMs) watch.aboveMs[cell] = lastMs;
  return true;
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
  const on = onLevel(watch, cell);
  const off = offLevel(watch, cell, on);
  let run = watch.run[cell] ?? 0;
  let since = watch.sinceMs[cell] ?? NaN;
  // A field after a pause is a new one: its start is what counts from then on.
  if (fromMs - (watch.aboveMs[cell] ?? 0) > pauseMs) {
    since = NaN;
    run = 0;
  }
  let above = -1;
  let began = false;
  let k = offset;
  for (let i = 0; i < count; i += 1, k += step) {
    const d = (samples[k] ?? 0) * STEPS - zero;
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
  tiles: Tiles,
  cell: number,
  fromMs: number,
  toMs: number,
  mean: number,
): boolean {
  const d = mean - (watch.zero[cell] ?? 0);
  const size = d < 0 ? -d : d;
  watch.size[cell] = watch.hall[cell] === 0 ? size : 0;
  // The usual case; what the neighbours make here matters only beyond it.
  if (size <= (watch.off[cell] ?? 0)) return false;
  takeCross(watch, tiles, cell);
  const on = onLevel(watch, cell);
  const off = offLevel(watch, cell, on);
  if (size > off && toMs > (watch.aboveMs[cell] ?? 0)) watch.aboveMs[cell] = toMs;
  if (size <= on) return false;
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

/** Milliseconds that are kept; a power of two. */
export const RING_MS = 2048;
/** Samples are kept in quarter counts, the resolution of a quiet mean. */
export const STEPS_PER_COUNT = 4;

/**
 * The last two seconds of every hall at 1 kHz. Each slot carries the millisecond it belongs to, so that nothing has to
 * be cleared and lines may come out of order. Written in place; no allocation after `createRings`.
 */
export interface SampleRings {
  readonly halls: number;
  /** Quarter counts, by (cell · halls + hall) · RING_MS + slot. */
  readonly values: Int16Array;
  /** Twice the millisecond of the slot, modulo 2^32, plus 1 for a 1 kHz sample, by cell · RING_MS + slot. */
  readonly stamps: Int32Array;
  /** Last millisecond written of each cell; -1 before the first. */
  readonly newest: Float64Array;
  /** What the whole board was off by, counts, by cell · SHIFT_SLOTS + slot of 8 ms; and until when it was, by cell. */
  readonly shift: Float32Array;
  readonly shiftedMs: Float64Array;
}

/** Slots of common shift: as long as the samples. */
export const SHIFT_SLOTS = RING_MS / 8;

/** The same for the loops below: what a module shares, engines look up anew at every use. */
const LENGTH = RING_MS;
const STEPS = STEPS_PER_COUNT;
const SHIFTS = SHIFT_SLOTS;
const MASK = LENGTH - 1;

export function createRings(cells: number, halls: number): SampleRings {
  return {
    halls,
    values: new Int16Array(cells * halls * RING_MS),
    stamps: new Int32Array(cells * RING_MS).fill(-1),
    newest: new Float64Array(cells).fill(-1),
    shift: new Float32Array(cells * SHIFT_SLOTS),
    shiftedMs: new Float64Array(cells).fill(-Infinity),
  };
}

/** What the board of this cell was off by during [fromMs, toMs), counts. Samples are read less it. */
export function writeShift(
  rings: SampleRings,
  cell: number,
  fromMs: number,
  toMs: number,
  counts: number,
): void {
  // The usual case: nothing shifts, and no slot holds an old shift.
  if (counts === 0 && fromMs - (rings.shiftedMs[cell] ?? 0) > 2 * LENGTH) return;
  if (counts !== 0) rings.shiftedMs[cell] = toMs;
  const first = Math.max(Math.floor(fromMs / 8), Math.floor(toMs / 8) - SHIFTS + 1);
  for (let slot = first; slot * 8 < toMs; slot += 1)
    rings.shift[cell * SHIFTS + (slot & (SHIFTS - 1))] = counts;
}

/**
 * One tile's share of a burst line: `count` scans of 1 ms from `fromMs` on, ten-bit counts interleaved by hall,
 * starting at `offset`.
 */
export function writeDense(
  rings: SampleRings,
  cell: number,
  fromMs: number,
  samples: Uint16Array,
  offset: number,
  halls: number,
  count: number,
): void {
  const { values, stamps } = rings;
  const own = rings.halls;
  const ms = fromMs | 0;
  const first = ms & MASK;
  const used = Math.min(halls, own);
  // At the end of the ring the rest goes to its beginning.
  const before = first + count <= LENGTH ? count : LENGTH - first;
  const row = cell * LENGTH + first;
  const stamp = (ms << 1) | 1;
  if (halls === 2 && own === 2 && before === count) {
    // The reference layout, away from the ring's end.
    let at = cell * 2 * LENGTH + first;
    for (let i = 0, k = offset; i < count; i += 1, k += 2) {
      stamps[row + i] = stamp + 2 * i;
      values[at] = (samples[k] ?? 0) << 2;
      values[at + LENGTH] = (samples[k + 1] ?? 0) << 2;
      at += 1;
    }
    noteNewest(rings, cell, fromMs + count - 1);
    return;
  }
  for (let i = 0; i < before; i += 1) stamps[row + i] = stamp + 2 * i;
  for (let i = before; i < count; i += 1) stamps[row + i - LENGTH] = stamp + 2 * i;
  for (let h = 0; h < used; h += 1) {
    const base = (cell * own + h) * LENGTH + first;
    let k = offset + h;
    for (let i = 0; i < before; i += 1, k += halls) values[base + i] = (samples[k] ?? 0) << 2;
    for (let i = before; i < count; i += 1, k += halls) values[base + i - LENGTH] = (samples[k] ?? 0) << 2;
  }
  noteNewest(rings, cell, fromMs + count - 1);
}

function noteNewest({ newest }: SampleRings, cell: number, lastMs: number): void {
  if (lastMs > (newest[cell] ?? 0)) newest[cell] = lastMs;
}

/** A quiet mean stands for every millisecond since the last one, except where a burst has said it better. */
export function writeMean(
  rings: SampleRings,
  cell: number,
  fromMs: number,
  toMs: number,
  means: Uint16Array,
  offset: number,
  halls: number,
): void {
  const { values, stamps } = rings;
  const own = rings.halls;
  const row = cell * LENGTH;
  // A whole number to the engine too: places would else be reckoned in doubles, each put to the test.
  const first = Math.imul(row, own);
  const mean = means[offset] ?? 0;
  // Written out for the two halls that tiles have: most of what a resting table says comes through here.
  const both = halls > 1 && own > 1;
  const second = means[offset + 1] ?? 0;
  for (let ms = fromMs | 0; ms < toMs; ms += 1) {
    const at = ms & MASK;
    if (stamps[row + at] === ((ms << 1) | 1)) continue;
    stamps[row + at] = ms << 1;
    values[first + at] = mean;
    if (both) values[first + LENGTH + at] = second;
  }
  noteNewest(rings, cell, toMs - 1);
}

/** Whether the place of a millisecond holds that one, and not one that is long past; stamps keep 31 bits of it. */
function isKnown(stamps: Int32Array, row: number, ms: number): boolean {
  return (stamps[row + (ms & MASK)] ?? 0) >> 1 === (ms << 1) >> 1;
}

/**
 * Copies one hall's samples of [fromMs, toMs) into `into`, in order, leaving holes out; returns how many there were.
 */
export function readHall(
  rings: SampleRings,
  cell: number,
  hall: number,
  fromMs: number,
  toMs: number,
  into: Float64Array,
): number {
  const { values, stamps } = rings;
  const row = cell * LENGTH;
  const base = (cell * rings.halls + hall) * LENGTH;
  const first = Math.max(Math.floor(fromMs), Math.floor(toMs) - LENGTH);
  const end = Math.floor(toMs);
  const shifted = (rings.shiftedMs[cell] ?? 0) > first;
  let n = 0;
  for (let ms = first; ms < end && n < into.length; ms += 1) {
    const at = ms & MASK;
    if (!isKnown(stamps, row, ms)) continue;
    const off = shifted ? (rings.shift[cell * SHIFTS + ((ms >> 3) & (SHIFTS - 1))] ?? 0) : 0;
    into[n] = (values[base + at] ?? 0) / STEPS - off;
    n += 1;
  }
  return n;
}

/** Every millisecond of one hall from `fromMs` on, whole ms, into the first `n` of `into`: NaN where nothing is known. */
export function readEach(
  rings: SampleRings,
  cell: number,
  hall: number,
  fromMs: number,
  n: number,
  into: Float64Array,
): void {
  const { values, stamps } = rings;
  const row = cell * LENGTH;
  const base = (cell * rings.halls + hall) * LENGTH;
  for (let i = 0; i < n; i += 1) {
    const ms = fromMs + i;
    const at = ms & MASK;
    into[i] = isKnown(stamps, row, ms) ? (values[base + at] ?? 0) / STEPS : NaN;
  }
}

/** Milliseconds of [fromMs, toMs) of which nothing is known. */
export function holesIn(rings: SampleRings, cell: number, fromMs: number, toMs: number): number {
  const row = cell * LENGTH;
  const first = Math.max(Math.floor(fromMs), Math.floor(toMs) - LENGTH);
  let holes = 0;
  for (let ms = first; ms < Math.floor(toMs); ms += 1) if (!isKnown(rings.stamps, row, ms)) holes += 1;
  return holes;
}

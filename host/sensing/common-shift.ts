import { closedAt } from './contact.ts';
import { medianOf } from './medians.ts';
import { endField, moveZero } from './onset.ts';
import { STEPS_PER_COUNT, writeShift } from './rings.ts';
import type { Sensing } from './state.ts';
import { BIN_MS } from './visits.ts';

/** A hall that moved by less has not moved, counts. */
const LEAST_COUNTS = 1.5;
/** Halls that must have moved, and must agree: two balls stand on a third of a board at most. */
const SHARE = 0.6;
/** Fewer halls than this cannot tell what is common to them. */
const LEAST_HALLS = 4;
/** Halls agree within this, besides a tenth of the shift: their gains differ. */
const AGREE_COUNTS = 1.5;
const AGREE_SHARE = 0.1;
/** A shift is taken to last until the next quiet line, and over one that is lost, ms. */
const AHEAD_MS = 48;
/** Bins of a trace that may have been filled before the quiet line that told of a shift came. */
const REFILLED_BINS = 6;

/** Of its own for the loop below: what a module shares, engines look up anew at every use. */
const STEPS = STEPS_PER_COUNT;

const values = new Float64Array(64);
const offs = new Float64Array(64);

/**
 * What most of a board's halls have moved by together, counts: the supply, the reference or the earth's field, never a
 * ball. `offs` holds how far each hall is from its own reference; 0 when they do not agree.
 */
export function commonShift(offs: Float64Array, n: number): number {
  if (n < LEAST_HALLS || n > values.length) return 0;
  let moved = 0;
  for (let i = 0; i < n; i += 1) if (Math.abs(offs[i] ?? 0) >= LEAST_COUNTS) moved += 1;
  // The usual case: nothing moves, or one ball does.
  if (moved < SHARE * n) return 0;
  for (let i = 0; i < n; i += 1) values[i] = offs[i] ?? 0;
  const middle = medianOf(values, n);
  const apart = AGREE_COUNTS + AGREE_SHARE * Math.abs(middle);
  let agree = 0;
  for (let i = 0; i < n; i += 1) if (Math.abs((values[i] ?? 0) - middle) <= apart) agree += 1;
  return agree >= SHARE * n && Math.abs(middle) >= LEAST_COUNTS ? middle : 0;
}

/** What a quiet line's means are off by together, counts: from the slow baseline when idle, from the zeros in a roll. */
export function sharedBy(
  { tiles, base }: Sensing,
  map: Int16Array,
  means: Uint16Array,
  count: number,
  halls: number,
  learning: 'drift' | 'frozen',
): number {
  const reference = learning === 'drift' ? base.slow : base.zero;
  let n = 0;
  for (let tile = 0; tile < count; tile += 1) {
    const cell = map[tile] ?? -1;
    if (cell < 0 || base.heard[cell] === 0) continue;
    for (let h = 0; h < tiles.halls && h < halls && n < offs.length; h += 1) {
      offs[n] = (means[tile * halls + h] ?? 0) / STEPS - (reference[cell * tiles.halls + h] ?? 0);
      n += 1;
    }
  }
  return commonShift(offs, n);
}

/**
 * A tile's share of its board's shift during a roll, as the quiet line of [fromMs, toMs) has it. Samples are read less
 * it from then on, and what only the shift had begun on this tile is no visit. `mean` is the line's own, quarter counts.
 */
export function noteShift(
  { base, rings, onsets, live, contacts }: Sensing,
  cell: number,
  fromMs: number,
  toMs: number,
  counts: number,
  mean: number,
): void {
  writeShift(rings, cell, fromMs, toMs + AHEAD_MS, counts);
  const before = base.common[cell] ?? 0;
  if (before === counts) return;
  base.common[cell] = counts;
  moveZero(onsets, cell, counts - before);
  const still = Math.abs(mean - (onsets.zero[cell] ?? 0)) <= (onsets.off[cell] ?? 0);
  const began = onsets.sinceMs[cell] ?? Number.NaN;
  if (still && began >= fromMs - (toMs - fromMs)) endField(onsets, cell);
  for (let i = 0; i < live.count; i += 1) {
    const visit = live.stands[i]?.visit;
    if (visit === undefined || visit.cell !== cell || visit.endMs < Infinity) continue;
    visit.bins = Math.max(0, visit.bins - Math.ceil((toMs - fromMs) / BIN_MS) - REFILLED_BINS);
    // Something that closes the contact stands there.
    if (closedAt(contacts, cell, toMs)) continue;
    if (!still || !Number.isNaN(visit.contactMs) || !(visit.startMs >= fromMs - (toMs - fromMs))) continue;
    visit.confirmed = false;
    visit.endMs = visit.startMs;
  }
}

/** What each cell's board is off the slow baseline by as a roll is called, counts. */
export function shiftsBefore({ tiles, base }: Sensing): Float64Array {
  const out = new Float64Array(tiles.cells.length);
  const { halls } = tiles;
  for (const side of ['A', 'B']) {
    let n = 0;
    for (const [cell, at] of tiles.cells.entries()) {
      if (at.side !== side || base.heard[cell] === 0) continue;
      for (let i = cell * halls; i < (cell + 1) * halls; i += 1)
        if (n < offs.length) offs[n++] = (base.zero[i] ?? 0) - (base.slow[i] ?? 0);
    }
    const shift = commonShift(offs, n);
    for (const [cell, at] of tiles.cells.entries()) if (at.side === side) out[cell] = shift;
  }
  return out;
}

import { falls, HELD_WHOLE, meanLevel, STANDING, touchedShare, unrest } from './trace-levels.ts';
import { BIN_MS, binAt, type Visit } from './visits.ts';

/** Change of level, in seated reference balls, that a second magnet makes at least when it opens on the tile. */
export const STEP = 0.3;
/** Bins on each side of a step that must be level; a second arrival is at least 20 ms after the first. */
const FLAT_BINS = 4;
export const SECOND_AFTER_MS = 20;
/** A level that falls towards nothing is a second ball only if the contact is still closed this much later. */
const HELD_MS = 184;
/** Sooner where a field is left that no steel keeps, while the contact never opened. */
const HELD_SOON_MS = 96;
const LEFT_OVER = 0.08;
/** Share of that time for which the contact must be closed. */
const HELD_SHARE = 0.7;

/** What a search for a further ball found: the bin of its step and the level before, or how far it has searched. */
export interface Step {
  readonly bin: number;
  readonly base: number;
  readonly searched: number;
}

/** Bins within which a second ball rolls up and lands: its magnet is felt before its latch lets go. */
const SLOW_BINS = 18;
/** A stretch is level when no bin of it is further from its mean, in seated reference balls. */
const CALM = 0.05;
/** Rise within two bins by which a standing ball is known to have snapped on before anything else came. */
const SNAP = 0.2;

/** Whether the level rose by a latch's jump within bins [from, to). */
function snapped(visit: Visit, from: number, to: number): boolean {
  for (let i = Math.max(1, from); i + 1 < Math.min(to, visit.bins); i += 1) {
    if (Math.abs(visit.level[i + 1] ?? 0) - Math.abs(visit.level[i - 1] ?? 0) >= SNAP) return true;
  }
  return false;
}

/**
 * First step of the level, after `afterMs`, between two calm stretches while a ball stands on the tile: a second magnet
 * has come, at once or rolling up. A step towards nothing looks like the ball's own departure; it is a second magnet of
 * the other polarity only if the contact stays closed.
 */
export function findStep(visit: Visit, afterMs: number, searched: number, contactTold: boolean): Step {
  const heldBins = HELD_MS / BIN_MS;
  const soonBins = HELD_SOON_MS / BIN_MS;
  const first = binAt(visit, afterMs);
  for (let i = Math.max(searched, first + FLAT_BINS + 1); ; i += 1) {
    if (i + FLAT_BINS > visit.bins) return { bin: -1, base: 0, searched: i };
    const after = meanLevel(visit, i, i + FLAT_BINS);
    if (Number.isNaN(after) || unrest(visit, i, i + FLAT_BINS, after) > CALM) continue;
    for (let gap = 1; gap <= SLOW_BINS; gap += 1) {
      const from = i - gap - FLAT_BINS;
      if (from < first) break;
      const before = meanLevel(visit, from, from + FLAT_BINS);
      if (!(Math.abs(after - before) >= STEP) || Math.abs(before) < STANDING) continue;
      if (unrest(visit, from, from + FLAT_BINS, before) > CALM) continue;
      if (!snapped(visit, first - 2, from + 2)) continue;
      if (falls(before, after)) {
        // A contact that is always closed cannot tell a second ball from a departure.
        if (!contactTold) continue;
        const soon =
          Math.abs(after) > LEFT_OVER &&
          i + soonBins <= visit.bins &&
          touchedShare(visit, from, i + soonBins) >= HELD_WHOLE;
        if (!soon && visit.endMs === Infinity && i + heldBins > visit.bins)
          return { bin: -1, base: 0, searched: i };
        if (!soon && touchedShare(visit, i, Math.min(visit.bins, i + heldBins)) < HELD_SHARE) continue;
      }
      return { bin: steepestBin(visit, from + FLAT_BINS - 1, i), base: before, searched: i };
    }
  }
}

/** Bin of [from, to] at which the level changes most within two bins. */
function steepestBin(visit: Visit, from: number, to: number): number {
  let best = from;
  let most = 0;
  for (let i = Math.max(1, from); i <= to && i + 1 < visit.bins; i += 1) {
    const change = Math.abs((visit.level[i + 1] ?? 0) - (visit.level[i - 1] ?? 0));
    if (change > most) {
      most = change;
      best = i;
    }
  }
  return best;
}

/** A second ball that comes within this of the first one's first sign lands while that one still settles. */
const CLOSE_MS = 184;
/** Least first step within a bin, and least second one within two: each is a latch letting go. */
const CLOSE_FIRST = 0.15;
const CLOSE_SECOND = 0.2;
/** Level that the first one alone has reached by then. */
const CLOSE_BASE = 0.28;
/** Between them the level moves by no more than this share of the second step's steepest bin. */
const CLOSE_VALLEY = 0.5;
/** What the second one changes for good. */
const CLOSE_LASTS = 0.25;
/** Such a second one that falls is one only where the contact holds for so long. */
const CLOSE_HELD_MS = 240;
/** Bins that the settled level is taken from, and how long the contact must hold. */
const SETTLED_BINS = 8;
/** After the first sign: from when on a close step can be found, and until when what comes may matter, bins included. */
export const CLOSE_SETTLED_MS = CLOSE_MS + (SETTLED_BINS - 2) * BIN_MS;
export const CLOSE_LOOKED_AT_MS = CLOSE_MS + HELD_MS + 2 * BIN_MS;

/**
 * A second step right after the first, while the first ball still moves: two steep stretches with a calmer one between
 * them. Only asked where another ball is known to have come this way, since a ball that slides into its seat looks
 * much the same. Undefined until the level has settled.
 */
export function findCloseStep(
  visit: Visit,
  fromMs: number,
): { readonly bin: number; readonly base: number } | undefined {
  const { level } = visit;
  const first = Math.max(1, binAt(visit, fromMs) - 1);
  const last = first + CLOSE_MS / BIN_MS;
  const held = last + SETTLED_BINS;
  if (held > visit.bins) return undefined;
  const settled = meanLevel(visit, last, held);
  if (!(unrest(visit, last, held, settled) <= CALM) || touchedShare(visit, last, held) < HELD_WHOLE)
    return undefined;
  const by = (i: number): number => (level[i] ?? NaN) - (level[i - 1] ?? NaN);
  let best: { readonly bin: number; readonly base: number } | undefined;
  let most = CLOSE_SECOND;
  for (let i = first + 3; i < last; i += 1) {
    const second = by(i) + by(i + 1);
    if (!(Math.abs(second) >= most)) continue;
    const steep = Math.max(Math.abs(by(i)), Math.abs(by(i + 1)));
    for (let j = i - 1; j > first + 1; j -= 1) {
      const base = level[j] ?? NaN;
      if (!(Math.abs(settled - base) >= CLOSE_LASTS) || (settled - base) * second < 0) continue;
      let snap = 0;
      for (let k = first; k < j; k += 1) if (by(k) * base > 0) snap = Math.max(snap, Math.abs(by(k)));
      // On a way up the level must all but stand between the two; a step back is a turn by itself.
      const calm = second * base < 0 ? 1 : CLOSE_VALLEY;
      if (Math.abs(by(j)) > calm * Math.min(snap, steep)) continue;
      if (snap < CLOSE_FIRST || Math.abs(base) < CLOSE_BASE) continue;
      if (falls(base, settled) && touchedShare(visit, i, i + CLOSE_HELD_MS / BIN_MS) < HELD_WHOLE) continue;
      best = { bin: Math.abs(by(i + 1)) > Math.abs(by(i)) ? i + 1 : i, base };
      most = Math.abs(second);
      break;
    }
  }
  return best;
}

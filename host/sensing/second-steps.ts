import { falls, HELD_WHOLE, meanLevel, STANDING, touchedShare, unrest } from './trace-levels.ts';
import { BIN_MS, binAt, type Visit } from './visits.ts';

/** Change of level, in seated reference balls, that a second magnet makes at least when it opens on the tile. */
export const STEP = 0.3;
/** Bins on each side of a step that must be level; a second arrival is at least 20 ms after the first. */
const FLAT_BINS = 4;
export const SECOND_AFTER_MS = 20;
/** A level that falls towards nothing is a second ball only if the contact is still closed this much later. */
const HELD_MS = 240;
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

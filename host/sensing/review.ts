import { beginArrival, followArrival, LANDING_MS, LASTED_SCORE, leftAt } from './arrivals.ts';
import { hallFor, SEES } from './blind.ts';
import { closedAt, closedMs, closesMs, lastClosedMs } from './contact.ts';
import { WINDOWS } from './features.ts';
import { beginStand, dropStand, type Stand } from './live-roll.ts';
import { endField } from './onset.ts';
import { NO_SCORE } from './score.ts';
import { findStep, SECOND_AFTER_MS } from './second-steps.ts';
import type { Sensing } from './state.ts';
import { meanLevel, STANDING } from './trace-levels.ts';
import { BIN_MS, binAt, extendTrace, seatedCounts, type Visit } from './visits.ts';

/** While something moves it is looked at this often, beside the ends of the windows. */
const LOOK_AGAIN_MS = 64;
/** A level this small that stands still after contact is gone is the steel's remanence, mT. */
const REMANENCE_MT = 1;

/** A field without contact is a ball from this level on, in seated reference balls, for so many bins. */
export const STRONG = 0.06;
const STRONG_BINS = 2;

/** Bins of the trace whose level no light and no spike makes. */
function strongBins(visit: Visit): number {
  let n = 0;
  for (let i = 0; i < visit.bins; i += 1) if (Math.abs(visit.level[i] ?? 0) > STRONG) n += 1;
  return n;
}

/** Ends a visit whose contact and field have both been gone for long enough. */
function endIfGone(sensing: Sensing, visit: Visit, toMs: number): void {
  const { limits, contacts, onsets, live, base, tiles } = sensing;
  const { cell } = visit;
  const stuck = live.stuck[cell] === 1;
  const closed = !stuck && closedAt(contacts, cell, toMs);
  if (closed) return;
  const touched = stuck ? -Infinity : lastClosedMs(contacts, cell, visit.startMs, toMs);
  const above = Math.min(toMs, onsets.aboveMs[cell] ?? -Infinity);
  const active = Math.max(visit.startMs, touched, above);
  let end = NaN;
  if (toMs - active > limits.leaveMs) end = active;
  else if (toMs - Math.max(visit.startMs, touched) > limits.leaveMs) {
    // The field alone holds the visit: if it is small and still, the ball has gone and left the steel magnetised.
    const bins = Math.ceil(limits.leaveMs / BIN_MS);
    const mt = mtOf(sensing, cell, meanLevel(visit, visit.bins - bins, visit.bins));
    const before = mtOf(sensing, cell, meanLevel(visit, visit.bins - bins, visit.bins - bins / 2));
    if (Math.abs(mt) < REMANENCE_MT && Math.abs(mt - before) < limits.onsetMt / 4) {
      end = Math.max(visit.startMs, touched, strongUntil(sensing, visit));
      const i = cell * tiles.halls + hallFor(live.sees[cell] ?? 0);
      base.zero[i] = (base.zero[i] ?? 0) + mt / limits.mtPerCount;
      onsets.zero[cell] = (onsets.zero[cell] ?? 0) + (mt / limits.mtPerCount) * 4;
    }
  }
  if (!Number.isNaN(end)) {
    visit.endMs = end;
    endField(onsets, cell);
  }
}

/** A contact that was heard already but closed only after `toMs` is no part of the visit that ended: it begins the next. */
function keepContact({ live, contacts }: Sensing, cell: number, toMs: number): void {
  const atMs = closesMs(contacts, cell, toMs);
  const stand = atMs < Infinity ? beginStand(live, cell, atMs) : undefined;
  if (stand !== undefined) stand.visit.contactMs = atMs;
}

/** End of the last bin of a trace with more field than remanence. */
function strongUntil(sensing: Sensing, visit: Visit): number {
  for (let i = visit.bins - 1; i >= 0; i -= 1) {
    if (Math.abs(mtOf(sensing, visit.cell, visit.level[i] ?? 0)) > REMANENCE_MT)
      return visit.fromMs + (i + 1) * BIN_MS;
  }
  return -Infinity;
}

function mtOf(sensing: Sensing, cell: number, level: number): number {
  const hall = hallFor(sensing.live.sees[cell] ?? 0);
  return level * seatedCounts(sensing.source, cell, hall) * sensing.limits.mtPerCount;
}

/** Finds the balls that came to a tile after the first one. */
function findFurther(stand: Stand, contactTold: boolean): void {
  const { visit } = stand;
  const last = stand.arrivals[stand.arrived - 1];
  const next = stand.arrivals[stand.arrived];
  if (last === undefined || next === undefined) return;
  // From its first sign on: a second ball's step may have taken the anchor of the first.
  const from = stand.arrived === 1 ? last.atMs : last.anchorMs + SECOND_AFTER_MS;
  const step = findStep(visit, from, stand.searched, contactTold);
  stand.searched = step.searched;
  if (step.bin < 0) return;
  const atMs = visit.fromMs + step.bin * BIN_MS;
  if (last.anchorMs >= atMs - BIN_MS) beginArrival(last, last.atMs, last.base);
  beginArrival(next, atMs, step.base);
  stand.arrived += 1;
}

/** What a landing is worth that a second one confirms. */
const VOUCHED_SCORE = 0.97;
/** No ball that opened leaves sooner. */
const FLICKER_MS = 20;

/** A contact closed for so long before anything opened there, with no field, is stuck. */
const STUCK_MS = 600;
const NO_FIELD = 0.03;

/** Whether the contact of a tile was closed long before the ball that opened on it can have come. */
function heldBefore({ visit, arrivals, arrived }: Stand): boolean {
  const first = arrivals[0];
  if (arrived === 0 || first === undefined || !(first.score > 0.5)) return false;
  if (!(first.anchorMs - visit.contactMs > STUCK_MS)) return false;
  const middle = binAt(visit, visit.contactMs + STUCK_MS / 2);
  return Math.abs(meanLevel(visit, middle - 10, middle + 10)) < NO_FIELD;
}

/**
 * A field that came and went beside the tile before the contact was another ball's: the arrival begins with the contact,
 * unless a ball stood there by then whose contact is poor.
 */
function restartAtContact(stand: Stand): void {
  const { visit } = stand;
  const [first] = stand.arrivals;
  if (first === undefined || stand.arrived !== 1 || !(visit.contactMs > first.atMs)) return;
  // Not before the trace has come that far.
  if (visit.fromMs + visit.bins * BIN_MS <= visit.contactMs) return;
  const bin = binAt(visit, visit.contactMs);
  const before = meanLevel(visit, bin - 2, bin);
  if (!(Math.abs(before) < STANDING)) return;
  beginArrival(first, visit.contactMs, 0);
  stand.searched = bin;
}

/** A first landing that a second one fell into shows too little of itself: that it was one, the second step has shown. */
function vouchForFirst({ arrivals, arrived }: Stand): void {
  const [first, second] = arrivals;
  if (arrived < 2 || first === undefined || second === undefined) return;
  if (second.atMs - first.anchorMs < LANDING_MS && second.score >= LASTED_SCORE)
    first.score = Math.max(first.score, VOUCHED_SCORE);
}

/** A stay that broke off within its own landing and went on at once was no stay: what follows it is the ball. */
function distrustFlicker({ visit, arrivals, arrived }: Stand, nextMs: number): void {
  const [first] = arrivals;
  if (first === undefined || arrived !== 1 || visit.endMs === Infinity) return;
  if (visit.endMs - first.anchorMs < FLICKER_MS && nextMs - first.anchorMs < LANDING_MS) first.score = 0;
}

/** When the next visit to the same tile began, Infinity when none did: what it shows is not this one's. */
function nextVisitMs(sensing: Sensing, index: number): number {
  const { live } = sensing;
  const cell = live.stands[index]?.visit.cell;
  for (let i = index + 1; i < live.count; i += 1) {
    const visit = live.stands[i]?.visit;
    if (visit !== undefined && visit.cell === cell) return visit.startMs;
  }
  return Infinity;
}

/** Brings every visit of the roll up to date with the samples up to `toMs`. */
export function followVisits(sensing: Sensing, toMs: number): void {
  const { live, limits, contacts, scores, source } = sensing;
  for (let i = live.count - 1; i >= 0; i -= 1) {
    const stand = live.stands[i];
    if (stand === undefined) continue;
    const { visit } = stand;
    if (!visit.confirmed) {
      const touched = closedMs(contacts, visit.cell, visit.startMs - 0.5, toMs);
      visit.confirmed = touched >= limits.contactHoldMs;
    }
    const going = visit.endMs === Infinity;
    extendTrace(source, visit, toMs);
    // Without contact only a field that no light and no spike can make is a ball.
    if (!visit.confirmed && !Number.isNaN(visit.onsetMs)) visit.confirmed = strongBins(visit) >= STRONG_BINS;
    if (going) endIfGone(sensing, visit, toMs);
    if (going && visit.endMs < Infinity) keepContact(sensing, visit.cell, toMs);
    if (!visit.confirmed) {
      if (visit.endMs < Infinity) dropStand(live, i);
      continue;
    }
    if (stand.arrived === 0) {
      const first = stand.arrivals[0];
      if (first === undefined) continue;
      beginArrival(first, visit.startMs, 0);
      stand.arrived = 1;
    }
    restartAtContact(stand);
    const sees = live.sees[visit.cell] ?? 0;
    const scoreOf = scores[sees & SEES.both] ?? NO_SCORE;
    for (let k = 0; k < stand.arrived; k += 1) {
      const arrival = stand.arrivals[k];
      if (arrival === undefined) continue;
      const until =
        k + 1 < stand.arrived ? (stand.arrivals[k + 1]?.atMs ?? Infinity) : nextVisitMs(sensing, i);
      followArrival(source, visit, arrival, toMs, until, scoreOf, k > 0);
      if (visit.endMs < Infinity) arrival.leftMs = visit.endMs;
      else if (k === 0 && stand.arrived === 1) arrival.leftMs = leftAt(visit, arrival);
    }
    vouchForFirst(stand);
    distrustFlicker(stand, nextVisitMs(sensing, i));
    if (heldBefore(stand)) live.stuck[visit.cell] = 1;
    // Beside the centre one ball's field has many levels: a second one's step is not to be told from the first's.
    if (hallFor(sees) === 0) findFurther(stand, live.stuck[visit.cell] !== 1);
  }
}

/** When to look next: the end of the next window, or soon while something goes on. */
export function nextLookMs(sensing: Sensing, atMs: number, settledMs: number): number {
  const { live, limits } = sensing;
  let next = Infinity;
  for (let i = 0; i < live.count; i += 1) {
    const stand = live.stands[i];
    if (stand === undefined) continue;
    const { visit } = stand;
    if (visit.endMs === Infinity && atMs < settledMs) next = Math.min(next, atMs + LOOK_AGAIN_MS);
    for (let k = 0; k < stand.arrived; k += 1) {
      const arrival = stand.arrivals[k];
      const window = WINDOWS[arrival?.windows ?? WINDOWS.length];
      if (arrival === undefined || window === undefined) continue;
      const due = arrival.anchorMs + window[1] + limits.lateMs;
      if (due > atMs && due < next) next = due;
    }
  }
  return next;
}

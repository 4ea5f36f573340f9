import type { Side } from '../ids.ts';
import {
  type Arrival,
  beginArrival,
  findStep,
  followArrival,
  leftAt,
  meanLevel,
  SECOND_AFTER_MS,
} from './arrivals.ts';
import { closedAt, closedMs, lastClosedMs } from './contact.ts';
import { WINDOWS } from './features.ts';
import { farSpeed } from './gates.ts';
import { dropStand, type Stand } from './live-roll.ts';
import { endField } from './onset.ts';
import { movedMs } from './rest.ts';
import { gatesFitted, type Sensing } from './state.ts';
import type { Runner, Token } from './tracks.ts';
import type { Seen } from './verdict.ts';
import { BIN_MS, extendTrace, type TraceSource, type Visit } from './visits.ts';

/** While something moves it is looked at this often, beside the ends of the windows. */
const LOOK_AGAIN_MS = 64;
/** A level this small that stands still after contact is gone is the steel's remanence, mT. */
const REMANENCE_MT = 1;

/** A field without contact is a ball from this level on, in seated reference balls, for so many bins. */
const STRONG = 0.06;
const STRONG_BINS = 2;

/** Same where the contact works and said nothing. */
const STRONG_ALONE = 0.3;
/** A second arrival counts from this score on. */
const SECOND_SCORE = 0.5;
/** Longer contact than this is no pass. */
const LONGEST_PASS_MS = 500;
/** A hand: at least so many bins of contact, and less field than a ball with its magnet up has, mT. */
const HAND_BINS = 10;
const FAINT_MT = 0.05;
/** Noise up to which so faint a field can be told, counts. */
const QUIET_COUNTS = 0.8;

/** Bins of the trace whose level no light and no spike makes. */
function strongBins(visit: Visit): number {
  let n = 0;
  for (let i = 0; i < visit.bins; i += 1) if (Math.abs(visit.level[i] ?? 0) > STRONG) n += 1;
  return n;
}

/** What reviews read samples from. */
export function sourceOf(sensing: Sensing): TraceSource {
  return {
    tiles: sensing.tiles,
    rings: sensing.rings,
    contacts: sensing.contacts,
    base: sensing.base,
    mtPerCount: sensing.limits.mtPerCount,
  };
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
      end = Math.max(visit.startMs, touched);
      const i = cell * tiles.halls;
      base.zero[i] = (base.zero[i] ?? 0) + mt / limits.mtPerCount;
      onsets.zero[cell] = (onsets.zero[cell] ?? 0) + (mt / limits.mtPerCount) * 4;
    }
  }
  if (!Number.isNaN(end)) {
    visit.endMs = end;
    endField(onsets, cell);
  }
}

function mtOf(sensing: Sensing, cell: number, level: number): number {
  return level * (sensing.tiles.seated[cell * sensing.tiles.halls] ?? 1) * sensing.limits.mtPerCount;
}

/** Finds the balls that came to a tile after the first one. */
function findFurther(stand: Stand): void {
  const { visit } = stand;
  const last = stand.arrivals[stand.arrived - 1];
  const next = stand.arrivals[stand.arrived];
  if (last === undefined || next === undefined) return;
  const step = findStep(visit, last.anchorMs + SECOND_AFTER_MS, stand.searched);
  stand.searched = step.searched;
  if (step.bin < 0) return;
  beginArrival(next, visit.fromMs + step.bin * BIN_MS, step.base);
  stand.arrived += 1;
}

/** Brings every visit of the roll up to date with the samples up to `toMs`. */
export function followVisits(sensing: Sensing, toMs: number): void {
  const { live, limits, contacts, scoreOf } = sensing;
  const source = sourceOf(sensing);
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
    for (let k = 0; k < stand.arrived; k += 1) {
      const arrival = stand.arrivals[k];
      if (arrival === undefined) continue;
      const until = k + 1 < stand.arrived ? (stand.arrivals[k + 1]?.atMs ?? Infinity) : Infinity;
      followArrival(source, visit, arrival, toMs, until, scoreOf);
      if (visit.endMs < Infinity) arrival.leftMs = visit.endMs;
      else if (k === 0 && stand.arrived === 1) arrival.leftMs = leftAt(visit, arrival);
    }
    findFurther(stand);
  }
}

/** Whether a visit with its arrival is a ball's: what only the contact or only a weak field shows may not be. */
function isBall(sensing: Sensing, visit: Visit, arrival: Arrival, nth: number): boolean {
  // Of a second ball on one tile only its open can be seen.
  if (nth > 0) return arrival.windows >= 2 && arrival.score >= SECOND_SCORE;
  if (Number.isNaN(visit.contactMs)) {
    const least = sensing.tiles.contactWorks[visit.cell] === 0 ? STRONG : STRONG_ALONE;
    return Math.abs(arrival.peak) >= least;
  }
  return !isHand(sensing, visit);
}

/**
 * A hand or sleeve: contact for longer than a ball takes to pass, and not even the faint field of a ball with its
 * magnet up on any hall. Where the noise hides a faint field it stays a ball.
 */
function isHand(sensing: Sensing, visit: Visit): boolean {
  const { tiles, limits } = sensing;
  const at = visit.cell * tiles.halls;
  if ((tiles.noise[at] ?? 1) > QUIET_COUNTS || tiles.halls < 2) return false;
  let bins = 0;
  let first = 0;
  let second = 0;
  let most = 0;
  for (let i = 0; i < visit.bins; i += 1) {
    if ((visit.touch[i] ?? 0) < 0.9) continue;
    const level = visit.level[i] ?? 0;
    const mt = level * (tiles.seated[at] ?? 1) * limits.mtPerCount;
    const side = visit.side[i] ?? 0;
    if (Number.isNaN(mt) || Number.isNaN(side)) continue;
    bins += 1;
    first += mt;
    second += side;
    most = Math.max(most, Math.abs(mt), Math.abs(side));
  }
  if (bins < HAND_BINS || most > 3 * FAINT_MT) return false;
  return Math.abs(first / bins) < FAINT_MT && Math.abs(second / bins) < FAINT_MT;
}

/** Every arrival of the roll in order of time. */
export function seenOf(sensing: Sensing): readonly Seen[] {
  const { live } = sensing;
  const seen: Seen[] = [];
  for (let i = 0; i < live.count; i += 1) {
    const stand = live.stands[i];
    if (stand === undefined || !stand.visit.confirmed) continue;
    for (let k = 0; k < stand.arrived; k += 1) {
      const arrival = stand.arrivals[k];
      if (arrival === undefined || !isBall(sensing, stand.visit, arrival, k)) continue;
      seen.push({ visit: stand.visit, arrival, nth: k });
    }
  }
  return seen.sort((a, b) => a.arrival.atMs - b.arrival.atMs || a.visit.cell - b.visit.cell);
}

export function tokensOf(sensing: Sensing, seen: readonly Seen[]): readonly Token[] {
  const { contacts } = sensing;
  return seen.map(({ visit, arrival, nth }) => {
    const opened = Number.isNaN(arrival.score) ? 0 : arrival.score;
    const passed = visit.endMs < Infinity && opened < 0.5 && nth === 0;
    const closed = passed ? lastClosedMs(contacts, visit.cell, visit.startMs, visit.endMs) : -Infinity;
    const until = closed > arrival.atMs ? closed : visit.endMs;
    return {
      cell: visit.cell,
      atMs: arrival.atMs,
      untilMs: Math.min(until, arrival.leftMs),
      midMs: passed && until - arrival.atMs < LONGEST_PASS_MS ? (arrival.atMs + until) / 2 : arrival.atMs,
      peak: arrival.peak,
      opened,
      openedMs: arrival.anchorMs,
      nth,
    };
  });
}

function middleOf(sensing: Sensing): number {
  let sum = 0;
  for (const x of sensing.tiles.x) sum += x;
  return sum / Math.max(1, sensing.tiles.x.length);
}

/** The balls of the roll with their launch and calibration. */
export function runnersOf(sensing: Sensing): readonly Runner[] {
  const { live, gates, setting } = sensing;
  const { layout, calibration } = setting;
  return live.balls.map(({ player, bakugan }) => {
    const ball = calibration.balls[bakugan];
    const own = player === 'A' ? 1 : -1;
    return {
      side: player,
      polarity: ball?.polarity ?? 0,
      strength: ball?.strength ?? 1,
      gates: gates[player],
      gatesKnown: gatesFitted(sensing, player),
      gateY: own * (layout.edgeToCentreMm - layout.gatesMm.far),
      own,
      speed: farSpeed(gates[player]),
      middleX: middleOf(sensing),
    };
  });
}

/** Last motion of anything in this roll up to `toMs`: gates, visits. */
export function lastMotionMs(sensing: Sensing, sides: readonly Side[], toMs: number): number {
  const { live, gates, contacts } = sensing;
  let last = -Infinity;
  for (const side of sides) {
    for (const beam of [gates[side].near, gates[side].far]) {
      for (const at of [beam.blockedMs, beam.freeMs]) if (at <= toMs && at > last) last = at;
    }
  }
  for (let i = 0; i < live.count; i += 1) {
    const stand = live.stands[i];
    if (stand?.visit.confirmed === true) last = Math.max(last, movedMs(stand.visit, contacts, toMs));
  }
  return last;
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

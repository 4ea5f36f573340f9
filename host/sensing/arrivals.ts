import { type ContactTrack, chatterMs, edgesIn } from './contact.ts';
import { FEATURES, fillWindow, WINDOWS } from './features.ts';
import { landingMs } from './landing.ts';
import { holesIn } from './rings.ts';
import type { OpenScore } from './score.ts';
import { STEP } from './second-steps.ts';
import { falls, HELD_WHOLE, meanLevel, touchedShare } from './trace-levels.ts';
import { BIN_MS, binAt, type TraceSource, type Visit } from './visits.ts';

/** Balls that one visit may hold: both (5.7.2.2), and one more for a ball that leaves and comes back. */
export const MAX_ARRIVALS = 3;
/** What is left of a ball's level when it has gone. */
const GONE_SHARE = 0.35;

/** One ball coming to a tile. */
export interface Arrival {
  /** First sign of it: contact or field. */
  atMs: number;
  /** Where the field rose most, from which the windows count: a slow ball lies on the tile long before its latch goes. */
  anchorMs: number;
  /** How much it rose there within two bins, in seated reference balls. */
  rise: number;
  /** Level that was there before, in seated reference balls. */
  base: number;
  readonly features: Float64Array;
  /** Changes of the contact around the landing, without the bounce of its first touch: a latch makes some. */
  shakes: number;
  /** Windows of the features that are complete. */
  windows: number;
  /** Chance that the ball opened here, at the windows so far; NaN before the first score. */
  score: number;
  /** Largest signed level over `base` so far: the closest approach. */
  peak: number;
  /** Signed level over `base` at which it stands, from the last complete window. */
  level: number;
  /** When it left the tile again, Infinity while it stays. */
  leftMs: number;
}

export function createArrival(): Arrival {
  return {
    atMs: 0,
    anchorMs: 0,
    rise: 0,
    base: 0,
    features: new Float64Array(FEATURES.length),
    shakes: 0,
    windows: 0,
    score: NaN,
    peak: 0,
    level: 0,
    leftMs: Infinity,
  };
}

export function beginArrival(arrival: Arrival, atMs: number, base: number): void {
  arrival.atMs = atMs;
  arrival.anchorMs = atMs;
  arrival.rise = 0;
  arrival.base = base;
  arrival.features.fill(0);
  arrival.shakes = 0;
  arrival.windows = 0;
  arrival.score = NaN;
  arrival.peak = 0;
  arrival.level = 0;
  arrival.leftMs = Infinity;
}

/** Largest signed level over the base within [fromMs, toMs). */
function peakOf(visit: Visit, base: number, fromMs: number, toMs: number): number {
  let peak = 0;
  for (let i = binAt(visit, fromMs); i <= binAt(visit, toMs - 1); i += 1) {
    const v = (visit.level[i] ?? NaN) - base;
    if (!Number.isNaN(v) && Math.abs(v) > Math.abs(peak)) peak = v;
  }
  return peak;
}

/** A later rise takes the anchor only when it is this much steeper. */
const STEEPER = 1.25;
/** Rises below this are no anchor: the first sign is. */
const LEAST_RISE = 0.04;

/** Bounce of the first touch, ms: of all parts but a few slow ones, and of those too. */
const ELECTRIC_BOUNCE_MS = 3;
const FIRST_BOUNCE_MS = 8;
/** Score above which the anchor stays. */
const SETTLED = 0.9;

/** Moves the anchor to the steepest rise of the level over the base; a new anchor starts the windows anew. */
function anchor(source: TraceSource, visit: Visit, arrival: Arrival, toMs: number): void {
  // Once the landing has been seen whole and is an open, nothing that happens later moves it.
  if (arrival.windows >= 2 && arrival.score > SETTLED) return;
  const first = Math.max(1, binAt(visit, arrival.atMs - 2 * BIN_MS));
  const end = Math.min(visit.bins - 1, binAt(visit, toMs) + 1);
  let best = -1;
  let most = Math.max(LEAST_RISE, arrival.rise * STEEPER);
  for (let i = first; i < end; i += 1) {
    const after = Math.abs((visit.level[i + 1] ?? 0) - arrival.base);
    const before = Math.abs((visit.level[i - 1] ?? 0) - arrival.base);
    if (after - before > most) {
      most = after - before;
      best = i;
    }
  }
  if (best < 0) {
    // No field to go by: the latch shakes the contact too, once its own bounce at the first touch is over.
    if (arrival.rise > 0 || arrival.anchorMs > arrival.atMs) return;
    const shaken = chatterMs(
      source.contacts,
      visit.cell,
      arrival.atMs + FIRST_BOUNCE_MS,
      Math.min(toMs, visit.endMs),
    );
    if (!(shaken > arrival.atMs)) return;
    arrival.anchorMs = shaken;
    arrival.windows = 0;
    arrival.features.fill(0);
    return;
  }
  arrival.rise = most;
  arrival.anchorMs = Math.max(arrival.atMs - BIN_MS, landingMs(source, visit, best, arrival.base));
  arrival.windows = 0;
  arrival.features.fill(0);
}

/** Windows of an arrival that hold its landing. */
export const LANDING_WINDOWS = 2;
/** The latch lets go this long before its field is seen to rise at most. */
const LATCH_BEFORE_MS = 2 * BIN_MS;
/** A landing is over this long after its anchor: a further ball that comes within it falls into what is read of it. */
export const LANDING_MS = 110;
/** From when to when, against its anchor, what shows of a landing is heard, ms. */
export const LANDING_HEARD_MS: readonly [number, number] = [-LATCH_BEFORE_MS, LANDING_MS];

/** Changes of the contact from the latch on. Electrical bounce of the first touch is none. */
function shakesOf(contacts: ContactTrack, visit: Visit, anchorMs: number, toMs: number): number {
  const from = anchorMs - LATCH_BEFORE_MS;
  const closed = Number.isNaN(visit.contactMs) ? from : visit.contactMs + ELECTRIC_BOUNCE_MS;
  return edgesIn(contacts, visit.cell, Math.max(from, closed), toMs);
}

/** Windows after which a further ball's step has lasted, and what it is worth. */
const LASTED_WINDOWS = 2;
export const LASTED_SCORE = 0.985;
/** What it is worth before. */
const NOT_YET = 0.4;

/** Updates one arrival with what the trace shows up to `toMs`; `untilMs` is where the next arrival begins. */
export function followArrival(
  source: TraceSource,
  visit: Visit,
  arrival: Arrival,
  toMs: number,
  untilMs: number,
  scoreOf: OpenScore,
  further: boolean,
): void {
  const end = Math.min(toMs, untilMs);
  anchor(source, visit, arrival, end);
  const at = arrival.anchorMs;
  while (arrival.windows < WINDOWS.length) {
    const [from, to] = WINDOWS[arrival.windows] ?? [0, Infinity];
    if (at + to > toMs) break;
    // A window that a further ball fell into says nothing of this one, save the landing.
    if (at + to > untilMs && arrival.windows >= 2) break;
    // Half a window of samples says nothing: what was known before stands.
    if (holesIn(source.rings, visit.cell, at + from, at + to) > (to - from) / 2) break;
    fillWindow(source, visit, at, arrival.base, arrival.windows, arrival.features);
    if (arrival.windows < LANDING_WINDOWS) arrival.shakes = shakesOf(source.contacts, visit, at, at + to);
    const level = meanLevel(visit, binAt(visit, at + from), binAt(visit, at + to) + 1);
    if (!Number.isNaN(level)) arrival.level = level - arrival.base;
    arrival.windows += 1;
  }
  arrival.peak = peakOf(visit, arrival.base, arrival.atMs, Math.min(end, visit.endMs));
  arrival.score = scoreOf(arrival.features, arrival.windows);
  if (!further) return;
  // Contact and chatter are the first ball's: a further one is known by its step alone, once that has lasted; by a
  // fall only when the first one's own departure is out of the question.
  const held = touchedShare(visit, binAt(visit, at), visit.bins) >= HELD_WHOLE;
  const sure = held || !falls(arrival.base, arrival.base + arrival.level);
  const need = sure ? LASTED_WINDOWS : WINDOWS.length;
  const lasts = visit.endMs === Infinity && Math.abs(arrival.level) > STEP * 0.8;
  if (arrival.windows < need) arrival.score = Math.min(arrival.score, NOT_YET);
  else if (lasts) arrival.score = Math.max(arrival.score, LASTED_SCORE);
}

/**
 * What is left of the balls on this tile at the end of the trace: an arrival has left when contact is open and its
 * level gone, or when the visit has ended.
 */
export function leftAt(visit: Visit, arrival: Arrival): number {
  if (visit.endMs < Infinity) return visit.endMs;
  const last = visit.bins;
  const now = meanLevel(visit, last - 5, last);
  const touched = visit.touch[last - 1] ?? 0;
  const was = Math.abs(arrival.level) > Math.abs(arrival.peak) / 2 ? arrival.level : arrival.peak;
  if (touched > 0 || !(Math.abs(now - arrival.base) < GONE_SHARE * Math.abs(was))) return Infinity;
  return visit.fromMs + (last - 5) * BIN_MS;
}

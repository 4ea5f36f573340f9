/** Edges kept for a tile. */
export const EDGES_KEPT = 256;
/** The same for the loops below: what a module shares, engines look up anew at every use. */
const KEPT = EDGES_KEPT;

/**
 * What is known of every tile's contact: one list of changes a tile, in time order. Raw edges are exact to
 * microseconds; sample bits and quiet bits fill in what a lost line has swallowed.
 */
export interface ContactTrack {
  /** Host times of changes, by cell · EDGES_KEPT + place. */
  readonly times: Float64Array;
  /** 1: closed from then on. */
  readonly levels: Uint8Array;
  /** Changes kept of each cell. */
  readonly counts: Int32Array;
}

export function createContacts(cells: number): ContactTrack {
  return {
    times: new Float64Array(cells * EDGES_KEPT),
    levels: new Uint8Array(cells * EDGES_KEPT),
    counts: new Int32Array(cells),
  };
}

/** Adds a change. Out-of-order changes find their place; the oldest is forgotten when there is no room. */
export function addEdge(track: ContactTrack, cell: number, atMs: number, closed: boolean): void {
  const row = cell * KEPT;
  let count = track.counts[cell] ?? 0;
  if (count === KEPT) {
    // Half at once, so that a chattering tile does not pay for a shift with every edge.
    track.times.copyWithin(row, row + KEPT / 2, row + KEPT);
    track.levels.copyWithin(row, row + KEPT / 2, row + KEPT);
    count = KEPT / 2;
  }
  let place = count;
  while (place > 0 && (track.times[row + place - 1] ?? 0) > atMs) place -= 1;
  if (place < count) {
    track.times.copyWithin(row + place + 1, row + place, row + count);
    track.levels.copyWithin(row + place + 1, row + place, row + count);
  }
  track.times[row + place] = atMs;
  track.levels[row + place] = closed ? 1 : 0;
  track.counts[cell] = count + 1;
}

/** Place of the last change at or before the time, -1 when there is none. */
function placeAt(track: ContactTrack, cell: number, atMs: number): number {
  const row = cell * KEPT;
  let place = (track.counts[cell] ?? 0) - 1;
  while (place >= 0 && (track.times[row + place] ?? 0) > atMs) place -= 1;
  return place;
}

/** Whether the contact was closed then. A tile never heard of is open. */
export function closedAt(track: ContactTrack, cell: number, atMs: number): boolean {
  const place = placeAt(track, cell, atMs);
  return place >= 0 && track.levels[cell * KEPT + place] === 1;
}

/** Time of the last change at or before then, -Infinity when none is kept. */
export function lastEdgeMs(track: ContactTrack, cell: number, atMs: number): number {
  const place = placeAt(track, cell, atMs);
  return place >= 0 ? (track.times[cell * KEPT + place] ?? 0) : -Infinity;
}

/** First closing after the time, Infinity when none is known. */
export function closesMs(track: ContactTrack, cell: number, afterMs: number): number {
  const row = cell * KEPT;
  for (let place = placeAt(track, cell, afterMs) + 1; place < (track.counts[cell] ?? 0); place += 1) {
    if (track.levels[row + place] === 1) return track.times[row + place] ?? Infinity;
  }
  return Infinity;
}

/** Milliseconds of [fromMs, toMs] for which the contact was closed. */
export function closedMs(track: ContactTrack, cell: number, fromMs: number, toMs: number): number {
  const row = cell * KEPT;
  let end = toMs;
  let sum = 0;
  for (let place = placeAt(track, cell, toMs); place >= -1 && end > fromMs; place -= 1) {
    const start = place >= 0 ? Math.max(fromMs, track.times[row + place] ?? 0) : fromMs;
    if (place >= 0 && track.levels[row + place] === 1 && end > start) sum += end - start;
    end = Math.min(end, start);
  }
  return sum;
}

/** Last moment of [fromMs, toMs] at which the contact was closed, -Infinity when it never was. */
export function lastClosedMs(track: ContactTrack, cell: number, fromMs: number, toMs: number): number {
  const row = cell * KEPT;
  let end = toMs;
  for (let place = placeAt(track, cell, toMs); place >= 0 && end >= fromMs; place -= 1) {
    if (track.levels[row + place] === 1) return end;
    end = track.times[row + place] ?? 0;
  }
  return -Infinity;
}

/** Raw changes within [fromMs, toMs). */
export function edgesIn(track: ContactTrack, cell: number, fromMs: number, toMs: number): number {
  const row = cell * KEPT;
  let n = 0;
  for (let place = (track.counts[cell] ?? 0) - 1; place >= 0; place -= 1) {
    const at = track.times[row + place] ?? 0;
    if (at < fromMs) break;
    if (at < toMs) n += 1;
  }
  return n;
}

/**
 * A burst line's eight contact bits. Where three bits in a row contradict the changes known, an edge line was lost or
 * suppressed, and the change is put where the bits have it. True when there was one.
 */
export function addBits(
  track: ContactTrack,
  cell: number,
  fromMs: number,
  bits: number,
  count: number,
): boolean {
  const known = track.counts[cell] ?? 0;
  let changed = false;
  const last = cell * KEPT + known - 1;
  const before = known === 0 ? 0 : (track.times[last] ?? 0) < fromMs ? (track.levels[last] ?? 0) : -1;
  // The usual case: nothing changed since the last change known.
  if (bits === (before === 1 ? (1 << count) - 1 : before === 0 ? 0 : -1)) return false;
  let against = 0;
  for (let i = 0; i < count; i += 1) {
    const closed = ((bits >> i) & 1) === 1;
    // A scan's bit is taken somewhere within its millisecond: only a lasting contradiction says anything.
    if (
      closed === closedAt(track, cell, fromMs + i + 0.5) ||
      edgesIn(track, cell, fromMs + i - 1, fromMs + i + 2) > 0
    )
      against = 0;
    else {
      against += 1;
      if (against === 3) {
        addEdge(track, cell, fromMs + i - 2, closed);
        changed = true;
        against = 0;
      }
    }
  }
  return changed;
}

/** A quiet line's bit: the truth at 50 Hz. Corrects the changes known when they say otherwise. */
export function addLevel(track: ContactTrack, cell: number, atMs: number, closed: boolean): boolean {
  if (closedAt(track, cell, atMs) === closed || edgesIn(track, cell, atMs - 2, atMs + 2) > 0) return false;
  addEdge(track, cell, atMs, closed);
  return true;
}

/** Gaps of the contact within [fromMs, toMs] that are as long as flights of a ball: over bounce, under a departure. */
export function flightsIn(
  track: ContactTrack,
  cell: number,
  fromMs: number,
  toMs: number,
  leastMs: number,
  mostMs: number,
): number {
  const row = cell * KEPT;
  let flights = 0;
  let openedMs = NaN;
  for (let place = 0; place < (track.counts[cell] ?? 0); place += 1) {
    const at = track.times[row + place] ?? 0;
    if (at < fromMs) continue;
    if (at > toMs) break;
    if (track.levels[row + place] === 0) {
      if (Number.isNaN(openedMs)) openedMs = at;
      continue;
    }
    const gap = at - openedMs;
    if (gap >= leastMs && gap <= mostMs) flights += 1;
    openedMs = NaN;
  }
  return flights;
}

/** Changes within this time that make chatter rather than a bounce or a flight. */
const CHATTER_EDGES = 4;
const CHATTER_MS = 60;

/** Beginning of the first chatter within [fromMs, toMs], -Infinity when there is none. */
export function chatterMs(track: ContactTrack, cell: number, fromMs: number, toMs: number): number {
  const row = cell * KEPT;
  const count = track.counts[cell] ?? 0;
  for (let place = 0; place + CHATTER_EDGES <= count; place += 1) {
    const at = track.times[row + place] ?? 0;
    if (at < fromMs) continue;
    const last = track.times[row + place + CHATTER_EDGES - 1] ?? 0;
    if (last > toMs) break;
    if (last - at <= CHATTER_MS) return at;
  }
  return -Infinity;
}

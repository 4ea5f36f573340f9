import type { Baseline } from './baseline.ts';
import { hallFor, SEES } from './blind.ts';
import { type ContactTrack, closedMs } from './contact.ts';
import { medianOf } from './medians.ts';
import { readHall, type SampleRings } from './rings.ts';
import type { Tiles } from './tiles.ts';

/** Visits that one roll may have; two balls over twelve tiles stay well below. */
export const MAX_VISITS = 24;
/** Length of a bin of a visit's trace. */
export const BIN_MS = 8;
/** Bins of a trace: four seconds. */
export const MAX_BINS = 512;
/** Bins that are looked at together for rest: one alone may be a spike, a light's frame or what a lost line left. */
export const TOGETHER = 7;
/** What the trace holds from before the first sign. */
export const LEAD_MS = 32;
/** Bins whose holes a late line may still fill. */
const HEAL_BINS = 40;

/**
 * One stay of something on one tile, from the first contact or field to the moment both are gone. Its trace is kept in
 * bins of 8 ms, so that it outlives the sample ring.
 */
export interface Visit {
  cell: number;
  /** First sign: the earlier of contact and field. */
  startMs: number;
  /** First contact and first field, NaN while there is none. */
  contactMs: number;
  onsetMs: number;
  /** When both were gone, Infinity while it lasts. */
  endMs: number;
  /** False until contact has lasted or a field has come: until then it may be a glitch. */
  confirmed: boolean;
  /** Start of the first bin, whole ms. */
  fromMs: number;
  bins: number;
  /**
   * Median of the watched hall, in levels of the seated reference ball, signed; NaN where samples are missing. Of a hall
   * off the centre size and steps say something, the sign does not.
   */
  readonly level: Float32Array;
  /** Median of the second hall in mT, 0 where the layout has none. */
  readonly side: Float32Array;
  /** Share of the bin for which the contact was closed. */
  readonly touch: Float32Array;
  /** Middle level of `TOGETHER` bins from each on, where reckoned for the first `middles` of them; not saved. */
  readonly middle: Float64Array;
  middles: number;
}

export function createVisit(): Visit {
  return {
    cell: -1,
    startMs: 0,
    contactMs: NaN,
    onsetMs: NaN,
    endMs: Infinity,
    confirmed: false,
    fromMs: 0,
    bins: 0,
    level: new Float32Array(MAX_BINS),
    side: new Float32Array(MAX_BINS),
    touch: new Float32Array(MAX_BINS),
    middle: new Float64Array(MAX_BINS),
    middles: 0,
  };
}

/** Makes a pooled visit a new one. */
export function beginVisit(visit: Visit, cell: number, atMs: number): void {
  visit.cell = cell;
  visit.startMs = atMs;
  visit.contactMs = NaN;
  visit.onsetMs = NaN;
  visit.endMs = Infinity;
  visit.confirmed = false;
  visit.fromMs = Math.floor(atMs) - LEAD_MS;
  visit.bins = 0;
  visit.middles = 0;
}

/** What a trace is made from. */
export interface TraceSource {
  readonly tiles: Tiles;
  readonly rings: SampleRings;
  readonly contacts: ContactTrack;
  readonly base: Baseline;
  readonly mtPerCount: number;
  /** Halls of each cell that can see, a bit a hall. */
  readonly sees: Uint8Array;
}

/** What stands for a seated ball on a hall off the centre, mT: less or more, as the ball happens to stand. */
const OFFSET_SEATED_MT = 4;

/** Counts of the seated reference ball on the hall that shows this cell's balls. */
export function seatedCounts(source: TraceSource, cell: number, hall: number): number {
  return hall === 0
    ? (source.tiles.seated[cell * source.tiles.halls] ?? 1)
    : OFFSET_SEATED_MT / source.mtPerCount;
}

const scratch = new Float64Array(BIN_MS * 2);

/** Counts of one hall over [fromMs, fromMs + 8) above its zero, NaN when nothing is known. */
export function binCounts(source: TraceSource, cell: number, hall: number, fromMs: number): number {
  const n = readHall(source.rings, cell, hall, fromMs, fromMs + BIN_MS, scratch);
  return medianOf(scratch, n) - (source.base.zero[cell * source.tiles.halls + hall] ?? 0);
}

/** What of a neighbour's field appears on a cell; 0 where the neighbour's own first hall cannot tell how much it is. */
export function shareFrom({ tiles, sees }: TraceSource, cell: number, neighbour: number): number {
  if (hallFor(sees[neighbour] ?? 0) !== 0) return 0;
  return tiles.share[cell * tiles.cells.length + neighbour] ?? 0;
}

/** First hall of a cell over a bin with the neighbours' share taken off, counts. */
function cleanCounts(source: TraceSource, cell: number, fromMs: number): number {
  let counts = binCounts(source, cell, 0, fromMs);
  for (const n of source.tiles.near[cell] ?? []) {
    const share = shareFrom(source, cell, n);
    if (share === 0) continue;
    const there = binCounts(source, n, 0, fromMs);
    if (!Number.isNaN(there)) counts -= share * there;
  }
  return counts;
}

/** Share of the bin from `fromMs` on for which the contact was closed. */
export function touchedIn(contacts: ContactTrack, cell: number, fromMs: number): number {
  return closedMs(contacts, cell, fromMs, fromMs + BIN_MS) / BIN_MS;
}

function fillBin(source: TraceSource, visit: Visit, bin: number): void {
  const { tiles } = source;
  const from = visit.fromMs + bin * BIN_MS;
  const { cell } = visit;
  const sees = source.sees[cell] ?? 0;
  const hall = hallFor(sees);
  const side = tiles.halls > 1 && (sees & SEES.second) !== 0 ? binCounts(source, cell, 1, from) : 0;
  const own = hall === 0 ? cleanCounts(source, cell, from) : side;
  visit.level[bin] = own / seatedCounts(source, cell, hall);
  visit.side[bin] = side * source.mtPerCount;
  visit.touch[bin] = touchedIn(source.contacts, cell, from);
  if (visit.middles > bin - TOGETHER + 1) visit.middles = Math.max(0, bin - TOGETHER + 1);
}

/** Brings a trace up to the time to which lines have surely come; fills holes that late lines have closed. */
export function extendTrace(source: TraceSource, visit: Visit, toMs: number): void {
  for (let bin = Math.max(0, visit.bins - HEAL_BINS); bin < visit.bins; bin += 1) {
    const level = visit.level[bin] ?? 0;
    if (Number.isNaN(level)) fillBin(source, visit, bin);
  }
  const end = Math.min(toMs, visit.endMs);
  while (visit.bins < MAX_BINS && visit.fromMs + (visit.bins + 1) * BIN_MS <= end) {
    fillBin(source, visit, visit.bins);
    visit.bins += 1;
  }
}

/** Number of the bin that holds this time, within the trace. */
export function binAt(visit: Visit, atMs: number): number {
  return Math.max(0, Math.min(visit.bins - 1, Math.floor((atMs - visit.fromMs) / BIN_MS)));
}

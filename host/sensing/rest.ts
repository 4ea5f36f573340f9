import { type ContactTrack, edgesIn, lastEdgeMs } from './contact.ts';
import { medianOf } from './medians.ts';
import { BIN_MS, TOGETHER, type Visit } from './visits.ts';

/** Change of level that counts as motion: share of the level, and at least this much of a seated ball. */
const SHARE = 0.06;
const LEAST = 0.03;
/** Contact edges count as motion for this long after the level last moved; a dirty contact never stops. */
const EDGES_COUNT_MS = 150;
/** Levels below this say nothing about motion: the contact must. */
const FAINT = 0.03;
/** Edges of a contact, over so long, that are no motion any more. */
const DIRTY_EDGES = 8;
const DIRTY_MS = 400;
/** Bins that the usual jump of a level is taken from, and how many such jumps are no motion. */
const FLICKER_BINS = 96;
const FLICKERS = 3;
/** Bins that the level now is taken from: the frames of a light show come to nothing over so many. */
const NOW_BINS = 24;
/** Of bins that are looked at together, so many before a step show it. */
const SHOWS_BINS = 3;

const scratch = new Float64Array(FLICKER_BINS);

/** How much the level jumps from one bin to the next but one, in the middle, over the last while: lights do that. */
function flickerOf(visit: Visit): number {
  let n = 0;
  for (let i = Math.max(2, visit.bins - FLICKER_BINS); i < visit.bins; i += 1) {
    const jump = Math.abs((visit.level[i] ?? NaN) - (visit.level[i - 2] ?? NaN));
    if (Number.isNaN(jump)) continue;
    scratch[n] = jump;
    n += 1;
  }
  return n < FLICKER_BINS / 2 ? 0 : medianOf(scratch, n);
}

/** Mean of the bins [from, to) that are known, less the largest and the least of them; NaN where most are not known. */
function middleOf(visit: Visit, from: number, to: number): number {
  let sum = 0;
  let n = 0;
  let least = Infinity;
  let most = -Infinity;
  for (let i = Math.max(0, from); i < to; i += 1) {
    const v = visit.level[i] ?? NaN;
    if (Number.isNaN(v)) continue;
    sum += v;
    n += 1;
    if (v < least) least = v;
    if (v > most) most = v;
  }
  return n > 2 && 2 * n > to - from ? (sum - least - most) / (n - 2) : NaN;
}

/** Reckons the middles of the bins that have come since: a trace is looked through again and again. */
function keepMiddles(visit: Visit): void {
  for (; visit.middles + TOGETHER <= visit.bins; visit.middles += 1)
    visit.middle[visit.middles] = middleOf(visit, visit.middles, visit.middles + TOGETHER);
}

/**
 * Last moment at which what stands on a tile was seen to move, up to `toMs`: a change of level or of contact, or the
 * moment it left. `sinceMs`: when it came, where a contact that dropped out for long has cut its stay to pieces of which
 * this visit is the last.
 */
export function movedMs(visit: Visit, contacts: ContactTrack, toMs: number, sinceMs = visit.startMs): number {
  if (visit.endMs < Infinity) return visit.endMs;
  const known = middleOf(visit, visit.bins - NOW_BINS, visit.bins);
  const now = Number.isNaN(known) ? 0 : known;
  const tolerance = Math.max(LEAST, Math.abs(now) * SHARE, FLICKERS * flickerOf(visit));
  let moved = Math.abs(now) < FAINT ? sinceMs : visit.startMs;
  keepMiddles(visit);
  for (let from = visit.bins - TOGETHER; from >= 0; from -= 1) {
    if (!(Math.abs((visit.middle[from] ?? NaN) - now) > tolerance)) continue;
    // A step shows as soon as a few of the bins lie before it.
    moved = Math.max(moved, visit.fromMs + (from + SHOWS_BINS) * BIN_MS);
    break;
  }
  const edge = lastEdgeMs(contacts, visit.cell, toMs);
  if (edge <= moved) return moved;
  if (edge - moved < EDGES_COUNT_MS) return edge;
  if (Math.abs(now) >= FAINT) return moved;
  // A contact that has dropped out again and again under a ball whose field stands still is dirty: it says no more.
  const dirty = edgesIn(contacts, visit.cell, moved, edge + 1) >= DIRTY_EDGES && edge - moved > DIRTY_MS;
  if (!dirty) moved = edge;
  return moved;
}

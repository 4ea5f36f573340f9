import { lastEdgeMs } from './contact.ts';
import { sign, watching } from './hear-inputs.ts';
import { beginStand, standAt } from './live-roll.ts';
import { endField } from './onset.ts';
import type { Sensing } from './state.ts';
import { LEAD_MS } from './visits.ts';

/** A first look at a new visit this long after its first sign, beside the allowance for lines on their way. */
const FIRST_LOOK_MS = 2;

/** Contact or field on a tile: a visit begins or goes on. */
export function touch(sensing: Sensing, cell: number, atMs: number, what: 'contact' | 'field'): void {
  if (!watching(sensing) || sensing.live.leftover[cell] !== 0) return;
  if (atMs < sensing.live.fromMs) {
    // Flicker told late, from right before the call, must not hide what comes to the tile after it.
    if (what === 'field') endField(sensing.onsets, cell);
    return;
  }
  const { live, limits, onsets } = sensing;
  let stand = standAt(live, cell);
  if (stand !== undefined && what === 'contact') {
    // Contact anew after a pause without any field: another ball, or the same one once more.
    const before = lastEdgeMs(sensing.contacts, cell, atMs - 0.001);
    const fieldMs = onsets.aboveMs[cell] ?? -Infinity;
    const sinceMs = onsets.sinceMs[cell] ?? NaN;
    const bare = atMs - fieldMs > limits.pauseMs;
    // A field that began only after the contact had gone is the next ball's, which rolls up.
    if (stand.visit.contactMs < before && atMs - before > limits.pauseMs && (bare || sinceMs > before)) {
      stand.visit.endMs = before;
      if (bare) endField(onsets, cell);
      stand = undefined;
    }
  }
  stand ??= beginStand(live, cell, atMs);
  if (stand === undefined) return;
  const { visit } = stand;
  if (what === 'contact' && !(visit.contactMs <= atMs)) visit.contactMs = atMs;
  if (what === 'field' && !(visit.onsetMs <= atMs)) visit.onsetMs = atMs;
  if (atMs < visit.startMs && stand.arrived === 0) {
    visit.startMs = atMs;
    if (visit.bins === 0) visit.fromMs = Math.floor(atMs) - LEAD_MS;
  }
  sign(sensing, atMs);
  const due = atMs + limits.lateMs + FIRST_LOOK_MS;
  if (due < live.nextReviewMs) live.nextReviewMs = due;
}

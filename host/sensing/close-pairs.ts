import { beginArrival } from './arrivals.ts';
import type { Seen } from './evidence.ts';
import { leadsTo, standsSomewhere } from './hidden.ts';
import { LAID_MS, layLevels } from './laid-levels.ts';
import type { Stand } from './live-roll.ts';
import { medianOf } from './medians.ts';
import type { Attribution } from './owners.ts';
import { CLOSE_LOOKED_AT_MS, CLOSE_SETTLED_MS, findCloseStep } from './second-steps.ts';
import type { Sensing } from './state.ts';
import type { Runner, Token } from './tracks.ts';
import { BIN_MS, beginVisit, createVisit, touchedIn } from './visits.ts';

/** Of the ways to lay eight-millisecond bins over a landing, so many must show both steps. */
const MOST_WAYS = 4;

const shifted = createVisit();
const laid = new Float64Array(LAID_MS);
const foundMs = new Float64Array(BIN_MS);
const foundBases = new Float64Array(BIN_MS);

/**
 * Looks for a second step right after `fromMs` and keeps what it found with the stand. Where the bins of a trace happen to
 * begin must not decide: every way to lay them has a say, and the middle of what they find counts.
 */
function searchClose(sensing: Sensing, stand: Stand, fromMs: number): void {
  const { visit } = stand;
  if (stand.closeFor === fromMs) return;
  stand.closeMs = NaN;
  const toMs = visit.fromMs + visit.bins * BIN_MS;
  if (toMs < fromMs + CLOSE_SETTLED_MS) return;
  const lookedAtMs = fromMs + CLOSE_LOOKED_AT_MS;
  const endMs = Math.min(toMs, lookedAtMs + BIN_MS);
  const { source, contacts } = sensing;
  beginVisit(shifted, visit.cell, fromMs);
  const laidMs = shifted.fromMs;
  layLevels(source, visit.cell, laidMs, Math.floor(endMs) - laidMs - BIN_MS + 1, laid);
  let ways = 0;
  for (let phase = 0; phase < BIN_MS; phase += 1) {
    shifted.fromMs = laidMs + phase;
    shifted.bins = Math.floor((endMs - shifted.fromMs) / BIN_MS);
    shifted.touch.fill(0);
    for (let bin = 0; bin < shifted.bins; bin += 1) {
      shifted.level[bin] = laid[phase + bin * BIN_MS] ?? NaN;
      shifted.touch[bin] = touchedIn(contacts, visit.cell, shifted.fromMs + bin * BIN_MS);
    }
    const step = findCloseStep(shifted, fromMs);
    if (step === undefined) continue;
    foundMs[ways] = shifted.fromMs + step.bin * BIN_MS;
    foundBases[ways] = step.base;
    ways += 1;
  }
  if (ways >= MOST_WAYS) {
    stand.closeMs = medianOf(foundMs, ways);
    stand.closeBase = medianOf(foundBases, ways);
  }
  // Final once found, and once all of the trace that is looked at is there.
  if (ways >= MOST_WAYS || toMs >= lookedAtMs) stand.closeFor = fromMs;
}

/**
 * Two balls that landed on one core within the same moment (5.7.2.2): where one ball stands, the other's way leads there
 * and nothing of it stands elsewhere, a second step within the first landing is that other ball. Adds its arrival;
 * returns whether one was found, so that visits are followed anew.
 */
export function splitClosePairs(
  sensing: Sensing,
  runners: readonly Runner[],
  tokens: readonly Token[],
  seen: readonly Seen[],
  shared: Attribution,
): boolean {
  const { live, tiles } = sensing;
  if (live.balls.length < 2) return false;
  let found = false;
  for (const [i, { visit, arrival }] of seen.entries()) {
    const stand = live.stands.find((one) => one.visit === visit);
    const next = stand?.arrivals[1];
    if (stand === undefined || next === undefined || stand.arrived !== 1) continue;
    if (visit.endMs < Infinity || !(arrival.score > 0.5) || live.stuck[visit.cell] === 1) continue;
    const other = 1 - (shared.owner[i] ?? 0);
    const runner = runners[other];
    if (runner === undefined || standsSomewhere(seen, shared, other)) continue;
    searchClose(sensing, stand, arrival.atMs);
    const { closeMs: atMs, closeBase: base } = stand;
    if (!(atMs >= arrival.atMs)) continue;
    if (!leadsTo(tiles, runner, tokens, shared, other, visit.cell, [arrival.atMs, atMs])) continue;
    if (arrival.anchorMs >= atMs - BIN_MS) beginArrival(arrival, arrival.atMs, arrival.base);
    beginArrival(next, atMs, base);
    stand.arrived = 2;
    found = true;
  }
  return found;
}

import { beginArrival } from './arrivals.ts';
import type { Seen } from './evidence.ts';
import { leadsTo, standsSomewhere } from './hidden.ts';
import type { Attribution } from './owners.ts';
import { findCloseStep } from './second-steps.ts';
import type { Sensing } from './state.ts';
import type { Runner, Token } from './tracks.ts';
import { BIN_MS } from './visits.ts';

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
    const step = findCloseStep(visit, arrival.atMs);
    if (step === undefined) continue;
    const atMs = visit.fromMs + step.bin * BIN_MS;
    if (!leadsTo(tiles, runner, tokens, shared, other, visit.cell, [arrival.atMs, atMs])) continue;
    if (arrival.anchorMs >= atMs - BIN_MS) beginArrival(arrival, arrival.atMs, arrival.base);
    beginArrival(next, atMs, step.base);
    stand.arrived = 2;
    found = true;
  }
  return found;
}

import type { Side } from '../ids.ts';
import { BALL_MM, earlyLaunch, type Gates, gatesOfLaunch, THROUGH_MS } from './gates.ts';
import { gatesFitted, type Sensing } from './state.ts';

/** Half a tile across its corners, mm. */
const BEYOND_MM = 26;
/** Least rolling loss, mm/ms²: 0.2 m/s² on a mat, and a table that is not quite level. */
const LEAST_LOSS = 0.00015;
/** No throw is faster, mm/ms. */
const FASTEST = 3;
/** From the middle of a tile to its rim and the skin of a ball, mm. */
export const RIM_MM = 36;
/** What the chord and the slant of a way can make of the speed that a beam tells. */
const FASTER = 1.4;
/** A ball that comes to a tile shows within this, by its contact or in two bins of its field: from then on it is waited for. */
const SHOWS_MS = 50;

/**
 * Until when the ball that passed these gates last can come to anything on the tiles, ms. One that slows down evenly and
 * gets across has been half as fast as at the gate all the way, or faster; one that does not has lost all its speed
 * by then; one that was thrown before the call, too. Infinity where the far gate did not see it through as a free ball, or a
 * beam tells of somebody since.
 */
function rollsUntilMs(gates: Gates, fieldMm: number, fromMs: number): number {
  const { near, far } = gates;
  const passed = far.blocks.at(-1);
  const before = near.blocks.at(-1);
  if (near.blocked || far.blocked || passed === undefined) return Infinity;
  if (!(passed.fromMs >= fromMs) && passed !== earlyLaunch(gates, fromMs)) return Infinity;
  if (before !== undefined && before.fromMs > passed.fromMs) return Infinity;
  const shortMs = passed.toMs - passed.fromMs - passed.lengthErrorMs;
  const longMs = passed.toMs - passed.fromMs + passed.lengthErrorMs;
  if (!(longMs <= THROUGH_MS)) return Infinity;
  const acrossMs = (2 * fieldMm * longMs) / BALL_MM;
  const spentMs = shortMs > 0 ? (FASTER * BALL_MM) / shortMs / LEAST_LOSS : Infinity;
  // Its way over the time blocked is what its speed was in the middle of that time, with its centre in the beam.
  const middleMs = (passed.fromMs + passed.toMs + passed.lengthErrorMs) / 2;
  return middleMs + passed.errorMs + Math.min(acrossMs, spentMs) + SHOWS_MS;
}

/**
 * Whether this player's ball can have come to a cell by then. A beam tells its speed only where the hand had left the
 * other one before.
 */
export function canHaveCome(sensing: Sensing, player: Side, cell: number, atMs: number): boolean {
  const { gates, live, tiles, setting } = sensing;
  const { edgeToCentreMm, gatesMm } = setting.layout;
  const { near, far } = gatesOfLaunch(gates[player], live.fromMs);
  const own = player === 'A' ? 1 : -1;
  const wayMm = edgeToCentreMm - gatesMm.far - own * (tiles.y[cell] ?? 0) - RIM_MM;
  const hand = near.freeMs > far.blockedMs;
  const speed = hand ? FASTEST : (FASTER * BALL_MM) / (far.freeMs - far.blockedMs);
  return far.blockedMs + wayMm / speed <= atMs;
}

/** Whether more than single lines of the roll are missing: what a board says when it is back is worth the full wait. */
export function wasAway({ doubts, live }: Sensing): boolean {
  return doubts.some(({ code, toMs }) => code !== 'doubt/samples-missing' && toMs > live.fromMs);
}

/** When this player's ball can be anywhere on the tiles no more, ms; Infinity where the gates do not tell. */
export function outMsOf(sensing: Sensing, player: Side): number {
  const { gates, live, tiles, setting } = sensing;
  const { edgeToCentreMm, gatesMm } = setting.layout;
  if (!gatesFitted(sensing, player)) return Infinity;
  const own = player === 'A' ? 1 : -1;
  let fieldMm = 0;
  for (const y of tiles.y) fieldMm = Math.max(fieldMm, edgeToCentreMm - gatesMm.far - own * y + BEYOND_MM);
  return rollsUntilMs(gates[player], fieldMm, live.fromMs);
}

/**
 * When a ball of the roll that is not seen can be anywhere on the tiles no more, ms: all of them, since which of them it
 * is may be unclear and one may have pushed the other. Infinity where the gates do not tell.
 */
export function allOutMs(sensing: Sensing): number {
  let allMs = -Infinity;
  for (const { player } of sensing.live.balls) allMs = Math.max(allMs, outMsOf(sensing, player));
  return allMs;
}

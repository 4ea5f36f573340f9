import { BALL_MM, type Gates, THROUGH_MS } from './gates.ts';
import { gatesFitted, type Sensing } from './state.ts';

/** Half a tile across its corners, and a ball's radius at the beam, mm. */
const BEYOND_MM = 26 + BALL_MM / 2;
/** Least rolling loss, mm/ms²: 0.2 m/s² on a mat, and a table that is not quite level. */
const LEAST_LOSS = 0.00015;
/** What the chord and the slant of a way can make of the speed that a beam tells. */
const FASTER = 1.4;
/** A landing shows within this. */
const SHOWS_MS = 150;

/**
 * Until when the ball that passed these gates last can come to anything on the tiles, ms. One that slows down evenly and
 * gets across has been half as fast as at the gate all the way, or faster; one that does not has lost all its speed
 * by then. Infinity where the far gate did not see it through as a free ball, or a beam tells of somebody since.
 */
function rollsUntilMs({ near, far }: Gates, fieldMm: number, fromMs: number): number {
  const passed = far.blocks.at(-1);
  const before = near.blocks.at(-1);
  if (near.blocked || far.blocked || passed === undefined || !(passed.fromMs >= fromMs)) return Infinity;
  if (before !== undefined && before.fromMs > passed.fromMs) return Infinity;
  const shortMs = passed.toMs - passed.fromMs - passed.lengthErrorMs;
  const longMs = passed.toMs - passed.fromMs + passed.lengthErrorMs;
  if (!(longMs <= THROUGH_MS)) return Infinity;
  const acrossMs = (2 * fieldMm * longMs) / BALL_MM;
  const spentMs = shortMs > 0 ? (FASTER * BALL_MM) / shortMs / LEAST_LOSS : Infinity;
  return passed.toMs + passed.errorMs + Math.min(acrossMs, spentMs) + SHOWS_MS;
}

/** Whether more than single lines of the roll are missing: what a board says when it is back is worth the full wait. */
export function wasAway({ doubts, live }: Sensing): boolean {
  return doubts.some(({ code, toMs }) => code !== 'doubt/samples-missing' && toMs > live.fromMs);
}

/**
 * When a ball of the roll that is not seen can be anywhere on the tiles no more, ms: all of them, since which of them it
 * is may be unclear and one may have pushed the other. Infinity where the gates do not tell.
 */
export function allOutMs(sensing: Sensing): number {
  const { gates, live, tiles, setting } = sensing;
  const { edgeToCentreMm, gatesMm } = setting.layout;
  let allMs = -Infinity;
  for (const { player } of live.balls) {
    if (!gatesFitted(sensing, player)) return Infinity;
    const own = player === 'A' ? 1 : -1;
    let fieldMm = 0;
    for (const y of tiles.y) fieldMm = Math.max(fieldMm, edgeToCentreMm - gatesMm.far - own * y + BEYOND_MM);
    allMs = Math.max(allMs, rollsUntilMs(gates[player], fieldMm, live.fromMs));
  }
  return allMs;
}

/** Launch gates: two light beams across the mat before each player. */
import type { Side } from '../host/ids.ts';
import type { Layout } from '../host/sensing/layout.ts';
import { createGround, groundAt, type Track, wayAfter } from './ball.ts';
import { type Span, spansWhere } from './spans.ts';

/** Height of the beams over the mat, mm. */
export const BEAM_MM = 18;

/** y of a player's gate on the mat; A sits at +y. */
export function gateY(layout: Layout, side: Side, gate: 'near' | 'far'): number {
  const fromCentre = layout.edgeToCentreMm - layout.gatesMm[gate];
  return side === 'A' ? fromCentre : -fromCentre;
}

/** When a ball breaks the beam at `y`. */
export function beamBlocked(track: Track, y: number): readonly Span[] {
  const first = track.stretches[0];
  if (first === undefined) return [];
  const ground = createGround();
  const radius = track.body.radiusMm;
  const ys = track.stretches.flatMap((s) => [s.y, s.y + s.headY * wayAfter(s, 60_000)]);
  if (y < Math.min(...ys) - radius || y > Math.max(...ys) + radius) return [];
  return spansWhere(
    (atUs) => {
      if (!groundAt(track, atUs, ground)) return false;
      const above = ground.lift + radius - BEAM_MM;
      const dy = ground.y - y;
      return dy * dy + above * above < radius * radius;
    },
    first.fromUs,
    track.goneUs === Infinity ? track.restUs : track.goneUs,
    // A ball is in the beam for at least 15 ms, but for grazing ones.
    4000,
  ).map((span) => (span.toUs > track.goneUs ? { fromUs: span.fromUs, toUs: track.goneUs } : span));
}

import { LANDING_MS, LANDING_WINDOWS } from './arrivals.ts';
import type { Evidence, Seen } from './evidence.ts';
import { FEATURES } from './features.ts';

/** Least changes of a sound contact under a latch, its first bounce left out. */
const LATCH_SHAKES = 4;
/** Share of the second window for which such a contact is closed at least: a poorer one may have hidden the shaking. */
const HELD = 0.98;
const HELD_WINDOW = FEATURES.indexOf('touch2');
/** The open shell is wider than the closed ball: it touches a second tile within this of its opening. */
export const WITH_OPENING_MS = 120;

/** What the shaking of a contact is judged by. */
export type Shaken = Pick<Evidence, 'chatters' | 'live' | 'seen' | 'near'>;

/** Whether the contact shook as a latch shakes it: always false where boards stamp on arrival. */
export function latchHeard({ chatters, live }: Shaken, { visit, arrival, nth }: Seen): boolean {
  return chatters && nth === 0 && live.stuck[visit.cell] !== 1 && arrival.shakes >= LATCH_SHAKES;
}

/** Whether another tile, or another ball on this one, may have kept this contact from showing its latch. */
function shakenElsewhere({ seen, near }: Shaken, { visit, arrival }: Seen): boolean {
  return seen.some((other) => {
    const apart = Math.abs(other.arrival.anchorMs - arrival.anchorMs);
    // A further ball holds the contact through the first one's shaking.
    if (other.visit === visit) return other.nth > 0 && apart < LANDING_MS;
    if (other.nth > 0 || apart > WITH_OPENING_MS || near[visit.cell]?.includes(other.visit.cell) !== true)
      return false;
    return Number.isNaN(other.visit.contactMs) || other.arrival.shakes >= LATCH_SHAKES;
  });
}

/**
 * Whether a contact that lasted through the landing showed that no latch let go: a magnet was laid there. Of a further
 * ball on the tile nothing is to be heard, since the first one holds the contact closed; nor where boards stamp on
 * arrival.
 */
export function latchUnheard(evidence: Shaken, seen: Seen): boolean {
  const { visit, arrival, nth } = seen;
  if (!evidence.chatters || nth > 0 || Number.isNaN(visit.contactMs)) return false;
  if (evidence.live.stuck[visit.cell] === 1) return false;
  if (!(arrival.shakes < LATCH_SHAKES) || shakenElsewhere(evidence, seen)) return false;
  return arrival.windows < LANDING_WINDOWS || (arrival.features[HELD_WINDOW] ?? 0) >= HELD;
}

/** Whether what reads as an open was seen whole, and no latch with it. */
export function isLaid(evidence: Shaken, seen: Seen): boolean {
  const { score, windows } = seen.arrival;
  return score > 0.5 && windows >= LANDING_WINDOWS && latchUnheard(evidence, seen);
}

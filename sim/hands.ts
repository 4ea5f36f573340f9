/** The hand that lets a ball go: how far it goes after it, and when it is in the far gate. */
import type { Chance } from './random.ts';
import type { Span } from './spans.ts';

/** A hand that swings on goes so far past the place where it let go, one that does not a little, mm. */
export const FOLLOW_MM = [10, 80] as const;
const STOPS_MM = [0, 10] as const;
/** Where its foremost finger is against the middle of the ball: from the ball's back to a little before the middle, mm. */
const FINGERS_AHEAD_MM = 10;
/** Of those that reach over the line with the ball, so many rest there to aim, for so long, ms; the others swing through. */
const AIMS = 0.5;
const AIM_MS = [100, 600] as const;
/** Speed of the hand right after the release, and of hand and ball before it, as parts of the ball's speed. */
const HAND_AFTER = [0.6, 1] as const;
const HAND_BEFORE = [0.5, 1] as const;
/** A hand that swings on is no slower, mm/ms. */
const SLOWEST_HAND = 0.3;
/** How long it then takes to draw back, ms. */
const BACK_MS = [60, 250] as const;

/** A ball as it leaves the hand. */
export interface LettingGo {
  readonly atUs: number;
  /** Of the ball's middle from the own table edge, mm. */
  readonly releaseMm: number;
  readonly radiusMm: number;
  /** mm/ms. */
  readonly speed: number;
}

/**
 * When a hand, or the ball in it, is in the far gate; undefined when neither comes there. The ball in the hand breaks the
 * beam with its front; a hand that follows comes after the ball, slows down evenly and turns back.
 *
 * @param follows share of hands that swing on past the release
 */
export function handAtFar(chance: Chance, ball: LettingGo, farMm: number, follows: number): Span | undefined {
  const { atUs, releaseMm, radiusMm, speed } = ball;
  const fingersMm = releaseMm + chance.between(-radiusMm, FINGERS_AHEAD_MM);
  const followMm = chance.happens(follows) ? chance.between(...FOLLOW_MM) : chance.between(...STOPS_MM);
  const swingMs = (2 * followMm) / Math.max(SLOWEST_HAND, speed * chance.between(...HAND_AFTER));
  const carriedAt = speed * chance.between(...HAND_BEFORE);
  const aimMs = chance.happens(AIMS) ? chance.between(...AIM_MS) : 0;
  const backMs = chance.between(...BACK_MS);
  const overMm = releaseMm + radiusMm - farMm;
  const toLineMm = farMm - fingersMm;
  const reaches = followMm > toLineMm;
  if (overMm <= 0 && !reaches) return undefined;
  const inMs = overMm > 0 ? -overMm / carriedAt - aimMs : swingMs * (1 - Math.sqrt(1 - toLineMm / followMm));
  const outMs = reaches ? swingMs + backMs : 0;
  return { fromUs: atUs + Math.floor(inMs * 1000), toUs: atUs + Math.floor(outMs * 1000) };
}

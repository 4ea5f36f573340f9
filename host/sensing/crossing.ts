/**
 * How one block of the far gate reads. A free ball blocks a beam for its own width over its speed, and its speed also says
 * when it comes to the first tile: a block that is too long for the time the ball then took had a hand in it.
 */
import type { Block, Gates } from './gates.ts';

/** First tile that the ball is known to have touched. */
export interface Touch {
  readonly atMs: number;
  /** From its far gate to the middle of that tile, along the table, mm. */
  readonly wayMm: number;
  /** Chance that it was this ball. */
  readonly sure: number;
  /** No slower than this was it from there on to a further tile, mm/ms; a ball only ever loses speed. 0: not known. */
  readonly leastSpeed: number;
}

/**
 * - `free`: a ball rolled through the far gate by itself, so it was released before it.
 * - `hand`: a hand was in the far gate while the ball went through. It may have come after the ball, swinging on, or have
 *   held it there: one beam looks the same under both, but where the ball came far too late for its speed.
 * - `unclear`: it may have been either.
 * - `unseen`: the far gate saw nothing of it.
 */
export type LaunchKind = 'free' | 'hand' | 'unclear' | 'unseen';

/** Width in the beam: balls of 35 to 44 mm, the beam at the height of the smallest one's middle, some in short flight. */
export const CHORD_MM = [33, 44] as const;
/** Rolling loss, mm/ms² (0.2 to 0.6 m/s²). */
export const LOSS = [0.0002, 0.0006] as const;
/** The ball's middle is this far before the beam when the block begins, and touches a tile this far before its middle. */
export const SKIN_MM = 18;
const RIM_MM = 30;
const INNER_MM = -2;
/** A way across the table is longer by up to this factor. */
const ACROSS = 1.15;
/** A hand does not go in and out again in less. */
const QUICKEST_HAND_MS = 70;
/** A block that is that near to its limit may be a slow ball as well as a hand, either way. */
const NARROW = 1.3;
const FAR_OFF = 0.8;
/** How sure it must be whose touch it was that shows a hand: it makes the roll void. */
const SURE_OF_HAND = 0.98;
/** A finger may be in the beam before a ball that is let go before it, by so much; nothing shorter than this is a hold. */
const FINGER_MM = 30;
const LEAST_HOLD_MS = 40;
/** A hand that holds a ball in the gate for longer is none that rolls it. */
const LONGEST_HOLD_MS = 1500;
/** A ball slower than its width over this does not reach the field. */
const SLOWEST_BALL_MS = 180;
/** A hand that stays longer reaches over the mat for something else. */
const LONGEST_HAND_MS = 500;

/** From the breaking of the far beam to the touch, shortest and longest, for a free ball that blocked it for `blockedMs`. */
export function wayTimes(
  blockedMs: number,
  wayMm: number,
): { readonly fromMs: number; readonly toMs: number } {
  let fromMs = Infinity;
  let toMs = 0;
  for (const chord of CHORD_MM) {
    for (const loss of LOSS) {
      for (const way of [wayMm + SKIN_MM - RIM_MM, (wayMm + SKIN_MM - INNER_MM) * ACROSS]) {
        const speed = chord / blockedMs;
        const left = speed * speed - 2 * loss * Math.max(0, way);
        const took = left > 0 ? (speed - Math.sqrt(left)) / loss : Infinity;
        fromMs = Math.min(fromMs, took);
        toMs = Math.max(toMs, took);
      }
    }
  }
  return { fromMs, toMs };
}

function blockedAt(blocks: readonly Block[], atMs: number): boolean {
  return blocks.some((b) => b.fromMs <= atMs && !(b.toMs < atMs));
}

export const TWICE = 'more than the ball went through the far gate before it came to a tile';
const STILL = 'something still blocks the far gate';
export const SLOW = 'what went through the far gate was as slow as a hand';
export const LATE = 'the ball came to its first tile too late for what went through the far gate';
export const NOTHING = 'the far gate saw nothing';
const LOST = 'the edges of the far gate were lost on the way';

export interface Kind {
  readonly kind: LaunchKind;
  readonly why: string;
  /** The touch came when a free ball would have come. */
  readonly fits: boolean;
  /** The ball came so late for its speed that it was held where the beam is. */
  readonly held?: boolean;
}

/** Whether the ball, no slower than it was on the tiles, would long have been on the first one had it been free here. */
function heldThere(far: Block, { atMs, wayMm, leastSpeed }: Touch): boolean {
  if (!(leastSpeed > 0)) return false;
  const slowestMs = ((wayMm + SKIN_MM - INNER_MM) * ACROSS) / leastSpeed;
  return atMs - far.fromMs > slowestMs + FINGER_MM / leastSpeed + 2 * far.errorMs + LEAST_HOLD_MS;
}

export function kindOf(gates: Gates, far: Block, touch: Touch | undefined): Kind {
  const lasted = far.toMs - far.fromMs;
  const unclear = (why: string): Kind => ({ kind: 'unclear', why, fits: false });
  if (!(lasted > 0)) return unclear(STILL);
  if (far.lengthErrorMs > 0) return unclear(LOST);
  const quick = lasted < QUICKEST_HAND_MS;
  // An arm over the far gate is over the near one too.
  const arm = blockedAt(gates.near.blocks, far.fromMs);
  if (touch === undefined) {
    if (quick || (!arm && lasted < SLOWEST_BALL_MS)) return { kind: 'free', why: '', fits: false };
    return unclear(SLOW);
  }
  const took = touch.atMs - far.fromMs;
  const error = 2 * far.errorMs + 2;
  const free = wayTimes(lasted, touch.wayMm);
  const ball = quick || lasted < SLOWEST_BALL_MS;
  const fits = ball && took >= free.fromMs - error && took <= free.toMs + error;
  if (quick) return { kind: 'free', why: '', fits };
  const sure = arm && touch.sure >= SURE_OF_HAND;
  if (sure && !fits && lasted < LONGEST_HOLD_MS && heldThere(far, touch)) {
    return { kind: 'hand', why: '', fits, held: true };
  }
  if (sure && lasted < LONGEST_HAND_MS && took < free.fromMs * FAR_OFF - error) {
    return { kind: 'hand', why: '', fits };
  }
  if (took < free.fromMs - error) return unclear(SLOW);
  if (!fits) return unclear(LATE);
  if (arm && took < free.fromMs * NARROW + error) return { ...unclear(SLOW), fits };
  return { kind: 'free', why: '', fits };
}

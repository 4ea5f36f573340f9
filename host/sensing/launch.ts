/**
 * What the launch gates tell of one ball's release. A gate sees a hand as well as a ball: a free ball blocks a beam for
 * its own width over its speed, and its speed also says when it comes to the first tile. A block that is too long for
 * the time the ball then took was a hand.
 */
import type { Block, Gates } from './gates.ts';

/** First tile that the ball is known to have touched. */
export interface Touch {
  readonly atMs: number;
  /** From its far gate to the middle of that tile, along the table, mm. */
  readonly wayMm: number;
  /** Chance that it was this ball. */
  readonly sure: number;
}

/** What a launch is read from. */
export interface LaunchAsk {
  readonly gates: Gates;
  /** The call. */
  readonly fromMs: number;
  /** From the near gate to the far one, and from the far one to the other player's, mm. */
  readonly betweenMm: number;
  readonly acrossMm: number;
  /** First tile that surely was this ball's. */
  readonly touch: Touch | undefined;
  /** The other player's launch as far as it is known: that ball rolls out through these gates. */
  readonly other?: Launch | undefined;
}

/**
 * - `free`: a ball rolled through the far gate by itself, so it was released before it.
 * - `hand`: a hand held the far gate while the ball went through: released beyond it.
 * - `unclear`: it may have been either.
 * - `unseen`: the far gate saw nothing of it.
 */
export type LaunchKind = 'free' | 'hand' | 'unclear' | 'unseen';

export interface Launch {
  readonly kind: LaunchKind;
  /** Block of the far gate that belongs to the launch. */
  readonly far: Block | undefined;
  /** Time within which the ball left the hand, and the error of its ends; absent when nothing was seen. */
  readonly release: { readonly fromMs: number; readonly toMs: number; readonly errorMs: number } | undefined;
  /** Why it is not `free` or `hand`. */
  readonly why: string;
  /** A ball was surely thrown: a gate or a tile shows it, not only a hand. */
  readonly thrown: boolean;
}

/** Width in the beam: balls of 35 to 44 mm, the beam at the height of the smallest one's middle, some in short flight. */
const CHORD_MM = [33, 44] as const;
/** Rolling loss, mm/ms² (0.2 to 0.6 m/s²). */
const LOSS = [0.0002, 0.0006] as const;
/** The ball's middle is this far before the beam when the block begins, and touches a tile this far before its middle. */
const SKIN_MM = 18;
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
/** A ball slower than its width over this does not reach the field. */
const SLOWEST_BALL_MS = 180;
/** A hand that stays longer reaches over the mat for something else. */
const LONGEST_HAND_MS = 500;
/** Before the call a launch counts as one for so long. */
export const EARLY_MS = 1000;

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

const TWICE = 'more than the ball went through the far gate before it came to a tile';
const STILL = 'something still blocks the far gate';
const SLOW = 'what went through the far gate was as slow as a hand';
const LATE = 'the ball came to its first tile too late for what went through the far gate';
const NOTHING = 'the far gate saw nothing';
const LOST = 'the edges of the far gate were lost on the way';

interface Kind {
  readonly kind: LaunchKind;
  readonly why: string;
  /** The touch came when a free ball would have come. */
  readonly fits: boolean;
}

function kindOf(gates: Gates, far: Block, touch: Touch | undefined): Kind {
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
  const hand = arm && lasted < LONGEST_HAND_MS && touch.sure >= SURE_OF_HAND;
  if (hand && took < free.fromMs * FAR_OFF - error) {
    return { kind: 'hand', why: '', fits };
  }
  if (took < free.fromMs - error) return unclear(SLOW);
  if (!fits) return unclear(LATE);
  if (arm && took < free.fromMs * NARROW + error) return { ...unclear(SLOW), fits };
  return { kind: 'free', why: '', fits };
}

/** Whether a block may be the other player's ball rolling out. */
function rolledOut(block: Block, { other, acrossMm }: LaunchAsk): boolean {
  if (other?.kind !== 'free' || other.far === undefined) return false;
  const lasted = other.far.toMs - other.far.fromMs;
  const { fromMs, toMs } = wayTimes(lasted, acrossMm);
  const took = block.fromMs - other.far.fromMs;
  return took > 0.9 * fromMs && took < 1.1 * toMs && block.toMs - block.fromMs > 0.8 * lasted;
}

/** The far block of the launch among those since just before the call, with how it reads. */
function pick(ask: LaunchAsk): { readonly far: Block; readonly kind: Kind } | undefined {
  const { gates, fromMs, touch } = ask;
  const touchMs = touch?.atMs ?? Infinity;
  // A hand reaches over the near gate before its ball comes to the far one; the other player's ball needs no hand here.
  const behind = (far: Block): boolean => gates.near.blocks.some((near) => near.fromMs <= far.fromMs);
  const likely = (blocks: readonly Block[]): readonly Block[] => {
    const launched = blocks.some(behind) ? blocks.filter(behind) : blocks;
    const own = launched.filter((block) => !rolledOut(block, ask));
    return own.length > 0 ? own : launched;
  };
  const all = gates.far.blocks.filter((b) => !(b.toMs < fromMs - EARLY_MS) && b.fromMs < touchMs);
  const since = likely(all.filter((b) => b.fromMs >= fromMs));
  const before = likely(all.filter((b) => b.fromMs < fromMs));
  const read = (blocks: readonly Block[]) => blocks.map((far) => ({ far, kind: kindOf(gates, far, touch) }));
  const now = read(since);
  const early = read(before);
  const fitting = now.find(({ kind }) => kind.fits) ?? early.findLast(({ kind }) => kind.fits);
  // A hand that reached in after the call throws after it: what went through before was not the launch.
  const reached = gates.near.blocks.some((b) => b.fromMs >= fromMs && b.fromMs < touchMs);
  const chosen = fitting ?? now[0] ?? (reached ? undefined : early.at(-1));
  if (chosen === undefined) return undefined;
  // Something else went through before the ball came to a tile, and it may have been the hand that held the ball.
  const held =
    touch !== undefined &&
    now.some(({ far, kind }) => far !== chosen.far && kind.kind !== 'free' && kind.why !== LATE);
  return held ? { far: chosen.far, kind: { kind: 'unclear', why: TWICE, fits: false } } : chosen;
}

/** Two blocks of one ball: it was free at the near gate already, and faster there. */
function freeAtNear(near: Block, far: Block, betweenMm: number): boolean {
  const first = near.toMs - near.fromMs;
  const second = far.toMs - far.fromMs;
  const speed = CHORD_MM[0] / second;
  const atMost = (1.15 * second * speed) / Math.sqrt(speed * speed + 2 * LOSS[0] * betweenMm);
  const took = far.fromMs - near.fromMs;
  return first < atMost && first > 0.5 * second && took * CHORD_MM[0] < 1.15 * betweenMm * second;
}

/** Bounds of the moment of release, of what the gates and the first tile saw. */
function boundsOf(
  gates: Gates,
  kind: LaunchKind,
  far: Block | undefined,
  touch: Touch | undefined,
  betweenMm: number,
): Launch['release'] {
  const touchMs = touch?.atMs ?? Infinity;
  const near = gates.near.blocks.findLast((b) => b.fromMs < Math.min(far?.fromMs ?? Infinity, touchMs));
  if (far === undefined) {
    if (near === undefined) return undefined;
    const toMs = Math.min(near.toMs >= 0 ? near.toMs : Infinity, touchMs);
    return toMs < Infinity ? { fromMs: near.fromMs, toMs, errorMs: near.errorMs } : undefined;
  }
  const errorMs = Math.max(far.errorMs, near?.errorMs ?? 0);
  const farEnd = Math.min(far.toMs >= 0 ? far.toMs : Infinity, touchMs);
  if (kind === 'hand') return { fromMs: far.fromMs, toMs: farEnd, errorMs };
  // A free ball came from anywhere between the gates, no slower than it went through the far one.
  const lasted = far.toMs - far.fromMs;
  const earliest = lasted > 0 ? far.fromMs - ((betweenMm - SKIN_MM) / CHORD_MM[0]) * lasted : -Infinity;
  let fromMs = Math.max(earliest, near?.fromMs ?? -Infinity);
  let toMs = kind === 'free' ? far.fromMs : farEnd;
  if (near !== undefined && near.toMs > earliest && near.toMs < toMs) {
    // The hand drew back from the near gate: by then it had let go; and not the hand but the ball was there alone.
    toMs = near.toMs;
    if (kind === 'free' && freeAtNear(near, far, betweenMm)) {
      toMs = near.fromMs;
      fromMs = near.fromMs - (near.toMs - near.fromMs);
    }
  }
  return fromMs > -Infinity && toMs < Infinity
    ? { fromMs, toMs: Math.max(fromMs, toMs), errorMs }
    : undefined;
}

/** Reads the launch of one ball. */
export function launchOf(ask: LaunchAsk): Launch {
  const { gates, touch, betweenMm } = ask;
  const chosen = pick(ask);
  const far = chosen?.far;
  const { kind, why } = chosen?.kind ?? { kind: 'unseen' as const, why: NOTHING };
  const thrown = touch !== undefined || kind === 'free' || kind === 'hand';
  const bounds = boundsOf(gates, kind, far, touch, betweenMm);
  // A beam that was last heard blocked, or a hand long before the call, tells nothing of a release in this roll.
  const longAgo = bounds !== undefined && bounds.toMs + bounds.errorMs < ask.fromMs - EARLY_MS;
  return { kind, far, why, thrown, release: longAgo ? undefined : bounds };
}

import type { AtMs, Side } from '../ids.ts';

/** Diameter of the ball at its widest, and the height of the beam above the mat, mm: a free ball blocks a chord. */
export const BALL_MM = 36;
/** Slowest launch that is still a roll, mm/ms. */
const SLOWEST_MM_PER_MS = 0.08;

/** A time for which a beam was blocked. */
export interface Block {
  readonly fromMs: number;
  /** NaN while it lasts. */
  readonly toMs: number;
  /** Greatest error of these times against other boards, ms. */
  readonly errorMs: number;
  /** Greatest error of the length besides: 0 where both edges were heard, 20 for each that a level had to stand for. */
  readonly lengthErrorMs: number;
}

/** One beam of one player in the roll under way. NaN: not yet. */
export interface Beam {
  /** First time it was blocked in this roll. */
  blockedMs: number;
  /** First time it was free again after that. */
  freeMs: number;
  /** Known error of those times, ms. */
  errorMs: number;
  blocked: boolean;
  /** Last time it was blocked before this roll. */
  beforeMs: number;
  /** The last few blocks, oldest first, those from before the roll too. */
  blocks: readonly Block[];
}

/** Launch gates of one player. */
export interface Gates {
  readonly near: Beam;
  readonly far: Beam;
  /** The board says that it has gates. */
  fitted: boolean;
}

/** Blocks kept of a beam: a hand before the call, the launch, and what rolls through later. */
const BLOCKS_KEPT = 8;

const beam = (): Beam => ({
  blockedMs: NaN,
  freeMs: NaN,
  errorMs: 0,
  blocked: false,
  beforeMs: -Infinity,
  blocks: [],
});

export function createGates(): Record<Side, Gates> {
  return {
    A: { near: beam(), far: beam(), fitted: true },
    B: { near: beam(), far: beam(), fitted: true },
  };
}

/** A new roll: what was seen earlier is kept only as the last time before. */
export function clearGates(gates: Gates): void {
  for (const b of [gates.near, gates.far]) {
    b.blockedMs = NaN;
    b.freeMs = NaN;
    b.errorMs = 0;
  }
}

function keepBlock(b: Beam, blocked: boolean, atMs: AtMs, errorMs: number, edgeErrorMs: number): void {
  if (blocked) {
    const block = { fromMs: atMs, toMs: NaN, errorMs, lengthErrorMs: edgeErrorMs };
    b.blocks = [...b.blocks.slice(1 - BLOCKS_KEPT), block];
    return;
  }
  const last = b.blocks.at(-1);
  if (last === undefined || !Number.isNaN(last.toMs) || atMs < last.fromMs) return;
  const ended = {
    fromMs: last.fromMs,
    toMs: atMs,
    errorMs: Math.max(last.errorMs, errorMs),
    lengthErrorMs: last.lengthErrorMs + edgeErrorMs,
  };
  b.blocks = [...b.blocks.slice(0, -1), ended];
}

/**
 * A change of a beam. A level already known is not a change. `edgeErrorMs`: how late it may have been noticed, 0 for an
 * edge. Returns whether it was news.
 */
export function beamChanged(
  b: Beam,
  blocked: boolean,
  atMs: AtMs,
  errorMs: number,
  inRoll: boolean,
  edgeErrorMs = 0,
): boolean {
  if (b.blocked === blocked) return false;
  b.blocked = blocked;
  keepBlock(b, blocked, atMs, errorMs + edgeErrorMs, edgeErrorMs);
  if (!inRoll) {
    if (blocked) b.beforeMs = atMs;
    return true;
  }
  if (blocked && !(b.blockedMs <= atMs)) {
    b.blockedMs = atMs;
    b.errorMs = errorMs + edgeErrorMs;
  }
  if (!blocked && !(b.freeMs <= atMs) && b.blockedMs <= atMs) b.freeMs = atMs;
  return true;
}

/** How late a level may be heard where the edge was lost. */
const LEVEL_MS = 20;

/**
 * Blocks in the order of their times, each whole: one whose end was lost goes on into the next, and what late lines tell
 * of the same block is one with it. Their lengths are not to be relied on then.
 */
export function wholeBlocks(blocks: readonly Block[]): readonly Block[] {
  const out: Block[] = [];
  for (const block of [...blocks].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = out.at(-1);
    if (last === undefined || block.fromMs > last.toMs) {
      out.push(block);
      continue;
    }
    out[out.length - 1] = {
      fromMs: last.fromMs,
      toMs: Number.isNaN(last.toMs) ? block.toMs : Math.max(last.toMs, block.toMs),
      errorMs: Math.max(last.errorMs, block.errorMs),
      lengthErrorMs: last.lengthErrorMs + block.lengthErrorMs + LEVEL_MS,
    };
  }
  return out;
}

/** Whether the roll's launch was seen, and when first. */
export function launchMs(gates: Gates): number {
  const { near, far } = gates;
  return near.blockedMs <= far.blockedMs || !(far.blockedMs >= 0) ? near.blockedMs : far.blockedMs;
}

/** Longest time for which a free ball blocks a beam: anything longer is a hand or a sleeve. */
export const BALL_BLOCKS_MS = BALL_MM / SLOWEST_MM_PER_MS;

/**
 * Speed past the far gate, mm/ms, NaN when the beams do not tell: diameter over the time blocked, since the beam lies
 * at the height of the ball's centre.
 */
export function farSpeed(gates: Gates): number {
  const { far } = gates;
  const blocked = far.freeMs - far.blockedMs;
  return blocked > 0 && blocked < BALL_BLOCKS_MS ? BALL_MM / blocked : NaN;
}

/** A ball that was launched before the call is on the tiles within this. */
export const EARLY_MS = 2000;

/** What goes through a beam no sooner than this, at 3 m/s, and no later, at 0.12 m/s, is taken for a free ball. */
const QUICKEST_MS = 12;
export const THROUGH_MS = 300;

/** Whether a block lasted as a free ball's does. */
export function isBalls({ fromMs, toMs, lengthErrorMs }: Block): boolean {
  const lasted = toMs - fromMs;
  return lasted + lengthErrorMs >= QUICKEST_MS && lasted <= THROUGH_MS;
}

/**
 * The ball that went through the far gate shortly before the call; undefined where none did, or where a hand has reached
 * over the near gate since then: it threw after the call.
 */
export function earlyLaunch({ near, far }: Gates, callMs: AtMs): Block | undefined {
  const first = far.blockedMs >= 0 ? far.blockedMs : Infinity;
  if (near.blocks.some(({ fromMs }) => fromMs >= callMs && fromMs <= first)) return undefined;
  return far.blocks
    .filter((block) => block.fromMs < callMs && block.fromMs >= callMs - EARLY_MS && isBalls(block))
    .at(-1);
}

/** The gates with the launch that was this roll's, be it from before its call. */
export function gatesOfLaunch(gates: Gates, callMs: AtMs): Gates {
  const early = earlyLaunch(gates, callMs);
  if (early === undefined) return gates;
  const { fromMs, toMs, errorMs } = early;
  return { ...gates, far: { ...gates.far, blockedMs: fromMs, freeMs: toMs, errorMs } };
}

/** An open ball stays on its core for at least so long. */
const SHORTEST_STAY_MS = 50;

/**
 * Whether a launch of this roll was seen of which nothing can have been missed: after the call, or before it by less than
 * the ball needs for the way to the first tile and a stay there. `wayMm`: from the far beam to that tile.
 */
export function launchedInSight(gates: Gates, callMs: AtMs, wayMm: number): boolean {
  if (launchMs(gates) >= 0) return true;
  const early = earlyLaunch(gates, callMs);
  if (early === undefined) return false;
  const wayMs = ((early.toMs - early.fromMs) / BALL_MM) * wayMm;
  return early.fromMs + wayMs + SHORTEST_STAY_MS >= callMs;
}

/** What the launch gates tell of one ball's release: which block of the far gate was its, and when it left the hand. */
import {
  CHORD_MM,
  type Kind,
  kindOf,
  LATE,
  type LaunchKind,
  LOSS,
  NOTHING,
  SKIN_MM,
  SLOW,
  type Touch,
  TWICE,
  wayTimes,
} from './crossing.ts';
import { type Block, type Gates, wholeBlocks } from './gates.ts';

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

export interface Launch {
  readonly kind: LaunchKind;
  /** The ball was held in the far gate: beyond doubt it was released beyond the limit. */
  readonly heldBeyond: boolean;
  /** A hand was in the far gate, or may have been: whether it held the ball there is for people to say. */
  readonly perhapsBeyond: boolean;
  /** Block of the far gate that belongs to the launch. */
  readonly far: Block | undefined;
  /** Time within which the ball left the hand, and the error of its ends; absent when nothing was seen. */
  readonly release: { readonly fromMs: number; readonly toMs: number; readonly errorMs: number } | undefined;
  /** Why it is not `free` or `hand`. */
  readonly why: string;
  /** A ball was surely thrown: a gate or a tile shows it, not only a hand. */
  readonly thrown: boolean;
}

/** Before the call a launch counts as one for so long. */
export const EARLY_MS = 1000;

/** Of a ball that crosses the table and loses speed: its width by the time it took, and that in the beam at the end, mm. */
const WIDTH_BY_MEAN_MM = [28, 60] as const;

/** Whether a block may be the other player's ball rolling out. */
function rolledOut(block: Block, { other, acrossMm }: LaunchAsk): boolean {
  if (other?.far === undefined) return false;
  const took = block.fromMs - other.far.fromMs;
  const blocked = block.toMs - block.fromMs;
  if (other.kind !== 'free') {
    // A hand in that gate hides the ball's own time in the beam: what it took for the way has to fit alone.
    const width = (blocked * acrossMm) / took;
    return took > 0 && width > WIDTH_BY_MEAN_MM[0] && width < WIDTH_BY_MEAN_MM[1];
  }
  const lasted = other.far.toMs - other.far.fromMs;
  const { fromMs, toMs } = wayTimes(lasted, acrossMm);
  return took > 0.9 * fromMs && took < 1.1 * toMs && blocked > 0.8 * lasted;
}

/**
 * Whether an own hand was over the near gate when a ball that blocked the far one so was let go: the other player's ball
 * needs none here, and a hand that has drawn back long ago did not throw this one.
 */
function thrownHere(far: Block, { gates, betweenMm }: LaunchAsk): boolean {
  const lasted = far.toMs - far.fromMs + far.lengthErrorMs;
  const earliest = lasted > 0 ? far.fromMs - (betweenMm / CHORD_MM[0]) * lasted - far.errorMs : -Infinity;
  return gates.near.blocks.some(
    (near) => near.fromMs <= far.fromMs && !(near.toMs + near.errorMs < earliest),
  );
}

/** Far blocks that may be the launch: those with an own hand behind them, less the other player's ball, where any are. */
function likely(blocks: readonly Block[], ask: LaunchAsk): readonly Block[] {
  const thrown = blocks.filter((block) => thrownHere(block, ask));
  const launched = thrown.length > 0 ? thrown : blocks;
  const own = launched.filter((block) => !rolledOut(block, ask));
  return own.some(({ toMs }) => !Number.isNaN(toMs)) ? own : launched;
}

/** The far block of the launch among those since just before the call, with how it reads. */
function pick(ask: LaunchAsk): { readonly far: Block; readonly kind: Kind } | undefined {
  const { gates, fromMs, touch } = ask;
  const touchMs = touch?.atMs ?? Infinity;
  const all = likely(
    gates.far.blocks.filter((b) => !(b.toMs < fromMs - EARLY_MS) && b.fromMs < touchMs),
    ask,
  );
  const since = all.filter((b) => !(b.toMs < fromMs));
  const before = all.filter((b) => b.toMs < fromMs);
  const read = (blocks: readonly Block[]) => blocks.map((far) => ({ far, kind: kindOf(gates, far, touch) }));
  const now = read(since);
  const early = read(before);
  const fitting = now.find(({ kind }) => kind.fits) ?? early.findLast(({ kind }) => kind.fits);
  // A hand that reached in after the call throws after it: what went through before was not the launch. What comes to the
  // far gate first rolls out.
  const out = Math.min(...gates.far.blocks.map((b) => b.fromMs).filter((from) => from >= fromMs));
  const reached = gates.near.blocks.some((b) => b.fromMs >= fromMs && b.fromMs < Math.min(touchMs, out));
  const gone = reached ? undefined : early.findLast(({ kind }) => kind.kind === 'free');
  const chosen = fitting ?? gone ?? now[0] ?? (reached ? undefined : early.at(-1));
  if (chosen === undefined) return undefined;
  // Something else went through before the ball came to a tile, and it may have been the hand that held the ball.
  const twice =
    touch !== undefined &&
    now.some(({ far, kind }) => far !== chosen.far && kind.kind !== 'free' && kind.why !== LATE);
  return twice ? { far: chosen.far, kind: { kind: 'unclear', why: TWICE, fits: false } } : chosen;
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
  kind: LaunchKind | 'held',
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
  if (kind === 'held') return { fromMs: far.fromMs, toMs: farEnd, errorMs };
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
export function launchOf(heard: LaunchAsk): Launch {
  const { near, far: farBeam } = heard.gates;
  const gates = {
    ...heard.gates,
    near: { ...near, blocks: wholeBlocks(near.blocks) },
    far: { ...farBeam, blocks: wholeBlocks(farBeam.blocks) },
  };
  const ask = { ...heard, gates };
  const { touch, betweenMm } = ask;
  const chosen = pick(ask);
  const far = chosen?.far;
  const { kind, why, held = false } = chosen?.kind ?? { kind: 'unseen' as const, why: NOTHING, fits: false };
  const thrown = touch !== undefined || kind === 'free' || kind === 'hand';
  const bounds = boundsOf(gates, held ? 'held' : kind, far, touch, betweenMm);
  // A beam that was last heard blocked, or a hand long before the call, tells nothing of a release in this roll.
  const longAgo = bounds !== undefined && bounds.toMs + bounds.errorMs < ask.fromMs - EARLY_MS;
  const perhapsBeyond = !held && (kind === 'hand' || why === SLOW || why === TWICE);
  return { kind, heldBeyond: held, perhapsBeyond, far, why, thrown, release: longAgo ? undefined : bounds };
}

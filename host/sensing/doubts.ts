import { BLOCK_MS } from '../../firmware-protocol/frame.ts';
import type { AtMs, Side } from '../ids.ts';
import type { LinkNotice } from './seen.ts';

/** A stretch of time in which one side's samples are missing or uncertain. */
export interface Doubt {
  readonly side: Side | 'both';
  readonly fromMs: AtMs;
  readonly toMs: AtMs;
  /** How much of it can have gone unseen, ms: a lost line takes one block of samples with it, and its edges. */
  readonly hidesMs: number;
  /** Stable reason code, as in `doubt/link-lost`. */
  readonly code: string;
  readonly text: string;
}

/** Most doubts kept; older ones are forgotten first. A lossy line has some ten gaps a second. */
const KEPT = 256;

/** Notices that hide all of their time, and are never too short to count; gaps count by the lines they lack. */
const ALWAYS: Readonly<Record<string, string>> = {
  'link/reset': 'doubt/board-reset',
  'link/lost': 'doubt/link-lost',
  'link/silent': 'doubt/link-lost',
  'link/clock': 'doubt/clock',
};

/** Keeps a doubt. Overlapping ones of the same code and side become one. */
export function addDoubt(doubts: Doubt[], doubt: Doubt): void {
  const last = doubts.findIndex(
    (d) =>
      d.code === doubt.code &&
      d.side === doubt.side &&
      d.fromMs <= doubt.toMs + 1 &&
      doubt.fromMs <= d.toMs + 1,
  );
  const before = doubts[last];
  if (before === undefined) {
    doubts.push(doubt);
    if (doubts.length > KEPT) doubts.shift();
  } else {
    doubts[last] = {
      ...before,
      fromMs: Math.min(before.fromMs, doubt.fromMs),
      toMs: Math.max(before.toMs, doubt.toMs),
      hidesMs: before.hidesMs + doubt.hidesMs,
    };
  }
}

/**
 * The doubt that a link's notice raises, if any. A notice that does not know its side touches both: nothing is
 * assumed in favour of either player. `leastMs` is the least that a reset or a lost link hides, however short.
 */
export function doubtOf(notice: LinkNotice, leastMs: number): Doubt | undefined {
  const side = notice.side === 'A' || notice.side === 'B' ? notice.side : 'both';
  const known = ALWAYS[notice.code];
  const { fromMs, toMs, text, lines } = notice;
  const span = { side, fromMs, toMs, text } as const;
  const lengthMs = toMs - fromMs;
  if (known !== undefined) return { ...span, code: known, hidesMs: Math.max(lengthMs, leastMs) };
  if (notice.code !== 'link/gap') return undefined;
  // An active tile sends a block of samples every 8 ms: so many lines lack, so many blocks are unseen at most.
  const hidesMs = lines === undefined ? lengthMs : Math.min(lengthMs, lines * BLOCK_MS);
  return { ...span, code: 'doubt/samples-missing', hidesMs };
}

/** Doubts that touch this side within the time, in order of their start. */
export function doubtsIn(doubts: readonly Doubt[], side: Side, fromMs: AtMs, toMs: AtMs): readonly Doubt[] {
  return doubts
    .filter((d) => (d.side === side || d.side === 'both') && d.fromMs < toMs && d.toMs > fromMs)
    .sort((a, b) => a.fromMs - b.fromMs);
}

/** How much of [fromMs, toMs] a doubt may hide, ms. A clock that is not known hides what it touches at all. */
export function hiddenIn(doubt: Doubt, fromMs: AtMs, toMs: AtMs): number {
  const overlapMs = Math.min(doubt.toMs, toMs) - Math.max(doubt.fromMs, fromMs);
  if (!(overlapMs > 0)) return 0;
  return doubt.code === 'doubt/samples-missing' ? Math.min(doubt.hidesMs, overlapMs) : doubt.hidesMs;
}

import type { AtMs, Side } from '../ids.ts';
import type { LinkNotice } from './seen.ts';

/** A stretch of time in which one side's samples are missing or uncertain. */
export interface Doubt {
  readonly side: Side | 'both';
  readonly fromMs: AtMs;
  readonly toMs: AtMs;
  /** Stable reason code, as in `doubt/link-lost`. */
  readonly code: string;
  readonly text: string;
}

/** Most doubts kept; older ones are forgotten first. */
const KEPT = 64;

/** Notices that are always doubts, however short; gaps count by their length. */
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
    };
  }
}

/**
 * The doubt that a link's notice raises, if any. A notice that does not know its side touches both: nothing is
 * assumed in favour of either player.
 */
export function doubtOf(notice: LinkNotice, missingMs: number): Doubt | undefined {
  const side = notice.side === 'A' || notice.side === 'B' ? notice.side : 'both';
  const known = ALWAYS[notice.code];
  const span = { side, fromMs: notice.fromMs, toMs: notice.toMs, text: notice.text } as const;
  if (known !== undefined) return { ...span, code: known };
  if (notice.code === 'link/gap' && notice.toMs - notice.fromMs >= missingMs) {
    return { ...span, code: 'doubt/samples-missing' };
  }
  return undefined;
}

/** Doubts that touch this side within the time, in order of their start. */
export function doubtsIn(doubts: readonly Doubt[], side: Side, fromMs: AtMs, toMs: AtMs): readonly Doubt[] {
  return doubts
    .filter((d) => (d.side === side || d.side === 'both') && d.fromMs < toMs && d.toMs > fromMs)
    .sort((a, b) => a.fromMs - b.fromMs);
}

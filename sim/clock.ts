import type { Clock } from '../host/clock.ts';
import type { AtMs } from '../host/ids.ts';

/** A clock that stands still until it is told to run, and stops at every moment something is due. */
export interface VirtualClock extends Clock {
  /** Runs everything due up to `atMs`, each at its own moment, in order of time and then of request. */
  runTo(atMs: AtMs): void;
  /** Moment of the next thing due, or Infinity. */
  nextDue(): AtMs;
}

interface Due {
  readonly atMs: AtMs;
  readonly order: number;
  readonly then: () => void;
}

/**
 * `wallStart` labels the moment 0, ms since 1970 in UTC. Steps of the wall clock do not exist here: `wall` is only a
 * label.
 */
export function createVirtualClock(wallStart = 1_735_689_600_000): VirtualClock {
  /** Sorted by moment, then by order of request; the next one last. */
  const waiting: Due[] = [];
  let nowMs = 0;
  let asked = 0;

  const later = (a: Due, b: Due): boolean => a.atMs > b.atMs || (a.atMs === b.atMs && a.order > b.order);

  return {
    now: () => nowMs,
    wall: () => new Date(wallStart + Math.floor(nowMs)).toISOString(),
    after(ms, then) {
      // A wait of nothing is due now, never earlier: time does not run backwards.
      const due: Due = { atMs: nowMs + Math.max(0, ms), order: asked, then };
      asked += 1;
      let low = 0;
      let high = waiting.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const other = waiting[middle];
        if (other !== undefined && later(other, due)) low = middle + 1;
        else high = middle;
      }
      waiting.splice(low, 0, due);
      return () => {
        const at = waiting.indexOf(due);
        if (at >= 0) waiting.splice(at, 1);
      };
    },
    nextDue: () => waiting.at(-1)?.atMs ?? Infinity,
    runTo(atMs) {
      for (;;) {
        const next = waiting.at(-1);
        if (next === undefined || next.atMs > atMs) break;
        waiting.pop();
        nowMs = Math.max(nowMs, next.atMs);
        next.then();
      }
      nowMs = Math.max(nowMs, atMs);
    },
  };
}

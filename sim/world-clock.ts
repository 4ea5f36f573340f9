import type { Clock } from '../host/clock.ts';
import type { AtMs } from '../host/ids.ts';

/** How far this clock runs ahead of the last word of the world, ms: a little more than the world's silence. */
const AHEAD_MS = 4;

/**
 * The host's clock for a world that is simulated in another thread: the world's own time, as its messages tell it. A
 * machine that is too slow for the world gives slow play, never doubtful clocks, since a line is stamped when it was
 * sent and not when this thread came round to it. It never goes back.
 */
export interface WorldClock extends Clock {
  /** The world has come this far, ms. */
  tell(worldMs: AtMs): void;
}

export function createWorldClock(real: Clock): WorldClock {
  let toldMs: AtMs = 0;
  let toldAtMs = real.now();
  let latest: AtMs = 0;
  const now = (): AtMs => {
    const since = Math.min(AHEAD_MS, real.now() - toldAtMs);
    latest = Math.max(latest, Math.round((toldMs + since) * 1000) / 1000);
    return latest;
  };
  return {
    ...real,
    now,
    tell(worldMs) {
      toldMs = worldMs;
      toldAtMs = real.now();
      latest = Math.max(latest, worldMs);
    },
  };
}

import type { Clock } from '../host/clock.ts';
import type { AtMs } from '../host/ids.ts';

/**
 * The host's clock for a simulated world that may run slower than real time: it loses as much as the world does, so
 * that a slow machine gives slow play and not doubtful clocks. It never goes back: while it owes time it stands.
 */
export interface SlippingClock extends Clock {
  /** The world gave up so much of its time, ms. */
  slip(ms: number): void;
}

export function createSlippingClock(real: Clock): SlippingClock {
  let slippedMs = 0;
  let latest: AtMs = 0;
  const now = (): AtMs => {
    latest = Math.max(latest, Math.round((real.now() - slippedMs) * 1000) / 1000);
    return latest;
  };
  return {
    now,
    wall: () => real.wall(),
    after: (ms, then) => real.after(ms, then),
    slip(ms) {
      slippedMs += ms;
    },
  };
}

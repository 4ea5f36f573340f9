import type { AtMs } from './ids.ts';

/** The only reader of time in the host. `now` is monotonic, in ms at µs resolution; `wall` is a label. */
export interface Clock {
  now(): AtMs;
  /** ISO 8601 in UTC. */
  wall(): string;
  /** Runs `then` after `ms` of this clock; the returned function cancels. */
  after(ms: number, then: () => void): () => void;
}

/** The machine's own clock. A step of the wall clock does not move `now`. */
export const systemClock: Clock = {
  now: () => Math.round(performance.now() * 1000) / 1000,
  wall: () => new Date().toISOString(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** The same clock, its `now` moved so that it says `fromMs` at this moment: times go on where a journal ended. */
export function clockFrom(clock: Clock, fromMs: AtMs): Clock {
  const moved = fromMs - clock.now();
  return {
    now: () => Math.round((clock.now() + moved) * 1000) / 1000,
    wall: () => clock.wall(),
    after: (ms, then) => clock.after(ms, then),
  };
}

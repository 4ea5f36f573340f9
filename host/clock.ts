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

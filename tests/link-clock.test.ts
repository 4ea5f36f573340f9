import { describe, expect, it } from 'vitest';
import {
  clockErrorOf,
  createClock,
  type DeviceClock,
  hearTime,
  hostOf,
  isAhead,
  isSetBack,
  restartClock,
  unwrapped,
} from '../host/sensing/link-clock.ts';

/** Numbers in [0, 1) from a seed, the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 4294967296;
  };
}

const WRAP_US = 2 ** 32;

interface Board {
  /** Device ms for a host ms, as a share off. */
  readonly drift: number;
  /** Reading of the device clock at the beginning, µs. */
  readonly startUs: number;
  readonly least: number;
  readonly jitter: number;
  /** Now and then held up by so much, ms. */
  readonly held: number;
  readonly lines: number;
  readonly everyMs: number;
}

/** Lets a board speak; of every line the error of its mapped time against what is stated then. */
function speak(clock: DeviceClock, board: Board, fromMs: number, seed: number) {
  const random = randomOf(seed);
  let worst = 0;
  let outside = 0;
  let last = 0;
  for (let i = 0; i < board.lines; i += 1) {
    const madeMs = fromMs + i * board.everyMs;
    const deviceUs = Math.round(board.startUs + (madeMs - fromMs) * 1000 * (1 + board.drift)) % WRAP_US;
    const delay = board.least + board.jitter * random() + (random() < 0.05 ? board.held : 0);
    const deviceMs = unwrapped(clock, deviceUs, madeMs + delay);
    hearTime(clock, deviceMs, madeMs + delay);
    const error = Math.abs(hostOf(clock, deviceMs) - madeMs);
    if (error > clockErrorOf(clock)) outside += 1;
    if (i > board.lines / 2) worst = Math.max(worst, error);
    last = clockErrorOf(clock);
  }
  return { worst, outside, last };
}

const SERIAL_LIMIT = 0.005;
const MQTT_LIMIT = 0.03;
const USB = { least: 1.1, jitter: 1, held: 8, lines: 1500, everyMs: 20 } as const;
const AIR = { least: 3, jitter: 30, held: 500, lines: 1500, everyMs: 20 } as const;

describe("a board's clock as host time", () => {
  for (const drift of [-0.005, -0.0005, 0, 0.0005, 0.005]) {
    it(`off by ${(100 * drift).toFixed(2)} % on USB: within its stated error from the first line on, soon under 5 ms`, () => {
      const clock = createClock(SERIAL_LIMIT, 2);
      const heard = speak(clock, { ...USB, drift, startUs: 1_000_000 }, 500, 7);
      expect(heard.outside).toBe(0);
      expect(heard.worst).toBeLessThan(4);
      expect(heard.last).toBeLessThan(8);
      expect(clock.rate).toBeCloseTo(1 / (1 + drift), 3);
    });
  }

  for (const drift of [-0.03, -0.01, 0.01, 0.03]) {
    it(`off by ${(100 * drift).toFixed(0)} % over MQTT, lines up to half a second late: within its stated error`, () => {
      const clock = createClock(MQTT_LIMIT, 20);
      const heard = speak(clock, { ...AIR, drift, startUs: 1_000_000 }, 500, 11);
      expect(heard.outside).toBe(0);
      expect(heard.worst).toBeLessThan(25);
    });
  }

  it('counts on over the wrap of its 32 bits, at any drift', () => {
    for (const drift of [-0.03, -0.005, 0.005, 0.03]) {
      const clock = createClock(MQTT_LIMIT, 2);
      // Wraps ten seconds from the beginning.
      const heard = speak(clock, { ...USB, drift, startUs: WRAP_US - 10_000_000 }, 500, 3);
      expect(heard.outside).toBe(0);
      expect(clock.newestMs).toBeGreaterThan(WRAP_US / 1000);
    }
  });

  it('a second life begins at nothing and keeps the rate: right from its first lines on', () => {
    const before = createClock(MQTT_LIMIT, 2);
    speak(before, { ...USB, drift: 0.03, startUs: 5_000_000 }, 500, 5);
    const after = createClock(MQTT_LIMIT, 2, before);
    expect(after.rate).toBeCloseTo(1 / 1.03, 3);
    const heard = speak(after, { ...USB, drift: 0.03, startUs: 0, lines: 100 }, 60_000, 6);
    expect(heard.outside).toBe(0);
    expect(heard.worst).toBeLessThan(4);
  });

  it('a line from another life says that it happened after it came: ahead', () => {
    const clock = createClock(SERIAL_LIMIT, 2);
    speak(clock, { ...USB, drift: 0, startUs: 0, lines: 500 }, 500, 5);
    expect(isAhead(clock, 10_100, 10_602)).toBe(false);
    expect(isAhead(clock, 25_000, 10_520)).toBe(true);
  });

  it('a clock that was set back makes every line late, and is noticed after 3 s, not before', () => {
    const clock = createClock(SERIAL_LIMIT, 2);
    speak(clock, { ...USB, drift: 0, startUs: 10_000_000, lines: 500 }, 500, 5);
    let noticedMs = NaN;
    for (let ms = 0; ms < 5000 && Number.isNaN(noticedMs); ms += 20) {
      hearTime(clock, 10_000 + 9000 + ms, 10_500 + ms);
      if (isSetBack(clock, 10_500 + ms)) noticedMs = ms;
    }
    expect(noticedMs).toBeGreaterThanOrEqual(3000);
    expect(noticedMs).toBeLessThan(3100);
    restartClock(clock);
    expect(clock.lines).toBe(0);
  });
});

/** Signals as they are drawn sample by sample: noise, spikes, light, warmth, bounce, remanence and lost lines. */
import { describe, expect, it } from 'vitest';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { closingBounce, dirtyGaps, openingChatter } from '../sim/contacts.ts';
import { roomUnder } from '../sim/effects.ts';
import { createMat } from '../sim/mat.ts';
import { BAD_ROOM, createNoise, type Disturbance, type HallSpread, QUIET_ROOM } from '../sim/noise.ts';
import { createChance } from '../sim/random.ts';
import { createWireFaults, USUAL_WIRE } from '../sim/wire-faults.ts';
import { MT_PER_COUNT } from '../sim/world.ts';
import { expectRange, expectShare, momentsOf } from './support/drawn.ts';

const EVEN: HallSpread = { gain: 1, offsetMt: 0, driftMtPerK: 0, lightMt: 0 };
/** Nothing of its own, so that one disturbance shows alone. */
const STILL: Disturbance = { ...QUIET_ROOM, whiteMt: 0, walkMtPerRootS: 0, warmUpK: 0 };

/** One sensor's counts above its zero, one a millisecond. */
function countsUnder(room: Partial<Disturbance>, samples: number, seed = 1): number[] {
  const noise = createNoise(seed, [EVEN], [0]);
  noise.disturb({ ...STILL, ...room });
  return Array.from({ length: samples }, (_, ms) => noise.at(0, ms * 1000 + 500) / MT_PER_COUNT);
}

describe('what a sensor shows besides magnets', () => {
  it('is white noise of 0.05 mT, without a tendency', () => {
    const values = countsUnder({ whiteMt: QUIET_ROOM.whiteMt }, 40_000).map((c) => c * MT_PER_COUNT);
    const { mean, deviation } = momentsOf(values);
    expect(Math.abs(mean)).toBeLessThan(0.001);
    expect(deviation).toBeGreaterThan(0.049);
    expect(deviation).toBeLessThan(0.051);
  });

  it('walks by 0.002 mT in a second, and by ten times that in a hundred', () => {
    const { walkMtPerRootS } = QUIET_ROOM;
    expect(walkMtPerRootS).toBe(0.002);
    const walked = (s: number): number[] =>
      Array.from({ length: 400 }, (_, seed) => {
        const noise = createNoise(seed, [EVEN], [0]);
        noise.disturb({ ...STILL, walkMtPerRootS });
        return noise.at(0, s * 1_000_000);
      });
    expect(momentsOf(walked(100)).deviation / momentsOf(walked(1)).deviation).toBeGreaterThan(8);
    expect(momentsOf(walked(100)).deviation).toBeGreaterThan(0.017);
    expect(momentsOf(walked(100)).deviation).toBeLessThan(0.023);
  });

  it('jumps by 10 to 60 counts, either way, in 0.2 % of the samples', () => {
    const spikes = countsUnder({ spikeShare: BAD_ROOM.spikeShare }, 200_000).filter((c) => c !== 0);
    expectShare(spikes.length, 200_000, 0.002, 'spikes');
    expectShare(spikes.filter((c) => c < 0).length, spikes.length, 0.5, 'spikes downwards');
    expectRange(spikes.map(Math.abs), 10, 60, 'spike');
    expect(momentsOf(spikes.map(Math.abs)).mean).toBeGreaterThan(32);
    // Whole corpora of them: 0.1 to 1 % by roll.
    const shares = Array.from({ length: 300 }, (_, seed) => roomUnder(['spikes'], seed).spikeShare);
    expectRange(shares, 0.001, 0.01, 'share of spikes');
  });

  it('steps with the LED pattern 60 times a second, and half as far again in 2 % of the samples', () => {
    const counts = countsUnder({ flickerCounts: 6 }, 60_000);
    const frames = new Map<number, number[]>();
    counts.forEach((c, ms) => {
      const frame = Math.floor(((ms + 0.5) * 60) / 1000);
      frames.set(frame, [...(frames.get(frame) ?? []), c]);
    });
    let far = 0;
    const levels = [...frames.values()].map((of) => {
      const level = [...of].sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
      for (const c of of) {
        const times = c / level;
        expect(Math.abs(times - 1) < 1e-9 || Math.abs(times - 1.5) < 1e-9, `${times} times`).toBe(true);
        if (times > 1.25) far += 1;
      }
      return level;
    });
    expectShare(far, counts.length, 0.02, 'samples hit by half as much again');
    expectRange(levels, -6, 6, 'LED step');
    expect(new Set(levels).size).toBeGreaterThan(0.99 * levels.length);
  });

  it('warms by 8 K with 8 minutes to its turn, and by 5 K an hour with the room', () => {
    const noise = createNoise(1, [EVEN], [0]);
    noise.disturb(QUIET_ROOM);
    expect(noise.warmthAt(480_000_000)).toBeCloseTo(8 * (1 - Math.exp(-1)), 2);
    expect(noise.warmthAt(7_200_000_000)).toBeCloseTo(8, 2);
    noise.disturb({ ...STILL, roomKPerHour: BAD_ROOM.roomKPerHour });
    expect(noise.warmthAt(3_600_000_000)).toBeCloseTo(5, 6);
  });
});

describe('steel that was visited', () => {
  it('keeps 0.3 mT more a visit, which adds up and does not fade', () => {
    const kept = (visits: number, atUs: number): number[] =>
      Array.from({ length: 300 }, (_, seed) => {
        const mat = createMat(FIXED_12, seed);
        const sensors = Int32Array.of(0);
        const before = new Float64Array(1);
        const after = new Float64Array(1);
        mat.fieldsMt(sensors, atUs, before);
        const cell = mat.tiles[0]?.cell ?? '';
        for (let i = 0; i < visits; i += 1) mat.magnetise(cell, 1000 + i);
        mat.fieldsMt(sensors, atUs, after);
        return (after[0] ?? 0) - (before[0] ?? 0);
      });
    for (const [visits, atUs] of [
      [1, 2000],
      [1, 3_600_000_000],
      [9, 2000],
    ] as const) {
      const { mean, deviation } = momentsOf(kept(visits, atUs));
      const asked = 0.3 * Math.sqrt(visits);
      expect(Math.abs(mean)).toBeLessThan(0.18 * asked);
      expect(deviation).toBeGreaterThan(0.87 * asked);
      expect(deviation).toBeLessThan(1.13 * asked);
    }
  });
});

describe('a contact', () => {
  const bounces = (slow: boolean) =>
    Array.from({ length: 4000 }, (_, seed) => closingBounce(createChance(seed), 0, slow));
  const lengths = (slow: boolean): number[] =>
    bounces(slow).map((gaps) => gaps.reduce((most, { toUs }) => Math.max(most, toUs), 0));

  it('bounces as it closes: for up to 3 ms, or 10 ms in the one part of twenty that is slow', () => {
    for (const [slow, most] of [
      [false, 3000],
      [true, 10_000],
    ] as const) {
      expectRange(lengths(slow), 0, most, slow ? 'slow bounce' : 'bounce', 0.1);
    }
    // Three gaps are drawn on average; those past the end of the bounce fall away.
    const counts = bounces(false).map((gaps) => gaps.length);
    expect(momentsOf(counts).mean).toBeGreaterThan(2.5);
    expect(momentsOf(counts).mean).toBeLessThan(3.1);
    const parts = Array.from({ length: 120 }, (_, seed) => createMat(FIXED_12, seed).tiles).flat();
    const slow = parts.filter(({ spread }) => spread.slowContact);
    expectShare(slow.length, parts.length, 0.05, 'slow parts');
  });

  it('chatters for 10 to 80 ms under an opening ball, with four edges and more after 3 ms', () => {
    const chatters = Array.from({ length: 2000 }, (_, seed) => openingChatter(createChance(seed), 0));
    for (const gaps of chatters) {
      expect(2 * gaps.filter(({ fromUs }) => fromUs >= 3000).length).toBeGreaterThanOrEqual(4);
    }
    const ends = chatters.map((gaps) => gaps.at(-1)?.toUs ?? 0);
    expect(Math.max(...ends)).toBeGreaterThan(70_000);
    expect(Math.max(...ends)).toBeLessThanOrEqual(80_000);
    expect(Math.min(...ends)).toBeLessThan(15_000);
  });

  it('that is dirty is on for 80 ms and off for 40 ms on average', () => {
    const gaps = dirtyGaps(createChance(1), 0, 400_000_000);
    const off = gaps.reduce((sum, { fromUs, toUs }) => sum + toUs - fromUs, 0);
    expect(off / gaps.length / 1000).toBeGreaterThan(38);
    expect(off / gaps.length / 1000).toBeLessThan(42);
    expect(off / 400_000_000).toBeGreaterThan(0.32);
    expect(off / 400_000_000).toBeLessThan(0.345);
  });
});

describe('a usual wire', () => {
  it('loses one line in a thousand, damages one in ten thousand, and has a bad spell in ten minutes', () => {
    const wire = createWireFaults(7, USUAL_WIRE);
    const bytes = Uint8Array.from('E1,2A0200,002DC73B,03,1,F842\n', (c) => c.charCodeAt(0));
    const lines = 300_000;
    for (let i = 0; i < lines; i += 1) wire.pass([{ atUs: i * 1000, bytes }]);
    const { lost, doubled, late, ...damaged } = wire.counts;
    expectShare(lost, lines, 0.001, 'lost');
    expect([doubled, late]).toEqual([0, 0]);
    const hurt = Object.values(damaged).reduce((sum, n) => sum + n, 0);
    // One in ten thousand, and of the ten lines of each spell three and a half.
    const asked = 0.0001 + 0.00003 * 10 * 0.35;
    expect(hurt / lines).toBeGreaterThan(0.6 * asked);
    expect(hurt / lines).toBeLessThan(1.6 * asked);
    for (const [kind, n] of Object.entries(damaged)) expect(n, kind).toBeGreaterThan(0);
  });
});

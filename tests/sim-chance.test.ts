import { describe, expect, it } from 'vitest';
import { BAD_ROOM, createNoise, drawTile, type HallSpread, QUIET_ROOM } from '../sim/noise.ts';
import { createChance, hash32, normalOf, normalQuantile, streamOf, unitOf } from '../sim/random.ts';
import { MT_PER_COUNT } from '../sim/world.ts';

const PLAIN: HallSpread = { gain: 1, offsetMt: 0, driftMtPerK: 0, lightMt: 0.4 };

function moments(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const square = values.reduce((sum, v) => sum + (v - mean) * (v - mean), 0) / values.length;
  return { mean, deviation: Math.sqrt(square) };
}

describe('chance', () => {
  it('gives the same numbers for the same seed and others for another', () => {
    const draw = (seed: number) => {
      const chance = createChance(seed);
      return [chance.unit(), chance.normal(0, 1), chance.poisson(3), chance.gamma2(1), chance.below(1000)];
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('has the moments of its distributions', () => {
    const chance = createChance(3);
    const many = (draw: () => number) => moments(Array.from({ length: 20_000 }, draw));
    expect(many(() => chance.normal(5, 2)).mean).toBeCloseTo(5, 1);
    expect(many(() => chance.normal(5, 2)).deviation).toBeCloseTo(2, 1);
    expect(many(() => chance.poisson(3)).mean).toBeCloseTo(3, 1);
    expect(many(() => chance.gamma2(0.6)).mean).toBeCloseTo(1.2, 1);
    expect(many(() => chance.exponential(2)).mean).toBeCloseTo(2, 1);
    const speeds = Array.from({ length: 5000 }, () => chance.logBetween(0.12, 2));
    expect(Math.min(...speeds)).toBeGreaterThanOrEqual(0.12);
    expect(Math.max(...speeds)).toBeLessThanOrEqual(2);
    const middle = speeds.filter((v) => v < Math.sqrt(0.12 * 2)).length / speeds.length;
    expect(middle).toBeCloseTo(0.5, 1);
  });

  it('picks keys by their weights', () => {
    const chance = createChance(5);
    const counts = { a: 0, b: 0, c: 0 };
    for (let i = 0; i < 10_000; i += 1) counts[chance.pickKey({ a: 1, b: 3, c: 0 })] += 1;
    expect(counts.c).toBe(0);
    expect(counts.b / counts.a).toBeCloseTo(3, 0);
    expect(() => chance.pick([])).toThrow(RangeError);
  });

  it('knows the quantiles of the normal distribution', () => {
    for (const [p, z] of [
      [0.5, 0],
      [0.975, 1.959963985],
      [0.8413447460685429, 1],
      [0.001, -3.090232306],
      [1e-9, -5.997807015],
    ] as const) {
      expect(normalQuantile(p)).toBeCloseTo(z, 6);
    }
  });

  it('hashes to even bits: neighbours in time and sensor are unrelated', () => {
    const stream = streamOf(1, 0);
    const units = Array.from({ length: 20_000 }, (_, i) => unitOf(stream, i * 1000));
    expect(moments(units).mean).toBeCloseTo(0.5, 2);
    expect(moments(units).deviation).toBeCloseTo(Math.sqrt(1 / 12), 2);
    const other = streamOf(1, 1);
    const product = units.map((u, i) => (u - 0.5) * (unitOf(other, i * 1000) - 0.5));
    expect(Math.abs(moments(product).mean)).toBeLessThan(0.002);
    const lagged = units.slice(1).map((u, i) => (u - 0.5) * ((units[i] ?? 0) - 0.5));
    expect(Math.abs(moments(lagged).mean)).toBeLessThan(0.002);
    const normals = Array.from({ length: 20_000 }, (_, i) => normalOf(stream, i * 1000));
    expect(moments(normals).deviation).toBeCloseTo(1, 1);
    expect(normals.filter((n) => Math.abs(n) > 3).length).toBeGreaterThan(25);
    expect(normals.filter((n) => Math.abs(n) > 3).length).toBeLessThan(90);
    // Beyond 32 bits of microseconds the stream goes on and does not repeat.
    expect(hash32(1, 0, 5_000_000)).not.toBe(hash32(1, 0, 5_000_000 + 4294967296));
  });
});

describe('noise', () => {
  it('does not depend on the order of questions', () => {
    const times = [5_000_000, 1000, 123_000, 60_000_000, 124_000];
    const forward = createNoise(9, [PLAIN, PLAIN], [0, 0]);
    const backward = createNoise(9, [PLAIN, PLAIN], [0, 0]);
    const a = times.map((t) => forward.at(1, t));
    const b = [...times].reverse().map((t) => backward.at(1, t));
    expect(b.reverse()).toEqual(a);
    const all = new Float64Array(2);
    backward.addTo(all, Int32Array.of(1, 0), 123_000);
    expect(all[0]).toBeCloseTo(a[2] ?? 0, 12);
  });

  it('is white with 0.05 mT, on a walk of 0.002 mT in a second', () => {
    const noise = createNoise(2, [PLAIN], [0]);
    noise.disturb({ ...QUIET_ROOM, warmUpK: 0 });
    const second = Array.from({ length: 4000 }, (_, i) => noise.at(0, i * 1000));
    expect(moments(second).deviation).toBeCloseTo(0.05, 2);
    const still = createNoise(2, Array<HallSpread>(60).fill(PLAIN), Array<number>(60).fill(0));
    still.disturb({ ...QUIET_ROOM, whiteMt: 0, warmUpK: 0 });
    const after = Array.from({ length: 60 }, (_, sensor) => still.at(sensor, 100_000_000));
    // 100 s of a walk: ten times the deviation of one second.
    expect(moments(after).deviation).toBeGreaterThan(0.014);
    expect(moments(after).deviation).toBeLessThan(0.026);
  });

  it('warms up by 8 K with 8 min, and drifts with it', () => {
    const noise = createNoise(2, [{ ...PLAIN, driftMtPerK: 0.01 }], [0]);
    noise.disturb({ ...QUIET_ROOM, whiteMt: 0, walkMtPerRootS: 0 });
    expect(noise.warmthAt(480_000_000)).toBeCloseTo(8 * (1 - Math.exp(-1)), 3);
    expect(noise.at(0, 6_000_000_000)).toBeCloseTo(0.08, 4);
  });

  it('has spikes of 10 to 60 counts in 0.2 % of samples and LED steps 60 times a second', () => {
    const noise = createNoise(4, [PLAIN], [0]);
    noise.disturb({ ...BAD_ROOM, whiteMt: 0, walkMtPerRootS: 0, warmUpK: 0, shiftCounts: 0 });
    const counts = Array.from({ length: 100_000 }, (_, i) => noise.at(0, i * 1000) / MT_PER_COUNT);
    const spikes = counts.filter((c) => Math.abs(c) > 5);
    expect(spikes.length / counts.length).toBeGreaterThan(0.0014);
    expect(spikes.length / counts.length).toBeLessThan(0.0026);
    for (const spike of spikes) expect(Math.abs(spike)).toBeLessThan(65);
    expect(spikes.some((s) => s > 0) && spikes.some((s) => s < 0)).toBe(true);
    const calm = counts.filter((c) => Math.abs(c) <= 5);
    expect(Math.max(...calm.map(Math.abs))).toBeLessThanOrEqual(4.5);
    const levels = new Set(calm.slice(0, 1000).map((c) => c.toFixed(6)));
    expect(levels.size).toBeLessThan(140);
  });

  it('adds what the LEDs of the side draw', () => {
    const noise = createNoise(4, [PLAIN], [0]);
    const dark = noise.at(0, 1000);
    noise.setLight(0, 0.5);
    expect(noise.at(0, 1000) - dark).toBeCloseTo(0.2, 9);
  });

  it('spreads tiles within gain ±15 %, depth ±1 mm, offset ±1.5 mT; one contact in twenty is slow', () => {
    const chance = createChance(1);
    const tiles = Array.from({ length: 2000 }, () => drawTile(chance, 2));
    for (const tile of tiles) {
      expect(Math.abs(tile.depthMm)).toBeLessThanOrEqual(1);
      for (const hall of tile.halls) {
        expect(Math.abs(hall.gain - 1)).toBeLessThanOrEqual(0.15);
        expect(Math.abs(hall.offsetMt)).toBeLessThanOrEqual(1.5);
        expect(Math.abs(hall.driftMtPerK)).toBeLessThanOrEqual(0.01);
      }
    }
    expect(tiles.filter((t) => t.slowContact).length / tiles.length).toBeCloseTo(0.05, 1);
  });
});

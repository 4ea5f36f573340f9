import { describe, expect, it } from 'vitest';
import { handAtFar } from '../sim/hands.ts';
import { playRoll } from '../sim/played.ts';
import { createChance } from '../sim/random.ts';
import { CLEAN } from '../sim/shares.ts';

const FAR_MM = 177.8;
const hand = (seed: number, releaseMm: number, follows: number) =>
  handAtFar(createChance(seed), { atUs: 0, releaseMm, radiusMm: 18, speed: 1 }, FAR_MM, follows);
const SEEDS = Array.from({ length: 300 }, (_, seed) => seed);

describe('the hand that lets a ball go', () => {
  it('comes into the far gate after the release where it swings on from near it, never from 90 mm before', () => {
    const near = SEEDS.flatMap((seed) => hand(seed, FAR_MM - 25, 1) ?? []);
    expect(near.length).toBeGreaterThan(150);
    for (const span of near) {
      expect(span.fromUs).toBeGreaterThan(0);
      expect(span.toUs).toBeGreaterThan(span.fromUs + 60_000);
    }
    expect(SEEDS.flatMap((seed) => hand(seed, FAR_MM - 90.1, 1) ?? [])).toEqual([]);
    expect(SEEDS.flatMap((seed) => hand(seed, FAR_MM - 25, 0) ?? [])).toEqual([]);
  });

  it('breaks it with the front of the ball that it carries over the line, one in two after a rest there', () => {
    const over = SEEDS.map((seed) => hand(seed, FAR_MM + 2, 0)?.fromUs ?? 0);
    expect(over.every((from) => from <= -20_000)).toBe(true);
    const rests = over.filter((from) => from < -100_000).length / over.length;
    expect(rests).toBeGreaterThan(0.4);
    expect(rests).toBeLessThan(0.6);
  });
});

describe('drawn releases', () => {
  it('lie over the whole range: as many as its share in each stretch up to the limit and beyond it', () => {
    const shares = { beyond: 0.5 };
    const fronts = SEEDS.flatMap((seed) =>
      playRoll(seed, { shares }).truth.balls.map((ball) => ball.releaseMm + ball.radiusMm - FAR_MM),
    );
    const share = (from: number, to: number): number =>
      fronts.filter((front) => front > from && front <= to).length / fronts.length;
    for (const [from, to, whole, half] of [
      [-35, 0, 35 / 135, 0.5],
      [0, 20, 20 / 78, 0.5],
      [20, 78, 58 / 78, 0.5],
    ] as const) {
      expect(share(from, to)).toBeGreaterThan(0.6 * whole * half);
      expect(share(from, to)).toBeLessThan(1.5 * whole * half);
    }
    expect(CLEAN.beyond).toBeGreaterThanOrEqual(0.04);
    expect(CLEAN.follow).toBeGreaterThanOrEqual(0.4);
  });

  it('draw them near the limit, and apart by as much as asked for, both after the call', () => {
    const rolls = SEEDS.slice(0, 60).map((seed) =>
      playRoll(seed, {
        shares: { nearLimitMm: 60, apart: 1, apartMs: [1000, 2500], early: 0, join: 0, strike: 0 },
      }),
    );
    for (const { truth } of rolls) {
      for (const ball of truth.balls) {
        expect(Math.abs(ball.releaseMm + ball.radiusMm - FAR_MM)).toBeLessThanOrEqual(60);
        expect(ball.releaseMs).toBeGreaterThan(truth.fromMs);
      }
    }
    const apart = rolls.filter(({ truth }) => Math.abs(truth.skewMs ?? 0) > 960);
    expect(apart.length).toBeGreaterThan(50);
  });
});

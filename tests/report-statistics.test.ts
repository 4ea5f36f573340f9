/** The arithmetic behind the marks of a report, against published tables and by counting every case. */
import { describe, expect, it } from 'vitest';
import { chanceOfCount, chanceOfMean, chanceOfMeans, meanOf } from '../host/audit/statistics.ts';
import { chanceOfT, tOf95 } from '../host/audit/student.ts';

describe("Student's t", () => {
  it.each([
    [1, 12.7062],
    [2, 4.3027],
    [3, 3.1824],
    [5, 2.5706],
    [10, 2.2281],
    [30, 2.0423],
    [120, 1.9799],
    [100_000, 1.96],
  ])('leaves 5 %% beyond the tabled value at %i degrees of freedom', (freedom, t) => {
    expect(tOf95(freedom)).toBeCloseTo(t, 4);
    expect(chanceOfT(t, freedom)).toBeCloseTo(0.05, 5);
    expect(chanceOfT(-t, freedom)).toBe(chanceOfT(t, freedom));
  });

  it('has the closed forms of one and two degrees of freedom', () => {
    for (const t of [0, 0.1, 1, 3, 40, 1e4]) {
      expect(chanceOfT(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 10);
      expect(chanceOfT(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 10);
    }
  });

  it('makes intervals of few values as wide as they have to be', () => {
    // Student 1908, the additional sleep of ten patients: mean 1.58, 95 % from 0.70 to 2.46.
    const sleep = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];
    const { mean, low, high } = meanOf(sleep);
    expect([mean, low, high].map((x) => Math.round(100 * x) / 100)).toEqual([1.58, 0.7, 2.46]);
    expect(chanceOfMean(meanOf(sleep), 0)).toBeCloseTo(0.00283, 5);
    expect(meanOf([1, 2]).high - 1.5).toBeCloseTo(12.7062 * 0.5, 3);
  });
});

describe('means of two groups', () => {
  it('differ with the chance of Welch', () => {
    // The sleep again: drug 1 against drug 2, t = -1.861, 17.78 degrees of freedom, p = 0.0794.
    const one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
    const two = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    expect(chanceOfMeans(meanOf(one), meanOf(two))).toBeCloseTo(0.07939, 5);
  });

  it('without spread or with too few values claim no more than shuffling could show', () => {
    expect(chanceOfMeans(meanOf([1, 1, 1, 1]), meanOf([2, 2, 2, 2]))).toBeCloseTo(2 / 70, 10);
    expect(chanceOfMeans(meanOf([1, 1]), meanOf([1, 1]))).toBe(1);
    expect(chanceOfMeans(meanOf([1]), meanOf([2, 3]))).toBe(1);
    expect(chanceOfMean(meanOf([2, 2]), 0)).toBe(1);
  });
});

describe('a count of cases with chances of their own', () => {
  it('has the chance that counting every outcome gives', () => {
    const chances = [0.1, 0.25, 0.25, 0.5, 0.9];
    const of = new Array(chances.length + 1).fill(0);
    for (let mask = 0; mask < 32; mask += 1) {
      const hits = chances.filter((_, i) => (mask >> i) % 2 === 1).length;
      of[hits] += chances.reduce((all, p, i) => all * ((mask >> i) % 2 === 1 ? p : 1 - p), 1);
    }
    for (let seen = 0; seen <= 5; seen += 1) {
      const wanted = of.filter((p) => p <= of[seen] * (1 + 1e-9)).reduce((sum, p) => sum + p, 0);
      expect(chanceOfCount(seen, chances)).toBeCloseTo(wanted, 12);
    }
    expect(chanceOfCount(0, [])).toBe(1);
  });
});

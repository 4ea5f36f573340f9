import { describe, expect, it } from 'vitest';
import { signalCalibration } from '../bin/bench/signals.ts';
import { createBaseline, learnLevel, magnetAt } from '../host/sensing/baseline.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../host/sensing/limits.ts';
import { createOnsets, setThreshold, watchMean, watchSamples } from '../host/sensing/onset.ts';
import { tilesOf } from '../host/sensing/tiles.ts';

const tiles = tilesOf(FIXED_12, signalCalibration());
const limits = DEFAULT_LIMITS;

describe('onset of a field', () => {
  // 4.1 counts (0.4 mT) begin a field, 60 % of that keep it.
  const run = (counts: readonly number[]) => {
    const watch = createOnsets(1);
    setThreshold(watch, createBaseline(tiles), tiles, limits, 0);
    const samples = Uint16Array.from(counts, (c) => 512 + c);
    const began = watchSamples(watch, 0, 1000, samples, 0, 1, counts.length, limits.onsetHoldMs, 40);
    return [began, watch.sinceMs[0], watch.aboveMs[0]];
  };

  it.each([
    ['rest', [0, 1, -1, 0, 1, 0, 0, 1], false, NaN, -Infinity],
    ['one spike of 60 counts', [0, 0, 60, 0, 0, 0, 0, 0], false, NaN, 1002],
    ['two samples', [0, 0, 9, 9, 0, 0, 0, 0], false, NaN, 1003],
    ['three samples in a row', [0, 0, 9, 9, 9, 0, 0, 0], true, 1002, 1004],
    ['either sign', [0, 0, -9, -9, -9, 0, 0, 0], true, 1002, 1004],
    ['below the threshold', [4, 4, 4, 4, 4, 4, 4, 4], false, NaN, 1007],
    ['three above, broken by one between on and off', [9, 9, 3, 9, 9, 3, 9, 9], false, NaN, 1007],
    ['hysteresis: a field that has begun lasts down to 60 %', [9, 9, 9, 3, 3, 3, 2, 2], true, 1000, 1005],
  ])('%s', (_, counts, began, since, above) => {
    expect(run(counts)).toEqual([began, since, above]);
  });

  it('begins anew after a pause longer than a flight', () => {
    const watch = createOnsets(1);
    setThreshold(watch, createBaseline(tiles), tiles, limits, 0);
    const field = new Uint16Array(8).fill(530);
    watchSamples(watch, 0, 0, field, 0, 1, 8, 3, 40);
    expect(watchSamples(watch, 0, 40, field, 0, 1, 8, 3, 40)).toBe(false);
    expect(watchSamples(watch, 0, 96, field, 0, 1, 8, 3, 40)).toBe(true);
    expect(watch.sinceMs[0]).toBe(96);
  });

  it('does not begin twice', () => {
    const watch = createOnsets(1);
    setThreshold(watch, createBaseline(tiles), tiles, limits, 0);
    const samples = new Uint16Array(8).fill(530);
    expect(watchSamples(watch, 0, 0, samples, 0, 1, 8, 3, 40)).toBe(true);
    expect(watchSamples(watch, 0, 8, samples, 0, 1, 8, 3, 40)).toBe(false);
  });

  it('takes a quiet mean for tiles that send no bursts', () => {
    const watch = createOnsets(1);
    setThreshold(watch, createBaseline(tiles), tiles, limits, 0);
    expect(watchMean(watch, tiles, 0, 0, 20, (512 + 4) * 4)).toBe(false);
    expect(watchMean(watch, tiles, 0, 20, 40, (512 + 5) * 4)).toBe(true);
    expect(watch.sinceMs[0]).toBe(20);
  });
});

describe('baseline', () => {
  /** Quiet lines of one level from 0 on. */
  const learn = (
    levels: readonly (readonly [untilMs: number, counts: number])[],
    mode: 'drift' | 'zero' | 'frozen',
  ) => {
    const base = createBaseline(tiles);
    base.disturbedMs.fill(0);
    base.steppedMs.fill(0);
    let ms = 0;
    for (const [until, counts] of levels) {
      for (; ms < until; ms += 20) learnLevel(base, tiles, limits, 0, 0, counts, ms, 20, mode);
    }
    return base;
  };

  it.each([
    ['within ten seconds of a disturbance it stands still', [[9_000, 515]], 512],
    ['a drift under half a count is noise', [[60_000, 512.4]], 512],
    // 13 counts (1.27 mT) times 1 - e^(-10/30); 0.05 mT/s would allow 5.
    ['a larger drift is followed no faster than 0.05 mT/s', [[20_000, 525]], 512 + 3.7],
    ['it follows with a time constant of 30 s', [[10_000 + 30_000, 514]], 512 + 2 * 0.63],
    ['a magnet is not learnt', [[60_000, 512 + 20]], 512],
  ] as const)('%s', (_, levels, expected) => {
    const slow = learn(levels, 'drift').slow[0] ?? 0;
    expect(Math.abs(slow - expected)).toBeLessThanOrEqual(0.45);
  });

  it('is frozen in a roll once something has been seen', () => {
    const base = learn([[60_000, 530]], 'frozen');
    expect([base.slow[0], base.zero[0]]).toEqual([512, 512]);
  });

  it('takes the level before a roll as its zero, whatever it is, and tells a magnet', () => {
    const base = learn([[400, 512 + 30]], 'zero');
    expect(base.zero[0]).toBeCloseTo(542, 1);
    expect(base.slow[0]).toBe(512);
    expect(magnetAt(base, tiles, limits, 0)).toBe(true);
    expect(magnetAt(base, tiles, limits, 1)).toBe(false);
  });

  it('takes one step of remanence after a visit, after two seconds of quiet, up to 1 mT', () => {
    const base = createBaseline(tiles);
    base.disturbedMs.fill(1000);
    const at = (ms: number, counts: number): number | undefined => {
      learnLevel(base, tiles, limits, 0, 0, counts, ms, 20, 'drift');
      return base.slow[0];
    };
    expect(at(2980, 518)).toBe(512);
    expect(at(3000, 518)).toBeCloseTo(518, 0);
    expect(at(3020, 522)).toBeCloseTo(518, 0);
  });
});

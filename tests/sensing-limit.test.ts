import { describe, expect, it } from 'vitest';
import { type RunAsk, runCorpus } from '../bin/bench/detection-run.ts';
import { CLEAN, type RollShares } from '../sim/shares.ts';

const run = (shares: Partial<RollShares>, firstSeed: number, more: Partial<RunAsk> = {}) =>
  runCorpus({
    effects: [],
    vacantCells: 0,
    rolls: 60,
    plainEach: 0,
    firstSeed,
    shares: { ...CLEAN, ...shares },
    ...more,
  }).audit;

describe('releases as drawn, against their truth', () => {
  it('near the limit of two card lengths: no legal one is void, most beyond are void or left to the judge', () => {
    const { legalVoid, beyond, perhapsBeyond, zone, skewWithin } = run(
      { beyond: 0.3, nearLimitMm: 60, follow: 1 },
      91_000_000,
    );
    expect(legalVoid[1]).toBeGreaterThan(50);
    expect(legalVoid[0]).toBe(0);
    expect(beyond[0] + perhapsBeyond[0]).toBeGreaterThan(0.55 * (beyond[0] + beyond[2]));
    // Said to be within it: right to within the stated error, and said where no hand comes into the gate besides.
    expect(zone[1]).toBeLessThanOrEqual(1);
    expect(zone[0]).toBeGreaterThan(0.4 * (zone[0] + zone[2]));
    expect(skewWithin[0]).toBeGreaterThanOrEqual(0.95 * skewWithin[1]);
  });

  it('1 to 2.5 s apart: most are void by T_sync, and none that lie nearer (AM-10)', () => {
    const { apart } = run({ apart: 0.5, apartMs: [1000, 2500], early: 0 }, 91_100_000);
    expect(apart[0]).toBeGreaterThan(0.5 * (apart[0] + apart[2]));
    expect(apart[1]).toBe(0);
  });

  it('before the call: the block of the far gate is that of the launch', () => {
    const { crossingWithin, skewWithin } = run({ early: 1 }, 91_200_000);
    expect(crossingWithin[0]).toBeGreaterThanOrEqual(0.94 * crossingWithin[1]);
    expect(skewWithin[0]).toBeGreaterThanOrEqual(0.95 * skewWithin[1]);
  });

  it('over a broker, with lines late and lost: the moments lie within what is stated', () => {
    const { crossingWithin, skewWithin } = run({}, 91_300_000, { effects: ['mqtt'], rolls: 40 });
    expect(crossingWithin[0]).toBeGreaterThanOrEqual(0.95 * crossingWithin[1]);
    expect(skewWithin[0]).toBeGreaterThanOrEqual(0.95 * skewWithin[1]);
  });
});

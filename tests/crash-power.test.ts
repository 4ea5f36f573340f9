import { describe, expect, it } from 'vitest';
import { powerCutTrials } from './support/power-trials.ts';

describe('a table that loses power', () => {
  it('resumes to what the disk held, has told nothing that is not there, invents nothing', {
    timeout: 120_000,
  }, async () => {
    const found = await powerCutTrials({ seed: 11, cuts: 4, msBetween: 4000 });
    expect(found.wrong).toEqual([]);
    expect(found.cuts).toBe(4);
    expect(found.rulings).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { keepCalibration, uncalibrated } from '../host/calibration-file.ts';
import { diskOver } from '../host/journal/disk.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { drawFrom, powerCutFiles } from './support/power-cut-files.ts';
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

describe('a calibration that is kept while the power goes', () => {
  const PATH = '/data/t1.calibration.json';
  const [first, second] = [1, 2].map((strength) => ({
    ...uncalibrated(FIXED_12),
    balls: { ember: { polarity: 1 as const, strength } },
  }));

  /** The file system with the first calibration in it. */
  async function withFirst() {
    const files = powerCutFiles();
    await diskOver(files).makeFolder('/data');
    if (first !== undefined) await keepCalibration(PATH, first, diskOver(files));
    return files;
  }

  it('is the old one or the new one at every cut, whole, and the new one once that is said', async () => {
    if (second === undefined) throw new Error('two calibrations are made above');
    const calm = await withFirst();
    const before = calm.calls;
    expect(await keepCalibration(PATH, second, diskOver(calm))).toBe(`${PATH}.1`);
    const needed = calm.calls - before;
    expect(needed).toBeGreaterThan(5);
    for (let call = 1; call <= needed + 1; call += 1) {
      for (let seed = 0; seed < 8; seed += 1) {
        const files = await withFirst();
        const cut = new Promise<void>((resolve) => files.cutAt(files.calls + call, resolve));
        let said = false;
        const kept = keepCalibration(PATH, second, diskOver(files)).then(() => {
          said = true;
        });
        await Promise.race([cut, kept]);
        const after = files.afterCut(drawFrom(seed));
        const found = JSON.parse(after.text(PATH));
        expect(said ? [second] : [first, second]).toContainEqual(found);
        if (said) expect(JSON.parse(after.text(`${PATH}.1`))).toEqual(first);
      }
    }
  });
});

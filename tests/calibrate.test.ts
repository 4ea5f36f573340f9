import { describe, expect, it } from 'vitest';
import { calibrateSimulated } from '../bin/calibrate-simulated.ts';
import { calibrationMade, skipStep, stepOf } from '../host/sensing/calibrate.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import { calibrationReport } from '../host/sensing/calibration-report.ts';
import { FIXED_12, layoutHash } from '../host/sensing/layout.ts';
import { drawBodies } from '../sim/bodies.ts';
import { standing } from '../sim/tracks.ts';

const SEED = 4711;
const sound = calibrateSimulated({ layout: FIXED_12, seed: SEED });

function made(run: typeof sound): Calibration {
  const calibration = calibrationMade(run.calibrator);
  if (calibration === undefined) throw new Error(`the procedure ended at ${stepOf(run.calibrator).kind}`);
  return calibration;
}

describe('calibration by the procedure', () => {
  const calibration = made(sound);

  it('takes a person about two minutes', () => {
    expect(sound.tookMs).toBeLessThan(150_000);
  });

  it('is made for its layout and measures every tile and ball', () => {
    expect(calibration.layoutHash).toBe(layoutHash(FIXED_12));
    expect(calibration.tiles.map((t) => t.tile)).toEqual(FIXED_12.cells.map((c) => `${c.side}${c.tile}`));
    for (const body of drawBodies({ seed: SEED })) {
      expect(calibration.balls[body.bakugan]?.polarity).toBe(body.player === 'A' ? 1 : -1);
    }
  });

  it('finds strengths within a tenth, against the reference ball', () => {
    const bodies = drawBodies({ seed: SEED });
    const reference = bodies[0]?.strength ?? 1;
    for (const body of bodies) {
      const off = (calibration.balls[body.bakugan]?.strength ?? 0) / (body.strength / reference);
      expect(Math.abs(off - 1)).toBeLessThan(0.1);
    }
  });

  it('reports noise, range, light and contact of each tile, and that a sound mat passes', () => {
    for (const tile of calibrationReport(FIXED_12, calibration)) {
      expect(tile.fix).toEqual([]);
      expect(tile.pass).toBe(true);
      expect(tile.halls.map(({ hall }) => hall)).toEqual(['collector', 'offset']);
      for (const { noiseMt } of tile.halls) {
        // White noise of 0.05 mT and the converter's third of a count.
        expect(noiseMt).toBeGreaterThan(0.02);
        expect(noiseMt).toBeLessThan(0.12);
      }
      expect(Math.abs(tile.halls[0]?.seatedMt ?? 0)).toBeGreaterThan(5);
      // A ball that rises is well felt beside the middle, always with its own pole.
      expect(tile.halls[1]?.liftMt ?? 0).toBeGreaterThan(0.6);
      expect(tile.crosstalk).toBeLessThan(0.1);
    }
  });
});

describe('what stands in the way of a calibration', () => {
  it('notices a ball on a tile from the start and learns nothing', () => {
    const said: string[] = [];
    const run = calibrateSimulated({
      layout: FIXED_12,
      seed: SEED,
      longestMs: 20_000,
      spoil(mat, bodies) {
        const tile = mat.tiles[3];
        const body = bodies[1];
        if (tile !== undefined && body !== undefined) mat.put(standing(body, 0, tile.x, tile.y));
      },
      told: (prompt) => said.push(prompt.problem),
    });
    expect(stepOf(run.calibrator).kind).toBe('empty');
    expect(said.some((text) => text.includes(FIXED_12.cells[3]?.cell ?? '?'))).toBe(true);
    expect(calibrationMade(run.calibrator)).toBeUndefined();
  });

  it('does not take a sensor at its end for a ball, and leaves a sound mat nothing else to say', () => {
    const run = calibrateSimulated({
      layout: FIXED_12,
      seed: SEED,
      longestMs: 12_000,
      spoil: (mat) => mat.kill(FIXED_12.cells[4]?.cell ?? '', 0, -80),
    });
    expect(stepOf(run.calibrator).kind).toBe('seat');
  });

  it('takes a far level as it is once a person says that nothing lies there', () => {
    const before = made(sound);
    const shifted = {
      ...before,
      tiles: before.tiles.map((tile, i) =>
        i === 3
          ? { ...tile, halls: tile.halls.map((hall) => ({ ...hall, restCounts: hall.restCounts + 30 })) }
          : tile,
      ),
    };
    const run = (trust: boolean) =>
      calibrateSimulated({
        layout: FIXED_12,
        seed: SEED,
        before: shifted,
        longestMs: 9000,
        ...(trust ? { doubted: skipStep } : {}),
      }).calibrator;
    expect(stepOf(run(false)).kind).toBe('empty');
    expect(stepOf(run(true)).kind).toBe('seat');
  });

  it('reports a dead contact and a dead hall by tile with what to mend', () => {
    const run = calibrateSimulated({
      layout: FIXED_12,
      seed: SEED,
      longestMs: 40_000,
      spoil(mat) {
        mat.spoil(FIXED_12.cells[2]?.cell ?? '', 'dead', { fromUs: 0, toUs: Infinity });
        mat.kill(FIXED_12.cells[4]?.cell ?? '', 0, 0);
      },
    });
    // Nothing answers on the dead hall: its step waits, and is skipped.
    expect(stepOf(run.calibrator)).toMatchObject({ kind: 'seat', cell: 4 });
    while (stepOf(run.calibrator).kind !== 'done') skipStep(run.calibrator);
    const report = calibrationReport(FIXED_12, made(run));
    expect(report[2]).toMatchObject({ contact: false, pass: false });
    expect(report[2]?.fix[0]).toMatch(/contact/);
    // A tile that was left out is never said to pass, and the table says so too.
    expect(report[4]).toMatchObject({
      pass: false,
      fix: [expect.stringMatching(/left out/), expect.stringMatching(/collector hall felt nothing/)],
    });
  });
});

import { describe, expect, it, vi } from 'vitest';
import { calibrateSimulated } from '../bin/calibrate-simulated.ts';
import { calibrationMade, skipStep, stepOf } from '../host/sensing/calibrate.ts';
import { calibrationReport } from '../host/sensing/calibration-report.ts';
import { healthOf } from '../host/sensing/health.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSensing } from '../host/sensing/sensing.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const HALLS = 2;
const TILE = 2;
const SEED = 5;
/** Means are quarter counts around mid-supply. */
const MIDDLE = 2048;

/** A calibration of a mat on which one hall of tile A2 reads like this; its means in quarter counts by line. */
function calibrated(hall: number, reads: (mean: number, line: number) => number, seed = SEED) {
  let line = 0;
  const { calibrator } = calibrateSimulated({
    layout: FIXED_12,
    seed,
    wiring(frame, side) {
      if (side === 'B') return frame;
      const means = frame.means.slice();
      const at = TILE * HALLS + hall;
      line += 1;
      means[at] = Math.max(0, Math.min(4092, Math.round(reads(means[at] ?? MIDDLE, line))));
      return { ...frame, means };
    },
    // A person who sees that nothing lies there, or that the ball stands where it should, goes on.
    doubted(c) {
      if (stepOf(c).kind === 'empty' || c.problem.startsWith('Nothing is felt')) skipStep(c);
    },
  });
  const made = calibrationMade(calibrator);
  if (made === undefined) throw new Error(`stopped at ${stepOf(calibrator).kind}: ${calibrator.problem}`);
  return made;
}

const scaled = (by: number) => (mean: number) => MIDDLE + (mean - MIDDLE) * by;

describe.each([
  [0, 'collector'],
  [1, 'offset'],
] as const)('hall %i of a tile, the %s, as calibration judges it', (hall, name) => {
  it.each<[string, string, (mean: number, line: number) => number]>([
    ['flat', 'health/hall-dead', () => MIDDLE],
    ['turned over', 'health/hall-reversed', scaled(-1)],
    ['a tenth as strong as it should be', 'health/hall-weak', scaled(0.1)],
    ['noisy by forty counts', 'health/hall-noisy', (mean, line) => mean + ((line * 97) % 321) - 160],
    ['moved by its lights', 'health/hall-lit', (mean, line) => (line > 295 && line < 375 ? mean + 60 : mean)],
  ])('finds one that is %s, in the report and in the health of the table', (_what, code, reads) => {
    const made = calibrated(hall, reads);
    const rows = calibrationReport(FIXED_12, made);
    expect(rows.filter(({ pass }) => !pass).map(({ tile }) => tile)).toEqual(['A2']);
    expect(rows[TILE]?.fix.join(' ')).toContain(`${name} hall`);
    const found = healthOf(createSensing({ layout: FIXED_12, calibration: made }), [], 0);
    const its = found.find((finding) => finding.code === code);
    expect(found.map((finding) => finding.code)).toContain(code);
    expect(its).toMatchObject({ cell: rows[TILE]?.cell, hall: name });
    expect(found.filter((finding) => finding.hall !== undefined)).toEqual([its]);
    expect(its?.text).toContain('(A2)');
    expect(its?.remedy.length).toBeGreaterThan(20);
  });
});

it('finds nothing where a careless person puts balls as far as 4 mm off the middle', () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    const made = calibrationMade(calibrateSimulated({ layout: FIXED_12, seed, placedMm: 4 }).calibrator);
    if (made === undefined) throw new Error('it stopped');
    const rows = calibrationReport(FIXED_12, made);
    expect(rows.flatMap(({ tile, fix }) => fix.map((text) => `${seed} ${tile} ${text}`))).toEqual([]);
  }
});

it('finds nothing on sound mats', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const rows = calibrationReport(
      FIXED_12,
      calibrated(0, (mean) => mean, seed),
    );
    expect(rows.flatMap(({ tile, fix }) => fix.map((text) => `${seed} ${tile} ${text}`))).toEqual([]);
  }
});

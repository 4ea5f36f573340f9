/** A detector started anew on steel that was magnetised since calibration, and on a mat where a ball lies. */
import { describe, expect, it } from 'vitest';
import { watchTable } from '../bin/bench/watch.ts';
import { healthOf } from '../host/sensing/health.ts';
import { FIXED_12, type Layout, type SensorLayout } from '../host/sensing/layout.ts';
import { standingOn } from '../host/sensing/standing.ts';
import type { Sensing } from '../host/sensing/state.ts';
import { calibrationOf } from '../sim/calibration.ts';
import { createMat, type Mat } from '../sim/mat.ts';
import { bodiesOf } from '../sim/played.ts';
import { standing } from '../sim/tracks.ts';

const SENSORS: readonly SensorLayout[] = ['axis', 'collector', 'collector+offset'];
const EVER = { fromUs: -1_000_000, toUs: Infinity };
const UNTIL_MS = 6000;

/** Left alone until then after a start. */
function started(mat: Mat, untilMs = UNTIL_MS): Sensing {
  return watchTable({
    layout: mat.layout,
    calibration: calibrationOf(mat, bodiesOf({})),
    worlds: { A: mat.world('A'), B: mat.world('B') },
    halls: mat.halls,
    activity: { kind: 'idle' },
    callMs: 1000,
    untilMs,
    goOn: true,
  }).sensing;
}

const layoutWith = (sensors: SensorLayout): Layout => ({ ...FIXED_12, sensors });
const matWith = (sensors: SensorLayout, noiseSeed = 5): Mat => createMat(layoutWith(sensors), 1, noiseSeed);
const codesOf = (sensing: Sensing, atMs = UNTIL_MS): readonly string[] =>
  healthOf(sensing, [], atMs).map(({ code, cell }) => `${code} ${cell ?? ''}`);
const mtOff = ({ base, tiles, limits }: Sensing, cell: string): number => {
  const at = tiles.cells.findIndex((one) => one.cell === cell) * tiles.halls;
  return ((base.slow[at] ?? 0) - (tiles.rest[at] ?? 0)) * limits.mtPerCount;
};

describe('steel that kept some field', () => {
  it.each(['collector', 'collector+offset'] as const)(
    'is the rest of its tile after two seconds, up to what an evening leaves: %s',
    (sensors) => {
      const mat = matWith(sensors);
      const kept = [-3, -2.2, -1.3, -0.6, 0, 0.6, 1.3, 1.7, 2.2, 3] as const;
      for (const [i, mt] of kept.entries()) mat.shove(mat.tiles[i]?.cell ?? '', EVER, mt);
      const sensing = started(mat);
      expect(codesOf(sensing)).toEqual([]);
      for (const [i, mt] of kept.entries()) {
        const away = mtOff(sensing, mat.tiles[i]?.cell ?? '') - mt;
        expect(Math.abs(away), `${mt} mT`).toBeLessThan(0.25);
      }
    },
  );

  it('is called a magnet beyond that', () => {
    const mat = matWith('collector+offset');
    mat.shove('q0r0', EVER, 3.8);
    const sensing = started(mat);
    expect(codesOf(sensing)).toEqual(['health/magnet-near q0r0']);
    expect(Math.abs(mtOff(sensing, 'q0r0'))).toBeLessThan(0.1);
  });

  it('is not what a magnet is that comes after the start, be it ever so weak and still', () => {
    const mat = matWith('collector+offset');
    mat.shove('q0r0', { fromUs: 1_300_000, toUs: Infinity }, 2.5);
    const sensing = started(mat, 9000);
    expect(codesOf(sensing, 9000)).toContain('health/magnet-near q0r0');
    expect(Math.abs(mtOff(sensing, 'q0r0'))).toBeLessThan(0.1);
  });

  it('is not taken from a level that still moves', () => {
    const mat = matWith('collector+offset');
    for (let ms = 0; ms < UNTIL_MS; ms += 600) {
      mat.shove('q0r0', { fromUs: ms * 1000, toUs: (ms + 300) * 1000 }, 0.9);
    }
    mat.shove('q0r0', EVER, 2);
    expect(Math.abs(mtOff(started(mat), 'q0r0'))).toBeLessThan(0.1);
  });
});

describe('a ball that lies there at the start', () => {
  const weakest = { ...bodiesOf({})[0], strength: 0.8 } as NonNullable<ReturnType<typeof bodiesOf>[0]>;
  /** From the middle of a tile to the rim of its plate. */
  const spots = [0, 4, 8, 10, 12, 15] as const;

  it.each(SENSORS)('is noticed by its contact wherever it stands, and not learnt: %s', (sensors) => {
    for (const spot of spots) {
      const mat = matWith(sensors, spot);
      const tile = mat.tiles.find((one) => one.cell === 'q0r0');
      mat.put(standing(weakest, 0, (tile?.x ?? 0) + spot, tile?.y ?? 0));
      const sensing = started(mat, 13_000);
      expect(Math.abs(mtOff(sensing, 'q0r0')), `${spot} mm`).toBeLessThan(0.1);
      const seen = standingOn(sensing).includes('q0r0');
      const said = codesOf(sensing, 13_000).some((code) => code.endsWith('q0r0'));
      expect(seen || said, `${spot} mm`).toBe(true);
    }
  });

  it.each(SENSORS)(
    'is not learnt where its contact is dead, and noticed where a collector sees it: %s',
    (sensors) => {
      for (const spot of spots) {
        const mat = matWith(sensors, spot);
        const tile = mat.tiles.find((one) => one.cell === 'q0r0');
        mat.spoil('q0r0', 'dead', EVER);
        mat.put(standing(weakest, 0, (tile?.x ?? 0) + spot, tile?.y ?? 0));
        const sensing = started(mat);
        if (sensors !== 'axis') {
          expect(Math.abs(mtOff(sensing, 'q0r0')), `${spot} mm`).toBeLessThan(0.1);
          expect(codesOf(sensing), `${spot} mm`).toContain('health/magnet-near q0r0');
          expect(standingOn(sensing)).toContain('q0r0');
        } else {
          // Near the ring on which it reads nothing a lone hall on the axis takes no more for rest than one small step.
          expect(Math.abs(mtOff(sensing, 'q0r0')), `${spot} mm`).toBeLessThanOrEqual(1.1);
        }
      }
    },
  );

  it('is not learnt where it stands on two tiles and the contact of one is dead', () => {
    for (const noiseSeed of [1, 2, 3]) {
      const mat = matWith('collector+offset', noiseSeed);
      const [one, two] = ['q0r0', 'q1r0'].map((cell) => mat.tiles.find((tile) => tile.cell === cell));
      if (one === undefined || two === undefined) throw new Error('the layout has both');
      mat.spoil('q0r0', 'dead', EVER);
      const middle = { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 };
      mat.put(standing(weakest, 0, middle.x, middle.y));
      expect(Math.abs(mtOff(started(mat), 'q0r0'))).toBeLessThan(0.1);
    }
  });
});

import { describe, expect, it } from 'vitest';
import {
  BALL_DISC,
  COLLECTOR_SEAT_MT,
  collectorMt,
  DISCS,
  dipoleMt,
  discShare,
  hallMt,
  hallsOf,
  type Magnet,
  onAxisMt,
} from '../sim/field.ts';

/** A default magnet at height z over the sensor plane z = 0, pointing down unless told otherwise. */
function upright(z: number, axis: Partial<Magnet> = {}): Magnet {
  return { k: BALL_DISC.k, x: 0, y: 0, z, axisX: 0, axisY: 0, axisZ: -1, ...axis };
}

describe('field of a disc on its axis', () => {
  // Manufacturer's formula for a uniformly magnetised disc, evaluated to the printed digits.
  const table: readonly (readonly [keyof typeof DISCS, readonly number[]])[] = [
    ['5x2 N35', [28, 9.3, 5.3, 1.8, 0.79, 0.25, 0.11]],
    ['6x3 N35', [47, 17, 9.9, 3.5, 1.6, 0.51, 0.22]],
    ['8x3 N42', [74, 30, 18, 6.5, 3.0, 0.98, 0.43]],
  ];
  const distances = [5, 8, 10, 15, 20, 30, 40];

  it.each(table)('%s has the tabled values', (name, fields) => {
    distances.forEach((mm, i) => {
      const expected = fields[i] ?? 0;
      expect(Math.abs(onAxisMt(DISCS[name], mm) / expected - 1)).toBeLessThan(0.06);
    });
  });

  it('is what a dipole overstates by 59, 25, 11 and 7 per cent at 3, 5, 8 and 10 mm from the face', () => {
    for (const [face, over] of [
      [3, 59],
      [5, 25],
      [8, 11],
      [10, 7],
    ] as const) {
      const centre = face + 1.5;
      const dipole = dipoleMt(upright(centre), 0, 0, 0);
      expect(Math.abs((dipole / onAxisMt(BALL_DISC, face) - 1) * 100 - over)).toBeLessThan(1.6);
      expect(discShare(BALL_DISC, centre) * dipole).toBeCloseTo(onAxisMt(BALL_DISC, face), 6);
    }
    expect(discShare(BALL_DISC, 26)).toBe(1);
  });
});

describe('upright dipole over a sensor', () => {
  it('gives the tabled values at z = 7 mm', () => {
    for (const [rho, mt, within] of [
      [0, 47, 0.5],
      [5, 12, 0.5],
      [10, -0.06, 0.05],
      [15, -0.82, 0.02],
      [20, -0.57, 0.02],
      [30, -0.23, 0.02],
    ] as const) {
      expect(Math.abs(dipoleMt(upright(7), rho, 0, 0) - mt)).toBeLessThan(within);
    }
  });

  it('is zero at √2 times the height, for any height', () => {
    for (const z of [4, 7, 11]) {
      const peak = dipoleMt(upright(z), 0, 0, 0);
      expect(Math.abs(dipoleMt(upright(z), Math.SQRT2 * z, 0, 0))).toBeLessThan(peak * 1e-9);
    }
  });

  it('has its other lobe at twice the height, 1.8 % of the peak', () => {
    const z = 7;
    const peak = dipoleMt(upright(z), 0, 0, 0);
    let lowest = 0;
    let at = 0;
    for (let rho = 0; rho < 60; rho += 0.05) {
      const mt = dipoleMt(upright(z), rho, 0, 0);
      if (mt < lowest) [lowest, at] = [mt, rho];
    }
    expect(at / z).toBeCloseTo(2, 1);
    expect((-lowest / peak) * 100).toBeCloseTo(1.8, 1);
  });

  it('is as wide at half height as it is high', () => {
    for (const z of [6, 7, 12]) {
      const half = dipoleMt(upright(z), 0, 0, 0) / 2;
      let rho = 0;
      while (dipoleMt(upright(z), rho, 0, 0) > half) rho += 0.001;
      expect((2 * rho) / z).toBeGreaterThan(0.93);
      expect((2 * rho) / z).toBeLessThan(1.07);
    }
  });

  it('turns either sign when the magnet lies on its side, up to 43 % of the upright peak', () => {
    const z = 7;
    const peak = dipoleMt(upright(z), 0, 0, 0);
    const lying = upright(z, { axisX: 1, axisZ: 0 });
    let most = 0;
    let least = 0;
    for (let x = -40; x <= 40; x += 0.05) {
      const mt = dipoleMt(lying, x, 0, 0);
      most = Math.max(most, mt);
      least = Math.min(least, mt);
    }
    expect((most / peak) * 100).toBeCloseTo(43, 0);
    expect((least / peak) * 100).toBeCloseTo(-43, 0);
  });

  it('is seen next door as -0.08 mT and at 78 mm as -0.016 mT', () => {
    expect(dipoleMt(upright(7), 45, 0, 0)).toBeCloseTo(-0.08, 2);
    expect(dipoleMt(upright(7), 78, 0, 0)).toBeCloseTo(-0.016, 3);
  });

  it('changes sign with the polarity', () => {
    for (const kind of ['hole', 'collector'] as const) {
      const plus = hallMt(kind, upright(4), 3, 2, -4);
      expect(hallMt(kind, upright(4, { axisZ: 1 }), 3, 2, -4)).toBe(-plus);
    }
  });
});

describe('collector', () => {
  it('reads the seat field at the closed height, rising with the power 1.5 as the gap closes', () => {
    const closed = collectorMt(upright(4), 0, 0, -3);
    expect(closed).toBeCloseTo(COLLECTOR_SEAT_MT, 0);
    expect(collectorMt(upright(2), 0, 0, -3) / closed).toBeCloseTo(2 * Math.SQRT2, 1);
  });

  it('is even over the plate and keeps its sign there', () => {
    const middle = collectorMt(upright(4), 0, 0, -3);
    for (const rho of [5, 10, 12]) expect(collectorMt(upright(4), rho, 0, -3) / middle).toBeGreaterThan(0.94);
    for (const rho of [16, 18]) expect(collectorMt(upright(4), rho, 0, -3) / middle).toBeGreaterThan(0.6);
  });

  it('sees a magnet at the top of the ball as 0.1 to 0.3 mT of the other sign', () => {
    const top = collectorMt(upright(32, { axisZ: 1 }), 0, 0, -3);
    expect(-top).toBeGreaterThan(0.1);
    expect(-top).toBeLessThan(0.3);
  });

  it('has no step where it stops gathering', () => {
    let before = collectorMt(upright(4), 0, 0, -3);
    for (let rho = 0; rho < 60; rho += 0.1) {
      const now = collectorMt(upright(4), rho, 0, -3);
      expect(Math.abs(now - before)).toBeLessThan(0.15);
      before = now;
    }
  });
});

describe('sensor layouts', () => {
  it('have one hall in the middle, one in the gap, or one in the gap and one 10 to 12 mm off', () => {
    expect(hallsOf('axis').map((h) => h.kind)).toEqual(['hole']);
    expect(hallsOf('collector').map((h) => h.kind)).toEqual(['collector']);
    const [gap, off] = hallsOf('collector+offset');
    expect(gap).toMatchObject({ kind: 'collector', x: 0, y: 0 });
    expect(off?.kind).toBe('hole');
    expect(off?.x).toBeGreaterThanOrEqual(10);
    expect(off?.x).toBeLessThanOrEqual(12);
  });
});

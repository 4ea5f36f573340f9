import { describe, expect, it } from 'vitest';
import { FIXED_12, layoutHash } from '../host/sensing/layout.ts';
import { drawBodies } from '../sim/bodies.ts';
import { calibrationOf } from '../sim/calibration.ts';
import { createMat } from '../sim/mat.ts';

describe('calibration', () => {
  it('measures what the mat is, within what a person can', () => {
    for (const sensors of ['axis', 'collector', 'collector+offset'] as const) {
      const layout = { ...FIXED_12, sensors };
      const mat = createMat(layout, 5);
      const bodies = drawBodies({ seed: 5 });
      const calibration = calibrationOf(mat, bodies);
      expect(calibration).toMatchObject({ version: 1, layout: 'fixed-12', layoutHash: layoutHash(layout) });
      expect(calibration.tiles.map((t) => t.tile)).toEqual([
        ...['A0', 'A1', 'A2', 'A3', 'A4', 'A5'],
        ...['B0', 'B1', 'B2', 'B3', 'B4', 'B5'],
      ]);
      calibration.tiles.forEach((tile, t) => {
        expect(tile.contactWorks).toBe(true);
        tile.halls.forEach((hall, h) => {
          const secret = mat.tiles[t]?.spread.halls[h];
          const offset = 511.5 + (secret?.offsetMt ?? 0) * 10.24;
          expect(Math.abs(hall.restCounts - offset)).toBeLessThan(3);
          expect(hall.noiseCounts).toBeGreaterThan(0.4);
          expect(hall.noiseCounts).toBeLessThan(0.8);
          expect(Math.abs(hall.ledCounts - (secret?.lightMt ?? 0) * 10.24)).toBeLessThan(0.4);
          if (h === 0) expect(hall.seatedCounts).toBeGreaterThan(90);
        });
        for (const share of Object.values(tile.neighbours)) expect(Math.abs(share)).toBeLessThan(0.02);
        expect(Object.keys(tile.neighbours).length).toBeGreaterThan(1);
      });
      const [reference] = bodies;
      for (const body of bodies) {
        const ball = calibration.balls[body.bakugan];
        expect(ball?.polarity).toBe(body.polarity);
        expect(
          Math.abs((ball?.strength ?? 0) / (body.strength / (reference?.strength ?? 1)) - 1),
        ).toBeLessThan(0.06);
      }
    }
  });
});

import type { Calibration } from './calibration.ts';
import { type Layout, layoutHash } from './layout.ts';

type Bag = { readonly [key: string]: unknown };

/**
 * Why a value is no calibration for this mat, in a sentence with what to do; undefined when it is one. Journals and
 * programs hand calibrations in, and a detector must never be built from half of one.
 */
export function calibrationProblem(value: unknown, layout: Layout): string | undefined {
  if (!isBag(value) || value.version !== 1) return 'This is no calibration of version 1: calibrate anew.';
  if (value.layoutHash !== layoutHash(layout)) {
    const made = typeof value.layout === 'string' ? value.layout.slice(0, 40) : 'another';
    return `It was made on layout ${made} as it was then, not on ${layout.name} as it is now: calibrate anew.`;
  }
  const tiles = Array.isArray(value.tiles) && value.tiles.every(isTile);
  const balls = isBag(value.balls) && Object.values(value.balls).every(isBall);
  return tiles && balls ? undefined : 'Parts of this calibration are missing or no numbers: calibrate anew.';
}

/** The same value, known to be a calibration of this mat. */
export function isCalibration(value: unknown, layout: Layout): value is Calibration {
  return calibrationProblem(value, layout) === undefined;
}

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isTile(value: unknown): boolean {
  if (!isBag(value) || typeof value.tile !== 'string' || typeof value.contactWorks !== 'boolean')
    return false;
  const { halls, neighbours, measured } = value;
  if (measured !== undefined && measured !== false) return false;
  return (
    Array.isArray(halls) &&
    halls.every(isHall) &&
    isBag(neighbours) &&
    Object.values(neighbours).every(isNumber)
  );
}

function isHall(value: unknown): boolean {
  if (!isBag(value)) return false;
  const { restCounts, noiseCounts, seatedCounts, ledCounts, liftCounts } = value;
  if (liftCounts !== undefined && !isNumber(liftCounts)) return false;
  return [restCounts, noiseCounts, seatedCounts, ledCounts].every(isNumber);
}

function isBall(value: unknown): boolean {
  return isBag(value) && (value.polarity === 1 || value.polarity === -1) && isNumber(value.strength);
}

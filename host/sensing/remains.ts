import type { AtMs } from '../ids.ts';
import { closedMs } from './contact.ts';
import { readEach } from './rings.ts';
import type { Sensing } from './state.ts';

/** Quiet lines of one tile that are looked at together: two seconds, after which health speaks of the tile too. */
export const REMAINS_LINES = 100;
/** So long nothing may have moved on the tile, ms; a little less than those lines, lest the first be missed. */
const STILL_MS = 1900;
/**
 * Steel of tiles keeps 0.3 mT (standard deviation) of each visit, so three deviations of eleven visits are 3 mT; a
 * sensor drifts by 0.16 mT in 16 K, and a turned mat adds 0.1 mT of the earth's field. The weakest open ball gives a
 * collector 10 mT wherever on the tile it stands, and one across two tiles closes the contact of at least one.
 */
const REMAINS_MT = 3.3;

/** Of its own for the loop below: what a module shares, engines look up anew at every use. */
const STILL = STILL_MS;
const samples = new Float64Array(STILL_MS);

/**
 * A detector that begins on a mat that was played on since calibration finds steel that kept some field: taken for the
 * rest of a tile where it cannot be a ball. Its contact works and is open, as are those around it, every hall has been
 * still since, and none is further off than steel gets. A lone hall on the axis is blind to a ball on a ring around it
 * and could not tell: there nothing is taken. Called for a tile while idle, each `REMAINS_LINES` of its quiet lines.
 */
export function learnRemains(sensing: Sensing, cell: number, atMs: AtMs): void {
  const { tiles, base, contacts, limits, setting } = sensing;
  const { halls } = tiles;
  if (setting.layout.sensors === 'axis' || tiles.contactWorks[cell] === 0) return;
  // Only levels that were never near to where calibration left them: a magnet that comes later is one.
  let strange = false;
  for (let h = 0; h < halls; h += 1) if (Number.isNaN(base.steppedMs[cell * halls + h])) strange = true;
  if (!strange) return;
  if (closedMs(contacts, cell, atMs - STILL, atMs) > 0) return;
  for (const n of tiles.near[cell] ?? []) if (closedMs(contacts, n, atMs - STILL, atMs) > 0) return;
  for (let h = 0; h < halls; h += 1) {
    const level = stillLevel(sensing, cell, h, atMs);
    const off = level - (tiles.rest[cell * halls + h] ?? 0);
    if (!(Math.abs(off) * limits.mtPerCount <= REMAINS_MT)) return;
  }
  for (let h = 0; h < halls; h += 1) {
    const at = cell * halls + h;
    base.slow[at] = stillLevel(sensing, cell, h, atMs);
    base.steppedMs[at] = -Infinity;
  }
}

/** Mean of a hall's last seconds, counts; NaN when it moved, or was not heard of throughout. */
function stillLevel({ rings, limits }: Sensing, cell: number, hall: number, atMs: AtMs): number {
  readEach(rings, cell, hall, Math.floor(atMs) - STILL, STILL, samples);
  const before = meanOf(0, STILL / 2);
  const after = meanOf(STILL / 2, STILL);
  if (!(Math.abs(after - before) * limits.mtPerCount <= limits.onsetMt / 2)) return NaN;
  const mean = (before + after) / 2;
  let square = 0;
  for (let i = 0; i < STILL; i += 1) {
    const v = samples[i] ?? NaN;
    if (!Number.isNaN(v)) square += (v - mean) * (v - mean);
  }
  return Math.sqrt(square / STILL) * limits.mtPerCount <= limits.onsetMt / 2 ? mean : NaN;
}

/** Mean of what is known of some of the samples read; NaN when a tenth of them is not. */
function meanOf(from: number, to: number): number {
  let sum = 0;
  let known = 0;
  for (let i = from; i < to; i += 1) {
    const v = samples[i] ?? NaN;
    if (Number.isNaN(v)) continue;
    sum += v;
    known += 1;
  }
  return known < 0.9 * (to - from) ? NaN : sum / known;
}

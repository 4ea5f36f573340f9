import { MAGNET_MT } from './baseline.ts';
import { atRail, hasStopped } from './blind.ts';
import type { HealthFinding } from './health-finding.ts';
import type { HealthWatch } from './health-watch.ts';
import type { Sensing } from './state.ts';
import { usualNoise } from './tile-faults.ts';
import { HALL_NAMES } from './tiles.ts';

/** Lines before anything is said of a tile. */
export const LEAST_LINES = 100;
/** Noise over this many times what calibration saw, here or on the usual tile, is a fault; so is this much anywhere. */
const NOISY_TIMES = 5;
const NOISY_MT = 0.5;
/** Samples behind one quiet mean. */
const MEAN_OF = 20;
/** Common shift of all tiles that calls for a new calibration, mT. */
const SHIFT_MT = 1;

/** What quiet lines show to be wrong with hall sensors, each by its cell and name; of a magnet that lies there too. */
export function hallFindings(sensing: Sensing): readonly HealthFinding[] {
  const { tiles, health, limits, setting } = sensing;
  const { halls } = tiles;
  const names = HALL_NAMES[setting.layout.sensors];
  const mostNoise = names.map((_, h) => mostNoiseOf(sensing, h));
  const found: HealthFinding[] = [];
  const shift = commonShift(sensing, tiles.rest);
  // What the baseline has followed since, as warmth and the steel's own magnetism, is no magnet that lies there.
  const shiftNow = commonShift(sensing, sensing.base.slow);
  if (Math.abs(shift) > SHIFT_MT) {
    found.push({
      code: 'health/all-shifted',
      blocks: false,
      text: `All tiles read ${Math.round(shift)} mT more than at calibration.`,
      remedy: 'Check the supply; let the mat warm up for ten minutes; then calibrate anew.',
    });
  }
  for (const [i, { cell, side, tile }] of tiles.cells.entries()) {
    if ((health.heard[i] ?? 0) < LEAST_LINES) continue;
    const where = `tile ${cell} (${side}${tile})`;
    const dead: number[] = [];
    const noisy: number[] = [];
    for (let h = 0; h < halls; h += 1) {
      const at = i * halls + h;
      if (atRail(health.mean[at] ?? 0) || hasStopped(health, at)) dead.push(h);
      else if (spreadOf(health, at) > Math.min(mostNoise[h] ?? 0, NOISY_TIMES * (tiles.noise[at] ?? 0.3)))
        noisy.push(h);
    }
    if (dead.length === halls && dead.every((h) => atRail(health.mean[i * halls + h] ?? 0))) {
      found.push({
        code: 'health/tile-missing',
        blocks: true,
        cell,
        text: `The ${where} does not answer: every sensor of it lies at a rail.`,
        remedy: 'Plug the tile in, or mend its cable.',
      });
    } else {
      for (const h of dead) {
        const seen = atRail(health.mean[i * halls + h] ?? 0) ? 'lies at a rail' : 'never moves';
        found.push({
          code: 'health/hall-dead',
          blocks: h === 0,
          cell,
          hall: names[h] ?? '',
          text: `The ${names[h]} hall of ${where} is dead: its reading ${seen}.`,
          remedy:
            h === 0
              ? 'Check its three wires, or swap the sensor; until then leave this cell without a core.'
              : 'Check its three wires, or swap the sensor; until then the other hall decides there alone.',
        });
      }
    }
    for (const h of noisy) {
      found.push({
        code: 'health/hall-noisy',
        blocks: false,
        cell,
        hall: names[h] ?? '',
        text: `The ${names[h]} hall of ${where} is far noisier than it should be.`,
        remedy: "Look for a loose plug, a phone or a motor nearby, or LEDs on the sensors' supply.",
      });
    }
    const mt =
      ((health.mean[i * halls] ?? 0) - (sensing.base.slow[i * halls] ?? 0)) * limits.mtPerCount - shiftNow;
    // Where the reading jumps about its level is none.
    if (dead.length === 0 && !noisy.includes(0) && Math.abs(mt) > MAGNET_MT) {
      found.push({
        code: 'health/magnet-near',
        blocks: true,
        cell,
        text: `There is a magnet on or near tile ${cell} (${Math.round(mt)} mT).`,
        remedy: 'Lift what lies there and look below the mat; if nothing is there, calibrate anew.',
      });
    }
  }
  return found;
}

/** Noise that is too much for one hall of any tile, counts of a sample: a calibration made of a bad sensor hides none. */
function mostNoiseOf({ setting, limits }: Sensing, h: number): number {
  const usual = NOISY_TIMES * usualNoise(setting.calibration.tiles, h);
  const anywhere = NOISY_MT / limits.mtPerCount;
  return setting.calibration.tiles.length === 0 ? anywhere : Math.min(usual, anywhere);
}

/** Noise of one sample, counts, from the spread of the means. */
function spreadOf(health: HealthWatch, at: number): number {
  return Math.sqrt((health.variance[at] ?? 0) * MEAN_OF);
}

/** Median change of the first halls from these levels, mT: supply, warmth or a turned mat moves them all. */
function commonShift({ tiles, health, limits }: Sensing, from: Float64Array): number {
  const all = tiles.cells
    .flatMap((_, i) =>
      (health.heard[i] ?? 0) < LEAST_LINES
        ? []
        : [(health.mean[i * tiles.halls] ?? 0) - (from[i * tiles.halls] ?? 0)],
    )
    .sort((a, b) => a - b);
  return (all[all.length >> 1] ?? 0) * limits.mtPerCount;
}

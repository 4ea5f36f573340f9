/** Simulated rolls with ground truth, fed to the detector as frames: for tests, the fit and the bench. */
import type { Calibration } from '../../host/sensing/calibration.ts';
import { FIXED_12, type Layout, type SensorLayout } from '../../host/sensing/layout.ts';
import { calibrationOf } from '../../sim/calibration.ts';
import type { Effects } from '../../sim/effects.ts';
import {
  bodiesOf,
  CALL_US,
  type Conditions,
  IMPAIRED_LOSS,
  matOf,
  playRoll,
  type SampleOptions,
} from '../../sim/played.ts';
import { hash32, streamOf, unitOf } from '../../sim/random.ts';
import type { RollShares } from '../../sim/shares.ts';
import type { RollTruth } from '../../sim/truth.ts';
import { type WatchAsk, type Watched, watchTable } from './watch.ts';

export interface RollSetting extends Pick<WatchAsk, 'limits' | 'wire' | 'lateSettle' | 'before' | 'goOn'> {
  readonly seed: number;
  readonly sensors?: SensorLayout;
  readonly conditions?: Conditions;
  readonly shares?: Partial<RollShares>;
  /** What is wrong with table and balls, by name; in the place of `conditions`. */
  readonly effects?: Effects;
  readonly vacantCells?: number;
  readonly samePolarity?: boolean;
  readonly longestMs?: number;
  /** These halls of every tile have died since calibration: they stand at a rail. */
  readonly deadHalls?: readonly number[];
}

export interface RollRun extends Watched {
  readonly truth: RollTruth;
}

const CALL_MS = CALL_US / 1000;
/** Rolls that share a mat and its calibration. */
const ROLLS_A_MAT = 20;

/** Field that no sensor can say. */
const RAIL_MT = -60;

const calibrations = new Map<string, Calibration>();

function calibrationFor(layout: Layout, options: SampleOptions): Calibration {
  const key = `${layout.sensors}/${options.matSeed}/${options.samePolarity === true}/${(options.effects ?? []).join('+')}`;
  const known = calibrations.get(key);
  if (known !== undefined) return known;
  const made = calibrationOf(matOf(options), bodiesOf(options));
  calibrations.set(key, made);
  return made;
}

/** Draws, performs and judges one roll. Twenty rolls running share a mat, as in a match. */
export function runRoll(setting: RollSetting): RollRun {
  const {
    seed,
    sensors,
    conditions,
    effects,
    shares,
    vacantCells,
    samePolarity,
    longestMs,
    wire,
    deadHalls,
    ...rest
  } = setting;
  const layout: Layout = { ...FIXED_12, sensors: sensors ?? FIXED_12.sensors };
  const options: SampleOptions = {
    layout,
    matSeed: 1 + Math.floor(seed / ROLLS_A_MAT),
    conditions: conditions ?? 'clean',
    samePolarity: samePolarity ?? false,
    ...(effects === undefined ? {} : { effects }),
    ...(shares === undefined ? {} : { shares }),
    ...(vacantCells === undefined ? {} : { vacantCells }),
  };
  const { mat, truth, activity } = playRoll(seed, options);
  for (const hall of deadHalls ?? []) for (const { cell } of mat.tiles) mat.kill(cell, hall, RAIL_MT);
  const stream = streamOf(hash32(seed, 42, 0), 1);
  const lossy = effects?.includes('lost-lines') ?? conditions === 'impaired';
  const loss = lossy ? IMPAIRED_LOSS : 0;
  let made = 0;
  const watched = watchTable({
    ...rest,
    layout,
    calibration: calibrationFor(layout, options),
    worlds: { A: mat.world('A'), B: mat.world('B') },
    halls: mat.halls,
    activity,
    callMs: CALL_MS,
    untilMs: CALL_MS + (longestMs ?? 30_000),
    wire(arrived, side) {
      made += 1;
      return !(loss > 0 && unitOf(stream, made) < loss) && wire?.(arrived, side) !== false;
    },
  });
  return { ...watched, truth };
}

/** Simulated rolls with ground truth, fed to the detector as frames: for tests, the fit and the bench. */
import type { UplinkFrame } from '../../firmware-protocol/frame.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { FIXED_12, type Layout, type SensorLayout } from '../../host/sensing/layout.ts';
import type { SensingLimits } from '../../host/sensing/limits.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import {
  createSensing,
  dueAt,
  hearFrame,
  type SenseOutput,
  type Sensing,
  setActivity,
  settle,
} from '../../host/sensing/sensing.ts';
import { calibrationOf } from '../../sim/calibration.ts';
import { createMat } from '../../sim/mat.ts';
import {
  bodiesOf,
  CALL_US,
  type Conditions,
  IMPAIRED_LOSS,
  playRoll,
  type SampleOptions,
} from '../../sim/played.ts';
import { hash32, streamOf, unitOf } from '../../sim/random.ts';
import { createScriptedBoard } from '../../sim/scripted-board.ts';
import type { RollShares } from '../../sim/shares.ts';
import type { RollTruth } from '../../sim/truth.ts';

/** A frame, the host time of its device time and the moment it arrives, ms. */
export interface Arrived {
  readonly frame: UplinkFrame;
  readonly atMs: number;
  readonly arriveMs: number;
}

export interface RollSetting {
  readonly seed: number;
  readonly sensors?: SensorLayout;
  readonly conditions?: Conditions;
  readonly shares?: RollShares;
  readonly vacantCells?: number;
  readonly samePolarity?: boolean;
  readonly limits?: Partial<SensingLimits>;
  /** Sees every frame before the detector does; false loses it. */
  readonly wire?: (arrived: Arrived, side: 'A' | 'B', sensing: Sensing) => boolean;
  /** Settles late: only right before the next frame, as a busy host would. */
  readonly lateSettle?: boolean;
  /** Called before each frame; what it returns goes on in the detector's place. */
  readonly swap?: (sensing: Sensing, atMs: number) => Sensing;
  /** Ends soonest at the final ruling, latest after this. */
  readonly longestMs?: number;
}

/** An output with the moment at which it came out. */
export interface Said {
  readonly output: SenseOutput;
  readonly outMs: number;
}

export interface RollRun {
  readonly truth: RollTruth;
  readonly said: readonly Said[];
  readonly final: RollRuling | undefined;
  readonly sensing: Sensing;
  /** Dense samples that reached the detector. */
  readonly samples: number;
}

const CALL_MS = CALL_US / 1000;
/** Boards are silent until shortly before the call: nothing happens earlier. */
const SILENCE_MS = CALL_MS - 500;
/** From a frame's making to its arrival: the line itself and the wire, ms. */
const LINE_MS = 3;
/** Rolls that share a mat and its calibration. */
const ROLLS_A_MAT = 20;

const calibrations = new Map<string, Calibration>();

function calibrationFor(layout: Layout, options: SampleOptions): Calibration {
  const key = `${layout.sensors}/${options.matSeed}/${options.samePolarity === true}`;
  const known = calibrations.get(key);
  if (known !== undefined) return known;
  const made = calibrationOf(createMat(layout, options.matSeed ?? 1), bodiesOf(options));
  calibrations.set(key, made);
  return made;
}

/** Draws, performs and judges one roll. Twenty rolls running share a mat, as in a match. */
export function runRoll(setting: RollSetting): RollRun {
  const { seed } = setting;
  const layout: Layout = { ...FIXED_12, sensors: setting.sensors ?? FIXED_12.sensors };
  const options: SampleOptions = {
    layout,
    matSeed: 1 + Math.floor(seed / ROLLS_A_MAT),
    conditions: setting.conditions ?? 'clean',
    samePolarity: setting.samePolarity ?? false,
    ...(setting.shares === undefined ? {} : { shares: setting.shares }),
    ...(setting.vacantCells === undefined ? {} : { vacantCells: setting.vacantCells }),
  };
  const calibration = calibrationFor(layout, options);
  const { mat, truth, activity } = playRoll(seed, options);
  const loss = setting.conditions === 'impaired' ? IMPAIRED_LOSS : 0;
  let sensing = createSensing({
    layout,
    calibration,
    ...(setting.limits === undefined ? {} : { limits: setting.limits }),
  });
  const pending: { arrived: Arrived; side: 'A' | 'B' }[] = [];
  let samples = 0;
  let made = 0;
  const stream = streamOf(hash32(seed, 42, 0), 1);
  const boards = (['A', 'B'] as const).map((side) =>
    createScriptedBoard({
      world: mat.world(side),
      side,
      tiles: layout.cells.filter((cell) => cell.side === side).length,
      halls: mat.halls,
      device: side === 'A' ? 'A0000001' : 'B0000001',
      silenceMs: SILENCE_MS,
      spell: false,
      onFrame(frame, atUs) {
        made += 1;
        if (loss > 0 && unitOf(stream, made) < loss) return;
        const arrived = { frame, atMs: SILENCE_MS + frame.deviceUs / 1000, arriveMs: atUs / 1000 + LINE_MS };
        if (setting.wire?.(arrived, side, sensing) === false) return;
        if (frame.kind === 'burst') samples += frame.samples.length;
        pending.push({ arrived, side });
      },
    }),
  );
  const said: Said[] = [];
  const out: SenseOutput[] = [];
  const take = (outMs: number): void => {
    for (const output of out) said.push({ output, outMs });
    out.length = 0;
  };
  const settleTo = (toMs: number): void => {
    for (;;) {
      const due = dueAt(sensing);
      if (due === undefined || due > toMs) return;
      // On time: one due moment after the other, each output dated with it.
      settle(sensing, setting.lateSettle === true ? toMs : due, out);
      take(due);
    }
  };
  let called = false;
  let final: RollRuling | undefined;
  const endMs = CALL_MS + (setting.longestMs ?? 30_000);
  for (let ms = SILENCE_MS; ms < endMs && final === undefined; ms += 8) {
    for (const board of boards) board.runTo(ms * 1000);
    pending.sort((a, b) => a.arrived.arriveMs - b.arrived.arriveMs);
    while ((pending[0]?.arrived.arriveMs ?? Infinity) <= ms) {
      const next = pending.shift();
      if (next === undefined) break;
      const { arrived, side } = next;
      if (!called && arrived.arriveMs >= CALL_MS) {
        called = true;
        setActivity(sensing, activity, CALL_MS, out);
      }
      settleTo(arrived.arriveMs);
      if (setting.swap !== undefined) sensing = setting.swap(sensing, arrived.arriveMs);
      hearFrame(sensing, side, arrived.frame, arrived.atMs, 0.5, out);
      if (setting.lateSettle !== true) settleTo(arrived.arriveMs);
      take(arrived.arriveMs);
    }
    const last = said.at(-1)?.output;
    if (last?.kind === 'ruling' && last.ruling.stage === 'final') final = last.ruling;
  }
  return { truth, said, final, sensing, samples };
}

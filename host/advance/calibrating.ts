import type { BoardSide, QuietFrame } from '../../firmware-protocol/frame.ts';
import type { Refusal } from '../game/ruleset.ts';
import { type AtMs, type CellId, SIDES } from '../ids.ts';
import {
  calibrationMade,
  createCalibrator,
  hearCalibration,
  promptOf,
  skipStep,
} from '../sensing/calibrate.ts';
import { type CalibratingSeen, calibratingSeen } from '../sensing/calibrate-seen.ts';
import { calibrationProblem } from '../sensing/check-calibration.ts';
import { recalibrated } from '../sensing/recalibrate.ts';
import { gatesFitted, heardMs, type SenseOutput } from '../sensing/sensing.ts';
import { afterPlay } from './after-play.ts';
import type { Command, Output } from './input.ts';
import type { TableSetting } from './setting.ts';
import type { TableState } from './state.ts';

type Calibrate = Extract<Command, { readonly do: 'calibrate' }>;

function no(code: string, message: string): Refusal {
  return { code, message, rules: [] };
}

/** Begins a calibration, goes on in it, or ends it. */
export function takeCalibrate(
  state: TableState,
  setting: TableSetting,
  id: string,
  command: Calibrate,
  atMs: AtMs,
  sensed: SenseOutput[],
  outputs: Output[],
): Refusal | undefined {
  const { by } = command;
  if (by.role !== 'operator') return no('calibrate/not-yours', 'Only the operator calibrates the mat.');
  if (command.act === 'start') return start(state, setting, command, atMs, sensed);
  const now = state.calibrating;
  if (now === null) return no('calibrate/not-begun', 'No calibration is going on: start one.');
  switch (command.act) {
    case 'skip':
      skipStep(now.calibrator);
      state.lightsStale = true;
      return undefined;
    case 'cancel':
      if (now.saving) {
        return no('calibrate/saving', 'It is being kept already: wait a moment, then start another one.');
      }
      state.calibrating = null;
      afterPlay(state, setting, atMs, sensed);
      return undefined;
    case 'save': {
      const made = now.calibrator.leaving ? undefined : calibrationMade(now.calibrator);
      if (made === undefined) {
        return no('calibrate/unfinished', 'There are steps to do yet: do them, or leave them out.');
      }
      now.saving = true;
      now.trouble = '';
      outputs.push({ kind: 'calibrated', atMs, id, by, calibration: made });
      return undefined;
    }
    case 'not-kept':
      now.saving = false;
      now.trouble = command.why;
      return undefined;
    default:
      return command satisfies never;
  }
}

function start(
  state: TableState,
  setting: TableSetting,
  command: Extract<Calibrate, { readonly act: 'start' }>,
  atMs: AtMs,
  sensed: SenseOutput[],
): Refusal | undefined {
  if (state.calibrating !== null) return no('calibrate/begun', 'A calibration is going on already.');
  if (state.activity.kind === 'roll' && state.sensing.live.firstSignMs >= 0) {
    return no('calibrate/rolling', 'Balls are on their way: wait for the ruling.');
  }
  const { by, reference, balls } = command;
  const calibrator = createCalibrator({
    layout: setting.layout,
    reference,
    balls: [...new Set(balls)].filter((ball) => ball !== reference),
    gates: SIDES.filter((side) => heardMs(state.sensing, side) >= 0 && gatesFitted(state.sensing, side)),
    before: state.calibration,
  });
  state.calibrating = { calibrator, by, sinceMs: atMs, saving: false, trouble: '' };
  afterPlay(state, setting, atMs, sensed);
  return undefined;
}

/** Takes a calibration into force. Detector and health begin anew with it; the game goes on. */
export function useCalibration(
  state: TableState,
  setting: TableSetting,
  command: Extract<Command, { readonly do: 'use-calibration' }>,
  atMs: AtMs,
  sensed: SenseOutput[],
): Refusal | undefined {
  const { by, calibration } = command;
  if (by.role !== 'operator') return no('calibrate/not-yours', 'Only the operator calibrates the mat.');
  const problem = calibrationProblem(calibration, setting.layout);
  if (problem !== undefined) return no('calibrate/unusable', problem);
  if (state.activity.kind === 'roll') {
    return no('calibrate/rolling', 'A roll is live: a calibration is taken into use between rolls.');
  }
  state.calibration = calibration;
  state.calibrating = null;
  state.sensing = recalibrated(state.sensing, calibration, atMs);
  afterPlay(state, setting, atMs, sensed);
  return undefined;
}

/** One quiet line of a board, for the calibration that is going on. Says when its lights change. */
export function hearForCalibration(state: TableState, side: BoardSide, frame: QuietFrame): void {
  const calibrator = state.calibrating?.calibrator;
  if (calibrator === undefined) return;
  const { at, leaving } = calibrator;
  hearCalibration(calibrator, side, frame);
  if (calibrator.at !== at || calibrator.leaving !== leaving) state.lightsStale = true;
}

/** Cells that the calibration wants lit, brightest for the light pattern; undefined while none is going on. */
export function calibrationLit(
  state: TableState,
): { readonly cells: ReadonlySet<CellId>; readonly all: boolean } | undefined {
  const calibrator = state.calibrating?.calibrator;
  if (calibrator === undefined) return undefined;
  const prompt = promptOf(calibrator);
  return { cells: new Set(prompt.lit), all: prompt.step.kind === 'lit' && !calibrator.leaving };
}

/** What a person is shown of the calibration that is going on; null while none is. */
export function calibrationSeen(state: TableState): CalibratingSeen | null {
  const now = state.calibrating;
  if (now === null) return null;
  const seen = calibratingSeen(now.calibrator, state.atMs - now.sinceMs, now.saving);
  if (now.trouble !== '') return { ...seen, problem: now.trouble };
  const silent = SIDES.filter(
    (side) =>
      state.sensing.tiles.cells.some((cell) => cell.side === side) &&
      !(state.atMs - heardMs(state.sensing, side) <= SILENT_MS),
  );
  if (silent.length === 0) return seen;
  return { ...seen, problem: `Nothing is heard of side ${silent.join(' and ')}: see to its cable first.` };
}

/** A side that was not heard for this long keeps a calibration waiting, ms. */
const SILENT_MS = 1000;

import type { CellId } from '../ids.ts';
import type { CalibrateAsk, CalibrateStep } from './calibrate-steps.ts';
import { createGather, type Gather, restart, SAMPLES_OF_MEAN } from './gather.ts';
import { HALLS_OF } from './tiles.ts';

/** A calibration in the making. Changed in place, by the functions of `calibrate.ts` only. */
export interface Calibrator {
  readonly ask: CalibrateAsk;
  readonly halls: number;
  readonly steps: readonly CalibrateStep[];
  at: number;
  readonly gathered: Gather;
  /** Rest, its spread, and full light, counts by cell · halls + hall. */
  readonly rest: Float64Array;
  readonly spread: Float64Array;
  /** Level of the empty mat as it was last seen: each ball leaves the steel a little magnetised. */
  readonly zero: Float64Array;
  readonly lit: Float64Array;
  /** Largest and least level over the empty mat while the reference ball was taken off, counts. */
  readonly liftMost: Float64Array;
  readonly liftLeast: Float64Array;
  /** Levels of all halls with the ball seated, by step. */
  readonly seats: (Float64Array | undefined)[];
  readonly touched: Uint8Array;
  readonly closed: Uint8Array;
  readonly newest: Float64Array;
  /** Beams of the launch gates, by side · 4 + far · 2: seen blocked, and then free again. */
  readonly beams: Uint8Array;
  /** A ball still lies where it was measured. */
  leaving: boolean;
  /** Quiet lines since the lights or the ball changed. */
  settled: number;
  problem: string;
  /** A person says that nothing lies on the mat, whatever its levels: they are taken as they are. */
  trusted: boolean;
}

/** Noise of a sample at rest beyond which a hall's means never lie still, counts. */
const RESTLESS_COUNTS = 5;
const DOUBT_SIGMAS = 4;

/** A calibration that is about to begin. */
export function createCalibrator(ask: CalibrateAsk): Calibrator {
  const { layout } = ask;
  const n = layout.cells.length;
  const halls = HALLS_OF[layout.sensors];
  const three = [...new Set([0, n >> 1, n - 1])];
  const steps: CalibrateStep[] = [
    { kind: 'empty' },
    { kind: 'lit' },
    ...layout.cells.map((_, cell): CalibrateStep => ({ kind: 'seat', cell, ball: ask.reference })),
    ...ask.balls.flatMap((ball) => three.map((cell): CalibrateStep => ({ kind: 'seat', cell, ball }))),
    ...(ask.gates ?? []).map((side): CalibrateStep => ({ kind: 'gates', side })),
    { kind: 'done' },
  ];
  return {
    ask,
    halls,
    steps,
    at: 0,
    gathered: createGather(n, halls),
    rest: new Float64Array(n * halls),
    spread: new Float64Array(n * halls),
    zero: new Float64Array(n * halls),
    lit: new Float64Array(n * halls),
    liftMost: new Float64Array(n * halls),
    liftLeast: new Float64Array(n * halls),
    seats: [],
    touched: new Uint8Array(n),
    closed: new Uint8Array(n),
    newest: new Float64Array(n * halls).fill(Number.NaN),
    beams: new Uint8Array(8),
    leaving: false,
    settled: 0,
    problem: '',
    trusted: false,
  };
}

/** The step now. */
export function stepOf(c: Calibrator): CalibrateStep {
  return c.steps[c.at] ?? { kind: 'done' };
}

/** Goes on to the next step, with a fresh window. */
export function nextStep(c: Calibrator): void {
  c.at += 1;
  c.settled = 0;
  c.problem = '';
  restart(c.gathered);
}

/** Whether a hall moved so much on the empty mat that nothing it does says that something is put down or taken. */
export function isRestless(c: Calibrator, at: number): boolean {
  return (c.spread[at] ?? 0) > RESTLESS_COUNTS;
}

/** How far the mean of the window may be from the truth at a restless hall, counts. */
export function doubtOf(c: Calibrator, at: number): number {
  return (DOUBT_SIGMAS * (c.spread[at] ?? 0)) / Math.sqrt(SAMPLES_OF_MEAN * Math.max(1, c.gathered.lines));
}

/** Name of a cell by its number. */
export function nameOf(c: Calibrator, cell: number): CellId {
  return c.ask.layout.cells[cell]?.cell ?? '';
}

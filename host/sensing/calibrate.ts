import type { BoardSide, QuietFrame } from '../../firmware-protocol/frame.ts';
import { MEAN_STEPS_PER_COUNT } from '../../firmware-protocol/frame.ts';
import type { CellId } from '../ids.ts';
import type { CalibrateAsk, CalibrateStep } from './calibrate-steps.ts';
import type { Calibration } from './calibration.ts';
import { calibrationFrom } from './calibration-made.ts';
import { closeGather, createGather, type Gather, gather, meanOf, rangeOf, restart } from './gather.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { cellsOfBoard, HALLS_OF } from './tiles.ts';

/** What to show now: the sentence, the light, how far along, and what is in the way. */
export interface CalibratePrompt {
  readonly step: CalibrateStep;
  readonly cell?: CellId;
  /** Cells to light: one to touch next, all for the light pattern, none while the mat must be dark. */
  readonly lit: readonly CellId[];
  readonly text: string;
  readonly problem: string;
  /** Share of all steps that is done, 0 to 1. */
  readonly progress: number;
}

/** A calibration in the making. Changed in place, by the functions of this file only. */
export interface Calibrator {
  readonly ask: CalibrateAsk;
  readonly halls: number;
  readonly steps: readonly CalibrateStep[];
  at: number;
  readonly gathered: Gather;
  /** Rest, its spread, and full light, counts by cell · halls + hall. */
  readonly rest: Float64Array;
  readonly spread: Float64Array;
  readonly lit: Float64Array;
  /** Levels of all halls with the ball seated, by step. */
  readonly seats: (Float64Array | undefined)[];
  readonly touched: Uint8Array;
  readonly closed: Uint8Array;
  readonly newest: Float64Array;
  /** A ball still lies where it was measured. */
  leaving: boolean;
  /** Quiet lines since the lights or the ball changed. */
  settled: number;
  problem: string;
}

/** Quiet lines (20 ms each) of a window: five seconds, one, and four tenths. */
const EMPTY_LINES = 250;
const LIT_LINES = 50;
const SEAT_LINES = 20;
/** Lines that lights and hands get to settle. */
const SETTLE_LINES = 20;
/** A wrong tile that answers for so long is the tile: the plugs are swapped, and the report says so. */
const INSIST_LINES = 150;
/** Largest span of a window that is still: empty mat, and seated ball, counts. */
const STILL_EMPTY = 12;
const STILL_SEAT = 6;
/** A level this far from the last calibration, or from mid-supply, is a magnet, mT. */
const MAGNET_MT = 1.5;
const OFFSET_MT = 5;
/** A seated ball moves its tile by this at least, mT. */
const SEATED_MT = 1;
const MT = DEFAULT_LIMITS.mtPerCount;

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
    lit: new Float64Array(n * halls),
    seats: [],
    touched: new Uint8Array(n),
    closed: new Uint8Array(n),
    newest: new Float64Array(n * halls).fill(Number.NaN),
    leaving: false,
    settled: 0,
    problem: '',
  };
}

/** Takes in one quiet line. Other lines say nothing that these do not. */
export function hearCalibration(c: Calibrator, side: BoardSide, frame: QuietFrame): void {
  const map = cellsOfBoard(c.ask.layout, side);
  let tiles = 0;
  for (const cell of map) if (cell >= 0) tiles += 1;
  const halls = Math.floor(frame.means.length / Math.max(1, tiles));
  for (let tile = 0; tile < tiles && halls > 0; tile += 1) {
    const cell = map[tile] ?? -1;
    if (cell < 0) continue;
    c.closed[cell] = (frame.inputs >> tile) & 1;
    for (let h = 0; h < c.halls && h < halls; h += 1) {
      const counts = (frame.means[tile * halls + h] ?? 0) / MEAN_STEPS_PER_COUNT;
      c.newest[cell * c.halls + h] = counts;
      gather(c.gathered, cell * c.halls + h, counts);
    }
  }
  if (closeGather(c.gathered)) look(c);
}

/** Goes on without this step: that tile stays unmeasured and the report says so. */
export function skipStep(c: Calibrator): void {
  if (stepOf(c).kind !== 'done') next(c);
}

/** The step now. */
export function stepOf(c: Calibrator): CalibrateStep {
  return c.steps[c.at] ?? { kind: 'done' };
}

function next(c: Calibrator): void {
  c.at += 1;
  c.settled = 0;
  c.problem = '';
  restart(c.gathered);
}

/** A line of every tile is in: what it means in this step. */
function look(c: Calibrator): void {
  const step = stepOf(c);
  c.settled += 1;
  if (c.leaving) {
    if (isEmpty(c)) {
      c.leaving = false;
      c.settled = 0;
    }
    restart(c.gathered);
    return;
  }
  if (c.settled < SETTLE_LINES) {
    restart(c.gathered);
    return;
  }
  switch (step.kind) {
    case 'empty':
      lookEmpty(c);
      return;
    case 'lit':
      if (c.gathered.lines < LIT_LINES) return;
      for (let i = 0; i < c.lit.length; i += 1) c.lit[i] = meanOf(c.gathered, i) - (c.rest[i] ?? 0);
      next(c);
      return;
    case 'seat':
      lookSeat(c, step.cell);
      return;
    case 'done':
      return;
    default:
      step satisfies never;
  }
}

/** Mat as it was when empty. */
function isEmpty(c: Calibrator): boolean {
  for (let cell = 0; cell < c.touched.length; cell += 1) {
    const at = cell * c.halls;
    if (Math.abs((c.newest[at] ?? 0) - (c.rest[at] ?? 0)) * MT > SEATED_MT) return false;
  }
  return true;
}

function lookEmpty(c: Calibrator): void {
  const { cells } = c.ask.layout;
  for (const [cell, { cell: name, side, tile }] of cells.entries()) {
    const at = cell * c.halls;
    const before = c.ask.before?.tiles.find((t) => t.tile === `${side}${tile}`)?.halls[0]?.restCounts;
    const off = ((c.newest[at] ?? 0) - (before ?? 512)) * MT;
    if (Math.abs(off) > (before === undefined ? OFFSET_MT : MAGNET_MT)) {
      c.problem = `There is a ball or a magnet on ${name}, or near it: take it away. Nothing is learnt until then.`;
      restart(c.gathered);
      return;
    }
    if (rangeOf(c.gathered, at) > STILL_EMPTY) {
      c.problem = `Something moves at ${name}: keep hands and balls off the mat.`;
      restart(c.gathered);
      return;
    }
  }
  c.problem = '';
  if (c.gathered.lines < EMPTY_LINES) return;
  for (let i = 0; i < c.rest.length; i += 1) {
    c.rest[i] = meanOf(c.gathered, i);
    c.spread[i] = c.gathered.spread(i);
  }
  next(c);
}

function lookSeat(c: Calibrator, target: number): void {
  let most = -1;
  let size = SEATED_MT / MT;
  for (let cell = 0; cell < c.touched.length; cell += 1) {
    const off = Math.abs((c.newest[cell * c.halls] ?? 0) - (c.rest[cell * c.halls] ?? 0));
    if (off > size) {
      size = off;
      most = cell;
    }
  }
  // A core is dirty here and there: one touch while the ball stands shows that the contact works.
  if (most === target && c.closed[target] === 1) c.touched[target] = 1;
  if (most < 0 || rangeOf(c.gathered, most * c.halls) > STILL_SEAT) {
    restart(c.gathered);
    return;
  }
  if (most !== target && c.gathered.lines < INSIST_LINES) {
    c.problem = `The ball reads on ${nameOf(c, most)}: put it on ${nameOf(c, target)}. If it lies there, wait.`;
    return;
  }
  if (c.gathered.lines < SEAT_LINES) return;
  c.seats[c.at] = Float64Array.from(c.rest, (rest, i) => meanOf(c.gathered, i) - rest);
  c.leaving = true;
  next(c);
}

function nameOf(c: Calibrator, cell: number): CellId {
  return c.ask.layout.cells[cell]?.cell ?? '';
}

/** What the person is to do now. */
export function promptOf(c: Calibrator): CalibratePrompt {
  const step = stepOf(c);
  const { cells } = c.ask.layout;
  const common = { step, problem: c.problem, progress: c.at / (c.steps.length - 1) };
  if (c.leaving) return { ...common, lit: [], text: 'Take the ball off the mat.' };
  switch (step.kind) {
    case 'empty':
      return { ...common, lit: [], text: 'Leave the mat empty and touch nothing for five seconds.' };
    case 'lit':
      return {
        ...common,
        lit: cells.map((one) => one.cell),
        text: 'All lights are measured: touch nothing.',
      };
    case 'seat': {
      const cell = nameOf(c, step.cell);
      return {
        ...common,
        cell,
        lit: [cell],
        text: `Open ${step.ball} and stand it on the lit core, ${cell}.`,
      };
    }
    case 'done':
      return { ...common, lit: [], text: 'Done.' };
    default:
      return step satisfies never;
  }
}

/** The calibration, once every step is done or skipped; undefined before, and while the mat was never seen empty. */
export function calibrationMade(c: Calibrator): Calibration | undefined {
  return stepOf(c).kind === 'done' ? calibrationFrom(c) : undefined;
}

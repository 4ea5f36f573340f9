import type { BoardSide, QuietFrame } from '../../firmware-protocol/frame.ts';
import { MEAN_STEPS_PER_COUNT } from '../../firmware-protocol/frame.ts';
import type { CellId, Side } from '../ids.ts';
import type { CalibrateStep } from './calibrate-steps.ts';
import type { Calibration } from './calibration.ts';
import { calibrationFrom } from './calibration-made.ts';
import { type Calibrator, nameOf, nextStep, stepOf } from './calibrator.ts';
import { closeGather, gather, meanOf, rangeOf, restart } from './gather.ts';
import { INPUTS_OF, playersOf } from './hear-inputs.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { cellsOfBoard } from './tiles.ts';

export { type Calibrator, createCalibrator, stepOf } from './calibrator.ts';

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

/** Quiet lines (20 ms each) of a window: five seconds, one, and four tenths. */
const EMPTY_LINES = 250;
const LIT_LINES = 50;
const SEAT_LINES = 20;
/** Lines that lights and hands get to settle. */
const SETTLE_LINES = 20;
/** A wrong tile that answers for so long is the tile: the plugs are swapped, and the report says so. */
const INSIST_LINES = 150;
/** A ball that nothing feels for so long: eight seconds. */
const NOTHING_LINES = 400;
/** Largest span of a window that is still: empty mat, and seated ball, counts. */
const STILL_EMPTY = 12;
const STILL_SEAT = 6;
/** A level this far from the last calibration, or from mid-supply, is a magnet, mT. */
const MAGNET_MT = 1.5;
const OFFSET_MT = 5;
/** A seated ball moves its tile by this at least, mT. */
const SEATED_MT = 1;
/** Share of its field that a ball may leave behind in the steel, and still lines that show it has gone. */
const LEFT_SHARE = 0.2;
const LEFT_LINES = 10;
/** Counts from the end of the converter that are its end. */
const RAIL_COUNTS = 8;
const MT = DEFAULT_LIMITS.mtPerCount;

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
  for (const [i, player] of playersOf(side).entries()) hearBeams(c, player, frame.inputs, INPUTS_OF[i]);
  if (closeGather(c.gathered)) look(c);
}

/** A beam works when it was seen blocked and then free, while its side's beams are tried. */
function hearBeams(
  c: Calibrator,
  side: Side,
  inputs: number,
  its: (typeof INPUTS_OF)[number] | undefined,
): void {
  const step = stepOf(c);
  if (step.kind !== 'gates' || step.side !== side || its === undefined || c.leaving) return;
  for (const [i, input] of [its.near, its.far].entries()) {
    const at = (side === 'A' ? 0 : 4) + 2 * i;
    if (((inputs >> input) & 1) === 1) c.beams[at] = 1;
    else if (c.beams[at] === 1) c.beams[at + 1] = 1;
  }
}

/** Whether both beams of a side were seen to work. */
export function beamsWork(c: Calibrator, side: Side): boolean {
  const at = side === 'A' ? 0 : 4;
  return c.beams[at + 1] === 1 && c.beams[at + 3] === 1;
}

/**
 * Goes on without this step: that tile stays unmeasured and the report says so. The empty mat cannot be left out; there
 * it means that nothing lies on it, though a level is far from what was expected, as with a sensor that is new.
 */
export function skipStep(c: Calibrator): void {
  const { kind } = stepOf(c);
  if (kind === 'empty') c.trusted = true;
  else if (kind !== 'done') nextStep(c);
}

/** A line of every tile is in: what it means in this step. */
function look(c: Calibrator): void {
  const step = stepOf(c);
  c.settled += 1;
  if (c.leaving) {
    lookLeaving(c);
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
      nextStep(c);
      return;
    case 'seat':
      lookSeat(c, step.cell);
      return;
    case 'gates':
      if (beamsWork(c, step.side)) nextStep(c);
      else if (c.settled > NOTHING_LINES) c.problem = beamsMissing(c, step.side);
      return;
    case 'done':
      return;
    default:
      step satisfies never;
  }
}

/** The ball is gone once every tile is still and near its last zero; what it left in the steel is the new zero. */
function lookLeaving(c: Calibrator): void {
  const seat = c.seats[c.at - 1];
  for (let cell = 0; cell < c.touched.length; cell += 1) {
    const at = cell * c.halls;
    const off = Math.abs((c.newest[at] ?? 0) - (c.zero[at] ?? 0));
    const left = Math.max(SEATED_MT / MT, LEFT_SHARE * Math.abs(seat?.[at] ?? 0));
    if (off > left || rangeOf(c.gathered, at) > STILL_SEAT) {
      restart(c.gathered);
      return;
    }
  }
  if (c.gathered.lines < LEFT_LINES) return;
  for (let i = 0; i < c.zero.length; i += 1) c.zero[i] = meanOf(c.gathered, i);
  c.leaving = false;
  c.settled = 0;
  restart(c.gathered);
}

function lookEmpty(c: Calibrator): void {
  const { cells } = c.ask.layout;
  const offs = offsMt(c);
  // Supply and warmth move all tiles together: that is what calibrations are made for.
  const common = [...offs].sort((a, b) => a - b)[offs.length >> 1] ?? 0;
  for (const [cell, { cell: name, side, tile }] of cells.entries()) {
    const at = cell * c.halls;
    // A sensor at a rail is dead; a ball does not get there. Its own step and the report say so.
    if (atRail(c.newest[at] ?? 0)) continue;
    const known = restBefore(c, `${side}${tile}`) !== undefined;
    const off = (offs[cell] ?? 0) - (known ? common : 0);
    if (!c.trusted && Math.abs(off) > (known ? MAGNET_MT : OFFSET_MT)) {
      c.problem = `There is a ball or a magnet on ${name}, or near it: take it away. Nothing is learnt until then. If nothing is there, leave this check out.`;
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
    c.zero[i] = c.rest[i] ?? 0;
    c.spread[i] = c.gathered.spread(i);
  }
  nextStep(c);
}

/** First halls against the calibration in force, or against mid-supply, mT. */
function offsMt(c: Calibrator): readonly number[] {
  return c.ask.layout.cells.map(
    ({ side, tile }, cell) =>
      ((c.newest[cell * c.halls] ?? 0) - (restBefore(c, `${side}${tile}`) ?? 512)) * MT,
  );
}

function atRail(counts: number): boolean {
  return counts < RAIL_COUNTS || counts > 1023 - RAIL_COUNTS;
}

function restBefore(c: Calibrator, tile: string): number | undefined {
  return c.ask.before?.tiles.find((one) => one.tile === tile)?.halls[0]?.restCounts;
}

function lookSeat(c: Calibrator, target: number): void {
  let most = -1;
  let size = SEATED_MT / MT;
  for (let cell = 0; cell < c.touched.length; cell += 1) {
    const off = Math.abs((c.newest[cell * c.halls] ?? 0) - (c.zero[cell * c.halls] ?? 0));
    if (off > size) {
      size = off;
      most = cell;
    }
  }
  // A core is dirty here and there: one touch while the ball stands shows that the contact works.
  if (most === target && c.closed[target] === 1) c.touched[target] = 1;
  if (most < 0 && c.settled > NOTHING_LINES) {
    c.problem = `Nothing is felt on ${nameOf(c, target)}. If the ball stands there its sensor is dead: leave this tile out.`;
  }
  if (most < 0 || rangeOf(c.gathered, most * c.halls) > STILL_SEAT) {
    restart(c.gathered);
    return;
  }
  if (most !== target && c.gathered.lines < INSIST_LINES) {
    c.problem = `The ball reads on ${nameOf(c, most)}: put it on ${nameOf(c, target)}. If it lies there, wait.`;
    return;
  }
  if (c.gathered.lines < SEAT_LINES) return;
  c.seats[c.at] = Float64Array.from(c.zero, (zero, i) => meanOf(c.gathered, i) - zero);
  c.leaving = true;
  nextStep(c);
}

function beamsMissing(c: Calibrator, side: Side): string {
  const at = side === 'A' ? 0 : 4;
  const dead = [...(c.beams[at + 1] === 1 ? [] : ['near']), ...(c.beams[at + 3] === 1 ? [] : ['far'])];
  return `The ${dead.join(' and the ')} beam of side ${side} was not seen to change: clean it, see that its light meets its eye, or leave this out.`;
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
    case 'gates':
      return {
        ...common,
        lit: [],
        text: `Push a closed ball from player ${step.side}'s edge through both light beams, then take it away.`,
      };
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

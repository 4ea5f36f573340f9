import type { BoardSide, QuietFrame } from '../../firmware-protocol/frame.ts';
import { MEAN_STEPS_PER_COUNT } from '../../firmware-protocol/frame.ts';
import { beamsMissing, beamsWork, hearBeams } from './calibrate-beams.ts';
import type { Calibration } from './calibration.ts';
import { calibrationFrom } from './calibration-made.ts';
import { type Calibrator, doubtOf, isRestless, nameOf, nextStep, stepOf } from './calibrator.ts';
import { closeGather, gather, meanOf, rangeOf, restart } from './gather.ts';
import { INPUTS_OF, playersOf } from './hear-inputs.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { cellsOfBoard } from './tiles.ts';

export { beamsSeen, beamsWork } from './calibrate-beams.ts';
export { type CalibratePrompt, promptOf } from './calibrate-prompt.ts';
export { type Calibrator, createCalibrator, stepOf } from './calibrator.ts';

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
  noteLift(c);
  for (let cell = 0; cell < c.touched.length; cell += 1) {
    const at = cell * c.halls;
    if (isRestless(c, at)) continue;
    const off = Math.abs((c.newest[at] ?? 0) - (c.zero[at] ?? 0));
    if (off > leftCounts(seat, at) || rangeOf(c.gathered, at) > STILL_SEAT) {
      restart(c.gathered);
      return;
    }
  }
  if (c.gathered.lines < LEFT_LINES) return;
  if (liesOnRestless(c, seat)) {
    restart(c.gathered);
    return;
  }
  for (let i = 0; i < c.zero.length; i += 1) c.zero[i] = meanOf(c.gathered, i);
  c.leaving = false;
  c.settled = 0;
  restart(c.gathered);
}

function leftCounts(seat: Float64Array | undefined, at: number): number {
  return Math.max(SEATED_MT / MT, LEFT_SHARE * Math.abs(seat?.[at] ?? 0));
}

/** Where a hall never lies still only its mean tells whether the ball has gone. */
function liesOnRestless(c: Calibrator, seat: Float64Array | undefined): boolean {
  return c.ask.layout.cells.some((_, cell) => {
    const at = cell * c.halls;
    const off = Math.abs(meanOf(c.gathered, at) - (c.zero[at] ?? 0));
    return isRestless(c, at) && off > leftCounts(seat, at) + doubtOf(c, at);
  });
}

/** How far each hall of the tile goes to either side while the reference ball rises. */
function noteLift(c: Calibrator): void {
  const step = c.steps[c.at - 1];
  if (step?.kind !== 'seat' || step.ball !== c.ask.reference) return;
  for (let h = 0; h < c.halls; h += 1) {
    const at = step.cell * c.halls + h;
    const level = (c.newest[at] ?? 0) - (c.zero[at] ?? 0);
    c.liftMost[at] = Math.max(c.liftMost[at] ?? 0, level);
    c.liftLeast[at] = Math.min(c.liftLeast[at] ?? 0, level);
  }
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
    if (!c.trusted && rangeOf(c.gathered, at) > STILL_EMPTY) {
      c.problem = `Something moves at ${name}: keep hands and balls off the mat. If nothing is there its sensor is noisy: leave this check out.`;
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
    const at = cell * c.halls;
    if (isRestless(c, at) && cell !== target) continue;
    const off = Math.abs((c.newest[at] ?? 0) - (c.zero[at] ?? 0));
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
  const still =
    most >= 0 && (isRestless(c, most * c.halls) || rangeOf(c.gathered, most * c.halls) <= STILL_SEAT);
  if (!still) {
    restart(c.gathered);
    return;
  }
  if (most !== target && c.gathered.lines < INSIST_LINES) {
    c.problem = `The ball reads on ${nameOf(c, most)}: put it on ${nameOf(c, target)}. If it lies there, wait.`;
    return;
  }
  if (c.gathered.lines < SEAT_LINES) return;
  const at = target * c.halls;
  const seated = Math.abs(meanOf(c.gathered, at) - (c.zero[at] ?? 0));
  if (most === target && isRestless(c, at) && seated < SEATED_MT / MT + doubtOf(c, at)) {
    restart(c.gathered);
    return;
  }
  c.seats[c.at] = Float64Array.from(c.zero, (zero, i) => meanOf(c.gathered, i) - zero);
  c.leaving = true;
  nextStep(c);
}

/** The calibration, once every step is done or skipped; undefined before, and while the mat was never seen empty. */
export function calibrationMade(c: Calibrator): Calibration | undefined {
  return stepOf(c).kind === 'done' ? calibrationFrom(c) : undefined;
}

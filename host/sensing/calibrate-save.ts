import { type BakuganId, type Json, SIDES } from '../ids.ts';
import type { Calibration } from './calibration.ts';
import { type Calibrator, createCalibrator } from './calibrator.ts';
import type { Layout } from './layout.ts';
import { packBytes, unpackBytes } from './save-bytes.ts';

type Saved = { readonly [key: string]: Json };

/** Every buffer of a calibration in the making, all of fixed size for a layout. */
function buffersOf(c: Calibrator) {
  const { gathered } = c;
  return {
    rest: c.rest,
    zero: c.zero,
    spread: c.spread,
    lit: c.lit,
    liftMost: c.liftMost,
    liftLeast: c.liftLeast,
    touched: c.touched,
    closed: c.closed,
    beams: c.beams,
    newest: c.newest,
    got: gathered.got,
    now: gathered.now,
    sum: gathered.sum,
    squares: gathered.squares,
    least: gathered.least,
    most: gathered.most,
  };
}

/** A calibration in the making as JSON. `loadCalibrator` gives one that goes on exactly as this one would. */
export function saveCalibrator(c: Calibrator): Json {
  const { ask, at, gathered, leaving, settled, problem, trusted } = c;
  return {
    reference: ask.reference,
    balls: [...ask.balls],
    gates: [...(ask.gates ?? [])],
    at,
    lines: gathered.lines,
    leaving,
    settled,
    problem,
    trusted,
    buffers: Object.fromEntries(
      Object.entries(buffersOf(c)).map(([name, array]) => [name, packBytes(array)]),
    ),
    seats: c.steps.map((_, step) => {
      const seat = c.seats[step];
      return seat === undefined ? null : packBytes(seat);
    }),
  };
}

/** `before` is the calibration in force when it began. Throws a RangeError when nothing usable was saved. */
export function loadCalibrator(layout: Layout, before: Calibration, saved: Json): Calibrator {
  const from = mapOf(saved);
  if (typeof from.reference !== 'string' || !Array.isArray(from.balls)) throw unusable();
  const balls = from.balls.filter((ball): ball is BakuganId => typeof ball === 'string');
  const sides: readonly Json[] = Array.isArray(from.gates) ? from.gates : [];
  const gates = SIDES.filter((side) => sides.includes(side));
  const c = createCalibrator({ layout, reference: from.reference, balls, gates, before });
  c.at = numberOf(from.at);
  c.gathered.lines = numberOf(from.lines);
  c.leaving = from.leaving === true;
  c.settled = numberOf(from.settled);
  c.problem = textOf(from.problem);
  c.trusted = from.trusted === true;
  const buffers = mapOf(from.buffers);
  for (const [name, array] of Object.entries(buffersOf(c))) unpackBytes(textOf(buffers[name]), array);
  const seats = Array.isArray(from.seats) ? from.seats : [];
  for (const [step, seat] of seats.entries()) {
    if (typeof seat !== 'string') continue;
    const levels = new Float64Array(c.rest.length);
    unpackBytes(seat, levels);
    c.seats[step] = levels;
  }
  return c;
}

function unusable(): RangeError {
  return new RangeError('The saved calibration in the making cannot be used: calibrate anew.');
}

function isMap(value: Json | undefined): value is Saved {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapOf(value: Json | undefined): Saved {
  return isMap(value) ? value : {};
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

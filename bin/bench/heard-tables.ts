/** What a table's boards say in some seconds, taken down once, and the detector that hears it again and again. */
import type { UplinkFrame } from '../../firmware-protocol/frame.ts';
import { decodeLine, encodeUp } from '../../firmware-protocol/line.ts';
import type { Activity } from '../../host/sensing/activity.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import {
  createSensing,
  hearFrame,
  type SenseOutput,
  type Sensing,
  setActivity,
  settle,
} from '../../host/sensing/sensing.ts';
import { CALL_US, playRoll } from '../../sim/played.ts';
import { calibrationUnder, optionsOf } from './detection-hear.ts';
import { createScene, launch, opens, rollOf, signalCalibration, watchScene } from './signals.ts';
import { type WatchAsk, watchTable } from './watch.ts';

/** One frame with its line. */
export interface Heard {
  readonly line: string;
  readonly frame: UplinkFrame;
  readonly side: 'A' | 'B';
  readonly atMs: number;
  readonly arriveMs: number;
}

/** One stretch of a table: its lines in order, and the roll that was called, if any. */
export interface Stretch {
  readonly heard: readonly Heard[];
  readonly roll: (Activity & { readonly kind: 'roll' }) | undefined;
  readonly callMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A table of two boards of six tiles, and what happens on it. */
export interface Table {
  readonly calibration: Calibration;
  readonly stretches: readonly Stretch[];
  readonly samples: number;
  readonly lines: number;
  /** Time that the stretches take in all, s. */
  readonly seconds: number;
}

/** Boards speak from so long before the call. */
const LEAD_MS = 500;
/** Between two stretches nobody speaks: what was heard in one must not matter in the next. */
const PAUSE_MS = 600;

function tableOf(calibration: Calibration, stretches: readonly Stretch[]): Table {
  const heard = stretches.flatMap((stretch) => stretch.heard);
  return {
    calibration,
    stretches,
    samples: heard.reduce((n, { frame }) => n + (frame.kind === 'burst' ? frame.samples.length : 0), 0),
    lines: heard.length,
    seconds: stretches.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / 1000, 0),
  };
}

/** A line as ports hand it over, in one piece: a text that was put together stays in pieces for the engine. */
function received(line: string): string {
  return Buffer.from(line, 'latin1').toString('latin1');
}

/** Takes down what `watch` lets boards say. */
function takeDown(
  callMs: number,
  roll: Stretch['roll'],
  watch: (more: Pick<WatchAsk, 'wire' | 'goOn'>) => void,
): Stretch {
  const heard: Heard[] = [];
  watch({
    goOn: roll === undefined,
    // Spelled out: spread objects that get further keys each have a shape of their own on Node 20, slow to read.
    wire({ frame, atMs, arriveMs }, side) {
      if (side === 'A' || side === 'B')
        heard.push({ line: received(encodeUp(frame)), frame, side, atMs, arriveMs });
      return true;
    },
  });
  heard.sort((a, b) => a.arriveMs - b.arriveMs);
  return { heard, roll, callMs, fromMs: callMs - LEAD_MS, toMs: heard.at(-1)?.arriveMs ?? callMs };
}

const SPAN_MS = 2400;

/** A roll in which every tile is active: the worst load there is. */
export function busyTable(): Table {
  const scene = createScene();
  launch(scene, 'A', 1700);
  launch(scene, 'B', 1720);
  opens(scene, 'q0r1', 1950, 1.1);
  opens(scene, 'q1r-1', 1990, -1.1);
  // A field that never stands still keeps every other tile sending, and is no ball.
  for (const { cell } of FIXED_12.cells) {
    if (cell === 'q0r1' || cell === 'q1r-1') continue;
    scene.fields.push({ cell, mt: () => 0, side: (ms) => (Math.floor(ms / 40) % 2 === 0 ? 1.5 : -1.5) });
  }
  const watch: Parameters<typeof takeDown>[2] = (more) =>
    watchScene(scene, { ...more, goOn: true, untilMs: 500 + SPAN_MS });
  return tableOf(signalCalibration(), [takeDown(1000, rollOf(), watch)]);
}

/** A table on which nothing lies and nobody plays. */
export function idleTable(): Table {
  const watch: Parameters<typeof takeDown>[2] = (more) =>
    watchScene(createScene(), { ...more, activity: { kind: 'idle' }, untilMs: 500 + SPAN_MS });
  return tableOf(signalCalibration(), [takeDown(1000, undefined, watch)]);
}

const FIRST_SEED = 20_200_000;

/** Rolls as people throw them, on one mat, from half a second before the call to the final ruling. */
export function playedTable(rolls: number): Table {
  const callMs = CALL_US / 1000;
  const ask = { effects: [] };
  const calibration = calibrationUnder(optionsOf(ask, FIRST_SEED));
  const stretches = Array.from({ length: rolls }, (_, i) => {
    const { mat, activity } = playRoll(FIRST_SEED + i, optionsOf(ask, FIRST_SEED + i));
    const worlds = { A: mat.world('A'), B: mat.world('B') };
    return takeDown(callMs, activity, (more) =>
      watchTable({
        ...more,
        layout: FIXED_12,
        calibration,
        worlds,
        halls: mat.halls,
        activity,
        callMs,
        untilMs: callMs + 30_000,
      }),
    );
  });
  return tableOf(calibration, stretches);
}

/** A detector with its own clock: each round is the whole table once more, a little later. */
export interface Listener {
  readonly sensing: Sensing;
  /** Hears all stretches; with `decode` from the lines, else from the frames. */
  round(decode: boolean): void;
  /** Rulings so far, and the moment up to which was heard. */
  rulings: number;
  nowMs: number;
}

export function listenTo(table: Table): Listener {
  const sensing = createSensing({ layout: FIXED_12, calibration: table.calibration });
  const out: SenseOutput[] = [];
  const hear = (stretch: Stretch, decode: boolean, shiftMs: number, name: string): void => {
    const { heard, roll, callMs, fromMs } = stretch;
    setActivity(sensing, { kind: 'idle' }, shiftMs + fromMs, out);
    let called = roll === undefined;
    for (const { line, frame, side, atMs, arriveMs } of heard) {
      if (!called && roll !== undefined && arriveMs >= callMs) {
        called = true;
        setActivity(sensing, { ...roll, roll: name }, shiftMs + callMs, out);
      }
      settle(sensing, shiftMs + arriveMs, out);
      if (!decode) hearFrame(sensing, side, frame, shiftMs + atMs, 0.5, out);
      else {
        const got = decodeLine(line);
        if (got.ok) hearFrame(sensing, side, got.frame, shiftMs + atMs, 0.5, out);
      }
    }
  };
  const listener: Listener = {
    sensing,
    rulings: 0,
    nowMs: 0,
    round(decode) {
      for (const stretch of table.stretches) {
        const shiftMs = listener.nowMs + PAUSE_MS - stretch.fromMs;
        hear(stretch, decode, shiftMs, `t${shiftMs}`);
        listener.nowMs = shiftMs + stretch.toMs;
        for (const { kind } of out) if (kind === 'ruling') listener.rulings += 1;
        out.length = 0;
      }
    },
  };
  return listener;
}

/** One simulated roll through the detector: as frames of two boards, or line by line over links that may be bad. */
import type { Activity } from '../../host/sensing/activity.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { FIXED_12, type Layout, type SensorLayout } from '../../host/sensing/layout.ts';
import type { SensingLimits } from '../../host/sensing/limits.ts';
import * as links from '../../host/sensing/links.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import type { LinkNotice } from '../../host/sensing/seen.ts';
import {
  createSensing,
  dueAt,
  hearFrame,
  hearNotice,
  type SenseOutput,
  setActivity,
  settle,
} from '../../host/sensing/sensing.ts';
import { calibrationOf } from '../../sim/calibration.ts';
import { type CapturedRoll, type CorpusOptions, callMsUnder, captureRoll } from '../../sim/corpus.ts';
import { type Effects, onTheWire, wireUnder } from '../../sim/effects.ts';
import type { Meddling } from '../../sim/idle.ts';
import { bodiesOf, CALL_US, matOf, playRoll, type SampleOptions } from '../../sim/played.ts';
import { hash32, streamOf, unitOf } from '../../sim/random.ts';
import type { RollShares } from '../../sim/shares.ts';
import type { BoardFactory } from '../../sim/table.ts';
import type { RollTruth } from '../../sim/truth.ts';
import { firmataBoards } from './firmata-rolls.ts';
import { type Said, watchTable } from './watch.ts';

/** The detector as it is, and three made worse on purpose: each must fail the gate. */
export const VARIANTS = {
  asIs: 'as it is',
  noHysteresis: 'no hysteresis: a tile is on and off at one threshold, at once',
  noCrosstalk: 'no crosstalk cancelled: neighbour rows of zero',
  forced: 'forced yes or no: never in doubt',
} as const;
export type Variant = keyof typeof VARIANTS;

export interface CorpusAsk {
  readonly effects: Effects;
  readonly shares?: Partial<RollShares>;
  readonly samePolarity?: boolean;
  readonly vacantCells?: number;
  /** What somebody does to a tile while the balls roll. */
  readonly meddling?: Meddling;
  /** Which halls the tiles have; the reference layout's by default. */
  readonly sensors?: SensorLayout;
  /** Generic boards under Firmata in the place of side controllers. */
  readonly firmata?: boolean;
}

export interface HeardRoll {
  readonly truth: RollTruth;
  readonly activity: Activity & { readonly kind: 'roll' };
  readonly said: readonly Said[];
  readonly final: RollRuling | undefined;
  readonly calibration: Calibration;
  /** Lines heard, where it was heard line by line. */
  readonly lines?: number;
  /** How long the boards spoke on after the samples of the roll, ms. */
  readonly afterMs?: number;
}

/** What the detector is given. */
interface Known {
  readonly limits: Partial<SensingLimits>;
  readonly calibration: Calibration;
}

const CALL_MS = CALL_US / 1000;
const LONGEST_MS = 30_000;
/** Rolls that share a mat and its calibration, as in a match. */
const ROLLS_A_MAT = 20;
/**
 * Lines go on for so long after the samples of the roll, ms: at first, where the last word waits for a ball that left
 * the tiles, and where it waits for one that was never seen.
 */
export const AFTER_MS = [0, 2500, 20_500] as const;

function layoutOf(ask: CorpusAsk): Layout {
  return ask.sensors === undefined ? FIXED_12 : { ...FIXED_12, sensors: ask.sensors };
}

let kept: { readonly key: string; readonly calibration: Calibration } | undefined;

export function optionsOf(ask: CorpusAsk, seed: number): SampleOptions {
  return {
    layout: layoutOf(ask),
    matSeed: 1 + Math.floor(seed / ROLLS_A_MAT),
    effects: ask.effects,
    samePolarity: ask.samePolarity ?? false,
    ...callMsUnder(ask.effects),
    ...(ask.shares === undefined ? {} : { shares: ask.shares }),
    ...(ask.vacantCells === undefined ? {} : { vacantCells: ask.vacantCells }),
    ...(ask.meddling === undefined ? {} : { meddling: ask.meddling }),
  };
}

/** A host that was started anew lets nobody play before it has listened for two seconds, ms. */
const STARTED_MS = 2500;

export function calibrationUnder(options: SampleOptions): Calibration {
  const { matSeed, effects, samePolarity, layout } = options;
  const key = JSON.stringify([matSeed, effects, samePolarity, layout?.sensors]);
  if (kept?.key !== key) kept = { key, calibration: calibrationOf(matOf(options), bodiesOf(options)) };
  return kept.calibration;
}

const FORCED: Partial<SensingLimits> = { openYes: 0.5, openNo: 0.5, ownerSure: 0.5, ownerSureBlind: 0.5 };
const NO_HYSTERESIS: Partial<SensingLimits> = { offShare: 1, onsetHoldMs: 1, leaveMs: 1, pauseMs: 1 };

function variantOf(variant: Variant, calibration: Calibration) {
  const limits = variant === 'forced' ? FORCED : variant === 'noHysteresis' ? NO_HYSTERESIS : {};
  if (variant !== 'noCrosstalk') return { limits, calibration };
  const tiles = calibration.tiles.map((tile) => ({ ...tile, neighbours: {} }));
  return { limits, calibration: { ...calibration, tiles } };
}

/** Draws roll `seed`, lets it happen and has it judged. */
export function hearRoll(ask: CorpusAsk, seed: number, variant: Variant = 'asIs'): HeardRoll {
  const options = optionsOf(ask, seed);
  const known = variantOf(variant, calibrationUnder(options));
  if (ask.firmata === true) return hearWhole(seed, { ...options, boards: firmataBoards }, ask.effects, known);
  if (onTheWire(ask.effects)) return hearWhole(seed, options, ask.effects, known);
  const { mat, truth, activity } = playRoll(seed, options);
  // A damaged line says nothing either.
  const { lost, damaged } = wireUnder(ask.effects).plan;
  const missing = lost + damaged;
  const stream = streamOf(hash32(seed, 42, 0), 1);
  let made = 0;
  const { said, final } = watchTable({
    layout: layoutOf(ask),
    ...known,
    worlds: { A: mat.world('A'), B: mat.world('B') },
    halls: mat.halls,
    activity,
    callMs: CALL_MS,
    ...(ask.effects.includes('evening') ? { leadMs: STARTED_MS } : {}),
    untilMs: CALL_MS + LONGEST_MS,
    wire() {
      made += 1;
      return unitOf(stream, made) >= missing;
    },
  });
  return { truth, activity, said, final, calibration: known.calibration };
}

/** How the lines of a roll come about. */
export type Capture = (seed: number, options: CorpusOptions) => CapturedRoll;

/** The same roll on boards that a factory makes, heard line by line. */
export function hearBoards(
  ask: CorpusAsk,
  seed: number,
  boards: BoardFactory | undefined,
  capture: Capture = captureRoll,
): HeardRoll {
  const options = optionsOf(ask, seed);
  const known = { limits: {}, calibration: calibrationUnder(options) };
  const boarded = { ...options, ...(boards === undefined ? {} : { boards }) };
  return hearWhole(seed, boarded, ask.effects, known, capture);
}

/** A roll line by line to the last word on it. */
function hearWhole(
  seed: number,
  options: CorpusOptions,
  effects: Effects,
  known: Known,
  capture: Capture = captureRoll,
): HeardRoll {
  const hearFor = (afterMs: number) => {
    const captured = capture(seed, { ...options, afterMs });
    const { dry, ...heard } = hearLines(captured, effects, known, options.layout);
    return {
      dry,
      heard: { ...heard, calibration: known.calibration, lines: captured.lines.length, afterMs },
    };
  };
  // Most rolls are ruled soon after both balls rest; the others are heard again for longer.
  const [soon, later, last] = AFTER_MS;
  for (const afterMs of [soon, later]) {
    const { dry, heard } = hearFor(afterMs);
    if (!dry) return heard;
  }
  return hearFor(last).heard;
}

/** Lines of a captured roll through links and detector. */
export function hearLines(
  captured: CapturedRoll,
  effects: Effects,
  known: Known,
  layout: Layout = FIXED_12,
): Omit<HeardRoll, 'calibration'> & { readonly dry: boolean } {
  const { truth, activity, lines } = captured;
  const callMs = truth.fromMs;
  const wire = effects.includes('mqtt') ? links.MQTT_WIRE : links.SERIAL_WIRE;
  const heard = links.createLinks({
    layout,
    links: ['sim-a', 'sim-b'].map((link) => ({ link, wire })),
  });
  const sensing = createSensing({ layout, calibration: known.calibration, limits: known.limits });
  const said: Said[] = [];
  const out: SenseOutput[] = [];
  const notices: LinkNotice[] = [];
  let called = false;
  let final: RollRuling | undefined;
  const take = (outMs: number): void => {
    for (const output of out) {
      said.push({ output, outMs });
      if (output.kind === 'ruling' && output.ruling.stage === 'final') final = output.ruling;
    }
    out.length = 0;
  };
  const tell = (): void => {
    for (const notice of notices) hearNotice(sensing, notice, out);
    notices.length = 0;
  };
  const settleTo = (toMs: number): void => {
    for (;;) {
      const due = Math.min(links.dueAt(heard), dueAt(sensing) ?? Infinity);
      if (due > toMs) return;
      links.settleLinks(heard, due, notices);
      tell();
      settle(sensing, due, out);
      take(due);
    }
  };
  for (const line of lines) {
    if (!called && line.atMs >= callMs) {
      settleTo(callMs);
      called = true;
      setActivity(sensing, activity, callMs, out);
    }
    settleTo(line.atMs);
    const frame = links.hearLine(heard, line.via, line, line.atMs, {}, notices);
    tell();
    if (frame.kind === 'fresh' && frame.frame.kind !== 'answer') {
      hearFrame(sensing, frame.side, frame.frame, frame.atMs, frame.errorMs, out);
    }
    settleTo(line.atMs);
    take(line.atMs);
    if (final !== undefined) break;
  }
  // No line told the end: time passes, and boards fall silent.
  const dry = final === undefined;
  if (dry) settleTo(callMs + LONGEST_MS);
  return { truth, activity, said, final, dry };
}

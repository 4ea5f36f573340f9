/** One simulated roll through the detector: as frames of two boards, or line by line over links that may be bad. */
import type { Calibration } from '../../host/sensing/calibration.ts';
import { FIXED_12, type Layout, type SensorLayout } from '../../host/sensing/layout.ts';
import type { SensingLimits } from '../../host/sensing/limits.ts';
import { calibrationOf } from '../../sim/calibration.ts';
import { callMsUnder, captureRoll } from '../../sim/corpus.ts';
import { type Effects, onTheWire, wireUnder } from '../../sim/effects.ts';
import type { Meddling } from '../../sim/idle.ts';
import { bodiesOf, CALL_US, matOf, playRoll, type SampleOptions } from '../../sim/played.ts';
import { hash32, streamOf, unitOf } from '../../sim/random.ts';
import type { RollShares } from '../../sim/shares.ts';
import type { BoardFactory } from '../../sim/table.ts';
import { type Capture, finalIn, type HeardRoll, hearWhole, LONGEST_MS } from './detection-lines.ts';
import { type Sighting, sightingsIn } from './detection-sightings.ts';
import { firmataBoards } from './firmata-rolls.ts';
import { watchTable } from './watch.ts';

export type { HeardRoll };

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

const CALL_MS = CALL_US / 1000;
/** Rolls that share a mat and its calibration, as in a match. */
const ROLLS_A_MAT = 20;
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

/** A final ruling is held against what comes later for 3 s, and a ball for which it did not wait may come for 3 s more. */
const TAKEN_BACK_MS = 6000;

/** Draws roll `seed`, lets it happen and has it judged; `watchOn`: its final ruling is watched for as long as it may be taken back. */
export function hearRoll(
  ask: CorpusAsk,
  seed: number,
  variant: Variant = 'asIs',
  watchOn = false,
): HeardRoll {
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
  let sightings: readonly Sighting[] | undefined;
  const { said, sensing } = watchTable({
    layout: layoutOf(ask),
    ...known,
    worlds: { A: mat.world('A'), B: mat.world('B') },
    halls: mat.halls,
    activity,
    callMs: CALL_MS,
    ...(ask.effects.includes('evening') ? { leadMs: STARTED_MS } : {}),
    untilMs: CALL_MS + LONGEST_MS,
    afterFinalMs: watchOn ? TAKEN_BACK_MS : 0,
    before(state) {
      if (sightings === undefined && state.live.last?.stage === 'final') sightings = sightingsIn(state);
      return state;
    },
    wire() {
      made += 1;
      return unitOf(stream, made) >= missing;
    },
  });
  return {
    truth,
    activity,
    said,
    final: finalIn(said),
    sightings: sightings ?? sightingsIn(sensing),
    watchedOn: watchOn,
    calibration: known.calibration,
  };
}

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

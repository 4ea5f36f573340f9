import { exp } from '../exact.ts';
import { FEATURES } from './features.ts';
import type { SensorLayout } from './layout.ts';
import { OPEN_WEIGHTS } from './open-weights.ts';
import type { Judged } from './weights.ts';

/** Chance that a ball opened, from the features of its arrival and the number of windows that are complete. */
export type OpenScore = (features: Float64Array, windows: number) => number;

/** Logistic function. */
export function logistic(z: number): number {
  return 1 / (1 + exp(-z));
}

/** Says nothing, ever. */
export const NO_SCORE: OpenScore = () => NaN;

/** The score of a tile that is judged like this. Below two windows there is none yet: NaN. */
export function openScoreOf(judged: Judged): OpenScore {
  const own = OPEN_WEIGHTS[judged];
  const steps = own.constant.map((constant, horizon) => ({
    constant,
    w: Float64Array.from(FEATURES, (name) => own.weights[name]?.[horizon] ?? 0),
  }));
  return (features, windows) => {
    const step = steps[Math.min(windows, 5) - 2];
    if (step === undefined) return NaN;
    let z = step.constant;
    for (let i = 0; i < step.w.length; i += 1) z += (step.w[i] ?? 0) * (features[i] ?? 0);
    return logistic(z);
  };
}

/** Scores of a layout's tiles by what their halls can see, as `SEES` numbers it. */
export function openScoresOf(layout: SensorLayout): readonly OpenScore[] {
  const contact = openScoreOf('contact');
  if (layout !== 'collector+offset') return [contact, openScoreOf(layout), contact, openScoreOf(layout)];
  return [contact, openScoreOf('collector'), openScoreOf('offset'), openScoreOf('collector+offset')];
}

import { exp } from '../exact.ts';
import { FEATURES } from './features.ts';
import type { SensorLayout } from './layout.ts';
import { OPEN_WEIGHTS } from './open-weights.ts';
import type { Weights } from './weights.ts';

/** Chance that a ball opened, from the features of its arrival and the number of windows that are complete. */
export type OpenScore = (features: Float64Array, windows: number) => number;

/** Logistic function. */
export function logistic(z: number): number {
  return 1 / (1 + exp(-z));
}

function dense(weights: Weights): Float64Array {
  return Float64Array.from(FEATURES, (name) => weights.weights[name] ?? 0);
}

/** The score of a layout. Below two windows there is none yet: NaN. */
export function openScoreOf(layout: SensorLayout): OpenScore {
  const own = OPEN_WEIGHTS[layout];
  const steps = [own.at110, own.at250, own.at450, own.at700].map((w) => ({
    constant: w.constant,
    w: dense(w),
  }));
  return (features, windows) => {
    const step = steps[Math.min(windows, 5) - 2];
    if (step === undefined) return NaN;
    let z = step.constant;
    for (let i = 0; i < step.w.length; i += 1) z += (step.w[i] ?? 0) * (features[i] ?? 0);
    return logistic(z);
  };
}

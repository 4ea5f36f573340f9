import type { FeatureName } from './features.ts';

/** A linear score: weights by feature name, and the constant. */
export interface Weights {
  readonly constant: number;
  readonly weights: Readonly<Partial<Record<FeatureName, number>>>;
}

/**
 * Weights of one sensor layout for each evidence horizon: after two windows (110 ms), three (250 ms), four (450 ms)
 * and all five (700 ms).
 */
export interface LayoutWeights {
  readonly at110: Weights;
  readonly at250: Weights;
  readonly at450: Weights;
  readonly at700: Weights;
}

import type { SensorLayout } from './layout.ts';
import type { LayoutWeights, Weights } from './score.ts';

/** A level of about 0.6 seated balls that stands after the landing, and a landing with a step, mean an open. */
const BY_HAND: Weights = { constant: 4, weights: { level2: 10, level1: 4, rise: 6, spread2: 0 } };

export const OPEN_WEIGHTS: Readonly<Record<SensorLayout, LayoutWeights>> = {
  axis: { at110: BY_HAND, at250: BY_HAND, at450: BY_HAND, at700: BY_HAND },
  collector: { at110: BY_HAND, at250: BY_HAND, at450: BY_HAND, at700: BY_HAND },
  'collector+offset': { at110: BY_HAND, at250: BY_HAND, at450: BY_HAND, at700: BY_HAND },
};

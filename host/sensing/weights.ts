import type { FeatureName } from './features.ts';
import type { SensorLayout } from './layout.ts';

/** One number for each evidence horizon: after two windows (96 ms), three (250 ms), four (450 ms), all five (700 ms). */
export type ByHorizon = readonly [at96: number, at250: number, at450: number, at700: number];

/** A linear score: the constant and the weights by feature name. Features that are not named have none. */
export interface ScoreWeights {
  readonly constant: ByHorizon;
  readonly weights: Readonly<Partial<Record<FeatureName, ByHorizon>>>;
}

/**
 * What a tile is judged by: the halls of its layout, only the hall off the centre where the other one is dead, or only
 * the contact.
 */
export type Judged = SensorLayout | 'offset' | 'contact';

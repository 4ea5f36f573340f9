import type { BakuganId } from '../ids.ts';

/** What calibration learnt of one hall sensor. */
export interface HallCalibration {
  /** Level with an empty mat, counts of the ten-bit converter. */
  readonly restCounts: number;
  /** Standard deviation at rest, counts. */
  readonly noiseCounts: number;
  /** Level change of the reference ball seated on the tile, counts, sign for the reference polarity. */
  readonly seatedCounts: number;
  /** Counts that a full LED pattern moves this sensor. */
  readonly ledCounts: number;
  /**
   * Level that the reference ball brought about as it was lifted off, counts with the sign of its pole. A sensor beside
   * the middle hardly feels a ball that stands there, with either sign, and well one that rises. Absent where that was
   * not seen.
   */
  readonly liftCounts?: number | undefined;
}

/** One tile: its hall sensors, its neighbours' share, its contact. */
export interface TileCalibration {
  /** `side` and tile index as `A0` to `B11`. */
  readonly tile: string;
  readonly halls: readonly HallCalibration[];
  /** For each neighbouring tile: the share of its first hall's level seen here, first hall. */
  readonly neighbours: Readonly<Record<string, number>>;
  readonly contactWorks: boolean;
  /** No ball was seated here: its levels are usual values. Absent where it was measured. */
  readonly measured?: false | undefined;
}

/** One ball: sign and strength against the reference ball. */
export interface BallCalibration {
  readonly polarity: 1 | -1;
  /** 1 is the reference ball. */
  readonly strength: number;
}

/** Saved with a version and the layout it was made on; refused for another. */
export interface Calibration {
  readonly version: 1;
  readonly layout: string;
  readonly layoutHash: string;
  readonly tiles: readonly TileCalibration[];
  readonly balls: Readonly<Record<BakuganId, BallCalibration>>;
}

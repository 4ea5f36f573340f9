import type { AtMs, CellId } from '../ids.ts';
import { readEach } from '../sensing/rings.ts';
import type { Sensing } from '../sensing/sensing.ts';

/** What the main hall of a tile read while nobody rolled, raw counts of the board's converter. */
export interface QuietTile {
  readonly cell: CellId;
  /** Standard deviation of means over 20 ms in the two seconds before; null when something moved there or too few came. */
  readonly noiseCounts: number | null;
  /** Slow baseline less the rest that calibration stored. */
  readonly offRestCounts: number;
}

/** Stretch that is looked at, and its pieces, ms; and how many of them have to be there. */
const STRETCH_MS = 2000;
const PIECE_MS = 20;
const LEAST_PIECES = 75;
/** A spread over this is a thing, not noise: one mT. */
const MOST_SPREAD_COUNTS = 10;

/** The tiles that were heard, as they read before this moment. */
export function quietTiles({ tiles, rings, base }: Sensing, atMs: AtMs): readonly QuietTile[] {
  return tiles.cells.flatMap(({ cell }, i) => {
    if (base.heard[i] !== 1) return [];
    const hall = i * tiles.halls;
    const levels = new Float64Array(STRETCH_MS);
    readEach(rings, i, 0, Math.floor(atMs) - STRETCH_MS, STRETCH_MS, levels);
    const offRestCounts = (base.slow[hall] ?? 0) - (tiles.rest[hall] ?? 0);
    return [{ cell, noiseCounts: noiseOf(levels), offRestCounts }];
  });
}

function noiseOf(levels: Float64Array): number | null {
  const means: number[] = [];
  for (let from = 0; from < levels.length; from += PIECE_MS) {
    const piece = levels.subarray(from, from + PIECE_MS).filter((level) => !Number.isNaN(level));
    if (piece.length > 0) means.push(piece.reduce((sum, level) => sum + level, 0) / piece.length);
  }
  if (means.length < LEAST_PIECES || Math.max(...means) - Math.min(...means) > MOST_SPREAD_COUNTS)
    return null;
  const mean = means.reduce((sum, level) => sum + level, 0) / means.length;
  return Math.sqrt(means.reduce((sum, level) => sum + (level - mean) ** 2, 0) / (means.length - 1));
}

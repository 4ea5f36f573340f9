import type { BakuganId } from '../ids.ts';
import type { CalibrateAsk, CalibrateStep } from './calibrate-steps.ts';
import type { BallCalibration, Calibration, TileCalibration } from './calibration.ts';
import { layoutHash, neighboursOf } from './layout.ts';

/** What the procedure measured, as `Calibrator` keeps it. */
export interface Measured {
  readonly ask: CalibrateAsk;
  readonly halls: number;
  readonly steps: readonly CalibrateStep[];
  /** Level of the empty mat as it was last seen. */
  readonly zero: Float64Array;
  readonly spread: Float64Array;
  readonly lit: Float64Array;
  readonly liftMost: Float64Array;
  readonly liftLeast: Float64Array;
  readonly seats: readonly (Float64Array | undefined)[];
  readonly touched: Uint8Array;
}

/** Usual level of a seated ball where the step was skipped, counts: 12 mT. */
const UNMEASURED_COUNTS = 123;

/** A tile that is no neighbour and sees this share of a ball is the one that the ball lies on. */
const FAR_SHARE = 0.8;

const thousandth = (x: number): number => Math.round(x * 1000) / 1000;

/** Level of the other sign that a rising ball's own pole makes, counts; less is noise and magnetised steel. */
const TURNED_COUNTS = 2.5;

/**
 * The level of a rising ball with the sign of its pole. Seen from the side an upright magnet reads the other pole while
 * it is low, and its own once it is higher than 0.7 times its distance: where the sign turns, the second one counts.
 */
function liftOf(seated: number, most: number, least: number): number {
  if (seated < 0) return most > TURNED_COUNTS ? most : Math.min(seated, least);
  return least < -TURNED_COUNTS ? least : Math.max(seated, most);
}

/** A calibration from what was measured. */
export function calibrationFrom(m: Measured): Calibration {
  const { layout, reference } = m.ask;
  const { cells } = layout;
  const seatOf = (cell: number, ball: BakuganId): Float64Array | undefined =>
    m.seats[m.steps.findIndex((s) => s.kind === 'seat' && s.cell === cell && s.ball === ball)];
  const own = (cell: number, ball: BakuganId): number | undefined => seatOf(cell, ball)?.[cell * m.halls];
  const tiles = cells.map((cell, i): TileCalibration => {
    const seat = seatOf(i, reference);
    const neighbours: Record<string, number> = {};
    const around = new Set(neighboursOf(cell));
    for (const [there, near] of cells.entries()) {
      const level = own(there, reference);
      if (there === i || level === undefined || level === 0) continue;
      const share = (seatOf(there, reference)?.[i * m.halls] ?? 0) / level;
      // Further away nothing should show; where it does, the plugs are swapped.
      if (!around.has(near.cell) && Math.abs(share) < FAR_SHARE) continue;
      // Beyond two balls' worth a share says only that the plugs are swapped.
      neighbours[`${near.side}${near.tile}`] = Math.max(-2, Math.min(2, Math.round(share * 1e5) / 1e5));
    }
    return {
      tile: `${cell.side}${cell.tile}`,
      halls: Array.from({ length: m.halls }, (_, h) => {
        const at = i * m.halls + h;
        return {
          restCounts: thousandth(m.zero[at] ?? 512),
          noiseCounts: thousandth(m.spread[at] ?? 0),
          seatedCounts: thousandth(seat?.[at] ?? (h === 0 ? UNMEASURED_COUNTS : 0)),
          ledCounts: thousandth(m.lit[at] ?? 0),
          ...(seat === undefined
            ? {}
            : { liftCounts: thousandth(liftOf(seat[at] ?? 0, m.liftMost[at] ?? 0, m.liftLeast[at] ?? 0)) }),
        };
      }),
      neighbours,
      contactWorks: seat === undefined || m.touched[i] === 1,
      ...(seat === undefined ? { measured: false as const } : {}),
    };
  });
  const balls: Record<BakuganId, BallCalibration> = { [reference]: { polarity: 1, strength: 1 } };
  for (const ball of m.ask.balls) {
    const ratios = cells
      .flatMap((_, i) => {
        const level = own(i, ball);
        const base = own(i, reference);
        return level === undefined || base === undefined || base === 0 ? [] : [level / base];
      })
      .sort((a, b) => a - b);
    const ratio = ratios[ratios.length >> 1];
    if (ratio === undefined || ratio === 0) continue;
    balls[ball] = { polarity: ratio < 0 ? -1 : 1, strength: thousandth(Math.min(10, Math.abs(ratio))) };
  }
  return { version: 1, layout: layout.name, layoutHash: layoutHash(layout), tiles, balls };
}

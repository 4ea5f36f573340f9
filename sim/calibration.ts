/** The calibration procedure, carried out on the simulated mat: everything is measured, nothing is looked up. */
import type { BakuganId } from '../host/ids.ts';
import type {
  BallCalibration,
  Calibration,
  HallCalibration,
  TileCalibration,
} from '../host/sensing/calibration.ts';
import { layoutHash, neighboursOf } from '../host/sensing/layout.ts';
import type { Body } from './ball.ts';
import { createMat, type Mat, type MatTile } from './mat.ts';
import { createChance, hash32 } from './random.ts';
import { standing } from './tracks.ts';
import { type BoardWorld, countsOf } from './world.ts';

/** Empty mat, LED pattern, and ball on a tile, ms. */
const EMPTY_MS = 5000;
const LIGHT_MS = 1000;
const SEATED_MS = 400;
/** The mat has been on for 40 min: it is warm. */
const START_US = 2_400_000_000;
/** A person puts the ball within this of the tile's middle, mm. */
const PLACED_MM = 1;

/** A tile's name in a calibration: side and index, as in `A0`. */
export function tileName(tile: { readonly side: string; readonly tile: number }): string {
  return `${tile.side}${tile.tile}`;
}

interface Levels {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/**
 * Empty mat for five seconds, a full LED pattern, the reference ball on each tile in turn, then every other ball on
 * three tiles. The first ball given is the reference: its strength and polarity are 1. Made on a twin of the mat, so
 * that the match's own mat has not been touched.
 */
export function calibrationOf(mat: Mat, bodies: readonly Body[]): Calibration {
  const [reference] = bodies;
  if (reference === undefined) throw new RangeError('no ball to calibrate with: give at least one');
  const twin = createMat(mat.layout, mat.seed, mat.seed, mat.options);
  // Sensors are counted over the tiles of side A, then of side B.
  const tiles = [...twin.tiles.filter((t) => t.side === 'A'), ...twin.tiles.filter((t) => t.side === 'B')];
  const world = twin.world('both');
  const chance = createChance(hash32(mat.seed, 31, 0));
  const { halls } = twin;
  let nowUs = START_US;

  const measure = (ms: number): Levels => {
    const levels = sampled(world, tiles.length * halls, nowUs, ms);
    nowUs += ms * 1000;
    return levels;
  };
  const seated = (body: Body, tile: MatTile): { readonly levels: Levels; readonly contact: boolean } => {
    const x = tile.x + chance.between(-PLACED_MM, PLACED_MM);
    const y = tile.y + chance.between(-PLACED_MM, PLACED_MM);
    twin.put(standing(body, nowUs, x, y));
    nowUs += 500_000;
    const levels = measure(SEATED_MS);
    const contact = world.contact(tiles.indexOf(tile), nowUs);
    twin.take(body.bakugan);
    return { levels, contact };
  };

  const rest = measure(EMPTY_MS);
  for (const side of ['A', 'B'] as const) twin.light(side, 1);
  const lit = measure(LIGHT_MS);
  for (const side of ['A', 'B'] as const) twin.light(side, 0);
  const seats = tiles.map((tile) => seated(reference, tile));
  const change = (levels: Levels, sensor: number): number =>
    (levels.mean[sensor] ?? 0) - (rest.mean[sensor] ?? 0);

  return {
    version: 1,
    layout: mat.layout.name,
    layoutHash: layoutHash(mat.layout),
    tiles: tiles.map((tile, t): TileCalibration => {
      const own = seats[t];
      return {
        tile: tileName(tile),
        halls: Array.from({ length: halls }, (_, h): HallCalibration => {
          const sensor = t * halls + h;
          return {
            restCounts: rounded(rest.mean[sensor] ?? 0),
            noiseCounts: rounded(rest.deviation[sensor] ?? 0),
            seatedCounts: own === undefined ? 0 : rounded(change(own.levels, sensor)),
            ledCounts: rounded(change(lit, sensor)),
          };
        }),
        neighbours: neighbourShares(tiles, t, (there, sensor) => {
          const seat = seats[there];
          return seat === undefined ? 0 : change(seat.levels, sensor * halls);
        }),
        contactWorks: own?.contact ?? false,
      };
    }),
    balls: Object.fromEntries(
      bodies.map((body): [BakuganId, BallCalibration] => [
        body.bakugan,
        body === reference
          ? { polarity: 1, strength: 1 }
          : compared(body, tiles, seated, seats, (levels, t) => change(levels, t * halls)),
      ]),
    ),
  };
}

function rounded(counts: number): number {
  return Math.round(counts * 1000) / 1000;
}

/** Mean and deviation of each sensor's counts over some milliseconds. */
function sampled(world: BoardWorld, sensors: number, fromUs: number, ms: number): Levels {
  const sums = new Float64Array(sensors);
  const squares = new Float64Array(sensors);
  const fields = new Float64Array(sensors);
  for (let i = 0; i < ms; i += 1) {
    world.fieldsMt?.(fromUs + i * 1000, fields);
    for (let s = 0; s < sensors; s += 1) {
      const count = countsOf(fields[s] ?? 0);
      sums[s] = (sums[s] ?? 0) + count;
      squares[s] = (squares[s] ?? 0) + count * count;
    }
  }
  const mean = sums.map((sum) => sum / ms);
  const deviation = squares.map((square, s) =>
    Math.sqrt(Math.max(0, square / ms - (mean[s] ?? 0) * (mean[s] ?? 0))),
  );
  return { mean, deviation };
}

/** Share of each neighbour's level that is seen at tile `t`. `level(there, tile)`: ball on `there`, seen at `tile`. */
function neighbourShares(
  tiles: readonly MatTile[],
  t: number,
  level: (there: number, tile: number) => number,
): Readonly<Record<string, number>> {
  const tile = tiles[t];
  if (tile === undefined) return {};
  const match = /^q(-?\d+)r(-?\d+)$/.exec(tile.cell);
  const around = new Set(neighboursOf({ q: Number(match?.[1]), r: Number(match?.[2]) }));
  const out: Record<string, number> = {};
  tiles.forEach((other, there) => {
    if (!around.has(other.cell)) return;
    const own = level(there, there);
    if (own !== 0) out[tileName(other)] = Math.round((level(there, t) / own) * 100_000) / 100_000;
  });
  return out;
}

/** A ball against the reference: middle of three tiles. */
function compared(
  body: Body,
  tiles: readonly MatTile[],
  seated: (body: Body, tile: MatTile) => { readonly levels: Levels },
  seats: readonly { readonly levels: Levels }[],
  change: (levels: Levels, tile: number) => number,
): BallCalibration {
  const ratios = [0, Math.floor(tiles.length / 2), tiles.length - 1]
    .flatMap((t) => {
      const tile = tiles[t];
      const seat = seats[t];
      if (tile === undefined || seat === undefined) return [];
      return [change(seated(body, tile).levels, t) / change(seat.levels, t)];
    })
    .sort((a, b) => a - b);
  const ratio = ratios[Math.floor(ratios.length / 2)] ?? 1;
  return { polarity: ratio < 0 ? -1 : 1, strength: Math.round(Math.abs(ratio) * 1000) / 1000 };
}

/** Cells of a layout in reading order of a test's own cores: `A1` to `A6` on A's cells, `B1` to `B6` on B's. */
export function ownCores(mat: Mat): readonly { readonly cell: string; readonly core: string }[] {
  const counts = { A: 0, B: 0 };
  return mat.tiles.map((tile) => {
    counts[tile.side] += 1;
    return { cell: tile.cell, core: `${tile.side}${counts[tile.side]}` };
  });
}

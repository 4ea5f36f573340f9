import type { Calibration, HallCalibration, TileCalibration } from './calibration.ts';
import type { HealthFinding } from './health-finding.ts';
import type { Layout } from './layout.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { HALL_NAMES } from './tiles.ts';

/** A hall whose seated ball reads less than this share of the usual tile's is weak. */
const WEAK_SHARE = 0.4;
/** A neighbour that sees more than this share of a ball is the tile itself: two plugs are swapped. */
const SWAPPED_SHARE = 0.8;
/**
 * A hall beside the middle is told by the ball that rises from the tile, which varies with where it stood. It is weak
 * where that is less than this share of the usual, and less than so many counts; dead where it is nothing at all.
 */
const LIFT_SHARE = 0.25;
const LIFT_COUNTS = 5;
const NOTHING_COUNTS = 0.5;
/** Noise of a sample that no sound mat has, and how many times the usual noise of such a hall is a fault. */
const NOISE_MT = 0.3;
const NOISE_TIMES = 5;
/** Noise that is never too much, as the spread of quantised idle data may be next to nothing: counts. */
const LEAST_NOISE = 0.3;
/** Shift by full light that still leaves a ball's field clear of it, mT. */
const LIGHT_MT = 0.8;

/** One thing wrong with a tile, by its name as `A0`. The text says which hall, where it is one. */
export interface TileFault {
  readonly tile: string;
  readonly finding: Omit<HealthFinding, 'cell'>;
}

/** What is usual for one hall of the tiles of a mat. */
interface Usual {
  readonly size: number;
  readonly sign: number;
  readonly noise: number;
}

type Found = Omit<HealthFinding, 'cell'>;

/** What a calibration shows to be wrong with single tiles: each hall's range, sign, noise and light, and the plugs. */
export function tileFaults(layout: Layout, calibration: Calibration): readonly TileFault[] {
  const names = HALL_NAMES[layout.sensors];
  const usual = names.map((_, h) => usualOf(calibration, h));
  return calibration.tiles.flatMap((tile) =>
    faultsOf(tile, names, usual).map((finding): TileFault => ({ tile: tile.tile, finding })),
  );
}

/** What shows the ball to a hall: the first one stands under it, the others are beside it. Undefined: not measured. */
function rangeOf(tile: TileCalibration, h: number): number | undefined {
  const hall = tile.halls[h];
  if (hall === undefined || tile.measured === false) return undefined;
  return h === 0 ? hall.seatedCounts : hall.liftCounts;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

function usualOf({ tiles }: Calibration, h: number): Usual {
  const ranges = tiles.flatMap((tile) => rangeOf(tile, h) ?? []);
  return {
    size: median(ranges.map(Math.abs)),
    sign: Math.sign(ranges.reduce((n, counts) => n + Math.sign(counts), 0)),
    noise: usualNoise(tiles, h),
  };
}

/** Usual noise of one hall of these tiles, counts of a sample. */
export function usualNoise(tiles: readonly TileCalibration[], h: number): number {
  return Math.max(LEAST_NOISE, median(tiles.flatMap((tile) => tile.halls[h]?.noiseCounts ?? [])));
}

function faultsOf(
  tile: TileCalibration,
  names: readonly string[],
  usual: readonly Usual[],
): readonly Found[] {
  const unmeasured: Found = {
    code: 'health/tile-unmeasured',
    blocks: false,
    text: 'it was left out when the mat was calibrated: usual values are taken.',
    remedy: 'See to its sensor and calibrate anew; until then leave this cell without a core.',
  };
  const swapped = swappedWith(tile, usual[0]);
  return [
    ...(tile.measured === false ? [unmeasured] : []),
    ...(swapped === undefined ? [] : [swapped]),
    ...names.flatMap((name, h): readonly Found[] => {
      const hall = tile.halls[h];
      const its = usual[h];
      if (hall === undefined || its === undefined) return [];
      const range = rangeOf(tile, h);
      return [
        // A tile that answers for another says nothing of its own range.
        ...(swapped !== undefined ? [] : rangeFaults(name, h, range ?? stillRange(tile, h), its)),
        ...levelFaults(name, hall, its),
      ];
    }),
  ];
}

/** Beside a swapped tile shares are of next to nothing; only a tile that misses its own ball is meant. */
function swappedWith(tile: TileCalibration, usual: Usual | undefined): Found | undefined {
  const range = rangeOf(tile, 0);
  const other = Object.entries(tile.neighbours).find(([, share]) => Math.abs(share) > SWAPPED_SHARE);
  if (other === undefined || range === undefined || Math.abs(range) >= WEAK_SHARE * (usual?.size ?? 0)) {
    return undefined;
  }
  return {
    code: 'health/tiles-swapped',
    blocks: true,
    text: `it answers when the ball lies on ${other[0]}.`,
    remedy: 'The plugs of these two tiles are swapped: change them over and calibrate anew.',
  };
}

/** Where no ball was seated, a hall without any noise at all is known to feel nothing. */
function stillRange(tile: TileCalibration, h: number): number | undefined {
  return tile.measured === false && tile.halls[h]?.noiseCounts === 0 ? 0 : undefined;
}

function rangeFaults(name: string, h: number, range: number | undefined, usual: Usual): readonly Found[] {
  if (range === undefined) return [];
  const size = Math.abs(range);
  if (size < NOTHING_COUNTS) {
    return [
      {
        code: 'health/hall-dead',
        blocks: h === 0,
        hall: name,
        text: `its ${name} hall felt nothing when the mat was calibrated.`,
        remedy: `Check the three wires of the ${name} hall, or swap the sensor, and calibrate anew.`,
      },
    ];
  }
  const found: Found[] = [];
  const isWeak =
    h === 0 ? size < WEAK_SHARE * usual.size : size < Math.min(LIFT_SHARE * usual.size, LIFT_COUNTS);
  if (isWeak) {
    found.push({
      code: 'health/hall-weak',
      blocks: false,
      hall: name,
      text: `its ${name} hall reads the ball far less than elsewhere.`,
      remedy: `The ${name} hall sits too deep or the core is not the usual one: reseat it and calibrate anew.`,
    });
  }
  // So little of a hall beside the middle has no sign to go by.
  if ((h === 0 || !isWeak) && usual.sign !== 0 && Math.sign(range) !== usual.sign) {
    found.push({
      code: 'health/hall-reversed',
      blocks: false,
      hall: name,
      text: `its ${name} hall is turned over: it reads the other polarity.`,
      remedy: `Calibration allows for it; turn the ${name} hall when the tile is next open.`,
    });
  }
  return found;
}

function levelFaults(name: string, hall: HallCalibration, usual: Usual): readonly Found[] {
  const found: Found[] = [];
  const mt = (counts: number): number => counts * DEFAULT_LIMITS.mtPerCount;
  const noiseMt = mt(hall.noiseCounts);
  if (noiseMt > NOISE_MT || hall.noiseCounts > NOISE_TIMES * usual.noise) {
    found.push({
      code: 'health/hall-noisy',
      blocks: false,
      hall: name,
      text: `the noise of its ${name} hall is ${noiseMt.toFixed(2)} mT.`,
      remedy: `Look at the plug of the ${name} hall, for phones and motors nearby, then calibrate anew.`,
    });
  }
  const lightMt = mt(hall.ledCounts);
  if (Math.abs(lightMt) > LIGHT_MT) {
    found.push({
      code: 'health/hall-lit',
      blocks: false,
      hall: name,
      text: `its lights move its ${name} hall by ${lightMt.toFixed(2)} mT.`,
      remedy: 'Give the LEDs their own supply and ground, then calibrate anew.',
    });
  }
  return found;
}

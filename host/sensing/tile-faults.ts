import type { Calibration } from './calibration.ts';
import type { HealthFinding } from './health-finding.ts';

/** A hall whose seated ball reads less than this share of the usual tile's is weak. */
const WEAK_SHARE = 0.4;
/** A neighbour that sees more than this share of a ball is the tile itself: two plugs are swapped. */
const SWAPPED_SHARE = 0.8;

/** What a calibration shows to be wrong with single tiles: reversed, weak and swapped sensors. */
export function tileFaults(
  calibration: Calibration,
): readonly { readonly tile: string; readonly finding: Omit<HealthFinding, 'cell'> }[] {
  const seated = calibration.tiles.map((tile) => tile.halls[0]?.seatedCounts ?? 0);
  const sizes = seated
    .filter((_, i) => calibration.tiles[i]?.measured !== false)
    .map(Math.abs)
    .sort((a, b) => a - b);
  const usual = sizes[sizes.length >> 1] ?? 0;
  const sum = seated.reduce((n, counts) => n + Math.sign(counts), 0);
  const out: { tile: string; finding: Omit<HealthFinding, 'cell'> }[] = [];
  for (const [i, { tile, neighbours, measured }] of calibration.tiles.entries()) {
    if (measured === false) {
      out.push({
        tile,
        finding: {
          code: 'health/tile-unmeasured',
          blocks: false,
          text: 'it was left out when the mat was calibrated: usual values are taken.',
          remedy: 'See to its sensor and calibrate anew; until then leave this cell without a core.',
        },
      });
      continue;
    }
    const counts = seated[i] ?? 0;
    const swapped = Object.entries(neighbours).find(([, share]) => Math.abs(share) > SWAPPED_SHARE);
    // Beside a swapped tile shares are of next to nothing; only a tile that misses its own ball is meant.
    const misses = Math.abs(counts) < WEAK_SHARE * usual;
    if (swapped !== undefined && misses) {
      out.push({
        tile,
        finding: {
          code: 'health/tiles-swapped',
          blocks: true,
          text: `it answers when the ball lies on ${swapped[0]}.`,
          remedy: 'The plugs of these two tiles are swapped: change them over and calibrate anew.',
        },
      });
    } else if (misses) {
      out.push({
        tile,
        finding: {
          code: 'health/hall-weak',
          blocks: false,
          text: 'the seated ball reads far less here than elsewhere.',
          remedy: 'The sensor sits too deep or the core is not the usual one: reseat it and calibrate anew.',
        },
      });
    }
    if (sum !== 0 && counts !== 0 && Math.sign(counts) !== Math.sign(sum)) {
      out.push({
        tile,
        finding: {
          code: 'health/hall-reversed',
          blocks: false,
          text: 'its sensor is turned over: it reads the other polarity.',
          remedy: 'Calibration allows for it; turn the sensor when the tile is next open.',
        },
      });
    }
  }
  return out;
}

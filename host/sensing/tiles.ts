import type { BoardSide } from '../../firmware-protocol/frame.ts';
import type { Calibration } from './calibration.ts';
import { centreOf, type Layout, type LayoutCell, neighboursOf, type SensorLayout } from './layout.ts';

/** Hall sensors a tile has in each layout. */
export const HALLS_OF: Readonly<Record<SensorLayout, number>> = {
  axis: 1,
  collector: 1,
  'collector+offset': 2,
};

/** What people call the hall sensors of a tile, in the order of its channels. */
export const HALL_NAMES: Readonly<Record<SensorLayout, readonly string[]>> = {
  axis: ['axis'],
  collector: ['collector'],
  'collector+offset': ['collector', 'offset'],
};

/** What a tile reads when nobody has calibrated it: mid-supply, and a usual ball seated (12 mT). */
const UNCALIBRATED = { restCounts: 512, noiseCounts: 0.6, seatedCounts: 123, ledCounts: 0 };

/** The cells of a mat by number, with all that calibration says of them, in typed arrays for the sample path. */
export interface Tiles {
  readonly cells: readonly LayoutCell[];
  readonly halls: number;
  /** Centre of each cell, mm. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Middle of the field across, mm. */
  readonly middleX: number;
  /** Numbers of the cells that share a side. */
  readonly near: readonly (readonly number[])[];
  /** Stored level with an empty mat, counts, by cell · halls + hall. */
  readonly rest: Float64Array;
  /** Noise, counts, floored at 0.3: the spread of quantised idle data is 0. */
  readonly noise: Float64Array;
  /** Level change of the seated reference ball, counts, never nearer to 0 than a tenth of the usual. */
  readonly seated: Float64Array;
  /** Share of the first hall's level of cell `from` that appears at cell `to`, by to · cells + from. */
  readonly share: Float64Array;
  /** 1 where calibration saw the contact work. */
  readonly contactWorks: Uint8Array;
}

/** Cells by number for a layout and its calibration. Tiles that the calibration does not name get usual values. */
export function tilesOf(layout: Layout, calibration: Calibration): Tiles {
  const cells = layout.cells;
  const halls = HALLS_OF[layout.sensors];
  const n = cells.length;
  const index = new Map(cells.map((cell, i) => [cell.cell, i]));
  const tiles: Tiles = {
    cells,
    halls,
    x: Float64Array.from(cells, (cell) => centreOf(layout, cell).x),
    y: Float64Array.from(cells, (cell) => centreOf(layout, cell).y),
    middleX: middleOf(layout),
    near: cells.map((cell) =>
      neighboursOf(cell)
        .map((id) => index.get(id))
        .filter((i) => i !== undefined),
    ),
    rest: new Float64Array(n * halls),
    noise: new Float64Array(n * halls),
    seated: new Float64Array(n * halls),
    share: new Float64Array(n * n),
    contactWorks: new Uint8Array(n),
  };
  const byTile = new Map(calibration.tiles.map((tile) => [tile.tile, tile]));
  const byName = new Map(cells.map((cell, i) => [`${cell.side}${cell.tile}`, i]));
  for (const [i, cell] of cells.entries()) {
    const known = byTile.get(`${cell.side}${cell.tile}`);
    tiles.contactWorks[i] = known?.contactWorks === false ? 0 : 1;
    for (let h = 0; h < halls; h += 1) {
      const hall = known?.halls[h] ?? UNCALIBRATED;
      const at = i * halls + h;
      tiles.rest[at] = hall.restCounts;
      tiles.noise[at] = Math.max(0.3, hall.noiseCounts);
      const least = UNCALIBRATED.seatedCounts / 10;
      tiles.seated[at] =
        Math.abs(hall.seatedCounts) >= least ? hall.seatedCounts : hall.seatedCounts < 0 ? -least : least;
    }
    for (const [name, share] of Object.entries(known?.neighbours ?? {})) {
      const from = byName.get(name);
      if (from !== undefined) tiles.share[i * n + from] = share;
    }
  }
  return tiles;
}

function middleOf(layout: Layout): number {
  let sum = 0;
  for (const cell of layout.cells) sum += centreOf(layout, cell).x;
  return sum / Math.max(1, layout.cells.length);
}

/** Cell numbers in the order of a board's tiles; -1 where the layout has no such tile. */
export function cellsOfBoard(layout: Layout, side: BoardSide): Int16Array {
  const countA = layout.cells.filter((cell) => cell.side === 'A').length;
  const map = new Int16Array(32).fill(-1);
  for (const [i, cell] of layout.cells.entries()) {
    if (side === cell.side) map[cell.tile] = i;
    else if (side === 'both') map[cell.side === 'A' ? cell.tile : countA + cell.tile] = i;
  }
  return map;
}

import {
  type AdjacencyFrame,
  type BoardSide,
  CAPABILITY,
  type HelloFrame,
} from '../../firmware-protocol/frame.ts';
import type { AtMs, CellId } from '../ids.ts';
import type { HealthFinding } from './health-finding.ts';
import { neighboursOf } from './layout.ts';
import type { Tiles } from './tiles.ts';

/** A tile says its neighbours once a second at least: after this long without it, nothing is known. */
export const OLD_MS = 3000;
/** What a side says that touches nothing. */
const NOBODY = '00000000';
const SIDES_OF_TILE = 6;

/** What one tile said last: the device at each of its six sides, clockwise from the one towards player B. */
export interface NeighbourReport {
  readonly cell: number;
  readonly devices: readonly string[];
  readonly atMs: AtMs;
}

/** Which tiles touch which, as they say themselves. Only boards that say they can are listened to. */
export interface Neighbours {
  boards: readonly { readonly device: string; readonly side: BoardSide }[];
  /** The newest of each cell. */
  reports: readonly NeighbourReport[];
}

type Mat = {
  readonly tiles: Tiles;
  readonly maps: Readonly<Record<BoardSide, Int16Array>>;
  readonly neighbours: Neighbours;
};

const overlap = (a: BoardSide, b: BoardSide): boolean => a === b || a === 'both' || b === 'both';

/** A board says who it is. What the board before it said of this side is forgotten. */
export function meetBoard(mat: Mat, { device, side, capabilities }: HelloFrame): void {
  const { neighbours } = mat;
  const tells = (capabilities & CAPABILITY.adjacency) !== 0;
  const known = neighbours.boards.some((one) => one.device === device && one.side === side);
  if (known === tells && neighbours.boards.every((one) => one.device === device || !overlap(one.side, side)))
    return;
  neighbours.boards = neighbours.boards.filter((one) => one.device !== device && !overlap(one.side, side));
  if (tells) neighbours.boards = [...neighbours.boards, { device, side }];
  const its = mat.maps[side];
  neighbours.reports = neighbours.reports.filter(({ cell }) => !its.includes(cell));
}

/** A tile says what it touches. An older line than the last one changes nothing. */
export function takeReport(mat: Mat, side: BoardSide, frame: AdjacencyFrame, atMs: AtMs): void {
  const { neighbours } = mat;
  const cell = mat.maps[side][frame.tile] ?? -1;
  if (cell < 0 || !neighbours.boards.some((one) => one.side === side)) return;
  if (neighbours.reports.some((one) => one.cell === cell && one.atMs > atMs)) return;
  const others = neighbours.reports.filter((one) => one.cell !== cell);
  neighbours.reports = [...others, { cell, devices: [...frame.neighbours], atMs }];
}

/** When the oldest report stops to count; Infinity while there is none. */
export function reportsDueAt({ reports }: Neighbours): AtMs {
  let due = Number.POSITIVE_INFINITY;
  for (const { atMs } of reports) due = Math.min(due, atMs + OLD_MS);
  return due;
}

/** Forgets what was said too long ago. */
export function forgetReports(neighbours: Neighbours, atMs: AtMs): void {
  neighbours.reports = neighbours.reports.filter((one) => one.atMs + OLD_MS > atMs);
}

/** Cells that a device may be: one where it has one tile, several where it has more; undefined for a stranger. */
function cellsOf({ maps, neighbours }: Mat, device: string): readonly number[] | undefined {
  const board = neighbours.boards.find((one) => one.device === device);
  return board === undefined ? undefined : [...maps[board.side]].filter((cell) => cell >= 0);
}

/** A side that touches nothing, though the tile there, if it speaks, does not say that it touches this one. */
function touchesNothing(mat: Mat, report: NeighbourReport, at: number): boolean {
  if (report.devices[at] !== NOBODY) return false;
  const { tiles, neighbours } = mat;
  const own = tiles.cells[report.cell];
  const beside = own === undefined ? undefined : neighboursOf(own)[at];
  const back = neighbours.reports.find(({ cell }) => tiles.cells[cell]?.cell === beside);
  const says = back?.devices[(at + SIDES_OF_TILE / 2) % SIDES_OF_TILE] ?? NOBODY;
  return says === NOBODY || cellsOf(mat, says)?.includes(report.cell) === false;
}

/**
 * Cells whose tile says that no core lies side to side with it (4.7.3), given the cells on which cores lie. A neighbour
 * of which is not known what it is, or that may be one of several tiles with a core among them, may hold one: such a
 * cell is not named. Nor is any while the field is empty.
 */
export function aloneOn(mat: Mat, cores: ReadonlySet<CellId>): readonly CellId[] {
  if (cores.size === 0) return [];
  const { tiles, neighbours } = mat;
  const bears = (cell: number): boolean => cores.has(tiles.cells[cell]?.cell ?? '');
  const alone = neighbours.reports.filter((report) =>
    report.devices.every(
      (device, at) =>
        touchesNothing(mat, report, at) || (device !== NOBODY && cellsOf(mat, device)?.some(bears) === false),
    ),
  );
  return alone.flatMap(({ cell }) => tiles.cells[cell]?.cell ?? []).sort();
}

/**
 * Tiles that say other neighbours than the layout. Cells without a core are left out, and sides towards them: a loose
 * tile is a core, and is away from the field with it.
 */
export function neighbourFindings(mat: Mat, vacant: ReadonlySet<CellId>): readonly HealthFinding[] {
  const { tiles, neighbours } = mat;
  const found: HealthFinding[] = [];
  for (const [i, own] of tiles.cells.entries()) {
    const report = neighbours.reports.find(({ cell }) => cell === i);
    if (report === undefined || vacant.has(own.cell)) continue;
    const says: string[] = [];
    let misplaced = false;
    for (const [at, beside] of neighboursOf(own).entries()) {
      const device = report.devices[at] ?? NOBODY;
      const there = tiles.cells.findIndex(({ cell }) => cell === beside);
      if (vacant.has(beside)) continue;
      if (device === NOBODY) {
        if (there >= 0) says.push(`no tile towards ${beside}, where the layout has one`);
        continue;
      }
      const cells = cellsOf(mat, device);
      if (cells === undefined || (there >= 0 && cells.includes(there))) continue;
      misplaced = true;
      const [only] = cells.length === 1 ? cells : [];
      const name = only === undefined ? `a tile of board ${device}` : `tile ${tiles.cells[only]?.cell}`;
      says.push(`${name} towards ${beside}, where the layout has ${there >= 0 ? 'another' : 'none'}`);
    }
    if (says.length === 0) continue;
    found.push({
      code: 'health/neighbours-differ',
      // A dirty side contact says nothing of where a tile lies; a neighbour that is there does.
      blocks: misplaced,
      cell: own.cell,
      text: `Tile ${own.cell} reports ${says.join('; ')}.`,
      remedy: misplaced
        ? 'Move the tile to its place of the layout, or correct the layout.'
        : 'Move the tile close to its neighbours and clean the contacts of its sides, or correct the layout.',
    });
  }
  return found;
}

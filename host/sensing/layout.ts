import type { CellId, Side } from '../ids.ts';

/** How the hall sensors of a tile are placed; each has its own fitted score. */
export type SensorLayout = 'axis' | 'collector' | 'collector+offset';

/** One cell of the field and the tile of the board that watches it. */
export interface LayoutCell {
  readonly cell: CellId;
  /** Axial coordinates, flat-top hexes: x = pitch·(√3/2)·q to the right, y = pitch·(r + q/2) towards player A. */
  readonly q: number;
  readonly r: number;
  /** Side controller that watches the cell. */
  readonly side: Side;
  /** Tile index on that controller, from 0. On a `both` board side B's tiles follow side A's. */
  readonly tile: number;
}

/** Geometry and wiring of a mat. Pure data, checked by `checkLayout`. */
export interface Layout {
  readonly name: string;
  /** Distance of neighbouring cell centres, mm. */
  readonly pitchMm: number;
  readonly sensors: SensorLayout;
  readonly cells: readonly LayoutCell[];
  /** Table edge of each player to the field's centre, mm. */
  readonly edgeToCentreMm: number;
  /** Gate beams from the own table edge, mm: near and far (two card lengths, 5.7.1.2). */
  readonly gatesMm: { readonly near: number; readonly far: number };
}

/** Cell centre in mm; x to the right, y towards player A, origin at q = 0, r = 0. */
export function centreOf(
  layout: Layout,
  cell: { readonly q: number; readonly r: number },
): { x: number; y: number } {
  return { x: layout.pitchMm * (Math.sqrt(3) / 2) * cell.q, y: layout.pitchMm * (cell.r + cell.q / 2) };
}

const STEPS: readonly (readonly [number, number])[] = [
  [0, -1],
  [1, -1],
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
];

/** The six cells that share a side with this one (4.7.3), clockwise from the one towards player B. */
export function neighboursOf(cell: { readonly q: number; readonly r: number }): readonly CellId[] {
  return STEPS.map(([q, r]) => cellId(cell.q + q, cell.r + r));
}

export function cellId(q: number, r: number): CellId {
  return `q${q}r${r}`;
}

const side = (s: Side, cells: readonly (readonly [number, number])[]): LayoutCell[] =>
  cells.map(([q, r], tile) => ({ cell: cellId(q, r), q, r, side: s, tile }));

/** The reference mat: four columns of three, six tiles a player, the same under half a turn. */
export const FIXED_12: Layout = {
  name: 'fixed-12',
  pitchMm: 45,
  sensors: 'collector+offset',
  cells: [
    ...side('A', [
      [-1, 2],
      [-1, 1],
      [0, 1],
      [1, 1],
      [1, 0],
      [2, 0],
    ]),
    ...side('B', [
      [2, -2],
      [2, -1],
      [1, -1],
      [0, -1],
      [0, 0],
      [-1, 0],
    ]),
  ],
  edgeToCentreMm: 350,
  gatesMm: { near: 0, far: 177.8 },
};

/** Nineteen cells, a hexagon of three to an edge: ten tiles for side A with the middle one, nine for side B. */
export const HEX_19: Layout = {
  name: 'hex-19',
  pitchMm: 45,
  sensors: 'collector+offset',
  cells: [
    ...side('A', [
      [-2, 2],
      [-2, 1],
      [-1, 2],
      [-1, 1],
      [0, 2],
      [0, 1],
      [0, 0],
      [1, 1],
      [1, 0],
      [2, 0],
    ]),
    ...side('B', [
      [2, -2],
      [2, -1],
      [1, -2],
      [1, -1],
      [0, -2],
      [0, -1],
      [-1, -1],
      [-1, 0],
      [-2, 0],
    ]),
  ],
  edgeToCentreMm: 350,
  gatesMm: { near: 0, far: 177.8 },
};

/**
 * Eight hex digits that change with anything a calibration depends on: FNV-1a over cells, wiring, pitch and sensors.
 * A calibration made for another layout is known by it.
 */
export function layoutHash(layout: Layout): string {
  const cells = layout.cells.map((c) => `${c.cell}:${c.side}${c.tile}`).join(' ');
  const text = `${layout.name}|${layout.pitchMm}|${layout.sensors}|${cells}`;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return (hash >>> 0).toString(16).toUpperCase().padStart(8, '0');
}

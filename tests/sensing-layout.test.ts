import { describe, expect, it } from 'vitest';
import { checkLayout } from '../host/sensing/check-layout.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { cellsOfBoard } from '../host/sensing/tiles.ts';

describe('tiles of a layout', () => {
  it.each([
    ['A', 0, 'q-1r2'],
    ['A', 5, 'q2r0'],
    ['B', 0, 'q2r-2'],
    ['both', 5, 'q2r0'],
    ['both', 6, 'q2r-2'],
    ['both', 11, 'q-1r0'],
  ] as const)('board %s, tile %i watches %s', (side, tile, cell) => {
    expect(FIXED_12.cells[cellsOfBoard(FIXED_12, side)[tile] ?? -1]?.cell).toBe(cell);
  });

  it('an unset board watches nothing', () => {
    expect([...cellsOfBoard(FIXED_12, 'unset')].every((cell) => cell === -1)).toBe(true);
  });
});

describe('layout check', () => {
  const [first, second, ...rest] = FIXED_12.cells;
  if (first === undefined || second === undefined) throw new Error('the reference mat has cells');

  it('finds nothing wrong with the reference mat', () => {
    expect(checkLayout(FIXED_12)).toEqual([]);
  });

  it.each([
    ['a cell twice', { cells: [first, { ...first, tile: 7 }, second, ...rest] }, /q-1r2 is there twice/],
    [
      'a tile twice',
      { cells: [first, { ...second, tile: 0 }, ...rest] },
      /Tile 0 of side A watches two cells/,
    ],
    ['a wrong name', { cells: [{ ...first, cell: 'q9r9' }, second, ...rest] }, /call it q-1r2/],
    [
      'a tile out of range',
      { cells: [{ ...first, tile: 12 }, second, ...rest] },
      /tile 12 is not one of 0 to 11/,
    ],
    ['half a coordinate', { cells: [{ ...first, q: 0.5 }, second, ...rest] }, /whole numbers/],
    ['no cells', { cells: [] }, /no cell/],
    ['no pitch', { pitchMm: 0 }, /pitchMm/],
    ['gates in the wrong order', { gatesMm: { near: 200, far: 100 } }, /near must come before far/],
  ])('%s', (_, change, message) => {
    expect(checkLayout({ ...FIXED_12, ...change }).join(' ')).toMatch(message);
  });
});

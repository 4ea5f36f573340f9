import { MAX_TILES } from '../../firmware-protocol/frame.ts';
import { cellId, type Layout } from './layout.ts';

/** What is wrong with a layout, one plain sentence each with what to change; empty when it is sound. */
export function checkLayout(layout: Layout): readonly string[] {
  const wrong: string[] = [];
  const cells = new Set<string>();
  const tiles = new Set<string>();
  if (!(layout.pitchMm > 0))
    wrong.push(`pitchMm is ${layout.pitchMm}: give the distance of cell centres in mm.`);
  if (layout.cells.length === 0) wrong.push('The layout has no cell: give at least one.');
  for (const { cell, q, r, side, tile } of layout.cells) {
    if (!Number.isInteger(q) || !Number.isInteger(r))
      wrong.push(`Cell ${cell}: q and r must be whole numbers.`);
    else if (cell !== cellId(q, r))
      wrong.push(`Cell ${cell} lies at q ${q}, r ${r}: call it ${cellId(q, r)}.`);
    if (cells.has(cell)) wrong.push(`Cell ${cell} is there twice: remove one.`);
    cells.add(cell);
    if (!Number.isInteger(tile) || tile < 0 || tile >= MAX_TILES) {
      wrong.push(`Cell ${cell}: tile ${tile} is not one of 0 to ${MAX_TILES - 1}.`);
    }
    const name = `${side}${tile}`;
    if (tiles.has(name))
      wrong.push(`Tile ${tile} of side ${side} watches two cells: give ${cell} another tile.`);
    tiles.add(name);
  }
  const { near, far } = layout.gatesMm;
  if (!(near >= 0 && far > near && far < layout.edgeToCentreMm)) {
    wrong.push(
      `Gates at ${near} and ${far} mm: near must come before far, and far before the field's centre.`,
    );
  }
  return wrong;
}

import { describe, expect, it } from 'vitest';
import { LAYOUTS } from '../host/config/layout-file.ts';
import { checkLayout } from '../host/sensing/check-layout.ts';
import { neighboursOf } from '../host/sensing/layout.ts';

describe.each(LAYOUTS.map((layout) => [layout.name, layout] as const))('layout %s', (name, layout) => {
  it('does not contradict itself', () => {
    expect(checkLayout(layout)).toEqual([]);
    expect(layout.cells).toHaveLength(Number(/\d+$/.exec(name)?.[0]));
  });

  it('is one field: every cell shares a side with another (4.7.3)', () => {
    const cells = new Set(layout.cells.map((one) => one.cell));
    const [first] = cells;
    const reached = new Set(first === undefined ? [] : [first]);
    for (const cell of reached) {
      const place = layout.cells.find((one) => one.cell === cell);
      for (const near of place === undefined ? [] : neighboursOf(place))
        if (cells.has(near)) reached.add(near);
    }
    expect(reached.size).toBe(cells.size);
  });

  it('gives each player the cells on their own half', () => {
    const southOf = (side: 'A' | 'B'): readonly number[] =>
      layout.cells.filter((one) => one.side === side).map(({ q, r }) => r + q / 2);
    expect(Math.min(...southOf('A'))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...southOf('B'))).toBeLessThanOrEqual(0.5);
  });
});

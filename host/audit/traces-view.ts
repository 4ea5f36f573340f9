import { escaped } from './html.ts';
import type { RollCase } from './rolls.ts';
import type { CellTrace, RollTrace } from './trace.ts';
import { isEventful, NARROW, tracePicture } from './trace-picture.ts';

/** What the tiles of a roll read: first those that its ruling rests on, then all others that felt anything. */
export function tracesView(one: RollCase, trace: RollTrace): string {
  const cells = trace.cells.filter(isEventful);
  if (cells.length === 0) return '<p>No tile felt anything.</p>';
  const decided = decidingCells(one);
  const coreOn = (cell: string) => one.activity.cores.find((on) => on.cell === cell)?.core;
  const pictures = (some: readonly CellTrace[]): string =>
    `<div class="traces">${some.map((cell) => tracePicture(trace, cell, coreOn(cell.cell), one.final?.atMs, NARROW)).join('')}</div>`;
  const first = decided.flatMap((name) => cells.filter(({ cell }) => cell === name));
  const others = cells.filter(({ cell }) => !decided.includes(cell));
  const key = `<p class="small keys"><span class="key"><i style="background:var(--one)"></i>main hall</span><span class="key"><i style="background:var(--two)"></i>offset hall</span><span class="key"><i style="background:var(--touch);height:8px"></i>contact closed</span><span class="key soft">dotted: threshold</span></p>`;
  if (first.length === 0) return `${key}${pictures(others)}`;
  const named = first.map(({ cell }) => cell).join(' and ');
  return `${key}<h4>${first.length === 1 ? 'The tile' : 'The tiles'} that decided: ${escaped(named)}</h4>${pictures(first)}${others.length === 0 ? '' : `<h4>${others.length === 1 ? 'The other tile' : 'The other tiles'} that felt something</h4>${pictures(others)}`}`;
}

/** Cells on which the ruling of each ball rests: of its core, else of what it touched last, else the last of its way. */
function decidingCells({ final, activity }: RollCase): readonly string[] {
  const cells = (final?.balls ?? []).flatMap(({ attached, contact, audit }) => {
    const held = [...attached.sure, ...attached.possible];
    const cores = held.length > 0 ? held : [...contact.sure, ...contact.possible].slice(-1);
    const own = activity.cores.flatMap(({ core, cell }) => (cores.includes(core) ? [cell] : []));
    return own.length > 0 ? own : audit.path.cells.slice(-1);
  });
  return [...new Set(cells)];
}

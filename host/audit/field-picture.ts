import { centreOf, type Layout } from '../sensing/layout.ts';
import { escaped, num } from './html.ts';
import type { RollCase } from './rolls.ts';

const SCALE = 1.6;

/** The field from above with its cores, the way of each ball, and where it opened. */
export function fieldPicture(one: RollCase): string {
  const { layout, activity, final } = one;
  const centres = new Map(layout.cells.map((cell) => [cell.cell, centreOf(layout, cell)]));
  const xs = [...centres.values()].map(({ x }) => x * SCALE);
  const ys = [...centres.values()].map(({ y }) => y * SCALE);
  const pad = layout.pitchMm * SCALE * 0.75;
  const [left, right] = [Math.min(...xs) - pad, Math.max(...xs) + pad];
  const [top, bottom] = [Math.min(...ys) - pad - 14, Math.max(...ys) + pad + 14];
  const parts: string[] = [];
  /** Written last, over the ways. */
  const labels: string[] = [];
  for (const { cell, side } of layout.cells) {
    const centre = centres.get(cell);
    if (centre === undefined) continue;
    const core = activity.cores.find((on) => on.cell === cell)?.core;
    const owner = core?.startsWith('B') ? 'var(--b)' : 'var(--a)';
    const fill = core === undefined ? 'none' : `color-mix(in srgb,${owner} 14%,transparent)`;
    parts.push(
      `<polygon points="${hexagon(layout, centre)}" fill="${fill}" stroke="var(--line)" stroke-width="1.4"/>`,
    );
    labels.push(
      label(centre.x, centre.y + 4 / SCALE, core ?? '·', core === undefined ? '' : 'font-weight:600'),
    );
    labels.push(label(centre.x, centre.y + layout.pitchMm * 0.36, `${side} ${cell}`, 'font-size:9px'));
  }
  for (const ball of final?.balls ?? []) {
    const colour = ball.player === 'B' ? 'var(--b)' : ball.player === 'A' ? 'var(--a)' : 'var(--doubt)';
    const shift = ball.player === 'B' ? 5 : -5;
    const points = ball.audit.path.cells.flatMap((cell) => {
      const centre = centres.get(cell);
      return centre === undefined ? [] : [`${num(centre.x * SCALE + shift)},${num(centre.y * SCALE - 21)}`];
    });
    const edge = (ball.player === 'B' ? top : bottom) + (ball.player === 'B' ? 16 : -16);
    const [first] = points;
    if (first === undefined) continue;
    const start = `${first.split(',')[0]},${num(edge)}`;
    parts.push(
      `<polyline points="${[start, ...points].join(' ')}" fill="none" stroke="${colour}" stroke-width="3" stroke-linejoin="round" stroke-linecap="round" stroke-opacity=".85"/>`,
    );
    const [endX = '0', endY = '0'] = (points.at(-1) ?? first).split(',');
    const solid = ball.opened === 'yes' ? colour : 'var(--card)';
    parts.push(
      `<circle cx="${endX}" cy="${endY}" r="7" fill="${solid}" stroke="${colour}" stroke-width="2.5"/>`,
    );
  }
  parts.push(...labels);
  parts.push(
    `<text x="${num((left + right) / 2)}" y="${num(bottom - 3)}" text-anchor="middle" style="fill:var(--a)">${escaped(one.players.A)} (A)</text>`,
  );
  parts.push(
    `<text x="${num((left + right) / 2)}" y="${num(top + 10)}" text-anchor="middle" style="fill:var(--b)">${escaped(one.players.B)} (B)</text>`,
  );
  const box = [left, top, right - left, bottom - top].map((value) => num(value)).join(' ');
  return `<svg viewBox="${box}" role="img" aria-label="The field from above with the way of each ball" style="max-width:440px;margin:auto">${parts.join('')}</svg>`;
}

function label(x: number, y: number, text: string, style: string): string {
  return `<text x="${num(x * SCALE)}" y="${num(y * SCALE)}" text-anchor="middle" stroke="var(--card)" stroke-width="3" paint-order="stroke" style="${style}">${escaped(text)}</text>`;
}

/** Corners of a flat-top hexagon around a centre. */
function hexagon(layout: Layout, centre: { readonly x: number; readonly y: number }): string {
  const radius = (layout.pitchMm / Math.sqrt(3)) * SCALE * 0.97;
  return [0, 1, 2, 3, 4, 5]
    .map((i) => {
      const angle = (Math.PI / 3) * i;
      return `${num(centre.x * SCALE + radius * Math.cos(angle))},${num(centre.y * SCALE + radius * Math.sin(angle))}`;
    })
    .join(' ');
}

import { escaped, num } from './html.ts';
import type { Comparison } from './report-marks.ts';

const WIDTH = 470;
const ROW = 46;
const EDGE = 10;

/**
 * What was seen (a dot with its 95 % interval) beside what was expected (a tick), one row a comparison with its name above
 * it. Shares stand on a scale from 0 to 100 %, other measures each on one of their own.
 */
export function comparedPlot(comparisons: readonly Comparison[]): string {
  if (comparisons.length === 0) return '';
  const height = comparisons.length * ROW + 6;
  const rows = comparisons.map((one, i) => row(one, i * ROW + 6));
  return `<p class="small keys"><span class="key"><i style="background:var(--one)"></i>seen, with its 95 % interval</span><span class="key"><i style="background:var(--doubt);width:3px;height:12px"></i>expected</span></p>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="What was seen beside what was expected" style="max-width:620px">${rows.join('')}</svg>`;
}

function row(one: Comparison, top: number): string {
  const { name, what, expected, seen, n, unit } = one;
  const [from, to] = scaleOf(one);
  const x = (value: number): number =>
    EDGE + Math.min(1, Math.max(0, (value - from) / (to - from))) * (WIDTH - 2 * EDGE);
  const y = top + 28;
  const told = (value: number): string =>
    unit === '' ? `${num(100 * value)} %` : `${num(value, unit === 'ms' ? 0 : 2)} ${unit}`;
  const hint = `${name}, ${what}: seen ${told(seen)}, 95 % from ${told(one.low)} to ${told(one.high)}, expected ${told(expected)}, n ${n}`;
  return `<g><title>${escaped(hint)}</title><text x="${EDGE}" y="${top + 12}" style="fill:var(--ink);font-size:12px">${escaped(name)} <tspan style="fill:var(--soft)">${escaped(what)}</tspan></text><text x="${WIDTH - EDGE}" y="${top + 12}" text-anchor="end">${escaped(told(seen))}, expected ${escaped(told(expected))}, n ${n}</text><line x1="${EDGE}" x2="${WIDTH - EDGE}" y1="${y}" y2="${y}" stroke="var(--grid)" stroke-width="8" stroke-linecap="round"/><line x1="${num(x(one.low))}" x2="${num(x(one.high))}" y1="${y}" y2="${y}" stroke="var(--one)" stroke-opacity=".45" stroke-width="8" stroke-linecap="round"/><circle cx="${num(x(seen))}" cy="${y}" r="5" fill="var(--one)"/><path d="M${num(x(expected))} ${y - 9}v18" stroke="var(--doubt)" stroke-width="3"/></g>`;
}

/** Shares from 0 to 1; measures with a margin around all that is drawn. */
function scaleOf({ unit, low, high, seen, expected }: Comparison): readonly [number, number] {
  if (unit === '') return [0, 1];
  const values = [low, high, seen, expected].filter((value) => Number.isFinite(value));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max(0.15 * (most - least), 1e-6);
  return [least - margin, most + margin];
}

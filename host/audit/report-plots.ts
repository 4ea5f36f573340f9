import { escaped, num } from './html.ts';
import type { ReportRow } from './report.ts';
import type { Rates } from './report-rates.ts';
import type { Mean, Share } from './statistics.ts';

/** Narrow, so that words stay readable on a phone; a screen shows two beside one another. */
const WIDTH = 470;
const NAME = 104;

/** A share in whole percent; a dash where there is none. */
export function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${num(100 * share, 0)} %`;
}

/** A hint that a mouse shows: a share with its interval. */
export function shareText(name: string, { hits, of, low, high }: Share): string {
  return `${name} ${hits} of ${of}, 95 % from ${percent(low)} to ${percent(high)}`;
}

/**
 * Values of each name as dots on one scale, with the mean and its 95 % interval where one is given; lines mark levels with
 * a meaning. A value beyond the scale stands at its edge.
 */
export function stripPlot(
  groups: readonly {
    readonly name: string;
    readonly side: string;
    readonly values: readonly number[];
    readonly mean?: Mean;
  }[],
  scale: {
    readonly unit: string;
    readonly from: number;
    readonly to: number;
    readonly ticks: readonly number[];
  },
  levels: readonly { readonly at: number; readonly text: string }[] = [],
): string {
  const row = 46;
  const height = groups.length * row + 44;
  const x = (value: number): number =>
    NAME + Math.min(1, Math.max(0, (value - scale.from) / (scale.to - scale.from))) * (WIDTH - NAME - 52);
  const parts: string[] = scale.ticks.map(
    (tick) =>
      `<line x1="${num(x(tick))}" x2="${num(x(tick))}" y1="14" y2="${height - 24}" stroke="var(--grid)"/><text x="${num(x(tick))}" y="${height - 8}" text-anchor="middle">${num(tick, 2)}${tick === scale.ticks.at(-1) ? ` ${scale.unit}` : ''}</text>`,
  );
  for (const { at, text } of levels) {
    parts.push(
      `<line x1="${num(x(at))}" x2="${num(x(at))}" y1="14" y2="${height - 24}" stroke="var(--doubt)" stroke-dasharray="4 3"/><text x="${num(x(at) + 3)}" y="11" style="fill:var(--doubt)">${escaped(text)}</text>`,
    );
  }
  groups.forEach(({ name, side, values, mean }, i) => {
    const y = 14 + i * row + row / 2;
    const colour = side === 'B' ? 'var(--b)' : 'var(--a)';
    parts.push(label(name, y));
    values.forEach((value, k) => {
      // Dots of one row stand in seven lanes, so that many alike do not hide one another.
      const lane = ((k % 7) - 3) * 3.2;
      parts.push(
        `<circle cx="${num(x(value))}" cy="${num(y + lane)}" r="3" fill="${colour}" fill-opacity=".5"><title>${num(value, 2)} ${scale.unit}</title></circle>`,
      );
    });
    if (mean !== undefined && mean.of > 1) {
      parts.push(
        `<line x1="${num(x(mean.low))}" x2="${num(x(mean.high))}" y1="${y}" y2="${y}" stroke="var(--ink)" stroke-width="3" stroke-linecap="round"/><path d="M${num(x(mean.mean))} ${y - 9}v18" stroke="var(--ink)" stroke-width="2.5"><title>${escaped(`${name}: mean ${num(mean.mean, 2)} ${scale.unit}, 95 % from ${num(mean.low, 2)} to ${num(mean.high, 2)}`)}</title></path>`,
      );
    }
    parts.push(`<text x="${WIDTH - 6}" y="${y + 4}" text-anchor="end">n ${values.length}</text>`);
  });
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Every value as a dot, with means and their intervals">${parts.join('')}</svg>`;
}

/** The field of every table with each tile as deep in colour as balls opened on it. */
export function fieldMaps(tiles: readonly Rates[]): string {
  const tables = [...new Set(tiles.flatMap(({ at }) => (at === undefined ? [] : [at.table])))];
  if (tables.length < 2) return fieldMap(tiles);
  return tables
    .map((table) => `<h3>${escaped(table)}</h3>${fieldMap(tiles.filter(({ at }) => at?.table === table))}`)
    .join('');
}

function fieldMap(tiles: readonly Rates[]): string {
  const placed = tiles.flatMap((one) => {
    const match = /^q(-?\d+)r(-?\d+)$/.exec(one.at?.cell ?? '');
    if (match === null) return [];
    const [q, r] = [Number(match[1]), Number(match[2])];
    return [{ one, x: 66 * (Math.sqrt(3) / 2) * q, y: 66 * (r + q / 2) }];
  });
  if (placed.length === 0) return '<p class="soft">No ball was tied to a tile.</p>';
  const xs = placed.map(({ x }) => x);
  const ys = placed.map(({ y }) => y);
  const box = [
    Math.min(...xs) - 44,
    Math.min(...ys) - 40,
    Math.max(...xs) - Math.min(...xs) + 88,
    Math.max(...ys) - Math.min(...ys) + 80,
  ];
  const hexes = placed.map(({ one, x, y }) => {
    const { opens } = one;
    const depth = opens.of === 0 ? 0 : Math.round(12 + 68 * opens.share);
    return `<g><title>${escaped(shareText(`${one.name}: opened`, opens))}</title><polygon points="${hexagon(x, y, 36)}" fill="color-mix(in srgb,var(--one) ${depth}%,var(--card))" stroke="var(--line)"/><text x="${num(x)}" y="${num(y + 2)}" text-anchor="middle" style="fill:${depth > 55 ? 'var(--card)' : 'var(--ink)'};font-weight:650;font-size:13px">${percent(opens.share)}</text><text x="${num(x)}" y="${num(y + 16)}" text-anchor="middle" style="font-size:9.500px;fill:${depth > 55 ? 'var(--card)' : 'var(--soft)'}">${opens.hits}/${opens.of}</text><text x="${num(x)}" y="${num(y - 14)}" text-anchor="middle" style="font-size:9px;fill:${depth > 55 ? 'var(--card)' : 'var(--soft)'}">${escaped(one.at?.cell ?? '')}</text></g>`;
  });
  return `<svg viewBox="${box.map((value) => num(value)).join(' ')}" role="img" aria-label="Share of balls that opened on each tile" style="max-width:440px;margin:auto">${hexes.join('')}</svg>`;
}

/** Values of a measure by player, with the side each sits on. */
export function byPlayer(
  rows: readonly ReportRow[],
  measure: (row: ReportRow) => number | null,
): readonly { readonly name: string; readonly side: string; readonly values: readonly number[] }[] {
  const groups = new Map<string, { side: string; values: number[] }>();
  for (const row of rows) {
    const value = measure(row);
    if (value === null || row.side === 'undetermined') continue;
    const group = groups.get(row.player) ?? { side: row.side, values: [] };
    group.values.push(value);
    groups.set(row.player, group);
  }
  return [...groups].map(([name, group]) => ({ name, ...group })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function hexagon(x: number, y: number, radius: number): string {
  const half = radius * (Math.sqrt(3) / 2);
  return [
    [radius, 0],
    [radius / 2, half],
    [-radius / 2, half],
    [-radius, 0],
    [-radius / 2, -half],
    [radius / 2, -half],
  ]
    .map(([dx = 0, dy = 0]) => `${num(x + dx)},${num(y + dy)}`)
    .join(' ');
}

function label(name: string, y: number): string {
  return `<text x="${NAME - 10}" y="${num(y + 4)}" text-anchor="end" style="fill:var(--ink);font-size:12px">${escaped(name)}</text>`;
}

import { escaped, num } from './html.ts';
import type { CellTrace, Mark, RollTrace } from './trace.ts';

const LEFT = 44;
const PLOT = 108;
const TOUCH = 10;
const AXIS = 22;
const RIGHT = 8;
/** A row of labels of marks. */
const LABEL = 11;

/** Size of a picture: px of its own width, rows of labels above it, most times below it. */
export interface TraceSize {
  readonly width: number;
  readonly rows: number;
  readonly times: number;
}

/** For a screen of its own. */
const WIDE: TraceSize = { width: 720, rows: 2, times: 9 };
/** For phones, where words stay readable, and beside one another. */
export const NARROW: TraceSize = { width: 380, rows: 4, times: 6 };

/** Share of a wide picture that lies left of its first and right of its last moment. */
export const PLOT_LEFT = LEFT / WIDE.width;
export const PLOT_RIGHT = RIGHT / WIDE.width;

/** Whether anything happened on a tile: contact, or a field above its threshold. */
export function isEventful(cell: CellTrace): boolean {
  if (cell.contact.some((closed) => closed === 1)) return true;
  const above = cell.halls[0]?.reduce((n, value) => n + (Math.abs(value) > 2 * cell.thresholdMt ? 1 : 0), 0);
  return (above ?? 0) > 5;
}

/** A picture of what one tile read: field of each hall, threshold, contact, and the moments the decision rests on. */
export function tracePicture(
  trace: RollTrace,
  cell: CellTrace,
  core: string | undefined,
  decidedMs: number | undefined,
  size: TraceSize = WIDE,
): string {
  const { width, rows } = size;
  const top = 4 + rows * LABEL;
  const height = top + PLOT + 8 + TOUCH + AXIS;
  const span = Math.max(1, trace.toMs - trace.fromMs);
  const x = (atMs: number): number => LEFT + ((atMs - trace.fromMs) / span) * (width - LEFT - RIGHT);
  const peak = Math.max(cell.thresholdMt * 2.5, ...cell.halls.map((values) => extent(values)));
  const y = (mt: number): number => top + PLOT / 2 - (mt / peak) * (PLOT / 2 - 4);
  const parts: string[] = [];
  for (const mt of ticksFor(peak)) {
    parts.push(
      `<line x1="${LEFT}" x2="${width - RIGHT}" y1="${num(y(mt))}" y2="${num(y(mt))}" stroke="var(--grid)"/>`,
    );
    parts.push(`<text x="${LEFT - 6}" y="${num(y(mt) + 4)}" text-anchor="end">${num(mt)}</text>`);
  }
  for (const level of [cell.thresholdMt, -cell.thresholdMt]) {
    parts.push(
      `<line x1="${LEFT}" x2="${width - RIGHT}" y1="${num(y(level))}" y2="${num(y(level))}" stroke="var(--soft)" stroke-dasharray="2 4"/>`,
    );
  }
  cell.halls.forEach((values, hall) => {
    const colour = hall === 0 ? 'var(--one)' : 'var(--two)';
    parts.push(
      `<path d="${pathOf(values, trace.fromMs, x, y)}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linejoin="round"/>`,
    );
  });
  const touchTop = top + PLOT + 8;
  parts.push(
    `<rect x="${LEFT}" y="${touchTop}" width="${width - LEFT - RIGHT}" height="${TOUCH}" fill="var(--grid)" rx="2"/>`,
  );
  for (const [from, to] of runsOf(cell.contact)) {
    const left = x(trace.fromMs + from);
    const closed = Math.max(1, x(trace.fromMs + to) - left);
    parts.push(
      `<rect x="${num(left)}" y="${touchTop}" width="${num(closed)}" height="${TOUCH}" fill="var(--touch)" rx="1"/>`,
    );
  }
  parts.push(marksOf(trace, cell, x, decidedMs, size));
  for (const ms of timesFor(span, size.times)) {
    const at = LEFT + (ms / span) * (width - LEFT - RIGHT);
    parts.push(
      `<text x="${num(at)}" y="${height - 6}" text-anchor="middle">${ms >= 1000 ? `${num(ms / 1000, 2)} s` : `${ms} ms`}</text>`,
    );
  }
  const title = `Tile ${cell.cell}${core === undefined ? ', no core' : `, core ${core}`}`;
  return `<figure class="trace" style="margin:0 0 14px"><figcaption><b>${escaped(title)}</b> <span class="soft small">field in mT, threshold ±${num(cell.thresholdMt, 2)} mT, resting level ${cell.baseline.map((one) => num(one, 0)).join(' / ')} counts</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}: field and contact over the roll">${parts.join('')}</svg></figure>`;
}

function marksOf(
  trace: RollTrace,
  cell: CellTrace,
  x: (ms: number) => number,
  decidedMs: number | undefined,
  { width, rows: most }: TraceSize,
): string {
  const top = 4 + most * LABEL;
  const own: Mark[] = trace.marks.filter((mark) => mark.cell === undefined || mark.cell === cell.cell);
  const all = decidedMs === undefined ? own : [...own, { what: 'decided', atMs: decidedMs }];
  const shown = all
    .filter(({ atMs }) => atMs >= trace.fromMs && atMs <= trace.toMs)
    .sort((a, b) => a.atMs - b.atMs);
  const rows = Array.from({ length: most }, (): [number, number][] => []);
  const placed = new Map<Mark, { readonly row: number; readonly right: boolean }>();
  // What decides is named first, the rest where there is room.
  for (const mark of [...shown].sort((a, b) => Number(isStrong(b)) - Number(isStrong(a)))) {
    const at = x(mark.atMs);
    const wide = labelOf(mark).length * 5.7 + 8;
    const right = at + wide > width;
    const [from, to] = right ? [at - wide, at] : [at, at + wide];
    const row = rows.findIndex((taken) => taken.every(([a, b]) => to < a || from > b));
    if (row < 0) continue;
    rows[row]?.push([from, to]);
    placed.set(mark, { row, right });
  }
  return shown
    .map((mark) => {
      const at = x(mark.atMs);
      const label = labelOf(mark);
      const strong = isStrong(mark);
      const line = `<line x1="${num(at)}" x2="${num(at)}" y1="${top - 2}" y2="${top + PLOT + 8 + TOUCH}" stroke="${strong ? 'var(--ink)' : 'var(--soft)'}" stroke-opacity="${strong ? 0.75 : 0.45}" stroke-dasharray="${strong ? '' : '3 3'}"><title>${escaped(label)} at ${num(mark.atMs, 1)} ms</title></line>`;
      const place = placed.get(mark);
      if (place === undefined) return line;
      return `${line}<text x="${num(place.right ? at - 3 : at + 3)}" y="${10 + place.row * LABEL}" text-anchor="${place.right ? 'end' : 'start'}">${escaped(label)}</text>`;
    })
    .join('');
}

function isStrong(mark: Mark): boolean {
  return mark.what === 'decided' || mark.what === 'arrival';
}

function labelOf(mark: Mark): string {
  const who = mark.player === undefined ? '' : `${mark.player} `;
  const score =
    mark.score === undefined || Number.isNaN(mark.score) ? '' : ` ${Math.round(mark.score * 100)} %`;
  const what = mark.what === 'arrival' ? 'open?' : mark.what.replace(' gate', '');
  return `${who}${what}${score}`;
}

/** Lowest and highest value of every half pixel, so that no spike is lost and the picture stays small. */
function pathOf(
  values: Float32Array,
  _fromMs: number,
  x: (ms: number) => number,
  y: (mt: number) => number,
): string {
  const a = x(_fromMs);
  const b = x(_fromMs + values.length);
  const step = Math.max(1, Math.floor(values.length / Math.max(1, (b - a) * 1.5)));
  const out: string[] = [];
  let pen = 'M';
  for (let i = 0; i < values.length; i += step) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = i; k < Math.min(values.length, i + step); k += 1) {
      const value = values[k] ?? Number.NaN;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low > high) {
      pen = 'M';
      continue;
    }
    const at = num(x(_fromMs + i));
    out.push(`${pen}${at} ${num(y(high))}`);
    if (high - low > 0.05) out.push(`L${at} ${num(y(low))}`);
    pen = 'L';
  }
  return out.join('');
}

function extent(values: Float32Array): number {
  let most = 0;
  for (const value of values) if (Math.abs(value) > most) most = Math.abs(value);
  return most * 1.08;
}

function ticksFor(peak: number): readonly number[] {
  const step = [0.5, 1, 2, 5, 10, 20, 50].find((one) => peak / one <= 2.5) ?? 100;
  const out: number[] = [];
  for (let at = -Math.floor(peak / step) * step; at <= peak; at += step) out.push(at);
  return out;
}

function timesFor(spanMs: number, most: number): readonly number[] {
  const step = [50, 100, 200, 500, 1000, 2000, 5000].find((one) => spanMs / one <= most) ?? 10_000;
  const out: number[] = [];
  for (let at = 0; at < spanMs - step / 3; at += step) out.push(at);
  return out;
}

function runsOf(contact: Uint8Array): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  let from = -1;
  for (let i = 0; i <= contact.length; i += 1) {
    const closed = contact[i] === 1;
    if (closed && from < 0) from = i;
    if (!closed && from >= 0) {
      runs.push([from, i]);
      from = -1;
    }
  }
  return runs;
}

/** The trace of one miss as a picture, and in words what its samples could have told. */
import type { BallTruth, RollTruth } from '../../sim/truth.ts';
import type { Claim } from './detection-claims.ts';
import type { HeardRoll } from './detection-lines.ts';
import type { PlainRoll } from './detection-plain.ts';
import { doubtWords, erredAt, erredWords } from './detection-step.ts';

const WIDTH = 1000;
const LEFT = 70;
const TRACK = 96;
const STEP_MS = 3;
const COLOURS = ['#1f5fa8', '#c0552b'] as const;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Level of a hall against its calibrated rest, counts. */
function levelAt(roll: PlainRoll, tile: number, hall: number, ms: number): number {
  const width = roll.tiles.length * roll.halls;
  const own = roll.tiles[tile];
  const known = roll.calibration.tiles.find((t) => t.tile === `${own?.side}${own?.tile}`);
  return (roll.counts[ms * width + tile * roll.halls + hall] ?? 0) - (known?.halls[hall]?.restCounts ?? 512);
}

function seatedAt(roll: PlainRoll, tile: number): number {
  const own = roll.tiles[tile];
  const known = roll.calibration.tiles.find((t) => t.tile === `${own?.side}${own?.tile}`);
  return Math.abs(known?.halls[0]?.seatedCounts ?? 120);
}

/** What happened at the tile that matters most for this ball, what the samples show there, and which step erred. */
export function explain(heard: HeardRoll, roll: PlainRoll, ball: BallTruth, claim: Claim): string {
  const { truth } = heard;
  const words: string[] = [];
  const codes = heard.final?.balls.find((b) => b.player === ball.player)?.reasons.map((r) => r.code) ?? [];
  const cell = ball.latchCell ?? ball.path.at(-1)?.cell;
  const tile = roll.tiles.findIndex((t) => t.cell === cell);
  const fault = truth.contactFaults.find((f) => ball.path.some((v) => v.cell === f.cell));
  if (fault !== undefined) words.push(`contact of ${fault.cell} ${fault.fault}`);
  const other = truth.balls.find((b) => b !== ball);
  if (other?.latchCell !== undefined && other.latchCell === ball.latchCell) {
    const gap = Math.abs((other.latchMs ?? 0) - (ball.latchMs ?? 0));
    words.push(`the other ball opened on the same tile ${gap.toFixed(0)} ms apart`);
  }
  if (ball.releaseMs < truth.fromMs) words.push('released before the call');
  if (tile < 0) {
    words.push('touched no tile: only its gates could tell of it');
  } else {
    const at = ball.latchMs ?? ball.path.at(-1)?.fromMs ?? truth.fromMs;
    const { before, after, closed } = around(roll, tile, at);
    const step = Math.abs(after - before) / seatedAt(roll, tile);
    words.push(
      `field at ${cell} went from ${before.toFixed(0)} to ${after.toFixed(0)} counts (${(100 * step).toFixed(0)} % of a seated ball), contact closed ${closed.toFixed(0)} ms of the next 250`,
    );
  }
  words.push(claim.doubt ? doubtWords(heard, ball) : erredWords(erredAt(heard, ball, claim)));
  return `${words.join('; ')} [${codes.join(', ')}]`;
}

function around(roll: PlainRoll, tile: number, atMs: number) {
  const ms = Math.round(atMs - roll.fromMs);
  const mean = (from: number, to: number): number => {
    let sum = 0;
    let n = 0;
    for (let i = Math.max(0, from); i < Math.min(to, roll.durationMs); i += 1, n += 1) {
      sum += levelAt(roll, tile, 0, i);
    }
    return n === 0 ? 0 : sum / n;
  };
  let closed = 0;
  for (let i = ms; i < Math.min(ms + 250, roll.durationMs); i += 1) {
    closed += roll.contacts[i * roll.tiles.length + tile] ?? 0;
  }
  return { before: mean(ms - 40, ms - 20), after: mean(ms + 40, ms + 110), closed };
}

/** One strip a tile that matters: halls as lines, contact as a bar, what happened and what was said as marks. */
export function tracePicture(
  heard: HeardRoll,
  roll: PlainRoll,
  title: string,
  words: readonly string[],
): string {
  const { truth } = heard;
  const shown = cellsOf(truth, heard);
  const tiles = roll.tiles.flatMap((t, i) => (shown.has(t.cell) ? [i] : []));
  const first = Math.max(0, Math.floor(firstMs(truth) - 150 - roll.fromMs));
  const last = roll.durationMs;
  const x = (ms: number): number => LEFT + ((ms - first) / Math.max(1, last - first)) * (WIDTH - LEFT - 10);
  const parts: string[] = [];
  const top = 34 + 15 * words.length;
  tiles.forEach((tile, row) => {
    const y0 = top + row * TRACK;
    const middle = y0 + TRACK / 2;
    const full = 1.3 * seatedAt(roll, tile);
    const y = (level: number): number =>
      middle - (Math.max(-full, Math.min(full, level)) / full) * (TRACK / 2 - 10);
    const cell = roll.tiles[tile]?.cell ?? '';
    parts.push(`<text x="4" y="${middle + 4}" class="cell">${cell}</text>`);
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - 10}" y1="${middle}" y2="${middle}" class="zero"/>`);
    for (let hall = 0; hall < roll.halls; hall += 1) {
      const points: string[] = [];
      for (let ms = first; ms < last; ms += STEP_MS) {
        points.push(`${x(ms).toFixed(1)},${y(levelAt(roll, tile, hall, ms)).toFixed(1)}`);
      }
      parts.push(`<polyline points="${points.join(' ')}" stroke="${COLOURS[hall] ?? '#555'}"/>`);
    }
    for (let ms = first, from = -1; ms <= last; ms += 1) {
      const closed = ms < last && roll.contacts[ms * roll.tiles.length + tile] === 1;
      if (closed && from < 0) from = ms;
      if (closed || from < 0) continue;
      parts.push(
        `<rect x="${x(from).toFixed(1)}" y="${y0 + TRACK - 9}" width="${Math.max(0.5, x(ms) - x(from)).toFixed(1)}" height="5" fill="#3a7d44"/>`,
      );
      from = -1;
    }
  });
  const bottom = top + tiles.length * TRACK;
  for (const { ms, text } of marksOf(heard)) {
    const at = x(ms - roll.fromMs);
    if (at < LEFT || at > WIDTH) continue;
    parts.push(`<line x1="${at}" x2="${at}" y1="${top}" y2="${bottom}" class="mark"/>`);
    parts.push(
      `<text transform="translate(${at + 3} ${bottom + 4}) rotate(60)" class="said">${escaped(text)}</text>`,
    );
  }
  const head = [title, ...words]
    .map((w, i) => `<text x="4" y="${16 + 15 * i}">${escaped(w)}</text>`)
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 150}" font-family="sans-serif" font-size="12"><title>${escaped(title)}</title><style>polyline{fill:none;stroke-width:1}.zero{stroke:#ccc}.mark{stroke:#999;stroke-dasharray:3 3}.said{font-size:10px;fill:#444}.cell{font-weight:bold}</style><rect width="100%" height="100%" fill="#fff"/>${head}${parts.join('')}</svg>\n`;
}

function firstMs(truth: RollTruth): number {
  return Math.min(...truth.balls.flatMap((ball) => ball.path.map((v) => v.fromMs)), truth.toMs - 1000);
}

/** Tiles that were touched, and tiles of cores that rulings name. */
function cellsOf(truth: RollTruth, heard: HeardRoll): ReadonlySet<string> {
  const named = heard.final?.balls.flatMap((b) => [...b.attached.sure, ...b.attached.possible]) ?? [];
  const cells = truth.cores.filter((c) => named.includes(c.core)).map((c) => c.cell);
  return new Set([...cells, ...truth.balls.flatMap((ball) => ball.path.map((v) => v.cell))]);
}

function marksOf(heard: HeardRoll): { readonly ms: number; readonly text: string }[] {
  const marks: { ms: number; text: string }[] = [];
  for (const ball of heard.truth.balls) {
    if (ball.latchMs !== undefined) marks.push({ ms: ball.latchMs, text: `${ball.player} opens` });
    if (ball.offMs !== undefined) marks.push({ ms: ball.offMs, text: `${ball.player} leaves` });
    marks.push({ ms: ball.restMs, text: `${ball.player} rests` });
  }
  for (const { output, outMs } of heard.said) {
    if (output.kind !== 'ruling') continue;
    const balls = output.ruling.balls.map((b) => `${b.player[0]}:${b.opened}`).join(' ');
    marks.push({ ms: outMs, text: `${output.ruling.stage} ${balls}` });
  }
  return marks;
}

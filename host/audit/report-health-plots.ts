import { counted, escaped, num } from './html.ts';
import type { LevelTrend, LinkTrend, ShareTrend, TileTrend } from './report-trends.ts';
import type { Share } from './statistics.ts';

const WIDE = 200;
const HIGH = 74;
/** Half of the scale of the levels at least, counts: smaller changes touch no ruling. */
const LEAST_SPAN_COUNTS = 3;

/**
 * The health of every tile in the course of the record, small pictures on the same scales: above the share of balls in
 * doubt and of contacts that closed, below how far the baseline lies off its rest with the noise around it.
 */
export function tilePlots(trends: readonly TileTrend[]): string {
  const span = trends.reduce(
    (most, { offRest, noise }) =>
      offRest.stretches.reduce(
        (all, off, i) => Math.max(all, Math.abs(off) + (noise.stretches[i] ?? 0)),
        most,
      ),
    LEAST_SPAN_COUNTS,
  );
  const plots = trends.map(
    ({ tile, touches, doubts, closed, noise, offRest }) =>
      `<figure><figcaption class="small"><b>${escaped(tile)}</b> <span class="soft">${counted(touches, 'ball')}</span></figcaption>${frame(`Tile ${tile}: doubts and contacts over time`, shareLine(closed, 'var(--touch)', 'contact closed') + shareLine(doubts, 'var(--two)', 'in doubt'))}${frame(`Tile ${tile}: baseline and noise over time`, levelBand(offRest, noise, span))}</figure>`,
  );
  return `<p class="small keys"><span class="key"><i style="background:var(--two)"></i>balls in doubt</span><span class="key"><i style="background:var(--touch)"></i>contacts that closed, of visits to a core</span><span class="key"><i style="background:var(--one)"></i>baseline off its rest, with its noise</span></p>
<p class="small soft">From the first to the last of the record. Above: 0, 50 and 100 %, bars are 95 % intervals. Below: the middle line is the calibrated rest, the edges lie ${num(span)} counts from it.</p>
<div class="small-plots">${plots.join('')}</div>`;
}

/** Rolls with lines lost and damaged on every way in. */
export function linkPlots(links: readonly LinkTrend[]): string {
  const plots = links.map(
    ({ link, rolls, lost, damaged }) =>
      `<figure><figcaption class="small"><b>${escaped(link)}</b> <span class="soft">${counted(rolls, 'roll')}</span></figcaption>${frame(`Link ${link}: rolls with lines lost and damaged over time`, shareLine(lost, 'var(--a)', 'lines lost') + shareLine(damaged, 'var(--b)', 'lines damaged'))}</figure>`,
  );
  return `<p class="small keys"><span class="key"><i style="background:var(--a)"></i>rolls in which lines were lost</span><span class="key"><i style="background:var(--b)"></i>rolls with damaged lines</span></p><div class="small-plots">${plots.join('')}</div>`;
}

function frame(label: string, inner: string): string {
  const lines = [8, HIGH / 2, HIGH - 8].map(
    (y) => `<line x1="4" x2="${WIDE - 4}" y1="${y}" y2="${y}" stroke="var(--grid)"/>`,
  );
  return `<svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label="${escaped(label)}">${lines.join('')}${inner}</svg>`;
}

function placeOf(i: number, count: number): number {
  return count === 1 ? WIDE / 2 : 12 + (i / (count - 1)) * (WIDE - 24);
}

function shareLine({ stretches }: ShareTrend, colour: string, what: string): string {
  const seen = stretches.flatMap((share, i) => (share.of === 0 ? [] : [{ share, i }]));
  const y = (share: number): number => 8 + (1 - share) * (HIGH - 16);
  const x = (i: number): number => placeOf(i, stretches.length);
  const dots = seen.map(
    ({ share, i }) =>
      `<line x1="${num(x(i))}" x2="${num(x(i))}" y1="${num(y(share.low))}" y2="${num(y(share.high))}" stroke="${colour}" stroke-opacity=".28" stroke-width="5" stroke-linecap="round"/><circle cx="${num(x(i))}" cy="${num(y(share.share))}" r="3" fill="${colour}"><title>${escaped(hint(what, share))}</title></circle>`,
  );
  const line = seen.map(({ share, i }, k) => `${k === 0 ? 'M' : 'L'}${num(x(i))} ${num(y(share.share))}`);
  return `${dots.join('')}<path d="${line.join('')}" fill="none" stroke="${colour}" stroke-width="1.500"/>`;
}

function hint(what: string, { hits, of, low, high }: Share): string {
  return `${what} ${hits} of ${of}, 95 % from ${num(100 * low, 0)} % to ${num(100 * high, 0)} %`;
}

function levelBand({ stretches }: LevelTrend, noise: LevelTrend, span: number): string {
  const y = (counts: number): number => HIGH / 2 - (counts / span) * (HIGH / 2 - 8);
  const x = (i: number): number => placeOf(i, stretches.length);
  const marks = stretches.map((off, i) => {
    const spread = noise.stretches[i] ?? 0;
    return `<line x1="${num(x(i))}" x2="${num(x(i))}" y1="${num(y(off - spread))}" y2="${num(y(off + spread))}" stroke="var(--one)" stroke-opacity=".35" stroke-width="7"/><circle cx="${num(x(i))}" cy="${num(y(off))}" r="2.500" fill="var(--one)"><title>${num(off, 2)} counts off its rest, noise ${num(spread, 2)} counts</title></circle>`;
  });
  const line = stretches.map((off, i) => `${i === 0 ? 'M' : 'L'}${num(x(i))} ${num(y(off))}`);
  return `${marks.join('')}<path d="${line.join('')}" fill="none" stroke="var(--one)" stroke-width="1.500"/>`;
}

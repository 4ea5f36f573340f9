import { escaped, num, page } from './html.ts';
import type { Rates, Report } from './report.ts';
import type { Share } from './statistics.ts';

/** A report as one page: rates with their intervals, what is unusual, and every roll. */
export function reportPage(report: Report, title: string): string {
  const { rolls, games, undetermined, overrides, illegal, apart, unusual, method, rows, trends } = report;
  const tile = (name: string, share: Share): string =>
    `<div class="card"><p class="soft small">${name}</p><p class="verdict">${percent(share.share)}</p><p class="small soft">${share.hits} of ${share.of}; 95 % from ${percent(share.low)} to ${percent(share.high)}</p></div>`;
  return page(
    title,
    `<h1>${escaped(title)}</h1>
<p class="soft">${rolls} rolls in ${games} ${games === 1 ? 'game' : 'games'}, ${rows.length} balls. Every figure comes from the recorded lines by the table's own code.</p>
<div class="grid">${tile('Rolls the sensors left to a judge', undetermined)}${tile('Rolls a judge ruled or changed', overrides)}${tile('Rolls against a roll rule', illegal)}${tile('Released too far apart', apart)}</div>
${unusual.length === 0 ? '<div class="card"><p>Nothing stands out: every rate lies within what chance gives among so few.</p></div>' : `<div class="card warn"><h3>What stands out</h3><ul>${unusual.map(({ text }) => `<li>${escaped(text)}</li>`).join('')}</ul></div>`}
<p class="small soft">${escaped(method)}</p>
<h2>Players</h2><div class="card">${ratesPicture(report.players, marked(report))}</div>
<h2>Bakugan</h2><div class="card">${ratesPicture(report.bakugan, marked(report))}</div>
<h2>Tiles</h2><div class="card">${ratesPicture(report.tiles, marked(report))}</div>
<h2>Cores, by the last one touched</h2><div class="card wide">${ratesTable(report.cores)}</div>
<h2>Tile health</h2><div class="card wide"><p class="small soft">Share of balls over a tile whose ruling carried a doubt, in the first and the second half of the record.</p>
<table class="small"><thead><tr><th>tile</th><th class="n">balls</th><th class="n">first half</th><th class="n">second half</th></tr></thead><tbody>
${trends.map((one) => `<tr><td>${escaped(one.tile)}</td><td class="n">${one.touches}</td><td class="n">${interval(one.doubtsEarly)}</td><td class="n">${interval(one.doubtsLate)}</td></tr>`).join('')}</tbody></table></div>
<h2>How it was thrown</h2><div class="card wide"><p class="small soft">Speed past the far gate, or over the first tiles. Rolled, of those whose part could be told: most rolls touch too little steel for that. Both are legal.</p>${speedTable(report.players)}</div>
<h2>Every roll</h2><details><summary>${rows.length} balls</summary><div class="card wide">${rowsTable(report)}</div></details>`,
  );
}

function marked(report: Report): ReadonlySet<string> {
  return new Set(report.unusual.map(({ name }) => name));
}

const WIDTH = 720;
const NAME = 150;
const ROW = 26;

/** Open and attach rates as dots with their intervals, one row a name, on one scale. */
function ratesPicture(rates: readonly Rates[], unusual: ReadonlySet<string>): string {
  const x = (share: number): number => NAME + share * (WIDTH - NAME - 70);
  const height = rates.length * ROW + 40;
  const parts: string[] = [];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    parts.push(
      `<line x1="${num(x(share))}" x2="${num(x(share))}" y1="8" y2="${height - 24}" stroke="var(--grid)"/>`,
    );
    parts.push(`<text x="${num(x(share))}" y="${height - 8}" text-anchor="middle">${percent(share)}</text>`);
  }
  rates.forEach((one, i) => {
    const y = 8 + i * ROW + ROW / 2;
    const name = unusual.has(one.name) ? `${one.name} ◆` : one.name;
    parts.push(
      `<text x="${NAME - 10}" y="${y + 4}" text-anchor="end" style="fill:var(--ink);font-size:12px">${escaped(name)}</text>`,
    );
    parts.push(mark(one.opens, y - 4, 'var(--one)', x, `${one.name}: opened`));
    if (one.attached.of > 0)
      parts.push(mark(one.attached, y + 5, 'var(--two)', x, `${one.name}: stayed attached`));
    parts.push(`<text x="${WIDTH - 6}" y="${y + 4}" text-anchor="end">n ${one.rolls}</text>`);
  });
  return `<p class="small"><span class="key"><i style="background:var(--one)"></i>opened</span><span class="key"><i style="background:var(--two)"></i>stayed attached, of those that opened</span><span class="soft">lines: 95 % intervals</span></p>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Rates with their intervals">${parts.join('')}</svg>`;
}

function mark(share: Share, y: number, colour: string, x: (share: number) => number, name: string): string {
  if (share.of === 0) return '';
  const text = `${name} ${share.hits} of ${share.of}, 95 % from ${percent(share.low)} to ${percent(share.high)}`;
  return `<g><title>${escaped(text)}</title><line x1="${num(x(share.low))}" x2="${num(x(share.high))}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="2" stroke-opacity=".55" stroke-linecap="round"/><circle cx="${num(x(share.share))}" cy="${y}" r="4" fill="${colour}"/></g>`;
}

function ratesTable(rates: readonly Rates[]): string {
  const rows = rates.map(
    (one) =>
      `<tr><td>${escaped(one.name)}</td><td class="n">${one.rolls}</td><td class="n">${interval(one.opens)}</td><td class="n">${interval(one.undetermined)}</td></tr>`,
  );
  return `<table class="small"><thead><tr><th>core</th><th class="n">balls</th><th class="n">opened</th><th class="n">undetermined</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function speedTable(players: readonly Rates[]): string {
  const rows = players.map(({ name, speed, rolled }) =>
    speed.of === 0
      ? `<tr><td>${escaped(name)}</td><td class="n">not measured</td><td></td><td></td><td class="n">${interval(rolled)}</td></tr>`
      : `<tr><td>${escaped(name)}</td><td class="n">${num(speed.mean, 2)} m/s</td><td class="n">${num(speed.low, 2)} to ${num(speed.high, 2)}</td><td class="n">${speed.of}</td><td class="n">${interval(rolled)}</td></tr>`,
  );
  return `<table class="small"><thead><tr><th>player</th><th class="n">mean</th><th class="n">95 %</th><th class="n">balls</th><th class="n">rolled, not slid</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function rowsTable(report: Report): string {
  const rows = report.rows.map(
    (row) =>
      `<tr><td>${escaped(row.roll)}</td><td>${row.game}</td><td class="side-${escaped(row.side)}">${escaped(row.player)}</td><td>${escaped(row.bakugan)}</td><td class="${escaped(row.opened)}">${escaped(row.opened)}</td><td>${escaped(row.cores)}</td><td class="n">${within(row.releaseSkewMs, row.releaseSkewPlusMinus)}</td><td class="n">${row.releaseZoneMm === null ? 'not measurable' : `≤ ${num(row.releaseZoneMm, 1)}`}</td><td class="n">${within(row.speedMPerS, row.speedPlusMinus)}</td><td class="n">${within(row.bounces, row.bouncesPlusMinus)}</td><td>${escaped(row.turning)}</td><td>${escaped(row.path)}</td><td>${escaped([row.illegal, row.doubts].filter((text) => text !== '').join(' '))}${row.corrected ? ' judge' : ''}</td></tr>`,
  );
  return `<table class="small"><thead><tr><th>roll</th><th>game</th><th>player</th><th>Bakugan</th><th>opened</th><th>cores</th><th class="n">released apart, ms</th><th class="n">released within, mm</th><th class="n">m/s</th><th class="n">flights</th><th>thrown</th><th>way</th><th>remarks</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function within(value: number | null, plusMinus: number | null): string {
  return value === null ? 'not measurable' : `${num(value, 2)} ± ${num(plusMinus ?? 0, 2)}`;
}

function interval(share: Share): string {
  return share.of === 0
    ? '–'
    : `${percent(share.share)} <span class="soft">(${percent(share.low)} to ${percent(share.high)}, ${share.hits}/${share.of})</span>`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${num(100 * share, 0)} %`;
}

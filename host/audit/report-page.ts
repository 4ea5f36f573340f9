import { counted, escaped, num, page } from './html.ts';
import type { Report } from './report.ts';
import { comparedPlot } from './report-compared-plot.ts';
import { linkPlots, tilePlots } from './report-health-plots.ts';
import { byPlayer, fieldMaps, percent, shareText, stripPlot } from './report-plots.ts';
import type { Rates } from './report-rates.ts';
import { meanOf, type Share } from './statistics.ts';

/** A report as one page: what stands out, rates with their intervals, measures of every ball, and every roll. */
export function reportPage(report: Report, title: string): string {
  const {
    rolls,
    games,
    undetermined,
    settled,
    overridden,
    withdrawn,
    illegal,
    unusual,
    method,
    rows,
    trends,
    links,
    violations,
    doubts,
  } = report;
  const tile = (name: string, share: Share): string =>
    `<div class="card"><p class="soft small">${name}</p><p class="verdict">${percent(share.share)}</p><p class="small soft">${share.hits} of ${share.of}; 95 % from ${percent(share.low)} to ${percent(share.high)}</p>${meter(share)}</div>`;
  const times = rows
    .map((row) => row.wallTime)
    .filter((time) => time !== '')
    .sort();
  const when = times.length === 0 ? '' : `, ${spanOf(times[0] ?? '', times.at(-1) ?? '')}`;
  return page(
    title,
    `<h1>${escaped(title)}</h1>
<p class="soft">${counted(rolls, 'roll')} in ${counted(games, 'game')}, ${counted(rows.length, 'ball')}${when}. Every figure comes from the rulings in the record${notKept(report)}.</p>
${doubts.map(({ text }) => `<div class="card warn">${escaped(text)}</div>`).join('')}
<div class="grid">${tile('Rolls the sensors left to a judge', undetermined)}${tile('Of those, settled by a judge', settled)}${tile('Sure rulings overridden by a judge', overridden)}${tile('Rolls against a roll rule', illegal)}</div>
<p class="small soft">Rates go by what stands: a judge's ruling where there is one. What was taken back or rolled again counts in none${withdrawn.hits === 0 ? '' : `; ${withdrawn.hits} of ${withdrawn.of} rolls were taken back`}.</p>
${unusual.length === 0 ? '<div class="card"><p>Nothing stands out: every value lies within what chance gives among so few.</p></div>' : `<div class="card warn"><h3>What stands out ◆</h3>${comparedPlot(unusual)}<ul class="small">${unusual.map(({ text }) => `<li>${escaped(text)}</li>`).join('')}</ul></div>`}
${otherwiseCard(rows)}
<p class="small soft">${escaped(method)}</p>
<div class="plots">
<section><h2>Players</h2><div class="card">${ratesPicture(report.players, marked(report))}${overriddenList(report.players)}</div></section>
<section><h2>Where balls opened</h2><div class="card">${fieldMaps(report.tiles)}<p class="small soft">Share of the balls tied to a tile that opened there; deeper is more. Player A sits below.</p></div></section>
<section><h2>Bakugan</h2><div class="card">${ratesPicture(report.bakugan, marked(report))}</div></section>
<section><h2>Tiles</h2><div class="card">${ratesPicture(report.tiles, marked(report))}</div></section>
<section><h2>Cores, by the last one touched</h2><div class="card">${ratesPicture(report.cores, new Set())}</div></section>
<section><h2>Which core balls came to</h2><div class="card">${comparedPlot(report.landings)}<p class="small soft">Of all balls that came to a core while it lay on the field. Expected is what every core would get if all were alike.</p></div></section>
<section><h2>Speed at release</h2><div class="card">${speedPlot(rows)}<p class="small soft">Past the far gate, or over the first tiles. Each dot is a ball; the bar is the mean with its 95 % interval.</p>${thrown(report.players)}</div></section>
<section><h2>Together or apart</h2><div class="card">${skewPlot(rows)}<p class="small soft">How long before (left) or after (right) the other ball each one was released, as the sensors bound it; what lies beyond the scale stands at its edge.</p></div></section>
<section><h2>Against a rule of rolling</h2><div class="card">${violationList(violations)}</div></section>
</div>
<h2>Tile health</h2><div class="card">${tilePlots(trends)}</div>
<h2>Links</h2><div class="card">${linkPlots(links)}</div>
<h2>Every roll</h2><details><summary>${counted(rows.length, 'ball')}</summary><div class="card wide">${rowsTable(report)}</div></details>`,
  );
}

/** Rolls that this version would rule otherwise than the record, which every figure goes by. */
function otherwiseCard(rows: Report['rows']): string {
  const told = new Map(
    rows.flatMap((row) =>
      row.wouldRule === '' ? [] : [[`${row.match} ${row.game} ${row.roll}`, row] as const],
    ),
  );
  if (told.size === 0) return '';
  const items = [...told.values()].map(
    ({ match, roll, wouldRule }) =>
      `<li>${escaped(`${[match, roll].filter((text) => text !== '').join(', roll ')}: ${wouldRule}`)}</li>`,
  );
  return `<div class="card warn"><h3>This version would rule ${counted(told.size, 'roll')} otherwise</h3><p class="small">Every figure here goes by the rulings of the record.</p><details><summary>Which</summary><ul class="small">${items.join('')}</ul></details></div>`;
}

/** A share as a bar, its interval lighter. */
function meter({ of, share, low, high }: Share): string {
  if (of === 0) return '';
  const at = (value: number): string => num(200 * value);
  return `<svg viewBox="0 0 200 10" style="margin-top:8px" aria-hidden="true"><rect width="200" height="10" rx="5" fill="var(--grid)"/><rect x="${at(low)}" width="${at(Math.max(0.01, high - low))}" height="10" rx="5" fill="var(--one)" fill-opacity=".35"/><rect x="${num(Math.max(0, 200 * share - 1.5))}" width="3" height="10" fill="var(--one)"/></svg>`;
}

function spanOf(from: string, to: string): string {
  const day = (time: string): string => time.slice(0, 10);
  return day(from) === day(to) ? `on ${day(from)}` : `from ${day(from)} to ${day(to)}`;
}

function skewPlot(rows: readonly Report['rows'][number][]): string {
  const groups = byPlayer(rows, (row) => row.releaseSkewMs);
  if (groups.length === 0) return '<p class="soft">Nowhere were both releases seen.</p>';
  const ticks = [-1000, -500, 0, 500, 1000];
  const levels = [
    { at: -250, text: '' },
    { at: 250, text: 'marked beyond 250 ms' },
  ];
  return stripPlot(groups, { unit: 'ms', from: -1250, to: 1250, ticks }, levels);
}

function speedPlot(rows: readonly Report['rows'][number][]): string {
  const groups = byPlayer(rows, (row) => row.speedMPerS);
  if (groups.length === 0) return '<p class="soft">No speed was measured: balls must cross both gates.</p>';
  const means = groups.map((group) => ({ ...group, mean: meanOf(group.values) }));
  return stripPlot(means, { unit: 'm/s', from: 0, to: 2, ticks: [0, 0.5, 1, 1.5, 2] });
}

/** Rules of rolling in words, by the code of the reason. */
const RULES: Readonly<Record<string, string>> = {
  'illegal/not-together': 'Released too far apart (5.7.1)',
  'illegal/early': 'Released before the call (5.6.2)',
  'illegal/beyond-zone': 'Released beyond two card lengths (5.7.1.2)',
  'illegal/bounced': 'Dropped or bounced (5.7.1.3)',
};

/** Rolled or slid, where it could be told. Both are legal. */
function thrown(players: readonly Rates[]): string {
  const told = players.filter(({ rolled }) => rolled.of > 0);
  if (told.length === 0) {
    return '<p class="small soft">Of no ball could be told whether it rolled or slid: most rolls touch too little steel for that.</p>';
  }
  const items = told.map(({ name, rolled }) => `<li>${escaped(name)}: ${inBalls(rolled)}</li>`);
  return `<p class="small"><b>Rolled, of those whose part could be told</b> <span class="soft">(both are legal)</span></p><ul class="small">${items.join('')}</ul>`;
}

/** Players whose balls a judge ruled otherwise than the sensors had. */
function overriddenList(players: readonly Rates[]): string {
  const told = players.filter(({ overridden }) => overridden.hits > 0);
  if (told.length === 0) return '';
  const items = told.map(({ name, overridden }) => `<li>${escaped(name)}: ${inBalls(overridden)}</li>`);
  return `<p class="small"><b>Overridden by a judge, of the balls the sensors were sure of</b></p><ul class="small">${items.join('')}</ul>`;
}

function inBalls({ hits, of, low, high }: Share): string {
  return `${hits} of ${of} <span class="soft">(95 % from ${percent(low)} to ${percent(high)})</span>`;
}

function violationList(violations: Report['violations']): string {
  const known = Object.entries(RULES).map(([code, words]) => {
    const found = violations.find((one) => one.code === code);
    return `<li>${escaped(words)}: ${found === undefined ? 'no roll' : inRolls(found.rolls)}</li>`;
  });
  const others = violations
    .filter(({ code }) => !(code in RULES))
    .map(({ code, rolls }) => `<li><code>${escaped(code)}</code>: ${inRolls(rolls)}</li>`);
  return `<ul>${[...known, ...others].join('')}</ul><p class="small soft">Rolls that the sensors found to be so beyond their uncertainty. A measure near a bound is marked with the roll and counts as none.</p>`;
}

function inRolls({ hits, of, low, high }: Share): string {
  return `<b>${hits} of ${of}</b> ${of === 1 ? 'roll' : 'rolls'} <span class="soft">(95 % from ${percent(low)} to ${percent(high)})</span>`;
}

function marked(report: Report): ReadonlySet<string> {
  return new Set(report.unusual.map(({ name }) => name));
}

const WIDTH = 470;
const NAME = 104;
const ROW = 26;

/** Open and attach rates as dots with their intervals, one row a name, on one scale. */
function ratesPicture(rates: readonly Rates[], unusual: ReadonlySet<string>): string {
  const x = (share: number): number => NAME + share * (WIDTH - NAME - 52);
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
  return `<p class="small keys"><span class="key"><i style="background:var(--one)"></i>opened</span><span class="key"><i style="background:var(--two)"></i>stayed attached, of those that opened</span><span class="soft">lines: 95 % intervals</span></p>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Rates with their intervals">${parts.join('')}</svg>`;
}

function mark(share: Share, y: number, colour: string, x: (share: number) => number, name: string): string {
  if (share.of === 0) return '';
  return `<g><title>${escaped(shareText(name, share))}</title><line x1="${num(x(share.low))}" x2="${num(x(share.high))}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="2" stroke-opacity=".55" stroke-linecap="round"/><circle cx="${num(x(share.share))}" cy="${y}" r="4" fill="${colour}"/></g>`;
}

function rowsTable(report: Report): string {
  const rows = report.rows.map(
    (row) =>
      `<tr><td>${escaped(row.roll)}</td><td class="fixed">${escaped(row.match === '' ? String(row.game) : `${row.match}, ${row.game}`)}</td><td class="side-${escaped(row.side)}">${escaped(row.player)}</td><td>${escaped(row.bakugan)}</td><td>${escaped([row.opened, row.cores].join(' '))}</td><td class="${escaped(row.stands)}">${escaped([row.stands, row.standsCores].join(' '))}</td><td>${escaped(row.judged)}</td><td class="n">${within(row.releaseSkewMs, row.releaseSkewPlusMinus)}</td><td class="n">${row.releaseZoneMm === null ? 'not measurable' : `≤ ${num(row.releaseZoneMm, 1)}`}</td><td class="n">${within(row.speedMPerS, row.speedPlusMinus)}</td><td class="n">${within(row.bounces, row.bouncesPlusMinus)}</td><td>${escaped(row.turning)}</td><td>${escaped(row.path)}</td><td>${escaped([row.illegal, row.doubts].filter((text) => text !== '').join(' '))}</td></tr>`,
  );
  return `<table class="small"><thead><tr><th>roll</th><th>match, game</th><th>player</th><th>Bakugan</th><th>sensors: opened</th><th>stands</th><th>judge</th><th class="n">released apart, ms</th><th class="n">released within, mm</th><th class="n">m/s</th><th class="n">flights</th><th>thrown</th><th>way</th><th>remarks</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function within(value: number | null, plusMinus: number | null): string {
  return value === null ? 'not measurable' : `${num(value, 2)} ± ${num(plusMinus ?? 0, 2)}`;
}

/** Rolls whose lines nobody kept, said where the figures are said to come from the record. */
function notKept({ linesNotKept }: Report): string {
  return linesNotKept === 0
    ? ''
    : `, of ${counted(linesNotKept, 'roll')} from these alone: lines no longer kept`;
}

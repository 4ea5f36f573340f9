import type { Parts } from '../parts.ts';

import { type Doubt, doubtIn, orDoubt } from './doubt.ts';
import { type ReportRow, rowsOf } from './report-rows.ts';
import { rollsOf } from './rolls.ts';

import type { Source } from './source.ts';
import { isDoubtful, standingOf } from './standing-result.ts';
import { chanceOfDifference, type Mean, meanOf, type Share, shareOf } from './statistics.ts';

export type { ReportRow };

/** Rates of one player, Bakugan, core or tile. */
export interface Rates {
  readonly name: string;
  readonly rolls: number;
  /** By what stands: of the balls whose result stands and is none of doubt. */
  readonly opens: Share;
  /** Of the balls that opened. */
  readonly attached: Share;
  /** Balls that the sensors left to a judge. */
  readonly undetermined: Share;
  /** Balls of which the sensors were sure and a judge ruled otherwise. */
  readonly overridden: Share;
  readonly speed: Mean;
  /** Balls that rolled, of those whose part could be told. */
  readonly rolled: Share;
}

/** A value that is unusual among the others, in words that accuse nobody. */
export interface Unusual {
  readonly name: string;
  readonly text: string;
  readonly chance: number;
}

/** How often a tile was touched and in doubt, early and late in the record. */
export interface TileTrend {
  readonly tile: string;
  readonly touches: number;
  readonly doubtsEarly: Share;
  readonly doubtsLate: Share;
  /** The same in up to eight stretches of equally many balls, in order of time. */
  readonly stretches: readonly Share[];
}

export interface Report {
  readonly rows: readonly ReportRow[];
  readonly rolls: number;
  readonly games: number;
  /** Rolls that the sensors left to a judge. */
  readonly undetermined: Share;
  /** Of those, the ones that a judge ruled on. */
  readonly settled: Share;
  /** Rolls of which the sensors were sure and a judge ruled otherwise, of all they were sure of. */
  readonly overridden: Share;
  /** Rolls that were taken back with what they led to, of all. */
  readonly withdrawn: Share;
  readonly illegal: Share;
  readonly apart: Share;
  /** Rolls against each rule of rolling that was broken at least once, by the code of the reason. */
  readonly violations: readonly { readonly code: string; readonly text: string; readonly rolls: Share }[];
  readonly players: readonly Rates[];
  readonly bakugan: readonly Rates[];
  readonly cores: readonly Rates[];
  readonly tiles: readonly Rates[];
  readonly trends: readonly TileTrend[];
  readonly unusual: readonly Unusual[];
  /** What of the files is not, or may not be, what was written. */
  readonly doubts: readonly Doubt[];
  /** How the marks were made. */
  readonly method: string;
}

/** A difference is marked when it would come by chance in fewer than this share of all such reports. */
const MARK_CHANCE = 0.01;

/** Checks every source, runs it again and sums up; what is in doubt is said and summed up all the same. */
export async function reportOn(
  sources: Iterable<Source> | AsyncIterable<Source>,
  parts: Parts,
): Promise<Report> {
  const rows: ReportRow[] = [];
  const games = new Set<string>();
  let rolls = 0;
  const broken = new Map<string, { text: string; rolls: number }>();
  const sums = { undetermined: 0, settled: 0, overridden: 0, withdrawn: 0, illegal: 0, apart: 0 };
  const doubts: Doubt[] = [];
  for await (const source of sources) {
    const doubt = await doubtIn(source);
    if (doubt !== undefined) doubts.push(doubt);
    const ask: Parameters<typeof rollsOf>[1] = {
      parts,
      each(one) {
        rolls += 1;
        games.add(`${source.path}/${one.match}/${one.game}`);
        const { judged } = standingOf(one);
        rows.push(...rowsOf(source.path, one));
        const isDoubt = isDoubtful(one.final);
        if (isDoubt) sums.undetermined += 1;
        if (isDoubt && judged !== undefined && judged !== 'withdrawn') sums.settled += 1;
        if (!isDoubt && judged === 'overridden') sums.overridden += 1;
        if (judged === 'withdrawn') sums.withdrawn += 1;
        if ((one.final?.illegal.length ?? 0) > 0) sums.illegal += 1;
        for (const { code, text } of one.final?.illegal ?? []) {
          broken.set(code, { text, rolls: (broken.get(code)?.rolls ?? 0) + 1 });
        }
        if (one.final?.illegal.some(({ code }) => code === 'illegal/not-together')) sums.apart += 1;
      },
    };
    await orDoubt(source, () => rollsOf(source, ask));
  }
  const players = ratesBy(rows, (row) => row.player);
  const bakugan = ratesBy(rows, (row) => `${row.player} ${row.bakugan}`);
  const tiles = ratesBy(rows, (row) => row.tile);
  const trends = trendsOf(rows);
  const comparisons = players.length + bakugan.length + tiles.length + trends.length;
  return {
    rows,
    rolls,
    games: games.size,
    undetermined: shareOf(sums.undetermined, rolls),
    settled: shareOf(sums.settled, sums.undetermined),
    overridden: shareOf(sums.overridden, rolls - sums.undetermined),
    withdrawn: shareOf(sums.withdrawn, rolls),
    illegal: shareOf(sums.illegal, rolls),
    apart: shareOf(sums.apart, rolls),
    violations: [...broken].map(([code, { text, rolls: hits }]) => ({
      code,
      text,
      rolls: shareOf(hits, rolls),
    })),
    players,
    bakugan,
    cores: ratesBy(rows, (row) => row.touched.split('+').at(-1) || row.cores.split('+')[0] || ''),
    tiles,
    trends,
    unusual: [
      ...[players, bakugan, tiles].flatMap((group) => unusualIn(group, comparisons)),
      ...unusualTrends(trends, comparisons),
    ],
    doubts,
    method: `Intervals are 95 % (Wilson). A value is marked when Fisher's exact test against all others gives a chance below ${MARK_CHANCE} divided by the ${comparisons} comparisons made here.`,
  };
}

function ratesBy(rows: readonly ReportRow[], nameOf: (row: ReportRow) => string): readonly Rates[] {
  const groups = new Map<string, ReportRow[]>();
  for (const row of rows) {
    const name = nameOf(row).trim();
    if (name === '' || row.side === 'undetermined') continue;
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups]
    .map(([name, own]) => {
      const standing = own.filter((row) => row.stands === 'yes' || row.stands === 'no');
      const opened = standing.filter((row) => row.stands === 'yes');
      const doubtful = own.filter((row) => row.opened === 'undetermined');
      const speeds = own.flatMap((row) => (row.speedMPerS === null ? [] : [row.speedMPerS]));
      return {
        name,
        rolls: own.length,
        opens: shareOf(opened.length, standing.length),
        attached: shareOf(opened.filter((row) => row.standsCores !== '').length, opened.length),
        undetermined: shareOf(doubtful.length, own.length),
        overridden: shareOf(
          own.filter((row) => row.judged === 'overridden').length,
          own.length - doubtful.length,
        ),
        speed: meanOf(speeds),
        rolled: shareOf(
          own.filter((row) => row.turning === 'rolled').length,
          own.filter((row) => row.turning !== '').length,
        ),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function unusualIn(group: readonly Rates[], comparisons: number): readonly Unusual[] {
  const hits = group.reduce((sum, one) => sum + one.opens.hits, 0);
  const of = group.reduce((sum, one) => sum + one.opens.of, 0);
  return group.flatMap(({ name, opens }) => {
    const chance = chanceOfDifference(opens.hits, opens.of, hits - opens.hits, of - opens.of);
    if (!(chance < MARK_CHANCE / comparisons)) return [];
    const others = shareOf(hits - opens.hits, of - opens.of);
    const more = opens.share > others.share ? 'more' : 'less';
    const text = `${name} opened ${more} often than the others here: ${opens.hits} of ${opens.of} against ${others.hits} of ${others.of}. If all were alike, a difference this large would come with a chance of ${chance.toPrecision(2)}. Practice, the Bakugan, the core and the mat can all make such a difference; the figures do not say which.`;
    return [{ name, text, chance }];
  });
}

/** Tiles of which the sensors came to doubt more or less in the course of the record. */
function unusualTrends(trends: readonly TileTrend[], comparisons: number): readonly Unusual[] {
  return trends.flatMap(({ tile, doubtsEarly: early, doubtsLate: late }) => {
    const chance = chanceOfDifference(late.hits, late.of, early.hits, early.of);
    if (!(chance < MARK_CHANCE / comparisons)) return [];
    const more = late.share > early.share ? 'more' : 'less';
    const text = `Balls over tile ${tile} were ${more} often in doubt in the second half of the record: ${late.hits} of ${late.of} against ${early.hits} of ${early.of}. Without a change such a difference would come with a chance of ${chance.toPrecision(2)}. Look at its sensors and its calibration.`;
    return [{ name: tile, text, chance }];
  });
}

function trendsOf(rows: readonly ReportRow[]): readonly TileTrend[] {
  const tiles = [...new Set(rows.flatMap((row) => row.path.split('>')))].filter((tile) => tile !== '').sort();
  return tiles.map((tile) => {
    const own = rows.filter((row) => row.path.split('>').includes(tile));
    const half = Math.ceil(own.length / 2);
    const doubtful = (part: readonly ReportRow[]): Share =>
      shareOf(part.filter((row) => row.doubts !== '').length, part.length);
    return {
      tile,
      touches: own.length,
      doubtsEarly: doubtful(own.slice(0, half)),
      doubtsLate: doubtful(own.slice(half)),
      stretches: stretchesOf(own).map(doubtful),
    };
  });
}

/** Rows cut into up to eight stretches of at least four. */
function stretchesOf(rows: readonly ReportRow[]): readonly (readonly ReportRow[])[] {
  const count = Math.max(1, Math.min(8, Math.floor(rows.length / 4)));
  return Array.from({ length: count }, (_, i) =>
    rows.slice(Math.floor((i * rows.length) / count), Math.floor(((i + 1) * rows.length) / count)),
  );
}

/** The rows as CSV (RFC 4180). Text that a spreadsheet would run as a formula is kept text. */
export function csvOf(report: Report): string {
  const [first] = report.rows;
  if (first === undefined) return '';
  const keys = Object.keys(first) as (keyof ReportRow)[];
  const cell = (value: ReportRow[keyof ReportRow]): string => {
    const text = value === null ? '' : String(value);
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [keys.join(','), ...report.rows.map((row) => keys.map((key) => cell(row[key])).join(','))]
    .join('\r\n')
    .concat('\r\n');
}

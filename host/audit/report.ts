import type { Parts } from '../parts.ts';
import type { Measure } from '../sensing/ruling.ts';
import { type RollCase, rollsOf } from './rolls.ts';
import type { Source } from './source.ts';
import { chanceOfDifference, type Mean, meanOf, type Share, shareOf } from './statistics.ts';

/** One ball of one roll, with its measures. */
export interface ReportRow {
  readonly source: string;
  readonly game: number;
  readonly roll: string;
  readonly wallTime: string;
  readonly player: string;
  readonly side: string;
  readonly bakugan: string;
  readonly opened: string;
  readonly cores: string;
  readonly tile: string;
  readonly touched: string;
  readonly sureOfOpen: number;
  readonly releaseSkewMs: number | null;
  readonly releaseSkewPlusMinus: number | null;
  readonly releaseZoneMm: number | null;
  readonly speedMPerS: number | null;
  readonly speedPlusMinus: number | null;
  readonly bounces: number | null;
  readonly bouncesPlusMinus: number | null;
  /** `rolled`, `slid or spun`, or empty where it was not measurable. */
  readonly turning: string;
  readonly path: string;
  readonly illegal: string;
  readonly doubts: string;
  readonly corrected: boolean;
  /** `kept`, or `no longer kept`: then it is told by its recorded ruling alone. */
  readonly lines: 'kept' | 'no longer kept';
}

/** Rates of one player, Bakugan, core or tile. */
export interface Rates {
  readonly name: string;
  readonly rolls: number;
  readonly opens: Share;
  /** Of the balls that opened. */
  readonly attached: Share;
  readonly undetermined: Share;
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
  /** Of these, how many are told by their recorded rulings alone: lines no longer kept. */
  readonly linesNotKept: number;
  readonly games: number;
  readonly undetermined: Share;
  readonly overrides: Share;
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
  /** How the marks were made. */
  readonly method: string;
}

/** A difference is marked when it would come by chance in fewer than this share of all such reports. */
const MARK_CHANCE = 0.01;

/** Runs every source again and sums up. */
export async function reportOn(
  sources: Iterable<Source> | AsyncIterable<Source>,
  parts: Parts,
): Promise<Report> {
  const rows: ReportRow[] = [];
  const games = new Set<string>();
  let rolls = 0;
  let linesNotKept = 0;
  const broken = new Map<string, { text: string; rolls: number }>();
  const sums = { undetermined: 0, overrides: 0, illegal: 0, apart: 0 };
  for await (const source of sources) {
    await rollsOf(source, {
      parts,
      each(one) {
        rolls += 1;
        if (one.told !== undefined) linesNotKept += 1;
        games.add(`${source.path}/${one.game}`);
        const own = rowsOf(source.path, one);
        rows.push(...own);
        if (own.length === 0 || own.some((row) => row.opened === 'undetermined')) sums.undetermined += 1;
        if (one.corrections.length > 0) sums.overrides += 1;
        if ((one.final?.illegal.length ?? 0) > 0) sums.illegal += 1;
        for (const { code, text } of one.final?.illegal ?? []) {
          broken.set(code, { text, rolls: (broken.get(code)?.rolls ?? 0) + 1 });
        }
        if (one.final?.illegal.some(({ code }) => code === 'illegal/not-together')) sums.apart += 1;
      },
    });
  }
  const players = ratesBy(rows, (row) => row.player);
  const bakugan = ratesBy(rows, (row) => `${row.player} ${row.bakugan}`);
  const tiles = ratesBy(rows, (row) => row.tile);
  const trends = trendsOf(rows);
  const comparisons = players.length + bakugan.length + tiles.length + trends.length;
  return {
    rows,
    rolls,
    linesNotKept,
    games: games.size,
    undetermined: shareOf(sums.undetermined, rolls),
    overrides: shareOf(sums.overrides, rolls),
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
    method: `Intervals are 95 % (Wilson). A value is marked when Fisher's exact test against all others gives a chance below ${MARK_CHANCE} divided by the ${comparisons} comparisons made here.`,
  };
}

function rowsOf(path: string, one: RollCase): readonly ReportRow[] {
  const { final } = one;
  return (final?.balls ?? []).map((ball) => {
    const { audit, player } = ball;
    const expected = one.activity.balls.find((each) => each.player === player);
    const cores = [...ball.attached.sure, ...ball.attached.possible];
    const core = cores[0] ?? ball.contact.sure[0];
    const tile = one.activity.cores.find((on) => on.core === core)?.cell ?? audit.path.cells.at(-1) ?? '';
    return {
      source: path,
      game: one.game,
      roll: one.roll,
      wallTime: one.wallTime ?? '',
      player: player === 'undetermined' ? 'unclear' : one.players[player],
      side: player,
      bakugan: expected?.bakugan ?? '',
      opened: ball.opened,
      cores: cores.join('+'),
      tile,
      touched: ball.contact.sure.join('+'),
      sureOfOpen: ball.confidence.opened,
      releaseSkewMs: measured(audit.releaseSkew),
      releaseSkewPlusMinus: audit.releaseSkew.measured ? audit.releaseSkew.plusMinus : null,
      releaseZoneMm: measured(audit.releaseZone),
      speedMPerS: measured(audit.speed),
      speedPlusMinus: audit.speed.measured ? audit.speed.plusMinus : null,
      bounces: measured(audit.bounces),
      bouncesPlusMinus: audit.bounces.measured ? audit.bounces.plusMinus : null,
      turning: audit.turning?.measured === true ? audit.turning.said : '',
      path: audit.path.cells.join('>'),
      illegal: (final?.illegal ?? []).map(({ code }) => code).join('+'),
      doubts: ball.reasons.flatMap(({ code }) => (code.startsWith('doubt/') ? [code] : [])).join('+'),
      corrected: one.corrections.length > 0,
      lines: one.told === undefined ? 'kept' : 'no longer kept',
    };
  });
}

function measured(measure: Measure): number | null {
  return measure.measured ? measure.value : null;
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
      const sure = own.filter((row) => row.opened !== 'undetermined');
      const opened = sure.filter((row) => row.opened === 'yes');
      const speeds = own.flatMap((row) => (row.speedMPerS === null ? [] : [row.speedMPerS]));
      return {
        name,
        rolls: own.length,
        opens: shareOf(opened.length, sure.length),
        attached: shareOf(opened.filter((row) => row.cores !== '').length, opened.length),
        undetermined: shareOf(own.length - sure.length, own.length),
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

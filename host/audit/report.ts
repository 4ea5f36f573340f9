import type { Parts } from '../parts.ts';
import type { Measure, RollOffence } from '../sensing/ruling.ts';
import { originOf } from './origin.ts';
import { inOrderOfTime, type SeenRoll, seenRoll } from './report-balls.ts';
import { type Summary, summaryOf } from './report-summary.ts';
import { type RollCase, rollsOf } from './rolls.ts';
import type { Source } from './source.ts';
import { type Share, shareOf } from './statistics.ts';

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
}

/** Every roll of the sources with what they amount to. */
export interface Report extends Summary {
  readonly rows: readonly ReportRow[];
  readonly rolls: number;
  readonly games: number;
  readonly undetermined: Share;
  readonly overrides: Share;
  readonly illegal: Share;
  readonly apart: Share;
  /** Rolls against each rule of rolling that was broken at least once, by the code of the reason. */
  readonly violations: readonly { readonly code: string; readonly text: string; readonly rolls: Share }[];
}

interface ReportedRoll extends SeenRoll<ReportRow> {
  readonly game: string;
  readonly overridden: boolean;
  readonly illegal: readonly RollOffence[];
}

/**
 * Runs every source again and sums up. Rolls stand in order of the wall clock: naming the same files in another order
 * makes the same report.
 */
export async function reportOn(
  sources: Iterable<Source> | AsyncIterable<Source>,
  parts: Parts,
): Promise<Report> {
  const found: ReportedRoll[] = [];
  for await (const source of sources) {
    const where = { table: await tableOf(source), source: source.path };
    await rollsOf(source, {
      parts,
      each: (one) =>
        void found.push({
          ...seenRoll(one, rowsOf(source.path, one), where),
          game: `${source.path}/${one.game}`,
          overridden: one.corrections.length > 0,
          illegal: one.final?.illegal ?? [],
        }),
    });
  }
  return reportOf(inOrderOfTime(found));
}

/** Name of the table that a source was recorded on, as its checkpoints have it; of an old capture its own name. */
async function tableOf(source: Source): Promise<string> {
  const origin = await originOf(source);
  return origin?.replace(/^bakucore\//, '') ?? source.path;
}

function reportOf(rolls: readonly ReportedRoll[]): Report {
  const shareIn = (holds: (roll: ReportedRoll) => boolean): Share =>
    shareOf(rolls.filter(holds).length, rolls.length);
  const breaks = (roll: ReportedRoll, wanted: string): boolean =>
    roll.illegal.some(({ code }) => code === wanted);
  const broken = new Map(rolls.flatMap(({ illegal }) => illegal.map(({ code, text }) => [code, text])));
  return {
    rows: rolls.flatMap(({ balls }) => balls.map(({ row }) => row)),
    rolls: rolls.length,
    games: new Set(rolls.map(({ game }) => game)).size,
    undetermined: shareIn(
      ({ balls }) => balls.length === 0 || balls.some(({ row }) => row.opened === 'undetermined'),
    ),
    overrides: shareIn(({ overridden }) => overridden),
    illegal: shareIn(({ illegal }) => illegal.length > 0),
    apart: shareIn((roll) => breaks(roll, 'illegal/not-together')),
    violations: [...broken].map(([code, text]) => ({
      code,
      text,
      rolls: shareIn((roll) => breaks(roll, code)),
    })),
    ...summaryOf(rolls),
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
    };
  });
}

function measured(measure: Measure): number | null {
  return measure.measured ? measure.value : null;
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

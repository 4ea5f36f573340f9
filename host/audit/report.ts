import type { Parts } from '../parts.ts';
import type { RollOffence } from '../sensing/ruling.ts';
import { type Doubt, doubtIn, orDoubt } from './doubt.ts';
import { originOf } from './origin.ts';
import { inOrderOfTime, type SeenRoll, seenRoll } from './report-balls.ts';
import { type ReportRow, rowsOf } from './report-rows.ts';
import { type Summary, summaryOf } from './report-summary.ts';
import { type RollsAsk, rollsOf } from './rolls.ts';
import type { Source } from './source.ts';
import { isDoubtful, type Judged, standingOf } from './standing-result.ts';
import { type Share, shareOf } from './statistics.ts';

export type { ReportRow };

/** Every roll of the sources with what they amount to. */
export interface Report extends Summary {
  readonly rows: readonly ReportRow[];
  readonly rolls: number;
  /** Of these, how many are told by their recorded rulings alone: lines no longer kept. */
  readonly linesNotKept: number;
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
  /** What of the files is not, or may not be, what was written. */
  readonly doubts: readonly Doubt[];
}

interface ReportedRoll extends SeenRoll<ReportRow> {
  readonly game: string;
  /** Told by its recorded rulings alone. */
  readonly isTold: boolean;
  /** The sensors left it to a judge. */
  readonly isDoubt: boolean;
  readonly judged: Judged | undefined;
  readonly illegal: readonly RollOffence[];
}

/**
 * Checks every source, runs it again and sums up; what is in doubt is said and summed up all the same. Rolls stand in order
 * of the wall clock: naming the same files in another order makes the same report.
 */
export async function reportOn(
  sources: Iterable<Source> | AsyncIterable<Source>,
  parts: Parts,
): Promise<Report> {
  const found: ReportedRoll[] = [];
  const doubts: Doubt[] = [];
  for await (const source of sources) {
    const doubt = await doubtIn(source);
    if (doubt !== undefined) doubts.push(doubt);
    await orDoubt(source, async () => {
      const where = { table: await tableOf(source), source: source.path };
      const ask: RollsAsk = {
        parts,
        each: (one) =>
          void found.push({
            ...seenRoll(one, rowsOf(source.path, one), where),
            game: `${source.path}/${one.match}/${one.game}`,
            isTold: one.told !== undefined,
            isDoubt: isDoubtful(one.final),
            judged: standingOf(one).judged,
            illegal: one.final?.illegal ?? [],
          }),
      };
      await rollsOf(source, ask);
    });
  }
  doubts.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { ...reportOf(inOrderOfTime(found)), doubts };
}

/** Name of the table that a source was recorded on, as its checkpoints have it; of an old capture its own name. */
async function tableOf(source: Source): Promise<string> {
  const origin = await originOf(source);
  return origin?.replace(/^bakucore\//, '') ?? source.path;
}

function reportOf(rolls: readonly ReportedRoll[]): Omit<Report, 'doubts'> {
  const shareIn = (holds: (roll: ReportedRoll) => boolean, of = rolls): Share =>
    shareOf(of.filter(holds).length, of.length);
  const doubtful = rolls.filter(({ isDoubt }) => isDoubt);
  const sure = rolls.filter(({ isDoubt }) => !isDoubt);
  const breaks = (roll: ReportedRoll, wanted: string): boolean =>
    roll.illegal.some(({ code }) => code === wanted);
  const broken = new Map(rolls.flatMap(({ illegal }) => illegal.map(({ code, text }) => [code, text])));
  return {
    rows: rolls.flatMap(({ balls }) => balls.map(({ row }) => row)),
    rolls: rolls.length,
    linesNotKept: rolls.filter(({ isTold }) => isTold).length,
    games: new Set(rolls.map(({ game }) => game)).size,
    undetermined: shareIn(({ isDoubt }) => isDoubt),
    settled: shareIn(({ judged }) => judged !== undefined && judged !== 'withdrawn', doubtful),
    overridden: shareIn(({ judged }) => judged === 'overridden', sure),
    withdrawn: shareIn(({ judged }) => judged === 'withdrawn'),
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

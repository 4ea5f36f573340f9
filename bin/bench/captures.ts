/**
 * Recorded rolls, line by line through links and detector, against the truth that lies beside them.
 *
 *     bakucore bench captures FOLDER [--list] [--json]
 *
 * FOLDER is what `bakucore sim record --out` wrote, or one of its mats. Every wrong ruling is named; `--list` names what
 * was in doubt as well.
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { TableFault } from '../../host/fault.ts';
import { say, sayAside } from '../say.ts';
import { captureAt, captureFile, type RecordedMat, recordedMats } from './captures-read.ts';
import { type AuditScore, freshAudit, scoreAudit } from './detection-audit.ts';
import { claimsOf } from './detection-claims.ts';
import { kept } from './detection-figures.ts';
import { hearLines } from './detection-lines.ts';
import { auditTable, cells, confusionTable, head, scoreTable } from './detection-rows.ts';
import { addUp, freshScore, type Score, scoreRoll } from './detection-score.ts';
import { prf } from './hits.ts';
import { interval } from './rolls.ts';

export interface CapturesResult {
  /** By folder, then `all`. */
  readonly rows: readonly (readonly [
    name: string,
    scores: { readonly own: Score; readonly audit: AuditScore },
  ])[];
  /** Sure answers that are not the truth, and what was in doubt: file, then what was said and what is true. */
  readonly wrong: readonly string[];
  readonly doubtful: readonly string[];
  readonly lines: number;
}

const IS_WRONG = /: said /;

/** Hears and scores every recorded roll of a folder; `progress` hears how many are done. Throws a TableFault. */
export function benchCaptures(folder: string, progress: (done: number) => void = () => {}): CapturesResult {
  const mats = recordedMats(folder);
  const rows: [string, { own: Score; audit: AuditScore }][] = [];
  const wrong: string[] = [];
  const doubtful: string[] = [];
  let lines = 0;
  let done = 0;
  for (const mat of mats) {
    const own = freshScore();
    const audit = freshAudit();
    for (let i = 0; i < mat.truths.length; i += 1) {
      const heard = hearRecorded(mat, i);
      lines += heard.lines;
      for (const miss of scoreRoll(own, heard.truth, claimsOf(heard, heard.truth.balls))) {
        const named = `${captureFile(mat, heard.truth)}: ${miss}`;
        if (IS_WRONG.test(miss)) wrong.push(named);
        else doubtful.push(named);
      }
      if (heard.final !== undefined) scoreAudit(audit, heard.truth, heard.final);
      done += 1;
      progress(done);
    }
    rows.push([mat.name, { own, audit }]);
  }
  const all = rows.map(([, scores]) => scores).reduce((sum, more) => addUp(sum, more));
  return { rows: rows.length === 1 ? rows : [...rows, ['all', all]], wrong, doubtful, lines };
}

function hearRecorded(mat: RecordedMat, i: number) {
  const captured = captureAt(mat, i);
  const known = { limits: {}, calibration: mat.calibration };
  return { ...hearLines(captured, mat.effects, known, mat.layout), lines: captured.lines.length };
}

/** The result as text for people. */
export function capturesText(
  { rows, wrong, doubtful, lines }: CapturesResult,
  list: boolean,
): readonly string[] {
  const last = rows.at(-1);
  const figures = rows.map(
    ([name, { own, audit }]) => [name, { own: kept(own), audit: kept(audit) }] as const,
  );
  return [
    `${last?.[1].own.rolls ?? 0} recorded rolls, ${lines} lines.`,
    '',
    ...head([
      'captures',
      'rolls',
      'balls',
      'wrong player/opened/attached',
      'balls wrong, 95 %',
      'undetermined, 95 %',
      'opened F1 (P/R)',
      'attached F1 (P/R)',
      'without a last word',
    ]),
    ...rows.map(([name, { own }]) =>
      cells([
        name,
        own.rolls,
        own.balls,
        `${own.wrong.player}/${own.wrong.opened}/${own.wrong.attached}`,
        interval(own.wrong.any, own.balls),
        interval(own.doubtful, own.balls),
        prf(own.open),
        prf(own.attach),
        own.unfinished,
      ]),
    ),
    '',
    ...scoreTable(figures),
    '',
    ...auditTable(figures),
    '',
    ...(last === undefined ? [] : confusionTable(last[0], kept(last[1].own))),
    '',
    `Wrong rulings: ${wrong.length}`,
    ...wrong.map((miss) => `  ${miss}`),
    `Undetermined: ${doubtful.length}${list || doubtful.length === 0 ? '' : ' (--list names them)'}`,
    ...(list ? doubtful.map((miss) => `  ${miss}`) : []),
  ];
}

function main(args: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    throw new TableFault(
      'replay/unreadable',
      'No folder was named.',
      'Give one: bakucore bench captures FOLDER.',
    );
  }
  const result = benchCaptures(folder, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} rolls `);
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (values.json) say(JSON.stringify({ ...result, rows: Object.fromEntries(result.rows) }));
  else say(...capturesText(result, values.list));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof TableFault)) throw error;
    sayAside(`${error.code}: ${error.message}`, error.remedy);
    process.exitCode = 1;
  }
}

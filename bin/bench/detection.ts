/**
 * The detection bench: fixed corpora through the detector and through two plain ones, on all cores.
 *
 *     bakucore bench detection [SHARE] [HOURS] [--only TEXT] [--minutes N] [--pictures FOLDER] [--write] [--workers N]
 *
 * SHARE 1 is the whole bench (some 40,000 rolls), HOURS the armed hours of each idle class (30 by default). After
 * `--minutes` no more is begun: every row then has about the same part of its rolls, and says how many. `--write`
 * replaces `bin/bench/detection.table.json` and `.md`; every miss gets its trace as an SVG file and a line in `misses.txt`.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { idleRows, rollRows } from './detection-corpora.ts';
import type { IdleResult } from './detection-idle.ts';
import { pictureOf, wrongText } from './detection-misses.ts';
import { onAllCores } from './detection-pool.ts';
import type { RunResult } from './detection-run.ts';
import { addUp } from './detection-score.ts';
import { curveOf, type Figures, textOf } from './detection-table.ts';
import type { FromWorker, Job } from './detection-worker.ts';

/** Rolls of one job: whole mats, so that each is calibrated once. */
const ROLLS_A_JOB = 20;
const HOURS_A_JOB = 0.5;
/** Windows of an idle hour, as work for the bar. */
const WINDOWS_AN_HOUR = 180;

/** Rows whose rolls are done earlier than their share: the first bars are held against these. */
const EARLIER: Readonly<Record<string, number>> = { clean: 0.25, impaired: 0.5 };

export const TABLE_JSON = 'bin/bench/detection.table.json';
export const TABLE_TEXT = 'bin/bench/detection.table.md';
/** Traces of the rulings that were wrong. */
const WRONG_PICTURES = 'bin/bench/detection-wrong';
const WRONG = /: \d+ [AB] \S+ \S+: said /;

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      pictures: { type: 'string', default: '.cache/detection-misses' },
      write: { type: 'boolean', default: false },
      workers: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  const share = Number(positionals[0] ?? 1);
  const hours = Number(positionals[1] ?? 30);
  const wanted = (name: string): boolean => values.only === undefined || name.includes(values.only);
  const rows = rollRows(share).filter((row) => wanted(row.name));
  const idles = hours > 0 ? idleRows(hours).filter((row) => wanted(row.name)) : [];
  /** Each with the part of its row that is done before it: all rows grow alike, so that a cut run has some of each. */
  const ordered: { readonly job: Job; readonly after: number }[] = [];
  for (const { name, ask } of rows) {
    for (let at = 0; at < ask.rolls; at += ROLLS_A_JOB) {
      const part = { ...ask, firstSeed: ask.firstSeed + at, rolls: Math.min(ROLLS_A_JOB, ask.rolls - at) };
      const job: Job = { kind: 'rolls', row: name, ask: part, pictures: values.pictures };
      ordered.push({ job, after: (at / ask.rolls) * (EARLIER[name] ?? 1) });
    }
  }
  for (const { name, kind, firstSeed, hours: length, armed } of idles) {
    for (let at = 0; at < length; at += HOURS_A_JOB) {
      const part = Math.min(HOURS_A_JOB, length - at);
      const seed = firstSeed + Math.round(at * 1000);
      const job: Job = { kind: 'idle', row: name, idle: kind, firstSeed: seed, hours: part, armed };
      ordered.push({ job, after: at / length });
    }
  }
  const jobs = ordered.sort((a, b) => a.after - b.after).map(({ job }) => job);
  const total =
    rows.reduce((n, row) => n + row.ask.rolls, 0) +
    Math.round(idles.reduce((n, row) => n + row.hours, 0) * WINDOWS_AN_HOUR);
  const results = new Map<string, RunResult>();
  const idleResults = new Map<string, IdleResult>();
  const misses: string[] = [];
  await onAllCores<Job, Exclude<FromWorker, { kind: 'progress' }>>({
    script: new URL('./detection-worker.js', import.meta.url),
    jobs,
    total,
    ...(values.workers === undefined ? {} : { workers: Number(values.workers) }),
    ...(values.minutes === undefined ? {} : { minutes: Number(values.minutes) }),
    answer(answer) {
      misses.push(...answer.misses.map((line) => `${answer.row}: ${line}`));
      if (answer.kind === 'rolls') {
        const before = results.get(answer.row);
        results.set(answer.row, before === undefined ? answer.result : addUp(before, answer.result));
      } else {
        const before = idleResults.get(answer.row);
        idleResults.set(answer.row, before === undefined ? answer.result : addUp(before, answer.result));
      }
    },
  });
  const figures = figuresOf(share, rows, idles, results, idleResults);
  // A doubt is no mistake; a sure answer that is not the truth is, and each is told with what the samples hold.
  const wrong = misses.filter((line) => WRONG.test(line)).sort();
  const text = `${textOf(figures)}${wrongText(wrong)}`;
  process.stdout.write(text);
  mkdirSync(values.pictures, { recursive: true });
  writeFileSync(join(values.pictures, 'misses.txt'), `${misses.sort().join('\n')}\n`);
  process.stderr.write(`${misses.length} misses, with their traces in ${values.pictures}\n`);
  if (!values.write) return;
  writeFileSync(TABLE_JSON, `${laidOut(compact(figures))}\n`);
  writeFileSync(TABLE_TEXT, text);
  rmSync(WRONG_PICTURES, { recursive: true, force: true });
  mkdirSync(WRONG_PICTURES, { recursive: true });
  for (const name of new Set(wrong.map(pictureOf))) {
    copyFileSync(join(values.pictures, name), join(WRONG_PICTURES, name));
  }
}

function figuresOf(
  share: number,
  rows: ReturnType<typeof rollRows>,
  idles: ReturnType<typeof idleRows>,
  results: ReadonlyMap<string, RunResult>,
  idleResults: ReadonlyMap<string, IdleResult>,
): Figures {
  const out: {
    share: number;
    rows: Record<string, Figures['rows'][string]>;
    curves: Record<string, Figures['curves'][string]>;
    idle: Record<string, Figures['idle'][string]>;
  } = { share, rows: {}, curves: {}, idle: {} };
  for (const { name, group, what, ask } of rows) {
    const result = results.get(name);
    if (result === undefined) continue;
    const { own, naive, plain, audit, noticed, forcedMs } = result;
    const extra = noticed === undefined ? {} : { noticed };
    out.rows[name] = { group, what, firstSeed: ask.firstSeed, own, naive, plain, audit, ...extra };
    if (forcedMs.length > 0) out.curves[name] = curveOf(forcedMs);
  }
  for (const { name, what, barPerHour } of idles) {
    const result = idleResults.get(name);
    if (result !== undefined) out.idle[name] = { ...result, what, barPerHour };
  }
  return out;
}

/** JSON as the project's formatter leaves it: lists of numbers on one line. */
function laidOut(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/\[\s+(-?\d[^[\]{}"]*?)\s+\]/g, (_, inner: string) => {
    return `[${inner.replaceAll(/\s+/g, ' ')}]`;
  });
}

/** Lists of times become their count and quantiles: the table is read by people and compared by tests. */
function compact(figures: Figures): unknown {
  return JSON.parse(
    JSON.stringify(figures, (key, value: unknown) => {
      if (!key.endsWith('Ms') || !Array.isArray(value)) return value;
      const sorted = value.map(Number).sort((a, b) => a - b);
      const at = (share: number): number | null =>
        sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
      return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));

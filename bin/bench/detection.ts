/**
 * The detection bench: fixed corpora through the detector and through two plain ones, on all cores.
 *
 *     bakucore bench detection [SHARE] [HOURS] [--only TEXT] [--minutes N] [--pictures FOLDER] [--write] [--workers N]
 *
 * SHARE 1 is the whole bench (some 40,000 rolls), HOURS the armed hours of each idle class (30 by default). After
 * `--minutes` no more is begun: every row then has about the same part of its rolls, and says how many. `--write`
 * replaces `bin/bench/detection.table.json` and `.md`, with `--only` those rows of it alone; every miss gets its trace as
 * an SVG file and a line in `misses.txt`.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { idleRows, recoveryRows, rollRows } from './detection-corpora.ts';
import {
  curveOf,
  type Figures,
  laidOut,
  mergedInto,
  readFigures,
  rowOf,
  TABLE_JSON,
  TABLE_TEXT,
  VERSION,
} from './detection-figures.ts';
import type { IdleResult } from './detection-idle.ts';
import { pictureOf } from './detection-misses.ts';
import { onAllCores } from './detection-pool.ts';
import type { RecoveryResult } from './detection-recovery.ts';
import type { RunResult } from './detection-run.ts';
import { addUp } from './detection-score.ts';
import { textOf } from './detection-table.ts';
import type { FromWorker, Job } from './detection-worker.ts';

/** Rolls of one job: whole mats, so that each is calibrated once. */
const ROLLS_A_JOB = 20;
const HOURS_A_JOB = 0.5;
/** Windows of an idle hour, as work for the bar. */
const WINDOWS_AN_HOUR = 180;

/** Rows whose rolls are done earlier than their share: the first bars are held against these. */
const EARLIER: Readonly<Record<string, number>> = { clean: 0.25, impaired: 0.5 };

/** Traces of the rulings that were wrong. */
const WRONG_PICTURES = 'bin/bench/detection-wrong';
const WRONG = /: \d+ [AB] \S+ \S+: said /;

interface Rows {
  readonly rolls: ReturnType<typeof rollRows>;
  readonly idles: ReturnType<typeof idleRows>;
  readonly recoveries: ReturnType<typeof recoveryRows>;
}

function rowsOf(share: number, hours: number, wanted: (name: string) => boolean): Rows {
  return {
    rolls: rollRows(share).filter(({ name }) => wanted(name)),
    idles: hours > 0 ? idleRows(hours).filter(({ name }) => wanted(name)) : [],
    recoveries: recoveryRows(share).filter(({ name }) => wanted(name)),
  };
}

/** Each with the part of its row that is done before it: all rows grow alike, so that a cut run has some of each. */
function jobsOf({ rolls, idles, recoveries }: Rows, pictures: string): readonly Job[] {
  const ordered: { readonly job: Job; readonly after: number }[] = [];
  for (const { name, ask } of rolls) {
    for (let at = 0; at < ask.rolls; at += ROLLS_A_JOB) {
      const part = { ...ask, firstSeed: ask.firstSeed + at, rolls: Math.min(ROLLS_A_JOB, ask.rolls - at) };
      const job: Job = { kind: 'rolls', row: name, ask: part, pictures };
      ordered.push({ job, after: (at / ask.rolls) * (EARLIER[name] ?? 1) });
    }
  }
  for (const { name, ask } of recoveries) {
    for (let at = 0; at < ask.rolls; at += ROLLS_A_JOB) {
      const part = { ...ask, firstSeed: ask.firstSeed + at, rolls: Math.min(ROLLS_A_JOB, ask.rolls - at) };
      ordered.push({ job: { kind: 'recovery', row: name, ask: part }, after: at / ask.rolls });
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
  return ordered.sort((a, b) => a.after - b.after).map(({ job }) => job);
}

interface Results {
  readonly rolls: Map<string, RunResult>;
  readonly idles: Map<string, IdleResult>;
  readonly recoveries: Map<string, RecoveryResult>;
}

function addTo<T extends object>(results: Map<string, T>, row: string, more: T): void {
  const before = results.get(row);
  results.set(row, before === undefined ? more : addUp(before, more));
}

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
  const { only, pictures } = values;
  const rows = rowsOf(share, hours, (name) => only === undefined || name.includes(only));
  // Before hours of work: what is kept must be such that it can be kept.
  const before = values.write && only !== undefined ? readFigures() : undefined;
  const jobs = jobsOf(rows, pictures);
  const sum = (of: readonly { readonly ask: { readonly rolls: number } }[]): number =>
    of.reduce((n, { ask }) => n + ask.rolls, 0);
  const windows = Math.round(rows.idles.reduce((n, row) => n + row.hours, 0) * WINDOWS_AN_HOUR);
  const results: Results = { rolls: new Map(), idles: new Map(), recoveries: new Map() };
  const misses: string[] = [];
  await onAllCores<Job, Exclude<FromWorker, { kind: 'progress' }>>({
    script: new URL('./detection-worker.js', import.meta.url),
    jobs,
    total: sum(rows.rolls) + sum(rows.recoveries) + windows,
    ...(values.workers === undefined ? {} : { workers: Number(values.workers) }),
    ...(values.minutes === undefined ? {} : { minutes: Number(values.minutes) }),
    answer(answer) {
      misses.push(...answer.misses.map((line) => `${answer.row}: ${line}`));
      if (answer.kind === 'rolls') addTo(results.rolls, answer.row, answer.result);
      else if (answer.kind === 'idle') addTo(results.idles, answer.row, answer.result);
      else addTo(results.recoveries, answer.row, answer.result);
    },
  });
  // A doubt is no mistake; a sure answer that is not the truth is, and each is told with what the samples hold.
  const wrong = misses.filter((line) => WRONG.test(line)).sort();
  const now = figuresOf(share, rows, results, wrong);
  process.stdout.write(textOf(now));
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, 'misses.txt'), `${misses.sort().join('\n')}\n`);
  process.stderr.write(`${misses.length} misses, with their traces in ${pictures}\n`);
  if (!values.write) return;
  const all = rowsOf(share, Math.max(hours, 1), () => true);
  const names = [...all.rolls, ...all.idles, ...all.recoveries].map(({ name }) => name);
  const figures = before === undefined ? now : mergedInto(before, now, names);
  writeFileSync(TABLE_JSON, laidOut(figures));
  writeFileSync(TABLE_TEXT, textOf(figures));
  keepPictures(pictures, wrong, new Set(figures.wrong.map(pictureOf)));
}

/** The traces of all wrong rulings of the table lie beside it, and no others. */
function keepPictures(from: string, wrong: readonly string[], wanted: ReadonlySet<string>): void {
  mkdirSync(WRONG_PICTURES, { recursive: true });
  for (const name of readdirSync(WRONG_PICTURES)) if (!wanted.has(name)) rmSync(join(WRONG_PICTURES, name));
  for (const name of new Set(wrong.map(pictureOf))) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(WRONG_PICTURES, name));
  }
}

function figuresOf(share: number, rows: Rows, results: Results, wrong: readonly string[]): Figures {
  const out = {
    version: VERSION,
    share,
    rows: {} as Record<string, Figures['rows'][string]>,
    curves: {} as Record<string, Figures['curves'][string]>,
    recovery: {} as Record<string, Figures['recovery'][string]>,
    idle: {} as Record<string, Figures['idle'][string]>,
    wrong,
  } as const;
  for (const row of rows.rolls) {
    const result = results.rolls.get(row.name);
    if (result === undefined) continue;
    out.rows[row.name] = rowOf(row, result);
    if (result.forcedMs.length > 0) out.curves[row.name] = curveOf(result.forcedMs);
  }
  for (const { name, what, ask } of rows.recoveries) {
    const result = results.recoveries.get(name);
    if (result !== undefined) out.recovery[name] = { ...result, backMs: ask.backMs, what };
  }
  for (const { name, what, barPerHour } of rows.idles) {
    const result = results.idles.get(name);
    if (result !== undefined) out.idle[name] = { ...result, what, barPerHour };
  }
  return out;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));

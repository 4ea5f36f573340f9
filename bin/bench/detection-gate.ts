/**
 * The detection bench in small, as a gate: fixed rolls whose scores may not fall by more than their stated noise
 * against the committed ones, and armed time in which no open may be invented.
 *
 *     node dist/bin/bench/detection-gate.js [--write] [--workers N]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { GATE, GATE_IDLE, GATE_IDLE_SEED, type GateName } from './detection-gate-rows.ts';
import {
  type GateScore,
  type GateScores,
  gateFailures,
  gateScore,
  idleFailures,
} from './detection-gate-score.ts';
import type { GateAnswer, GateJob } from './detection-gate-worker.ts';
import type { Variant } from './detection-hear.ts';
import type { IdleKind, IdleResult } from './detection-idle.ts';
import { onAllCores } from './detection-pool.ts';
import type { RunResult } from './detection-run.ts';
import { addUp } from './detection-score.ts';

export const GATE_FILE = 'bin/bench/detection.gate.json';

/** Detectors made worse on purpose, each with the corpus that has to turn it away. */
export const TURNED_AWAY = [
  ['noHysteresis', 'impaired'],
  ['noCrosstalk', 'coupled'],
  ['forced', 'reset'],
] as const satisfies readonly (readonly [Variant, GateName])[];

/** Whole mats, so that each is calibrated once; few enough that all cores are busy to the end. */
const ROLLS_A_JOB = 60;
const WINDOWS_AN_HOUR = 180;

export interface GateRun {
  /** By corpus. */
  readonly scores: GateScores;
  /** By variant: its score on its corpus. */
  readonly worse: Readonly<Record<string, GateScore>>;
  /** Windows with an invented open, by what is done to the table. */
  readonly idle: GateScore;
  readonly idleHours: number;
}

/** Name of the idle windows in the committed file. */
export const IDLE = 'armed, nobody rolls';

function rollJobs(row: GateName, variant: Variant): GateJob[] {
  const ask = GATE[row];
  const jobs: GateJob[] = [];
  for (let at = 0; at < ask.rolls; at += ROLLS_A_JOB) {
    const part = { ...ask, firstSeed: ask.firstSeed + at, rolls: Math.min(ROLLS_A_JOB, ask.rolls - at) };
    jobs.push({ kind: 'rolls', row, ask: part, variant });
  }
  return jobs;
}

function keysOf<Key extends string>(of: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(of) as Key[];
}

export interface GateAsk {
  /** Compiled worker; the one beside this file by default. */
  readonly script?: URL;
  readonly workers?: number;
  readonly quiet?: boolean;
}

/** Runs everything that the gate compares, on all cores. */
export async function runGate(ask: GateAsk = {}): Promise<GateRun> {
  const idles = keysOf(GATE_IDLE).map(
    (row, i): GateJob => ({
      kind: 'idle',
      row,
      firstSeed: GATE_IDLE_SEED + i * 10_000,
      hours: GATE_IDLE[row],
    }),
  );
  // Long jobs first: none of them is left to the end.
  const jobs = [
    ...idles,
    ...keysOf(GATE).flatMap((row) => rollJobs(row, 'asIs')),
    ...TURNED_AWAY.flatMap(([variant, row]) => rollJobs(row, variant)),
  ];
  const results = new Map<string, RunResult>();
  const idle = new Map<IdleKind, IdleResult>();
  const work = (job: GateJob): number =>
    job.kind === 'rolls' ? job.ask.rolls : Math.round(job.hours * WINDOWS_AN_HOUR);
  await onAllCores<GateJob, GateAnswer>({
    script: ask.script ?? new URL('./detection-gate-worker.js', import.meta.url),
    jobs,
    total: jobs.reduce((n, job) => n + work(job), 0),
    quiet: ask.quiet ?? false,
    ...(ask.workers === undefined ? {} : { workers: ask.workers }),
    answer(answer) {
      if (answer.kind === 'idle') {
        idle.set(answer.row, answer.result);
        return;
      }
      const key = `${answer.variant} ${answer.row}`;
      const before = results.get(key);
      results.set(key, before === undefined ? answer.result : addUp(before, answer.result));
    },
  });
  const scoreOf = (variant: Variant, row: GateName): GateScore => {
    const result = results.get(`${variant} ${row}`);
    if (result === undefined) throw new Error(`the gate has no result of ${row}`);
    return gateScore(result);
  };
  return {
    scores: Object.fromEntries(keysOf(GATE).map((row) => [row, scoreOf('asIs', row)])),
    worse: Object.fromEntries(TURNED_AWAY.map(([variant, row]) => [variant, scoreOf(variant, row)])),
    idle: {
      counts: Object.fromEntries(
        keysOf(GATE_IDLE).map((kind) => {
          const { falseOpens = 0, hours = 0 } = idle.get(kind) ?? {};
          return [kind, [falseOpens, Math.round(hours * WINDOWS_AN_HOUR)] as const];
        }),
      ),
      times: {},
    },
    idleHours: [...idle.values()].reduce((sum, { hours }) => sum + hours, 0),
  };
}

/** @throws Error when the committed file lacks this corpus or is of another form */
export function committedScore(name: string, file = GATE_FILE): GateScore {
  const score = (JSON.parse(readFileSync(file, 'utf8')) as Partial<GateScores>)[name];
  if (score?.counts === undefined) throw new Error(`${file} has no ${name}: write it anew with --write`);
  return score;
}

/** As the project's formatter leaves it: pairs on one line. */
function laidOut(scores: GateScores): string {
  const pairs = /\[\s+(-?[\d.]+),\s+(-?[\d.]+)\s+\]/g;
  return `${JSON.stringify(scores, null, 2).replaceAll(pairs, '[$1, $2]')}\n`;
}

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { write: { type: 'boolean', default: false }, workers: { type: 'string' } },
  });
  const run = await runGate(values.workers === undefined ? {} : { workers: Number(values.workers) });
  const failures: string[] = [];
  for (const [name, now] of Object.entries(run.scores)) {
    if (!values.write)
      failures.push(...gateFailures(name, committedScore(name), now).map(({ text }) => text));
  }
  if (!values.write) failures.push(...idleFailures(committedScore(IDLE), run.idle));
  for (const [kind, [opens, of]] of Object.entries(run.idle.counts)) {
    process.stdout.write(`${kind}: opens invented in ${opens} of ${of} armed windows\n`);
  }
  const against = (name: string): GateScore =>
    (values.write ? run.scores[name] : undefined) ?? committedScore(name);
  for (const [variant, row] of TURNED_AWAY) {
    const worse = run.worse[variant];
    const [worst] = worse === undefined ? [] : gateFailures(row, against(row), worse);
    process.stdout.write(
      `${variant}: ${worst === undefined ? 'passes' : `${worst.text}, ${worst.noises.toFixed(1)} noises`}\n`,
    );
  }
  if (values.write) writeFileSync(GATE_FILE, laidOut({ ...run.scores, [IDLE]: run.idle }));
  process.stdout.write(failures.length === 0 ? 'The gate is open.\n' : `${failures.join('\n')}\n`);
  if (failures.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));

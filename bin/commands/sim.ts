import { Command, Option } from 'commander';
import { TableFault } from '../../host/fault.ts';
import { EFFECTS, type Effect, IMPAIRMENTS, UNSEEN } from '../../sim/effects.ts';
import { IDLE_KINDS, type IdleKind } from '../../sim/idle.ts';
import type { Recorded, RecordJob } from '../../sim/record-worker.ts';
import { onAllCores } from '../bench/detection-pool.ts';
import { checkOutPlace } from '../out-place.ts';
import { match } from './sim-match.ts';

type RecordOptions = {
  readonly rolls: string;
  readonly seed: string;
  readonly impair: readonly string[];
  readonly idle?: IdleKind;
  readonly hours: string;
  readonly samePolarity: boolean;
  readonly out: string;
  readonly workers?: string;
};

/** Rolls of one worker's turn: those that share a mat and its calibration. */
const ROLLS_A_MAT = 20;

/** `bakucore sim`: the simulator by itself. */
export function sim(): Command {
  return new Command('sim')
    .description('Use the simulated table by itself.')
    .addCommand(record())
    .addCommand(match());
}

function record(): Command {
  const list = Object.entries(EFFECTS)
    .map(([name, what]) => `  ${name.padEnd(14)} ${what}`)
    .join('\n');
  return new Command('record')
    .description('Write simulated rolls, or hours without rolls, as captures with their truth beside them.')
    .option('--rolls <n>', 'how many rolls', '100')
    .option('--seed <s>', 'first seed; the same seed gives the same bytes on every machine', '1')
    .option('--impair <names...>', 'what is wrong, by name; `all` takes every impairment')
    .addOption(
      new Option('--idle <kind>', 'instead of rolls: hours in which nobody rolls').choices(IDLE_KINDS),
    )
    .option('--hours <h>', 'hours of --idle', '1')
    .option('--same-polarity', 'all magnets point the same way', false)
    .option('--out <folder>', 'where to write', 'captures')
    .option('--workers <n>', 'processes; one a core by default')
    .addHelpText(
      'after',
      `\nImpairments, effects the detector was not fitted on, and troubles after calibration:\n${list}\n\nExamples:\n  bakucore sim record --rolls 1000 --seed 1 --impair contacts leds --out captures\n  bakucore sim record --idle hands --hours 4\n  bakucore bench captures captures`,
    )
    .action((options: Partial<RecordOptions>) =>
      write({
        rolls: options.rolls ?? '100',
        seed: options.seed ?? '1',
        impair: options.impair ?? [],
        hours: options.hours ?? '1',
        samePolarity: options.samePolarity ?? false,
        out: options.out ?? 'captures',
        ...(options.idle === undefined ? {} : { idle: options.idle }),
        ...(options.workers === undefined ? {} : { workers: options.workers }),
      }),
    );
}

function numberOf(text: string, option: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new TableFault(
    'config/bad-value',
    `--${option} must be a number, not ${text}.`,
    'Give digits, as in 100.',
  );
}

/** Names as effects; `all` is every impairment. */
function effectsOf(names: readonly string[]): readonly Effect[] {
  const wanted = names.flatMap((name) => name.split(','));
  const out = wanted.flatMap((name): readonly Effect[] => {
    if (name === 'all') return keysOf(IMPAIRMENTS);
    if (name === 'unseen') return keysOf(UNSEEN);
    const known = keysOf(EFFECTS).find((effect) => effect === name);
    if (known !== undefined) return [known];
    const names = [...Object.keys(EFFECTS), 'all', 'unseen'].join(', ');
    throw new TableFault('config/bad-value', `Nothing is called ${name}.`, `Choose from ${names}.`);
  });
  return [...new Set(out)];
}

function keysOf<Key extends string>(of: Readonly<Record<Key, string>>): readonly Key[] {
  return Object.keys(of) as Key[];
}

async function write(options: RecordOptions): Promise<void> {
  const rolls = numberOf(options.rolls, 'rolls');
  const seed = numberOf(options.seed, 'seed');
  const hours = numberOf(options.hours, 'hours');
  await checkOutPlace(options.out, []);
  const shared = {
    effects: effectsOf(options.impair),
    samePolarity: options.samePolarity,
    folder: options.out,
  };
  const jobs: RecordJob[] = [];
  if (options.idle !== undefined) {
    const minutes = Math.ceil(hours * 60);
    for (let i = 0; i < minutes; i += 10) {
      jobs.push({
        ...shared,
        kind: 'idle',
        idle: options.idle,
        first: seed + i,
        count: Math.min(10, minutes - i),
      });
    }
  } else {
    for (let first = seed; first < seed + rolls; ) {
      const next = Math.min(seed + rolls, (Math.floor(first / ROLLS_A_MAT) + 1) * ROLLS_A_MAT);
      jobs.push({ ...shared, kind: 'rolls', first, count: next - first });
      first = next;
    }
  }
  let lines = 0;
  let files = 0;
  await onAllCores<RecordJob, Recorded>({
    script: new URL('../../sim/record-worker.js', import.meta.url),
    jobs,
    total: jobs.reduce((n, job) => n + job.count, 0),
    ...(options.workers === undefined ? {} : { workers: numberOf(options.workers, 'workers') }),
    answer(answer) {
      lines += answer.lines;
      files += answer.files;
    },
  });
  process.stdout.write(
    `${files} captures, ${lines} lines in ${options.out}: each folder mat-N holds its calibration.json, truth.jsonl and activity.jsonl. Score rolls with: bakucore bench captures ${options.out}\n`,
  );
}

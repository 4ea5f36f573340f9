import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Command, InvalidArgumentError } from 'commander';
import { type Otherwise, type Rejudged, rejudge } from '../../host/audit/rejudge.ts';
import { openSource } from '../../host/audit/source.ts';
import { calibrationSchema } from '../../host/calibration-file.ts';
import { TableFault, wordsOf } from '../../host/fault.ts';
import { PARTS } from '../../host/parts.ts';
import { DEFAULT_LIMITS, type SensingLimits } from '../../host/sensing/limits.ts';

type Options = {
  readonly calibration?: string;
  readonly limit: readonly (readonly [keyof SensingLimits, number])[];
  readonly jobs: number;
  readonly json: boolean;
  readonly failOnFlip: boolean;
};

/** What a thread is told and tells. */
type Ask = { readonly file: string; readonly otherwise: Otherwise };
type Told =
  | { readonly roll: Rejudged }
  | { readonly records: number }
  | { readonly failed: string }
  | { readonly done: true };

/** `bakucore diff`: which recorded rolls would be ruled otherwise. */
export function diff(): Command {
  return new Command('diff')
    .description(
      'Judge recorded rolls once more under another calibration or other limits; list those that flip.',
    )
    .argument('<files...>', 'folders of tables, match files or captures')
    .option('--calibration <file>', 'another calibration')
    .option(
      '--limit <name=value>',
      'another limit of the detector, as openYes=0.98; may be given again',
      limits,
      [],
    )
    .option('--jobs <count>', 'journals at a time', jobs, Math.min(8, availableParallelism()))
    .option('--json', 'one JSON object a roll that flips', false)
    .option('--fail-on-flip', 'exit with 1 when a roll flips', false)
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore diff data/t1 --limit openYes=0.98\n  bakucore diff corpus/*.match --calibration new.json --fail-on-flip',
    )
    .action(run);
}

async function run(files: readonly string[], options: Options): Promise<void> {
  const otherwise: Otherwise = {
    limits: Object.fromEntries(options.limit),
    ...(options.calibration === undefined ? {} : { calibration: await calibrationIn(options.calibration) }),
  };
  const sums = { rolls: 0, flipped: 0, files: 0, records: 0 };
  const bar = progressBar(files.length);
  const queue = [...files];
  const faults: string[] = [];
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const name = file;
      await inThread({ file, otherwise }, (told) => {
        if ('records' in told) sums.records += told.records;
        if ('failed' in told) faults.push(`${name}: ${told.failed}`);
        if ('roll' in told) {
          sums.rolls += 1;
          if (told.roll.flips.length > 0) {
            sums.flipped += 1;
            bar.clear();
            tell(name, told.roll, options.json);
          }
        }
        bar.show(sums);
      });
      sums.files += 1;
      bar.show(sums);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, files.length) }, work));
  bar.clear();
  process.stderr.write(`${sums.flipped} of ${sums.rolls} rolls in ${sums.files} files flip.\n`);
  if (faults.length > 0) throw new TableFault('journal/unreadable', faults.join('\n'), '');
  if (options.failOnFlip && sums.flipped > 0) {
    throw new TableFault(
      'journal/differs',
      `${sums.flipped} rolls would be ruled otherwise.`,
      'Look at each with: bakucore export --bundle --roll.',
    );
  }
}

function tell(file: string, roll: Rejudged, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify({ file, ...roll })}\n`);
  else process.stdout.write(`${file} game ${roll.game} roll ${roll.roll}: ${roll.flips.join('; ')}\n`);
}

function inThread(ask: Ask, told: (message: Told) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { diff: ask } });
    worker.on('message', told);
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}

/** A line on a terminal that says how far the work is; nothing where there is no terminal. */
function progressBar(files: number) {
  const { stderr } = process;
  let shownMs = 0;
  return {
    show(sums: { readonly files: number; readonly rolls: number; readonly flipped: number }): void {
      if (!stderr.isTTY || performance.now() - shownMs < 100) return;
      shownMs = performance.now();
      const done = Math.round((24 * sums.files) / files);
      stderr.write(
        `\r[${'#'.repeat(done)}${'.'.repeat(24 - done)}] ${sums.files}/${files} files, ${sums.rolls} rolls, ${sums.flipped} flip `,
      );
    },
    clear(): void {
      if (stderr.isTTY) stderr.write(`\r${' '.repeat(78)}\r`);
    },
  };
}

async function calibrationIn(file: string): Promise<NonNullable<Otherwise['calibration']>> {
  try {
    return calibrationSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new TableFault(
      'config/bad-value',
      `${file} is no calibration (${wordsOf(error)}).`,
      'Calibrate anew.',
    );
  }
}

function limits(
  text: string,
  before: readonly (readonly [string, number])[],
): readonly (readonly [string, number])[] {
  const [name = '', value = ''] = text.split('=');
  if (!(name in DEFAULT_LIMITS) || value.trim() === '' || !Number.isFinite(Number(value))) {
    throw new InvalidArgumentError(`Give name=value; names are ${Object.keys(DEFAULT_LIMITS).join(', ')}.`);
  }
  return [...before, [name, Number(value)]];
}

function jobs(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 64)
    throw new InvalidArgumentError('Give a number from 1 to 64.');
  return value;
}

function isAsk(value: unknown): value is { readonly diff: Ask } {
  return typeof value === 'object' && value !== null && 'diff' in value;
}

if (!isMainThread && isAsk(workerData) && parentPort !== null) {
  const port = parentPort;
  const say = (message: Told): void => port.postMessage(message);
  try {
    const { file, otherwise } = workerData.diff;
    await rejudge(
      await openSource(file),
      PARTS,
      otherwise,
      (roll) => say({ roll }),
      () => say({ records: 4096 }),
    );
  } catch (error) {
    say({ failed: wordsOf(error) });
  }
}

import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Command, InvalidArgumentError } from 'commander';
import type { Otherwise } from '../../host/audit/rejudge.ts';
import { calibrationIn } from '../../host/calibration-file.ts';
import { TableFault, wordsOf } from '../../host/fault.ts';
import { DEFAULT_LIMITS, type SensingLimits } from '../../host/sensing/limits.ts';
import { counted } from '../counted.ts';
import type { DiffAsk, DiffTold } from '../diff-worker.ts';
import { makeNamed, writeNamed } from '../named-file.ts';
import { checkOutPlace } from '../out-place.ts';
import { say, sayAside } from '../say.ts';

type Options = {
  readonly calibration?: string;
  readonly limit: readonly (readonly [keyof SensingLimits, number])[];
  readonly rules?: string;
  readonly host?: string;
  readonly trace?: string;
  readonly jobs: number;
  readonly json: boolean;
  readonly failOnFlip: boolean;
};

type Roll = Extract<DiffTold, { readonly roll: unknown }>['roll'];

/** `bakucore diff`: which recorded rolls would be ruled otherwise. */
export function diff(): Command {
  return new Command('diff')
    .description(
      'Judge recorded rolls once more and list those that flip: by the code of today, or under another calibration, other limits, another version of the rules or of this whole host.',
    )
    .argument('<files...>', 'folders of tables, match files or captures')
    .option('--calibration <file>', 'another calibration')
    .option(
      '--limit <name=value>',
      'another limit of the detector, as openYes=0.98; may be given again',
      limits,
      [],
    )
    .option('--rules <version>', 'another version of the rules that were played')
    .option(
      '--host <folder>',
      'the built program of another version of this host judges: its firmware decoding, its detector',
    )
    .option('--trace <folder>', 'write a page with the traces of each roll that flips')
    .option('--jobs <count>', 'journals at a time', jobs, Math.min(8, availableParallelism()))
    .option('--json', 'one JSON object a roll that flips', false)
    .option('--fail-on-flip', 'exit with 1 when a roll flips', false)
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore diff data/t1 --limit openYes=0.98 --trace flips\n  bakucore diff corpus/*.match --calibration new.json --fail-on-flip\n  bakucore diff data/t1 --host ../host-of-yesterday',
    )
    .action(run);
}

async function run(files: readonly string[], options: Options): Promise<void> {
  const { rules, host, trace, json } = options;
  const otherwise: Otherwise = {
    limits: Object.fromEntries(options.limit),
    ...(trace === undefined ? {} : { traces: 'flips' }),
    ...(rules === undefined ? {} : { rules }),
    ...(options.calibration === undefined
      ? {}
      : { calibration: await calibrationNamed(options.calibration) }),
  };
  const ask = { otherwise, against: wordsFor(options), ...(host === undefined ? {} : { host }) };
  if (trace !== undefined) {
    await checkOutPlace(trace, [], '--trace');
    await makeNamed(trace);
  }
  const sums = { rolls: 0, notJudged: 0, flipped: 0, files: 0, records: 0 };
  const bar = progressBar(files.length);
  const queue = [...files];
  const faults: string[] = [];
  const written: Promise<unknown>[] = [];
  const pages = pageNames(files);
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const name = file;
      await inThread({ ...ask, file }, (told) => {
        if ('records' in told) sums.records += told.records;
        if ('failed' in told)
          faults.push(told.failed.includes(name) ? told.failed : `${name}: ${told.failed}`);
        if ('roll' in told) {
          sums.rolls += 1;
          if (told.roll.notJudged === true) sums.notJudged += 1;
          if (told.roll.flips.length > 0) {
            sums.flipped += 1;
            const page =
              trace === undefined || told.page === undefined
                ? undefined
                : join(trace, pages.of(name, told.roll));
            if (page !== undefined && told.page !== undefined) {
              const failed = (error: unknown): unknown => faults.push(`${page}: ${wordsOf(error)}`);
              written.push(writeNamed(page, told.page).catch(failed));
            }
            bar.clear();
            tell(name, told.roll, page, json);
          }
        }
        bar.show(sums);
      });
      sums.files += 1;
      bar.show(sums);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, files.length) }, work));
  await Promise.all(written);
  bar.clear();
  const { flipped, notJudged } = sums;
  if (notJudged > 0) {
    sayAside(
      `${notJudged} of ${counted(sums.rolls, 'roll')} could not be judged anew: lines no longer kept. What was ruled then stands.`,
    );
  }
  sayAside(
    `${flipped} of ${counted(sums.rolls - notJudged, 'roll')} in ${counted(sums.files, 'file')} ${flipped === 1 ? 'flips' : 'flip'}.`,
  );
  if (faults.length > 0) throw new TableFault('journal/unreadable', faults.join('\n'), '');
  if (options.failOnFlip && sums.flipped > 0) {
    throw new TableFault(
      'journal/differs',
      `${counted(sums.flipped, 'roll')} would be ruled otherwise.`,
      'Look at each with --trace.',
    );
  }
}

/**
 * Names for pages in the folder of traces, no two alike: of files that are called the same the whole path is in them, and
 * the match. A record from elsewhere may name a roll as it likes.
 */
export function pageNames(files: readonly string[]): {
  of(file: string, roll: Pick<Roll, 'game' | 'roll' | 'match'>): string;
} {
  const namesakes = (file: string): boolean =>
    files.some((other) => other !== file && basename(other) === basename(file));
  const given = new Map<string, number>();
  return {
    of(file, { game, roll, match }) {
      const source = namesakes(file) ? file : basename(file);
      const parts = [source, ...(match === undefined ? [] : [match]), `game${game}`, roll];
      const name = parts.join('-').replace(/[^\w.-]/g, '_');
      const count = (given.get(name) ?? 0) + 1;
      given.set(name, count);
      return `${name}${count === 1 ? '' : `-${count}`}.html`;
    },
  };
}

/** What is judged against, in words for a page. */
function wordsFor({ calibration, limit, rules, host }: Options): string {
  const parts = [
    ...(calibration === undefined ? [] : [`the calibration in ${calibration}`]),
    ...limit.map(([name, value]) => `${name} = ${value}`),
    ...(rules === undefined ? [] : [`rules ${rules}`]),
    ...(host === undefined ? [] : [`the host in ${host}`]),
  ];
  return parts.length === 0 ? 'by the code of today' : `under ${parts.join(', ')}`;
}

function tell(file: string, roll: Roll, page: string | undefined, json: boolean): void {
  if (json) {
    say(JSON.stringify({ file, ...roll, ...(page === undefined ? {} : { page }) }));
    return;
  }
  const traced = page === undefined ? '' : ` (${page})`;
  const match = roll.match === undefined ? '' : ` match ${roll.match}`;
  say(`${file}${match} game ${roll.game} roll ${roll.roll}: ${roll.flips.join('; ')}${traced}`);
}

function inThread(ask: DiffAsk, told: (message: DiffTold) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(), { workerData: { diff: ask } });
    worker.on('message', told);
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}

/** Built or as source, beside this file. */
function workerFile(): string {
  const end = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`../diff-worker.${end}`, import.meta.url));
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
        `\r[${'#'.repeat(done)}${'.'.repeat(24 - done)}] ${sums.files}/${counted(files, 'file')}, ${counted(sums.rolls, 'roll')}, ${sums.flipped} ${sums.flipped === 1 ? 'flips' : 'flip'} `,
      );
    },
    clear(): void {
      if (stderr.isTTY) stderr.write(`\r${' '.repeat(78)}\r`);
    },
  };
}

async function calibrationNamed(file: string): Promise<NonNullable<Otherwise['calibration']>> {
  try {
    return calibrationIn(await readFile(file, 'utf8')).calibration;
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
  if (!Object.hasOwn(DEFAULT_LIMITS, name) || value.trim() === '' || !Number.isFinite(Number(value))) {
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

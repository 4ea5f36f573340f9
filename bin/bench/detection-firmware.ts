/**
 * Rolls through the committed firmware on two emulated Unos, line by line over serial links, beside the same rolls fed
 * as samples: every hard case among them.
 *
 *     bakucore bench detection-firmware [ROLLS, 200] [--workers N] [--keep FOLDER] [--kept] [--write]
 *
 * `--keep` keeps what the emulated boards said and takes it from there again, `--kept` hears only those; `--write` replaces
 * `bin/bench/detection-firmware.table.md`.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type RollRow, rollRows } from './detection-corpora.ts';
import type { FirmwareAnswer, FirmwareJob } from './detection-firmware-worker.ts';
import { onAllCores } from './detection-pool.ts';
import { slugOf } from './firmware-kept.ts';
import { interval } from './rolls.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string' },
    keep: { type: 'string' },
    kept: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const rolls = Number(positionals[0] ?? 200);
const rows = rollRows(1);
const cases = rows.filter((row) => row.group === 'case');
const MIXED = ['clean', 'contacts', 'leds', 'shift', 'impaired, frames', 'impaired', 'everything'];
const mixed = rows.filter(({ name }) => MIXED.includes(name));
function jobOf({ name, ask }: RollRow, seed: number): FirmwareJob {
  const { effects, shares, samePolarity, vacantCells, meddling } = ask;
  const own = {
    effects,
    ...(shares === undefined ? {} : { shares }),
    ...(samePolarity === undefined ? {} : { samePolarity }),
    ...(vacantCells === undefined ? {} : { vacantCells }),
    ...(meddling === undefined ? {} : { meddling }),
  };
  return { row: name, ask: own, seed, ...(values.keep === undefined ? {} : { keep: values.keep }) };
}

/** Three fifths hard cases in turn, the rest rolls of every kind. */
function drawn(): FirmwareJob[] {
  return Array.from({ length: rolls }, (_, i): FirmwareJob => {
    const from = i % 5 < 3 ? cases : mixed;
    const nth = from === cases ? 3 * Math.floor(i / 5) + (i % 5) : 2 * Math.floor(i / 5) + (i % 5) - 3;
    const row = from[nth % from.length] ?? cases[0];
    if (row === undefined) throw new Error('no corpora');
    return jobOf(row, row.ask.firstSeed + 100_000 + i);
  });
}

/** Rolls whose lines lie in a folder, by the names of its files. */
function keptIn(folder: string): FirmwareJob[] {
  const names = readdirSync(folder).flatMap((name) => /^(.*)-\d+\.json$/.exec(name)?.[1] ?? []);
  return [...new Set(names)].flatMap((name) => {
    const seed = Number(/\d+$/.exec(name)?.[0]);
    const row = [...cases, ...mixed].find((one) => `${slugOf(one.name)}-${seed}` === name);
    return row === undefined ? [] : [jobOf(row, seed)];
  });
}

const jobs = values.kept && values.keep !== undefined ? keptIn(values.keep) : drawn();
const answers: FirmwareAnswer[] = [];
await onAllCores<FirmwareJob, FirmwareAnswer>({
  script: new URL('./detection-firmware-worker.js', import.meta.url),
  jobs,
  total: jobs.length,
  ...(values.workers === undefined ? {} : { workers: Number(values.workers) }),
  answer(answer) {
    answers.push(answer);
    // Emulated hours are long: what differs is told as it is found.
    const told = answer.differences.map((line) => `${answers.length} done; ${line}\n`).join('');
    if (told !== '' || answers.length % 20 === 0) {
      process.stderr.write(told === '' ? `${answers.length} done\n` : told);
    }
  },
});
const differ = answers.filter((answer) => answer.differences.length > 0);
const sum = (of: (answer: FirmwareAnswer) => number): number => answers.reduce((n, a) => n + of(a), 0);
const same = answers.length - differ.length;
const alike = answers.filter(({ sameVerdict }) => sameVerdict).length;
const rowsRun = [...cases, ...mixed].filter(({ name }) => answers.some(({ row }) => row === name));
const text = [
  '# Rolls through the firmware, and the same rolls as samples',
  '',
  'Made by `bakucore bench detection-firmware`: two emulated Unos run the committed image, their lines go through links',
  'and detector; beside it the samples of the same rolls go straight to the detector.',
  '',
  `Opened, attached and doubt alike: ${alike} of ${answers.length} rolls, ${interval(alike, answers.length)}; touched cores too: ${same}, ${interval(same, answers.length)}.`,
  '',
  '| corpus | what | rolls | ruled alike | touched alike too |',
  '| --- | --- | --- | --- | --- |',
  ...rowsRun.map(({ name, what }) => {
    const own = answers.filter(({ row }) => row === name);
    const verdicts = own.filter(({ sameVerdict }) => sameVerdict).length;
    const whole = own.filter(({ differences }) => differences.length === 0).length;
    return `| ${name} | ${what} | ${own.length} | ${verdicts} | ${whole} |`;
  }),
  '',
  ...(differ.length === 0 ? [] : ['Where they differ (corpus, seed, player, ending):', '']),
  ...differ.flatMap(({ differences }) => differences.map((line) => `- ${line}`)),
  '',
  'Why they can differ at all: a converter reads twelve halls one after the other, each with noise of its own moment, and',
  'the clock of a board begins with its program, so that a roll is sampled at other moments. Where bins of 8 ms begin in a',
  'landing moves neither the anchor of an open nor a second ball close behind. What is left moves an open score by',
  'some hundredths, which decides only where it lies at a limit (0.05 and 0.9), and the chance of an owner likewise (0.9).',
].join('\n');
process.stdout.write(`${text}\n`);
process.stderr.write(
  `${sum((a) => a.lines)} lines, ${sum((a) => a.virtualS).toFixed(0)} virtual board seconds in ${sum((a) => a.cpuS).toFixed(0)} CPU seconds\n`,
);
if (values.write) writeFileSync('bin/bench/detection-firmware.table.md', `${text}\n`);

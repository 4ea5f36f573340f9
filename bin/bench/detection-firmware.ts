/**
 * Rolls through the committed firmware on two emulated Unos, line by line over serial links, beside the same rolls fed
 * as samples: every hard case among them.
 *
 *     bakucore bench detection-firmware [ROLLS, 200] [--workers N] [--keep FOLDER]
 */
import { parseArgs } from 'node:util';
import { onTheWire } from '../../sim/effects.ts';
import { rollRows } from './detection-corpora.ts';
import type { FirmwareAnswer, FirmwareJob } from './detection-firmware-worker.ts';
import { onAllCores } from './detection-pool.ts';
import { interval } from './rolls.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { workers: { type: 'string' }, keep: { type: 'string' } },
});
const rolls = Number(positionals[0] ?? 200);
const rows = rollRows(1);
const cases = rows.filter((row) => row.group === 'case');
const mixed = rows.filter(
  ({ name, ask }) => ['clean', 'contacts', 'leds', 'shift'].includes(name) && !onTheWire(ask.effects),
);
/** Three fifths hard cases in turn, the rest rolls of every kind. */
const jobs = Array.from({ length: rolls }, (_, i): FirmwareJob => {
  const from = i % 5 < 3 ? cases : mixed;
  const row = from[Math.floor(i / 5) % from.length] ?? cases[0];
  if (row === undefined) throw new Error('no corpora');
  const { effects, shares, samePolarity, vacantCells, firstSeed } = row.ask;
  const ask = {
    effects,
    ...(shares === undefined ? {} : { shares }),
    ...(samePolarity === undefined ? {} : { samePolarity }),
    ...(vacantCells === undefined ? {} : { vacantCells }),
  };
  return {
    row: row.name,
    ask,
    seed: firstSeed + 100_000 + i,
    ...(values.keep === undefined ? {} : { keep: values.keep }),
  };
});
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
process.stdout.write(
  `${answers.length} rolls through the firmware, ${cases.length} hard cases among them: ${same} ruled as their samples are, ${interval(same, answers.length)}\n`,
);
process.stdout.write(
  `${sum((a) => a.lines)} lines, ${sum((a) => a.virtualS).toFixed(0)} virtual board seconds in ${sum((a) => a.cpuS).toFixed(0)} CPU seconds\n`,
);
for (const { differences } of differ) process.stdout.write(`${differences.join('\n')}\n`);

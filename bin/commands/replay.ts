import { createInterface } from 'node:readline/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Output } from '../../host/advance/input.ts';
import { type ReplayAsk, replaySource } from '../../host/audit/replay.ts';
import { openSource } from '../../host/audit/source.ts';
import { TableFault } from '../../host/fault.ts';
import { PARTS } from '../../host/parts.ts';
import type { JournalRecord } from '../../host/record.ts';

type Options = {
  readonly json: boolean;
  readonly check: boolean;
  readonly until?: NonNullable<ReplayAsk['until']>;
  readonly step: boolean;
  readonly speed?: number;
};

/** `bakucore replay`: a journal, a match file or a capture once more through the live code. */
export function replay(): Command {
  return new Command('replay')
    .description('Run a journal, a match file or a plain capture through the live code.')
    .argument('<file>', 'folder of a table, a match file, or lines of {"atMs":…,"via":"…","line":"…"}')
    .option('--json', 'print rulings and events, one JSON object a line', false)
    .option(
      '--check',
      'compare with what the journal says was ruled, told and sent, and with its hashes',
      false,
    )
    .option(
      '--until <place>',
      'stop before a record (#1234), at a time (61500ms) or after a roll (t3.1)',
      untilOf,
    )
    .option('--step', 'wait for Enter after each ruling and event', false)
    .option(
      '--speed <factor>',
      '1 is as it happened, 10 ten times faster; without it as fast as it goes',
      factor,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore replay data/t1 --check\n  bakucore replay final.match --until t3.1 --step\n  bakucore replay capture.jsonl --json',
    )
    .action(run);
}

async function run(file: string, options: Options): Promise<void> {
  const source = await openSource(file);
  const lines = options.step ? createInterface({ input: process.stdin, output: process.stderr }) : undefined;
  let lastMs: number | undefined;
  const each = async (record: JournalRecord, outputs: readonly Output[]): Promise<void> => {
    const waitMs = lastMs === undefined ? 0 : record.atMs - lastMs;
    lastMs = Math.max(lastMs ?? record.atMs, record.atMs);
    if (options.speed !== undefined && waitMs > 0) {
      await new Promise((done) => setTimeout(done, Math.min(60_000, waitMs) / (options.speed ?? 1)));
    }
    for (const output of outputs) {
      if (output.kind === 'send') continue;
      if (options.json) process.stdout.write(`${JSON.stringify(output)}\n`);
      if (lines === undefined || (output.kind !== 'ruling' && output.kind !== 'event')) continue;
      if (!options.json) process.stdout.write(`${sentenceOf(output)}\n`);
      await lines.question(`#${record.seq} at ${output.atMs} ms, Enter for the next `);
    }
  };
  const found = await replaySource(source, {
    parts: PARTS,
    check: options.check,
    ...(options.until === undefined ? {} : { until: options.until }),
    ...(options.json || options.step || options.speed !== undefined ? { each } : {}),
  });
  lines?.close();
  for (const trouble of found.troubles) process.stderr.write(`${trouble}\n`);
  const { records, outputs, rulings, lightFrames, hash, state, difference, marks } = found;
  if (!options.json) {
    process.stdout.write(
      `${records} records: ${rulings} rulings, ${lightFrames} lines to boards, ${outputs} outputs in all, sha256 ${hash}, state ${state}\n`,
    );
  }
  if (!options.check) return;
  if (found.compared === 0) {
    throw new TableFault(
      'journal/unreadable',
      `${file} does not say what was ruled, told or sent, so there is nothing to check.`,
      'Give a journal; a plain capture holds lines only.',
    );
  }
  if (difference !== undefined) {
    throw new TableFault(
      'journal/differs',
      `The replay differs from the record at ${difference.seq}:\n  recorded ${difference.recorded}\n  replayed ${difference.replayed}\n`,
      'Another version of this host recorded it, or the file was changed.',
    );
  }
  process.stderr.write(
    `The replay gives exactly what was recorded; ${marks} recorded states are the same.\n`,
  );
}

function sentenceOf(output: Output): string {
  if (output.kind === 'event') return output.event.text;
  if (output.kind !== 'ruling') return output.kind;
  const { roll, stage, balls } = output.ruling;
  const said = balls.map((ball) => `${ball.player} opened: ${ball.opened}`).join(', ');
  return `Roll ${roll}, ${stage}: ${said}`;
}

/** Reads where to stop. Throws an InvalidArgumentError when it is no place. */
function untilOf(text: string): NonNullable<ReplayAsk['until']> {
  const number = /^#(\d+)$/.exec(text)?.[1];
  if (number !== undefined) return (record) => record.seq < Number(number);
  const time = /^(\d+(?:\.\d+)?)ms$/.exec(text)?.[1];
  if (time !== undefined) return (record) => record.atMs <= Number(time);
  if (!/^t\d+\.\d+(r\d+)?$/.test(text)) {
    throw new InvalidArgumentError('Give a record as #1234, a time as 61500ms, or a roll as t3.1.');
  }
  return (_record, refold) => !refold.state.rulings.some((one) => one.roll === text && one.stage === 'final');
}

function factor(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 1000)) throw new InvalidArgumentError('Give a factor from 0.1 to 1000.');
  return value;
}

import { createInterface } from 'node:readline';
import { Command, InvalidArgumentError } from 'commander';
import type { Output } from '../../host/advance/input.ts';
import { doubtIn, notWritten } from '../../host/audit/doubt.ts';
import { type ReplayAsk, replaySource } from '../../host/audit/replay.ts';
import { openSource } from '../../host/audit/source.ts';
import { TableFault } from '../../host/fault.ts';
import { PARTS } from '../../host/parts.ts';
import type { JournalRecord } from '../../host/record.ts';
import { counted } from '../counted.ts';
import { ALLOW_OPEN, failOnDoubt } from '../fail-on-doubt.ts';
import { say, sayAside } from '../say.ts';

type Options = {
  readonly json: boolean;
  readonly check: boolean;
  readonly allowOpen: boolean;
  readonly until?: Place;
  readonly step: boolean;
  readonly speed?: number;
};

/** Where to stop, as it was asked for. */
type Place = { readonly text: string; readonly goesOn: NonNullable<ReplayAsk['until']> };

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
    .option('--allow-open', `with --check: ${ALLOW_OPEN}`, false)
    .option(
      '--until <place>',
      'stop before a record (#1234), at a time (61500ms) or after a roll (t3.1)',
      untilOf,
    )
    .option('--step', 'wait for Enter after each ruling and event; the end of input stops there', false)
    .option(
      '--speed <factor>',
      'tell rulings and events as they come: 1 is as it happened, 10 ten times faster',
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
  const { until, json, step, speed } = options;
  const doubt = options.check ? await doubtIn(source) : undefined;
  const isOther = doubt !== undefined && !doubt.isOpen && !doubt.isPlain;
  // A match file that is not what was written is no match to compare with.
  if (isOther && source.match !== undefined) throw notWritten(doubt);
  const input = step ? createInterface({ input: process.stdin, terminal: false }) : undefined;
  // Lines that come before they are asked for wait here.
  const answers = input?.[Symbol.asyncIterator]();
  let lastMs: number | undefined;
  let reached = until === undefined;
  let left = false;
  const each = async (record: JournalRecord, outputs: readonly Output[]): Promise<void> => {
    const waitMs = lastMs === undefined ? 0 : record.atMs - lastMs;
    lastMs = Math.max(lastMs ?? record.atMs, record.atMs);
    if (speed !== undefined && waitMs > 0) {
      await new Promise((done) => setTimeout(done, Math.min(60_000, waitMs) / speed));
    }
    for (const output of outputs) {
      if (left || output.kind === 'send') continue;
      const isTold = output.kind === 'ruling' || output.kind === 'event';
      if (json) say(JSON.stringify(output));
      else if (isTold) say(sentenceOf(output));
      if (answers === undefined || !isTold) continue;
      process.stderr.write(`#${record.seq} at ${output.atMs} ms, Enter for the next, Ctrl-D to stop `);
      left = (await answers.next()).done === true;
      if (left || process.stdin.isTTY !== true) process.stderr.write('\n');
    }
  };
  const found = await replaySource(source, {
    parts: PARTS,
    check: options.check,
    until(record, refold) {
      if (left) return false;
      const goesOn = until?.goesOn(record, refold) !== false;
      if (!goesOn) reached = true;
      return goesOn;
    },
    ...(json || step || speed !== undefined ? { each } : {}),
  });
  input?.close();
  for (const trouble of found.troubles) sayAside(trouble);
  const notKept = `${counted(found.notRun, 'record')} could not be replayed: lines before ${found.notRun === 1 ? 'it' : 'them'} are no longer kept.`;
  if (found.notRun > 0) sayAside(notKept);
  const { records, outputs, rulings, lightFrames, hash, state, difference, marks } = found;
  if (!options.json) {
    say(
      `${counted(records, 'record')}: ${counted(rulings, 'ruling')}, ${counted(lightFrames, 'line')} to boards, ${counted(outputs, 'output')} in all, sha256 ${hash}, state ${state}`,
    );
  }
  if (!reached && !left) {
    throw new TableFault(
      'journal/unreadable',
      `${file} ends before ${until?.text}.`,
      'See what it holds with: bakucore report, or bakucore replay --json.',
    );
  }
  if (!options.check) return;
  if (found.compared === 0 && found.notRun > 0) {
    throw new TableFault(
      'journal/not-kept',
      `${file} cannot be checked by a replay: ${notKept}`,
      'See that what is left is what was written with: bakucore verify.',
    );
  }
  if (found.compared === 0) {
    throw new TableFault(
      'journal/unreadable',
      `${file} does not say what was ruled, told or sent, so there is nothing to check.`,
      'Give a journal; a plain capture holds lines only.',
    );
  }
  if (!found.isWhole) {
    throw new TableFault(
      'journal/not-intact',
      `${file} cannot be checked whole: a damaged file hides records.`,
      'See where with: bakucore verify. Take another copy of that file.',
    );
  }
  if (difference !== undefined) {
    if (doubt !== undefined) sayAside(doubt.text);
    throw new TableFault(
      'journal/differs',
      `The replay differs from the record at ${difference.seq}:\n  recorded ${difference.recorded}\n  replayed ${difference.replayed}\n`,
      'Another version of this host recorded it, or the file was changed.',
    );
  }
  await failOnDoubt(doubt === undefined ? [] : [doubt], options.allowOpen);
  const what = found.notRun > 0 ? 'What could be replayed' : 'The replay';
  sayAside(`${what} gives exactly what was recorded; ${marks} recorded states are the same.`);
}

function sentenceOf(output: Output): string {
  if (output.kind === 'event') return output.event.text;
  if (output.kind !== 'ruling') return output.kind;
  const { roll, stage, balls } = output.ruling;
  const said = balls.map((ball) => `${ball.player} opened: ${ball.opened}`).join(', ');
  return `Roll ${roll}, ${stage}: ${said}`;
}

/** Reads where to stop. Throws an InvalidArgumentError when it is no place. */
function untilOf(text: string): Place {
  const number = /^#(\d+)$/.exec(text)?.[1];
  if (number !== undefined) return { text, goesOn: (record) => record.seq < Number(number) };
  const time = /^(\d+(?:\.\d+)?)ms$/.exec(text)?.[1];
  if (time !== undefined) return { text, goesOn: (record) => record.atMs <= Number(time) };
  if (!/^t\d+\.\d+(r\d+)?$/.test(text)) {
    throw new InvalidArgumentError('Give a record as #1234, a time as 61500ms, or a roll as t3.1.');
  }
  return {
    text,
    goesOn: (_record, { state }) => !state.rulings.some((one) => one.roll === text && one.stage === 'final'),
  };
}

function factor(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 1000)) throw new InvalidArgumentError('Give a factor above 0, up to 1000.');
  return value;
}

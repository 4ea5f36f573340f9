import { createHash } from 'node:crypto';
import { Command } from 'commander';
import type { Output } from '../../host/advance/input.ts';
import { TableFault } from '../../host/fault.ts';
import { fileChunks, readRecords } from '../../host/journal/read.ts';
import { entryOfOutput } from '../../host/journal/records.ts';
import { PARTS } from '../../host/parts.ts';
import type { JournalRecord } from '../../host/record.ts';
import { beginRefold, type Refold, settingOfCapture, settingOfHead } from '../../host/refold.ts';

type Options = { readonly json: boolean; readonly check: boolean };

/** What a replay found. */
type Found = {
  readonly records: number;
  readonly outputs: number;
  readonly rulings: number;
  readonly lightFrames: number;
  /** SHA-256 of every output in order, hex. */
  readonly hash: string;
  readonly troubles: readonly string[];
  /** First place where the recorded output and the replayed one differ. */
  readonly difference?: { readonly seq: number; readonly recorded: string; readonly replayed: string };
};

/** `bakucore replay`: a journal or a capture once more through the live code. */
export function replay(): Command {
  return new Command('replay')
    .description('Run a journal or a plain capture through the live code, as fast as it goes.')
    .argument('<file>', 'a journal (.jsonl), or lines of {"atMs":…,"via":"…","line":"…"}')
    .option('--json', 'print rulings and events, one JSON object a line', false)
    .option('--check', 'compare with what the journal says was ruled, told and sent', false)
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore replay data/t1/2026-11-30T10-00-00.000Z.jsonl --check\n  bakucore replay capture.jsonl --json',
    )
    .action(async (file: string, options: Options) => {
      const found = await replayFile(file, options);
      const { difference } = found;
      for (const trouble of found.troubles) process.stderr.write(`${trouble}\n`);
      if (!options.json) {
        const { records, outputs, rulings, lightFrames, hash } = found;
        process.stdout.write(
          `${records} records: ${rulings} rulings, ${lightFrames} lines to boards, ${outputs} outputs in all, sha256 ${hash}\n`,
        );
      }
      if (!options.check) return;
      if (difference !== undefined) {
        throw new TableFault(
          'journal/unreadable',
          `The replay differs from the record at ${difference.seq}:\n  recorded ${difference.recorded}\n  replayed ${difference.replayed}\n`,
          'Another version of this host recorded it, or the file was changed.',
        );
      }
      process.stderr.write('The replay gives exactly what was recorded.\n');
    });
}

/** Kinds of record that tell what the table said. */
const SAID: ReadonlySet<string> = new Set(['ruling', 'event', 'sent', 'fault']);

async function replayFile(file: string, options: Options): Promise<Found> {
  const troubles: string[] = [];
  const hash = createHash('sha256');
  const said: { readonly seq: number; readonly text: string }[] = [];
  const replayed: string[] = [];
  const counts = { records: 0, outputs: 0, rulings: 0, lightFrames: 0 };
  let refold: Refold | undefined;
  let difference: Found['difference'];

  const compare = (): void => {
    while (said.length > 0 && replayed.length > 0 && difference === undefined) {
      const [recorded] = said.splice(0, 1);
      const [again = ''] = replayed.splice(0, 1);
      if (recorded !== undefined && recorded.text !== again) {
        difference = { seq: recorded.seq, recorded: recorded.text, replayed: again };
      }
    }
  };
  const takeOutputs = (outputs: readonly Output[]): void => {
    for (const output of outputs) {
      counts.outputs++;
      if (output.kind === 'ruling') counts.rulings++;
      if (output.kind === 'send') counts.lightFrames++;
      const text = textOf(output);
      hash.update(text).update('\n');
      if (options.check) replayed.push(text);
      if (options.json && output.kind !== 'send') process.stdout.write(`${JSON.stringify(output)}\n`);
    }
  };

  for await (const batch of readRecords(fileChunks(file), ({ text }) => troubles.push(text))) {
    refold ??= await beginAt(file, batch);
    for (const record of batch) {
      counts.records++;
      takeOutputs(refold.take(record));
      // What the shell itself noted of the disk is no output of the table.
      if (options.check && SAID.has(record.kind) && !isOfShell(record)) {
        said.push({
          seq: record.seq,
          text: JSON.stringify({ kind: record.kind, atMs: record.atMs, data: record.data }),
        });
      }
      if (options.check) compare();
    }
  }
  const [missing] = said;
  if (options.check && difference === undefined && missing !== undefined) {
    difference = { seq: missing.seq, recorded: missing.text, replayed: '(nothing)' };
  }
  return {
    ...counts,
    hash: hash.digest('hex'),
    troubles,
    ...(difference === undefined ? {} : { difference }),
  };
}

async function beginAt(file: string, batch: readonly JournalRecord[]): Promise<Refold> {
  const [first] = batch;
  if (first === undefined) throw new TableFault('journal/unreadable', `${file} holds no record.`, '');
  if (first.kind === 'open') return beginRefold(settingOfHead(first, PARTS), first.atMs);
  const links = new Set<string>();
  for await (const records of readRecords(fileChunks(file), () => {})) {
    for (const { data } of records) {
      if (typeof data === 'object' && data !== null && 'link' in data && typeof data.link === 'string') {
        links.add(data.link);
      }
    }
  }
  return beginRefold(settingOfCapture([...links], PARTS), first.atMs);
}

function isOfShell(record: JournalRecord): boolean {
  const { data } = record;
  return typeof data === 'object' && data !== null && 'link' in data && data.link === '';
}

function textOf(output: Output): string {
  const { kind, data } = entryOfOutput(output);
  return JSON.stringify({ kind, atMs: output.atMs, data });
}

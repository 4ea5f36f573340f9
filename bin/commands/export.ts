import { Command, InvalidArgumentError } from 'commander';
import type { Doubt } from '../../host/audit/doubt.ts';
import { eventLines } from '../../host/audit/events.ts';
import { exportMatch } from '../../host/audit/export-match.ts';
import { makeBundle } from '../../host/audit/make-bundle.ts';
import { matchNamed } from '../../host/audit/matches.ts';
import { NODE_TOOLS } from '../../host/audit/node-tools.ts';
import { proveGrowth, proveRecord } from '../../host/audit/proof.ts';
import type { Source } from '../../host/audit/source.ts';
import { TableFault } from '../../host/fault.ts';
import { systemDisk } from '../../host/journal/disk.ts';
import { PARTS } from '../../host/parts.ts';
import { ALLOW_OPEN, failOnDoubt } from '../fail-on-doubt.ts';
import { readNamed, writeNamed } from '../named-file.ts';
import { openTelling } from '../open-telling.ts';
import { checkOutPlace } from '../out-place.ts';
import { writeOut } from '../say.ts';
import { tableFolder } from '../table-folder.ts';

type Options = {
  readonly match?: string;
  readonly bundle: boolean;
  readonly roll?: string;
  readonly game?: number;
  readonly events: boolean;
  readonly proveRecord?: number;
  readonly proveSince?: string;
  readonly video?: string;
  readonly videoOffset: number;
  readonly allowOpen: boolean;
  readonly out?: string;
};

/** `bakucore export`: match files, evidence bundles, CloudEvents, proofs. */
export function exporting(): Command {
  return new Command('export')
    .description('Take a match, the evidence of a roll, events or a proof out of a journal.')
    .argument('<file>', 'folder of a table, or a match file')
    .option('--match <id>', 'the match as one file that proves itself; "last" for the newest')
    .option('--bundle', 'evidence as one page: traces, field, ruling, reasons, calibration, hashes', false)
    .option('--roll <roll>', 'only this roll, as t3.1')
    .option('--game <number>', 'only this game of the journal', whole)
    .option('--events', 'game events as CloudEvents 1.0, one JSON object a line', false)
    .option('--prove-record <number>', 'proof that this record is in the journal', whole)
    .option('--prove-since <checkpoint>', 'proof that the journal only adds to this checkpoint')
    .option('--video <address>', 'recording that the bundle refers to')
    .option(
      '--video-offset <seconds>',
      'second of the recording at which the clock of the table reads 0',
      seconds,
      0,
    )
    .option('--allow-open', ALLOW_OPEN, false)
    .option('--out <file>', 'where to write; otherwise to standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore export data/t1 --match last --out final.match\n  bakucore export data/t1 --bundle --roll t3.1 --out t3.1.html\n  bakucore export data/t1 --events > events.ndjson',
    )
    .action(run);
}

async function run(file: string, options: Options): Promise<void> {
  checkTogether(options);
  const { out, proveSince } = options;
  if (out !== undefined) await checkOutPlace(out, proveSince === undefined ? [file] : [file, proveSince]);
  const doubts: Doubt[] = [];
  const text = await made(file, options, doubts);
  if (options.out === undefined) await writeOut(text);
  else {
    await writeNamed(options.out, text);
    process.stderr.write(`${options.out}: ${Buffer.byteLength(text)} bytes\n`);
  }
  await failOnDoubt(doubts, options.allowOpen);
}

async function made(file: string, options: Options, doubts: Doubt[]): Promise<string> {
  if (options.match !== undefined) {
    const match = await matchNamed(systemDisk, await tableFolder(file), options.match);
    return exportMatch(systemDisk, file, match, PARTS);
  }
  const source = await openTelling(file);
  if (options.proveRecord !== undefined) return proveRecord(source, options.proveRecord, NODE_TOOLS);
  if (options.proveSince !== undefined) {
    return proveGrowth(source, await readNamed(options.proveSince), NODE_TOOLS);
  }
  if (options.events) return eventsOf(source);
  return makeBundle(source, {
    parts: PARTS,
    doubtful: (doubt) => doubts.push(doubt),
    ...(options.roll === undefined ? {} : { roll: options.roll }),
    ...(options.game === undefined ? {} : { game: options.game }),
    ...(options.video === undefined ? {} : { video: { url: options.video, offsetS: options.videoOffset } }),
  });
}

/** One file holds one thing. Throws a TableFault when none was chosen, and one that names two options that ask for different ones. */
function checkTogether(options: Options): void {
  const { match, bundle, events, proveRecord, proveSince, roll, game, video } = options;
  const things = [
    ...(match === undefined ? [] : ['--match']),
    ...(bundle ? ['--bundle'] : []),
    ...(events ? ['--events'] : []),
    ...(proveRecord === undefined ? [] : ['--prove-record']),
    ...(proveSince === undefined ? [] : ['--prove-since']),
  ];
  const [thing, other] = things;
  const parts = { '--roll': roll, '--game': game, '--video': video };
  const part = Object.entries(parts).find(([, value]) => value !== undefined)?.[0];
  // What chooses evidence asks for it.
  if (thing === undefined && part !== undefined) return;
  if (thing === undefined) {
    throw new TableFault(
      'config/missing-key',
      'Nothing was chosen to export.',
      'Add --bundle for evidence, --match last for a match file, --events, --prove-record or --prove-since.',
    );
  }
  if (other !== undefined) {
    const remedy =
      thing === '--match'
        ? 'Export the match first, then give its file in place of the folder'
        : 'Export twice, each time with one of them';
    throw notTogether(thing, other, remedy);
  }
  if (part === undefined || thing === '--bundle') return;
  throw notTogether(thing, part, `Leave ${part} out: it chooses what goes into a --bundle`);
}

function notTogether(one: string, other: string, remedy: string): TableFault {
  return new TableFault(
    'config/not-together',
    `${one} and ${other} ask for different things, and one file is made.`,
    `${remedy}.`,
  );
}

async function eventsOf(source: Source): Promise<string> {
  const out: string[] = [];
  for await (const piece of eventLines(source)) out.push(piece);
  return out.join('');
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('Give a whole number.');
  return value;
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Give seconds.');
  return value;
}

import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import {
  BEGINNING_BYTES,
  type Beginning,
  beginningOf,
  notOurs,
  verifyEvidence,
} from '../../host/audit/check-evidence.ts';
import { verifyProof } from '../../host/audit/check-proof.ts';
import { NODE_TOOLS } from '../../host/audit/node-tools.ts';
import { openSource } from '../../host/audit/source.ts';
import type { Verdict } from '../../host/audit/verdict.ts';
import { verifySource } from '../../host/audit/verify-source.ts';
import { holdsNothing, leftText, placeText } from '../../host/audit/what-is-left.ts';
import { TableFault } from '../../host/fault.ts';
import { type NoteKey, readKey, readNote, type SignedCheckpoint } from '../../host/journal/note.ts';
import { readNamed } from '../named-file.ts';
import { say } from '../say.ts';

type Options = {
  readonly key?: string;
  readonly since: readonly string[];
  readonly allowOpen: boolean;
  readonly json: boolean;
};

/** `bakucore verify`: whether a journal, a match file or a proof is what was written. */
export function verify(): Command {
  return new Command('verify')
    .description(
      'Check that a journal, a match file, a proof or a page of evidence is what was written. Needs no host and no secret.',
    )
    .argument('<file>', 'folder of a table, a segment, a match file, a proof or a page of evidence')
    .option('--key <key>', 'only this public key counts: its text, or a file that holds it')
    .option(
      '--since <checkpoint>',
      'a checkpoint kept elsewhere that must be part of it; may be given again',
      more,
      [],
    )
    .option('--allow-open', 'exit with 0 although the journal does not end with a stop', false)
    .option('--json', 'print the verdict as JSON', false)
    .addHelpText(
      'after',
      '\nExamples:\n  bakucore verify data/t1\n  bakucore verify final.match --key "bakucore/my-store/t1+1a2b3c4d+AR…"\n  bakucore verify data/t1 --since yesterday.txt',
    )
    .action(run);
}

async function run(file: string, options: Options): Promise<void> {
  const key = options.key === undefined ? undefined : await keyOf(options.key);
  const kind = await beginningOfFile(file);
  if (kind !== 'records') return sayProven(file, kind, key);
  const source = await openSource(file);
  const kept: SignedCheckpoint[] = [];
  for (const path of options.since) kept.push(await checkpointIn(path));
  const verdict = await verifySource(source, NODE_TOOLS, {
    ...(key === undefined ? {} : { key }),
    kept,
  });
  if (holdsNothing(verdict) && !(await isJournal(file))) throw notOurs(file);
  if (options.json) say(JSON.stringify(verdict));
  else say(...linesOf(file, verdict));
  const { broken } = verdict;
  if (broken !== undefined) {
    const { text, what, seq, line, file: part } = broken;
    const place = part === undefined ? '' : `, in ${part}`;
    throw new TableFault(
      'journal/not-intact',
      `${text} (${what}, record ${seq}, line ${line}${place})`,
      `${leftText(verdict)}${what === 'damaged-file' ? ' Take another copy of that file.' : ''}`,
    );
  }
  if (verdict.state === 'open' && !options.allowOpen) {
    throw new TableFault(
      'journal/not-intact',
      'All records are as they were written, but the journal does not end with a stop.',
      'While its host runs give --allow-open; or compare it with a checkpoint kept elsewhere by --since.',
    );
  }
}

/** Checks the proofs of a file that holds nothing else. Throws a TableFault when one does not hold. */
async function sayProven(file: string, kind: 'proof' | 'page', key: NoteKey | undefined): Promise<void> {
  const text = await readNamed(file);
  if (kind === 'page') {
    const { ok, lines } = await verifyEvidence(text, NODE_TOOLS, key);
    if (!ok) throw new TableFault('journal/not-intact', lines.join(' '), 'Do not rely on this page.');
    return say(...lines);
  }
  const proof = await verifyProof(text, NODE_TOOLS, key);
  if (!proof.ok) throw new TableFault('journal/not-intact', proof.text, '');
  say(proof.text);
}

/** Tells a proof and a page from all else; what cannot be read is complained of by whoever opens it. */
async function beginningOfFile(path: string): Promise<Beginning> {
  const file = await open(path, 'r').catch(() => undefined);
  try {
    const bytes = Buffer.alloc(BEGINNING_BYTES);
    const found = await file?.read(bytes, 0, bytes.length, 0);
    return beginningOf(bytes.toString('utf8', 0, found?.bytesRead ?? 0));
  } catch {
    return 'records';
  } finally {
    await file?.close();
  }
}

/** A folder with segments, or a file named as one: what is wrong with it is wrong with a journal. */
async function isJournal(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true || /^\d{12}\.jsonl(\.gz)?$/.test(basename(path));
}

function linesOf(file: string, verdict: Verdict): readonly string[] {
  const { state, checkpoints, signedSize, keys, notes, root } = verdict;
  const said = state === 'broken' ? 'NOT INTACT' : state === 'open' ? 'intact so far' : 'intact';
  return [
    `${file}: ${said}`,
    `  ${placeText(verdict)}, ${checkpoints} checkpoints, ${signedSize} records vouched for`,
    ...(root === undefined ? [] : [`  root ${root}`]),
    ...keys.map((one) => `  signed by ${one}`),
    ...notes.map((one) => `  ${one}`),
  ];
}

async function keyOf(text: string): Promise<NoteKey> {
  const key = readKey(text) ?? readKey(await readFile(text, 'utf8').catch(() => ''));
  if (key !== undefined) return key;
  throw new TableFault(
    'journal/unknown-form',
    `${text} is no public key.`,
    'Give name+id+base64, or a file that holds it.',
  );
}

async function checkpointIn(path: string): Promise<SignedCheckpoint> {
  const note = readNote(await readNamed(path));
  if (note !== undefined) return note;
  throw new TableFault(
    'journal/unknown-form',
    `${path} holds no signed checkpoint.`,
    'Give a file like checkpoint.txt.',
  );
}

function more(one: string, before: readonly string[]): readonly string[] {
  return [...before, one];
}

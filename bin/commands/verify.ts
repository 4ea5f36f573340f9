import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { NODE_TOOLS } from '../../host/audit/node-tools.ts';
import { isProof, verifyProof } from '../../host/audit/proof.ts';
import { openSource } from '../../host/audit/source.ts';
import type { Verdict } from '../../host/audit/verdict.ts';
import { verifySource } from '../../host/audit/verify-source.ts';
import { leftText } from '../../host/audit/what-is-left.ts';
import { TableFault } from '../../host/fault.ts';
import { type NoteKey, readKey, readNote, type SignedCheckpoint } from '../../host/journal/note.ts';
import { hashOfSaved } from '../../host/state-hash.ts';
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
      'Check that a journal, a match file or a proof is what was written. Needs no host and no secret.',
    )
    .argument('<file>', 'folder of a table, a segment, a match file or a proof')
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
  if (await isProof(file)) {
    const { ok, text } = await verifyProof(await readFile(file, 'utf8'), NODE_TOOLS, key);
    if (!ok) throw new TableFault('journal/not-intact', text, '');
    say(text);
    return;
  }
  const source = await openSource(file);
  const kept: SignedCheckpoint[] = [];
  for (const path of options.since) kept.push(await checkpointIn(path));
  const verdict = await verifySource({ ...source, stateHash: hashOfSaved }, NODE_TOOLS, {
    ...(key === undefined ? {} : { key }),
    kept,
  });
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

function linesOf(file: string, verdict: Verdict): readonly string[] {
  const { state, records, from, to, checkpoints, signedSize, keys, notes, root } = verdict;
  const said = state === 'broken' ? 'NOT INTACT' : state === 'open' ? 'intact so far' : 'intact';
  return [
    `${file}: ${said}`,
    `  records ${from} to ${to - 1} (${records}), ${checkpoints} checkpoints, ${signedSize} records vouched for`,
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
  const note = readNote(await readFile(path, 'utf8').catch(() => ''));
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

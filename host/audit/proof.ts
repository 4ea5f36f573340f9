import { TableFault } from '../fault.ts';
import { textOfBase64Url } from '../journal/base64.ts';
import { endOf, entryOfText, isObject, LONGEST_END } from '../journal/entry.ts';
import { consistencyProof, createKnownTree, inclusionProof, type KnownTree } from '../journal/known-tree.ts';
import { readNote, type SignedCheckpoint } from '../journal/note.ts';
import { appendPruned } from '../journal/pruned.ts';
import { provable } from './provable.ts';
import { proveInMatch } from './prove-in-match.ts';
import type { Source } from './source.ts';
import type { VerifyTools } from './verdict.ts';

/**
 * What is known of every record of a journal from its first on, with the key and the checkpoints it names, and the text of
 * the one with the wanted number, if it is there.
 */
async function recordsOf(
  source: Source,
  tools: VerifyTools,
  wanted?: number,
): Promise<{ tree: KnownTree; text: string | undefined; notes: Map<number, string>; key: string }> {
  const tree = createKnownTree(tools.hashing);
  let found: string | undefined;
  const notes = new Map<number, string>();
  let key = '';
  for await (const batch of source.lines()) {
    for (const { bytes } of batch) {
      if (bytes.length === 0) continue;
      const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const end = endOf(line.toString('utf8', Math.max(0, line.length - LONGEST_END)));
      if (end?.kind === 'line' && end.seq === tree.size) {
        // By far the most, and nothing of them is needed but their place.
        if (end.seq === wanted) found = line.toString('utf8');
        tree.append(tools.hashing.leaf(bytes));
        continue;
      }
      const text = line.toString('utf8');
      const entry = entryOfText(text);
      const at = entry === undefined ? -1 : 'pruned' in entry ? entry.pruned.from : entry.record.seq;
      if (entry === undefined || at !== tree.size) {
        throw new TableFault(
          'journal/not-intact',
          `Record ${tree.size} is not there as it was written.`,
          'See what is wrong with it with: bakucore verify.',
        );
      }
      if ('pruned' in entry) {
        const { pruned } = entry;
        provable(() => appendPruned(tree, pruned));
        continue;
      }
      const { record } = entry;
      tree.append(tools.hashing.leaf(bytes));
      const data = isObject(record.data) ? record.data : {};
      if (record.kind === 'open' && typeof data.key === 'string') key = data.key;
      if (record.kind === 'checkpoint' && typeof data.note === 'string') notes.set(record.seq, data.note);
      if (record.seq === wanted) found = text;
    }
  }
  return { tree, text: found, notes, key };
}

function newestNote(notes: ReadonlyMap<number, string>): SignedCheckpoint & { readonly text: string } {
  const text = [...notes.values()].at(-1) ?? '';
  const note = readNote(text);
  if (note === undefined) throw new TableFault('journal/not-intact', 'The journal has no checkpoint.', '');
  return { ...note, text };
}

/** A file that proves that one record is in the journal. */
export async function proveRecord(source: Source, seq: number, tools: VerifyTools): Promise<string> {
  const { match } = source;
  if (match !== undefined) {
    const proof = (await proveInMatch({ ...source, match }, new Set([seq]), tools)).get(seq);
    if (proof !== undefined) return proof;
    throw notVouchedFor(
      seq,
      `Give a number from ${match.from} to ${match.to - 1}, as the match file has them.`,
    );
  }
  const { tree, text, notes, key } = await recordsOf(source, tools, seq);
  const note = newestNote(notes);
  if (text === undefined || seq >= note.size) {
    throw notVouchedFor(seq, `Give a number below ${note.size} that was not removed.`);
  }
  const proof = provable(() => inclusionProof(tree, seq, note.size)).map(textOfBase64Url);
  return `${JSON.stringify({ format: 'bakucore-proof', version: 1, kind: 'inclusion', key, seq, record: text, checkpoint: note.text, proof })}\n`;
}

/** A file that proves that the journal under its newest checkpoint only adds to what an earlier one vouches for. */
export async function proveGrowth(source: Source, first: string, tools: VerifyTools): Promise<string> {
  const { tree, notes, key } = await recordsOf(source, tools);
  const note = newestNote(notes);
  const earlier = readNote(first);
  if (earlier === undefined) {
    throw new TableFault(
      'journal/unknown-form',
      'That is no checkpoint.',
      'Give a file like checkpoint.txt that was kept earlier.',
    );
  }
  const proof = provable(() => consistencyProof(tree, earlier.size, note.size)).map(textOfBase64Url);
  return `${JSON.stringify({ format: 'bakucore-proof', version: 1, kind: 'consistency', key, first, second: note.text, proof })}\n`;
}

function notVouchedFor(seq: number, remedy: string): TableFault {
  return new TableFault(
    'journal/unreadable',
    `No checkpoint vouches for a record ${seq} of its own.`,
    remedy,
  );
}

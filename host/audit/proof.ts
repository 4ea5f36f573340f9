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
 * What is known of every record of a journal from its first on, with the key and the checkpoints it names, and the texts
 * of those with the wanted numbers that are there.
 */
async function recordsOf(
  source: Source,
  tools: VerifyTools,
  wanted: ReadonlySet<number>,
): Promise<{ tree: KnownTree; texts: Map<number, string>; notes: Map<number, string>; key: string }> {
  const tree = createKnownTree(tools.hashing);
  const texts = new Map<number, string>();
  const notes = new Map<number, string>();
  let key = '';
  for await (const batch of source.lines()) {
    for (const { bytes } of batch) {
      if (bytes.length === 0) continue;
      const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const end = endOf(line.toString('utf8', Math.max(0, line.length - LONGEST_END)));
      if (end?.kind === 'line' && end.seq === tree.size) {
        // By far the most, and nothing of them is needed but their place.
        if (wanted.has(end.seq)) texts.set(end.seq, line.toString('utf8'));
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
      if (wanted.has(record.seq)) texts.set(record.seq, text);
    }
  }
  return { tree, texts, notes, key };
}

function newestNote(notes: ReadonlyMap<number, string>): SignedCheckpoint & { readonly text: string } {
  const text = [...notes.values()].at(-1) ?? '';
  const note = readNote(text);
  if (note === undefined) throw new TableFault('journal/not-intact', 'The journal has no checkpoint.', '');
  return { ...note, text };
}

/** A file that proves that one record is in the journal: of a folder, or of a match file. */
export async function proveRecord(source: Source, seq: number, tools: VerifyTools): Promise<string> {
  const { proofs, remedy } = await provenIn(source, new Set([seq]), tools);
  const proof = proofs.get(seq);
  if (proof !== undefined) return proof;
  throw new TableFault('journal/unreadable', `No checkpoint vouches for a record ${seq} of its own.`, remedy);
}

/** The same for several records in one reading, by their numbers; none for those that no checkpoint vouches for. */
export async function proveRecords(
  source: Source,
  seqs: ReadonlySet<number>,
  tools: VerifyTools,
): Promise<ReadonlyMap<number, string>> {
  return (await provenIn(source, seqs, tools)).proofs;
}

/** The proofs that a file can give of records, and which numbers to give where it cannot. */
async function provenIn(
  source: Source,
  seqs: ReadonlySet<number>,
  tools: VerifyTools,
): Promise<{ readonly proofs: ReadonlyMap<number, string>; readonly remedy: string }> {
  const { match } = source;
  if (match !== undefined) {
    const proofs = await proveInMatch({ ...source, match }, seqs, tools);
    return {
      proofs,
      remedy: `Give a number from ${match.from} to ${match.to - 1}, as the match file has them.`,
    };
  }
  const { tree, texts, notes, key } = await recordsOf(source, tools, seqs);
  const note = newestNote(notes);
  const proofs = new Map<number, string>();
  for (const [seq, record] of texts) {
    if (seq >= note.size) continue;
    const proof = provable(() => inclusionProof(tree, seq, note.size)).map(textOfBase64Url);
    const head = { format: 'bakucore-proof', version: 1, kind: 'inclusion', key, seq, record };
    proofs.set(seq, `${JSON.stringify({ ...head, checkpoint: note.text, proof })}\n`);
  }
  return { proofs, remedy: `Give a number below ${note.size} that was not removed.` };
}

/** A file that proves that the journal under its newest checkpoint only adds to what an earlier one vouches for. */
export async function proveGrowth(source: Source, first: string, tools: VerifyTools): Promise<string> {
  const { tree, notes, key } = await recordsOf(source, tools, new Set());
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

import { open } from 'node:fs/promises';
import { TableFault } from '../fault.ts';
import { bytesOfBase64Url, textOfBase64Url } from '../journal/base64.ts';
import { endOf, entryOfText, isObject, LONGEST_END } from '../journal/entry.ts';
import { consistencyProof, createKnownTree, inclusionProof, type KnownTree } from '../journal/known-tree.ts';
import { type NoteKey, readKey, readNote, type SignedCheckpoint } from '../journal/note.ts';
import { appendPruned } from '../journal/pruned.ts';
import { isConsistent, isIncluded, sameDigest } from '../journal/tree.ts';
import { provable } from './provable.ts';
import type { Source } from './source.ts';
import type { VerifyTools } from './verdict.ts';

const START = '{"format":"bakucore-proof"';

/** Whether a file holds a proof. */
export async function isProof(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  try {
    const bytes = Buffer.alloc(START.length);
    await file?.read(bytes, 0, bytes.length, 0);
    return bytes.toString('utf8') === START;
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}

/** What is known of every record of a journal from its first on, with the key and the checkpoints it names. */
async function recordsOf(
  source: Source,
  tools: VerifyTools,
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
      else texts.set(record.seq, text);
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

/** A file that proves that one record is in the journal. */
export async function proveRecord(source: Source, seq: number, tools: VerifyTools): Promise<string> {
  const known = await recordsOf(source, tools);
  const proof = inclusionIn(known, newestNote(known.notes), seq);
  if (proof !== undefined) return proof;
  throw new TableFault(
    'journal/unreadable',
    `No checkpoint vouches for a record ${seq} of its own.`,
    `Give a number below ${newestNote(known.notes).size} that was not removed.`,
  );
}

/** The same for several records in one reading, by their numbers; none for those that no checkpoint vouches for. */
export async function proveRecords(
  source: Source,
  seqs: Iterable<number>,
  tools: VerifyTools,
): Promise<ReadonlyMap<number, string>> {
  const known = await recordsOf(source, tools);
  const note = newestNote(known.notes);
  const proofs = new Map<number, string>();
  for (const seq of seqs) {
    const proof = inclusionIn(known, note, seq);
    if (proof !== undefined) proofs.set(seq, proof);
  }
  return proofs;
}

function inclusionIn(
  { tree, texts, key }: Awaited<ReturnType<typeof recordsOf>>,
  note: ReturnType<typeof newestNote>,
  seq: number,
): string | undefined {
  const text = texts.get(seq);
  if (text === undefined || seq >= note.size) return undefined;
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

/** Checks a proof alone: no journal, no host. Throws a TableFault when it is of a form that is not known here. */
export async function verifyProof(
  text: string,
  tools: VerifyTools,
  given: NoteKey | undefined,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || value.version !== 1 || !Array.isArray(value.proof)) throw unknownForm();
  const proof = value.proof.map(
    (one) => (typeof one === 'string' ? bytesOfBase64Url(one) : undefined) ?? new Uint8Array(),
  );
  const key = given ?? readKey(String(value.key));
  if (key === undefined) throw unknownForm();
  const signed = async (note: SignedCheckpoint): Promise<boolean> =>
    note.keyName === key.name &&
    sameDigest(note.keyId, key.keyId) &&
    (await tools.isSigned(key, note.body, note.signature)) === true;
  const bad = (why: string) => ({ ok: false, text: `The proof does not hold: ${why}.` });
  if (value.kind === 'inclusion') {
    const note = readNote(String(value.checkpoint));
    const { record, seq } = value;
    if (note === undefined || typeof record !== 'string' || typeof seq !== 'number') throw unknownForm();
    if (!(await signed(note))) return bad('its checkpoint is not signed by the key');
    const leaf = tools.hashing.leaf(new TextEncoder().encode(record));
    if (!isIncluded(tools.hashing, leaf, seq, note.size, proof, note.root)) {
      return bad('the record is not in the journal of that checkpoint');
    }
    return { ok: true, text: `Record ${seq} is in ${note.origin}, one of ${note.size} records.` };
  }
  if (value.kind === 'consistency') {
    const first = readNote(String(value.first));
    const second = readNote(String(value.second));
    if (first === undefined || second === undefined) throw unknownForm();
    if (!(await signed(first)) || !(await signed(second)))
      return bad('a checkpoint is not signed by the key');
    if (first.origin !== second.origin) return bad('the checkpoints are of different journals');
    if (!isConsistent(tools.hashing, first, second, proof)) {
      return bad(`the ${second.size} records do not begin with the ${first.size} before`);
    }
    return { ok: true, text: `${second.origin} has only grown: ${first.size} records, then ${second.size}.` };
  }
  throw unknownForm();
}

function unknownForm(): TableFault {
  return new TableFault(
    'journal/unknown-form',
    'This proof is not understood.',
    'It may come from a newer host.',
  );
}

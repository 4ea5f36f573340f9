import { TableFault } from '../fault.ts';
import { bytesOfBase64Url, textOfBase64Url } from '../journal/base64.ts';
import { entryOfText } from '../journal/entry.ts';
import { readNote } from '../journal/note.ts';
import { type Digest, levelsBetween } from '../journal/tree.ts';
import type { MatchHead } from './match-head.ts';
import type { Source } from './source.ts';
import type { VerifyTools } from './verdict.ts';

/**
 * Files that prove that records of a match file are in the journal its checkpoint vouches for, by their numbers: the
 * hashes around the match stand for the records that the file does not hold. Of records past the checkpoint there is none.
 */
export async function proveInMatch(
  source: Source & { readonly match: MatchHead },
  seqs: ReadonlySet<number>,
  tools: VerifyTools,
): Promise<ReadonlyMap<number, string>> {
  const { match } = source;
  const note = readNote(match.checkpoint);
  if (note === undefined) throw new TableFault('journal/not-intact', 'The match has no checkpoint.', '');
  const known = new Map<string, Digest>();
  const texts = new Map<number, string>();
  let at = match.from;
  for await (const batch of source.lines()) {
    for (const { bytes } of batch) {
      if (bytes.length === 0) continue;
      if (seqs.has(at)) texts.set(at, Buffer.from(bytes).toString('utf8'));
      known.set(rangeOf(at, at + 1), tools.hashing.leaf(bytes));
      at += 1;
    }
  }
  put(known, 0, match.from, match.before);
  put(known, match.to, note.size, match.after);

  /** Root over the leaves of a range, as RFC 9162 cuts it. */
  const rootOver = (from: number, to: number): Digest => {
    const range = rangeOf(from, to);
    const found = known.get(range);
    if (found !== undefined) return found;
    if (to - from < 2) throw new TableFault('journal/not-intact', `Record ${from} is not there.`, '');
    const middle = from + split(to - from);
    const root = tools.hashing.node(rootOver(from, middle), rootOver(middle, to));
    known.set(range, root);
    return root;
  };
  const path = (seq: number, from: number, to: number): readonly Digest[] => {
    if (to - from < 2) return [];
    const middle = from + split(to - from);
    return seq < middle
      ? [...path(seq, from, middle), rootOver(middle, to)]
      : [...path(seq, middle, to), rootOver(from, middle)];
  };

  const proofs = new Map<number, string>();
  for (const [seq, record] of texts) {
    if (seq >= note.size || entryOfText(record) === undefined) continue;
    const proof = path(seq, 0, note.size).map(textOfBase64Url);
    const head = { format: 'bakucore-proof', version: 1, kind: 'inclusion', key: match.key, seq, record };
    proofs.set(seq, `${JSON.stringify({ ...head, checkpoint: match.checkpoint, proof })}\n`);
  }
  return proofs;
}

function put(known: Map<string, Digest>, from: number, to: number, hashes: readonly string[]): void {
  let at = from;
  for (const [i, level] of levelsBetween(from, to).entries()) {
    const end = at + 2 ** level;
    known.set(rangeOf(at, end), bytesOfBase64Url(hashes[i] ?? '') ?? new Uint8Array(32));
    at = end;
  }
}

function rangeOf(from: number, to: number): string {
  return `${from} ${to}`;
}

/** Largest power of two below `n`. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

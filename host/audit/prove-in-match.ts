import { TableFault } from '../fault.ts';
import { textOfBase64Url } from '../journal/base64.ts';
import { entryOfText } from '../journal/entry.ts';
import { createKnownTree, inclusionProof } from '../journal/known-tree.ts';
import { readNote } from '../journal/note.ts';
import { appendPruned, hashesOf } from '../journal/pruned.ts';
import type { MatchHead } from './match-head.ts';
import { provable } from './provable.ts';
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
  const tree = createKnownTree(tools.hashing);
  provable(() => tree.appendHidden(match.from, hashesOf(match.before)));
  const texts = new Map<number, string>();
  for await (const batch of source.lines()) {
    for (const { bytes } of batch) {
      if (bytes.length === 0) continue;
      const text = Buffer.from(bytes).toString('utf8');
      const entry = entryOfText(text);
      if (entry !== undefined && 'pruned' in entry) {
        const { pruned } = entry;
        provable(() => appendPruned(tree, pruned));
        continue;
      }
      if (entry !== undefined && seqs.has(tree.size)) texts.set(tree.size, text);
      tree.append(tools.hashing.leaf(bytes));
    }
  }
  if (tree.size < note.size) provable(() => tree.appendHidden(note.size, hashesOf(match.after)));

  const proofs = new Map<number, string>();
  for (const [seq, record] of texts) {
    if (seq >= note.size) continue;
    const proof = provable(() => inclusionProof(tree, seq, note.size)).map(textOfBase64Url);
    const head = { format: 'bakucore-proof', version: 1, kind: 'inclusion', key: match.key, seq, record };
    proofs.set(seq, `${JSON.stringify({ ...head, checkpoint: match.checkpoint, proof })}\n`);
  }
  return proofs;
}

import { TableFault } from '../fault.ts';
import { textOfBase64Url } from '../journal/base64.ts';
import { type ChainedRecord, endOf, entryOfText, isObject } from '../journal/entry.ts';
import { nodeHashing } from '../journal/hashing.ts';
import { createKnownTree, inclusionProof, type KnownTree } from '../journal/known-tree.ts';
import { appendPruned } from '../journal/pruned.ts';
import type { ProvenRecord } from './match-head.ts';
import { frontierOf, linesIn, textOf } from './match-slice.ts';
import { provable } from './provable.ts';
import type { SegmentReader } from './segment-reader.ts';

/**
 * The `open` record that a match was begun under, with what proves it: the first record of the match where that names its
 * hash, the tree otherwise. Throws a TableFault `journal/not-intact` when it is not there as it was written.
 */
export async function openProven(
  reader: SegmentReader,
  seq: number,
  first: ChainedRecord | undefined,
): Promise<ProvenRecord> {
  const named = isObject(first?.data) ? first.data.open : undefined;
  if (first === undefined || !isObject(named)) return proveOpen(reader, seq, first?.seq ?? seq);
  for await (const bytes of reader.texts(seq, seq + 1)) {
    for (const line of linesIn(bytes)) {
      const text = textOf(line);
      if (endOf(text)?.seq !== seq) continue;
      if (textOfBase64Url(nodeHashing.leaf(line)) !== named.hash) throw notThere(seq);
      return { record: text, proof: null };
    }
  }
  throw notThere(seq);
}

/**
 * The `open` record with this number and the proof that it is one of the first `size` records. Reads from its segment up
 * to there. Throws a TableFault `journal/not-intact` when it is gone, or records around it are not there as written.
 */
export async function proveOpen(reader: SegmentReader, seq: number, size: number): Promise<ProvenRecord> {
  let tree: KnownTree | undefined;
  let found: string | undefined;
  for await (const bytes of reader.texts(seq, size)) {
    for (const line of linesIn(bytes)) {
      if (tree?.size === size) break;
      const text = textOf(line);
      const end = endOf(text);
      if (tree === undefined) tree = treeBefore(text);
      if (end === undefined) {
        const entry = entryOfText(text);
        if (entry === undefined || 'record' in entry) throw notThere(tree.size);
        const known = tree;
        provable(() => appendPruned(known, entry.pruned));
        continue;
      }
      if (end.seq !== tree.size) throw notThere(tree.size);
      if (end.seq === seq && end.kind === 'open') found = text;
      tree.append(nodeHashing.leaf(line));
    }
  }
  if (tree === undefined || found === undefined || tree.size < size) throw notThere(seq);
  const whole = tree;
  return {
    record: found,
    proof: provable(() => inclusionProof(whole, seq, size)).map(textOfBase64Url),
  };
}

/** All records before a segment, as its first record tells of them. */
function treeBefore(first: string): KnownTree {
  const tree = createKnownTree(nodeHashing);
  const entry = entryOfText(first);
  if (entry === undefined || 'pruned' in entry) return tree;
  const { seq, data } = entry.record;
  provable(() => tree.appendHidden(seq, isObject(data) ? frontierOf(data.frontier) : []));
  return tree;
}

function notThere(seq: number): TableFault {
  return new TableFault(
    'journal/not-intact',
    `The start that the match was played under cannot be proven: record ${seq} is not there as it was written.`,
    'See what is wrong with it with: bakucore verify.',
  );
}

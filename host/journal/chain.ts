import type { AtMs, TableId } from '../ids.ts';
import type { RecordKind } from '../record.ts';
import { textOfBase64Url } from './base64.ts';
import { canonicalText } from './canonical.ts';
import { NO_PREV } from './chain-start.ts';
import { leafOfText, nodeHashing } from './hashing.ts';
import { type Digest, growTree, type Tree } from './tree.ts';

export { NO_PREV };

/** Where a journal stands: enough to add the next record. */
export interface ChainEnd {
  /** Number of the next record. */
  readonly nextSeq: number;
  /** Leaf hash of the last record, base64url. */
  readonly prev: string;
  /** Whole subtrees over all records, largest first. */
  readonly frontier: readonly Digest[];
}

export const EMPTY_CHAIN: ChainEnd = { nextSeq: 0, prev: NO_PREV, frontier: [] };

/** Turns what happens into the texts of records, each tied to the one before by its hash. */
export interface Chain {
  readonly nextSeq: number;
  readonly prev: string;
  readonly tree: Tree;
  /** Text of the next record, without a line end. */
  add(kind: RecordKind, atMs: AtMs, data: object): string;
}

/**
 * A chain that goes on from an end. The text of a record is its RFC 8785 form; its leaf hash is SHA-256 over 0x00 and
 * that text, as RFC 9162 has it, and stands as `prev` in the record after it.
 */
export function createChain(table: TableId, end: ChainEnd = EMPTY_CHAIN): Chain {
  const tree = growTree(nodeHashing, end.nextSeq, end.frontier);
  const tableText = canonicalText(table);
  let nextSeq = end.nextSeq;
  let prev = end.prev;
  return {
    get nextSeq() {
      return nextSeq;
    },
    get prev() {
      return prev;
    },
    tree,
    add(kind, atMs, data) {
      const head = `{"atMs":${canonicalText(atMs)},"data":${canonicalText(data)},"kind":"${kind}"`;
      const text = `${head},"prev":"${prev}","seq":${nextSeq},"table":${tableText}}`;
      const leaf = leafOfText(text);
      tree.append(leaf);
      prev = textOfBase64Url(leaf);
      nextSeq += 1;
      return text;
    },
  };
}

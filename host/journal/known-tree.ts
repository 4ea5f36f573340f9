import { type Digest, growTree, type Hashing, hiddenBetween, type Tree } from './tree.ts';

/**
 * The tree of RFC 9162 over records of which some are known by the hashes of whole subtrees only: those that were removed,
 * or that a match file leaves out. What proofs are made of.
 */
export interface KnownTree extends Pick<Tree, 'size' | 'append' | 'appendHidden'> {
  /** Root over the records [from, to). Throws a RangeError when only a hash over more than those is known. */
  rootOver(from: number, to: number): Digest;
}

/** Roots over more records than this are kept: proofs of many records share them. */
const KEPT_FROM = 256;

export function createKnownTree(hashing: Hashing): KnownTree {
  /** First record of each piece, ascending, and the hash of that leaf or subtree. */
  const starts: number[] = [];
  const hashes: Digest[] = [];
  const roots = new Map<string, Digest>();
  let size = 0;

  const put = (count: number, hash: Digest): void => {
    starts.push(size);
    hashes.push(hash);
    size += count;
  };

  /** Place of the piece that begins with this record. */
  const placeOf = (record: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= record) low = middle;
      else high = middle - 1;
    }
    if (starts[low] !== record)
      throw new RangeError(`Record ${record} is known by a hash over others before it only.`);
    return low;
  };

  const folded = (from: number, to: number): Digest => {
    const tree = growTree(hashing);
    let place = placeOf(from);
    while (from + tree.size < to) {
      const hash = hashes[place];
      if (hash === undefined) throw new RangeError(`Record ${from + tree.size} is not known.`);
      const level = Math.log2((starts[place + 1] ?? size) - (starts[place] ?? 0));
      tree.appendSubtree({ level, hash });
      place += 1;
    }
    if (from + tree.size > to)
      throw new RangeError(`Record ${to} is known by a hash over others before it only.`);
    return tree.root();
  };

  const rootOver = (from: number, to: number): Digest => {
    if (to > size) throw new RangeError(`Record ${size} is not known.`);
    if (to - from <= KEPT_FROM) return folded(from, to);
    const range = `${from} ${to}`;
    const known = roots.get(range);
    if (known !== undefined) return known;
    const place = placeOf(from);
    const middle = from + largestPowerBelow(to - from);
    const isPiece = (starts[place + 1] ?? size) === to;
    const root = isPiece
      ? (hashes[place] ?? hashing.empty)
      : hashing.node(rootOver(from, middle), rootOver(middle, to));
    roots.set(range, root);
    return root;
  };

  return {
    get size() {
      return size;
    },
    append: (leaf) => put(1, leaf),
    appendHidden(to, given) {
      for (const { level, hash } of hiddenBetween(size, to, given)) put(2 ** level, hash);
    },
    rootOver,
  };
}

/** Proof that record `index` is in the tree over the first `size` records (RFC 9162, 2.1.3.1). */
export function inclusionProof(tree: KnownTree, index: number, size: number): readonly Digest[] {
  const path = (from: number, to: number): readonly Digest[] => {
    if (to - from <= 1) return [];
    const middle = from + largestPowerBelow(to - from);
    return index < middle
      ? [...path(from, middle), tree.rootOver(middle, to)]
      : [...path(middle, to), tree.rootOver(from, middle)];
  };
  return path(0, size);
}

/** Proof that the tree over the first `first` records is a beginning of that over `size` (RFC 9162, 2.1.4.1). */
export function consistencyProof(tree: KnownTree, first: number, size: number): readonly Digest[] {
  const subproof = (from: number, to: number, whole: boolean): readonly Digest[] => {
    if (first === to) return whole ? [] : [tree.rootOver(from, to)];
    const middle = from + largestPowerBelow(to - from);
    return first <= middle
      ? [...subproof(from, middle, whole), tree.rootOver(middle, to)]
      : [...subproof(middle, to, false), tree.rootOver(from, middle)];
  };
  return first <= 0 || first >= size ? [] : subproof(0, size, true);
}

/** Largest power of two below `n`, 2 or more: where RFC 9162 cuts a tree. */
function largestPowerBelow(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

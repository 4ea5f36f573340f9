/**
 * The Merkle tree of RFC 9162, 2.1: what proves that a record is in a journal and that a later journal only adds to an
 * earlier one. Knows nothing of files; the hash is handed in, so that browsers use the same code.
 */

/** A SHA-256 value, 32 bytes. */
export type Digest = Uint8Array;

/** SHA-256 with the prefixes of RFC 9162. */
export interface Hashing {
  /** SHA-256 of 0x00 and the leaf. */
  leaf(bytes: Uint8Array): Digest;
  /** SHA-256 of 0x01 and both children. */
  node(left: Digest, right: Digest): Digest;
  /** SHA-256 of nothing: root of the empty tree. */
  readonly empty: Digest;
}

/** A whole subtree: 2^level leaves under one hash. */
export interface Subtree {
  readonly level: number;
  readonly hash: Digest;
}

/** A tree that only grows. Keeps one hash for each whole subtree at its right edge, largest first. */
export interface Tree {
  readonly size: number;
  /** Hashes of the whole subtrees that make up the tree, largest first; with `size` enough to go on. */
  frontier(): readonly Digest[];
  append(leaf: Digest): void;
  /** Adds 2^level leaves known by their hash only. Throws a RangeError when they do not begin at a multiple of that. */
  appendSubtree(subtree: Subtree): void;
  /**
   * Adds the leaves up to `to`, known by the hashes of the largest whole subtrees of them only, in order. Throws a
   * RangeError when those are not so many subtrees.
   */
  appendHidden(to: number, hashes: readonly Digest[]): void;
  root(): Digest;
}

/** A tree, or one that goes on from a frontier. Throws a RangeError when frontier and size do not fit. */
export function growTree(hashing: Hashing, size = 0, frontier: readonly Digest[] = []): Tree {
  const levels = levelsOf(size);
  if (levels.length !== frontier.length) {
    throw new RangeError(`A tree of ${size} has ${levels.length} whole subtrees, not ${frontier.length}.`);
  }
  const edge: Subtree[] = levels.map((level, i) => ({ level, hash: frontier[i] ?? hashing.empty }));
  let leaves = size;
  const appendSubtree = (subtree: Subtree): void => {
    const count = 2 ** subtree.level;
    if (leaves % count !== 0) throw new RangeError(`A subtree of ${count} cannot begin at ${leaves}.`);
    leaves += count;
    let { level, hash } = subtree;
    for (let last = edge.at(-1); last !== undefined && last.level === level; last = edge.at(-1)) {
      hash = hashing.node(last.hash, hash);
      level += 1;
      edge.pop();
    }
    edge.push({ level, hash });
  };
  return {
    get size() {
      return leaves;
    },
    frontier: () => edge.map(({ hash }) => hash),
    append: (leaf) => appendSubtree({ level: 0, hash: leaf }),
    appendSubtree,
    appendHidden(to, hashes) {
      for (const subtree of hiddenBetween(leaves, to, hashes)) appendSubtree(subtree);
    },
    root() {
      let root: Digest | undefined;
      for (let i = edge.length - 1; i >= 0; i -= 1) {
        const hash = edge[i]?.hash ?? hashing.empty;
        root = root === undefined ? hash : hashing.node(hash, root);
      }
      return root ?? hashing.empty;
    },
  };
}

/** Levels of the whole subtrees of a tree of this size, largest first: the bits that are set. */
function levelsOf(size: number): readonly number[] {
  const levels: number[] = [];
  for (let rest = size, level = 0; rest > 0; rest = Math.floor(rest / 2), level += 1) {
    if (rest % 2 === 1) levels.unshift(level);
  }
  return levels;
}

/** The largest whole subtrees that lie in [from, to), in order: what stands for records that are not there. */
export function subtreesOf(
  hashing: Hashing,
  leaves: readonly Digest[],
  from: number,
  to: number,
  /** Index of `leaves[0]`. */
  base = 0,
): readonly Subtree[] {
  const out: Subtree[] = [];
  for (let at = from; at < to; ) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level += 1;
    const end = at + 2 ** level;
    out.push({ level, hash: rootOf(hashing, leaves.slice(at - base, end - base)) });
    at = end;
  }
  return out;
}

/** Levels of the largest whole subtrees that lie in [from, to), in order. */
export function levelsBetween(from: number, to: number): readonly number[] {
  const out: number[] = [];
  for (let at = from; at < to; ) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level += 1;
    out.push(level);
    at += 2 ** level;
  }
  return out;
}

/** The largest whole subtrees in [from, to) with their hashes. Throws a RangeError when there are not so many hashes. */
export function hiddenBetween(from: number, to: number, hashes: readonly Digest[]): readonly Subtree[] {
  const levels = levelsBetween(from, to);
  if (to < from || levels.length !== hashes.length)
    throw new RangeError(
      `Records ${from} to ${to} are ${levels.length} whole subtrees, not ${hashes.length}.`,
    );
  return hashes.map((hash, i) => ({ level: levels[i] ?? 0, hash }));
}

/** Root over these leaves (RFC 9162, 2.1.1). */
export function rootOf(hashing: Hashing, leaves: readonly Digest[]): Digest {
  const tree = growTree(hashing);
  for (const leaf of leaves) tree.append(leaf);
  return tree.root();
}

/** Whether a proof shows that this leaf is leaf `index` of the tree with this size and root (RFC 9162, 2.1.3.2). */
export function isIncluded(
  hashing: Hashing,
  leaf: Digest,
  index: number,
  size: number,
  proof: readonly Digest[],
  root: Digest,
): boolean {
  if (index < 0 || index >= size) return false;
  let fn = index;
  let sn = size - 1;
  let hash = leaf;
  for (const step of proof) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      hash = hashing.node(step, hash);
      while (fn % 2 === 0 && fn !== 0) {
        fn /= 2;
        sn = Math.floor(sn / 2);
      }
    } else hash = hashing.node(hash, step);
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  }
  return sn === 0 && sameDigest(hash, root);
}

/** Whether a proof shows that the tree of the second size and root only adds to the first (RFC 9162, 2.1.4.2). */
export function isConsistent(
  hashing: Hashing,
  first: { readonly size: number; readonly root: Digest },
  second: { readonly size: number; readonly root: Digest },
  proof: readonly Digest[],
): boolean {
  if (first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && sameDigest(first.root, second.root);
  if (first.size === 0) return proof.length === 0;
  const isPower = first.size === 2 ** (levelsOf(first.size)[0] ?? 0);
  const path = isPower ? [first.root, ...proof] : proof;
  const [start, ...rest] = path;
  if (start === undefined) return false;
  let fn = first.size - 1;
  let sn = second.size - 1;
  while (fn % 2 === 1) {
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  }
  let fr = start;
  let sr = start;
  for (const step of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      fr = hashing.node(step, fr);
      sr = hashing.node(step, sr);
      while (fn % 2 === 0 && fn !== 0) {
        fn /= 2;
        sn = Math.floor(sn / 2);
      }
    } else sr = hashing.node(sr, step);
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  }
  return sn === 0 && sameDigest(fr, first.root) && sameDigest(sr, second.root);
}

export function sameDigest(a: Digest, b: Digest): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

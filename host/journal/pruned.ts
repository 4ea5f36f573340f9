import { bytesOfBase64Url } from './base64.ts';
import type { Pruned } from './entry.ts';
import type { Digest, Tree } from './tree.ts';

/** SHA-256 values are so long. */
const HASH_BYTES = 32;

/** Hashes written as base64url. Throws a RangeError for a text that is none. */
export function hashesOf(texts: readonly string[]): readonly Digest[] {
  return texts.map((text) => {
    const hash = bytesOfBase64Url(text);
    if (hash?.length !== HASH_BYTES) throw new RangeError(`"${text}" is no hash.`);
    return hash;
  });
}

/** Lets the hashes that are left of removed records stand for them. Throws a RangeError when they do not fit the tree. */
export function appendPruned(
  tree: Pick<Tree, 'size' | 'append' | 'appendHidden'>,
  { from, to, hashes, last }: Pruned,
): void {
  if (from !== tree.size) throw new RangeError(`Record ${from} does not follow ${tree.size} records.`);
  const [end] = hashesOf([last]);
  tree.appendHidden(to - 1, hashesOf(hashes));
  if (end !== undefined) tree.append(end);
}

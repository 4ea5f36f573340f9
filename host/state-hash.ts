import { saveTable } from './advance/save.ts';
import type { TableState } from './advance/state.ts';
import { canonicalText } from './journal/canonical.ts';
import { sha256Hex } from './journal/hashing.ts';

/** A whole table as text and the hash by which two of them are compared: SHA-256 of its canonical form, hex. */
export function savedWithHash(state: TableState): { readonly text: string; readonly hash: string } {
  const text = saveTable(state);
  return { text, hash: hashOfSaved(text) };
}

/** The hash of a saved table. The order of keys does not count, so that a replay gives the same. */
export function hashOfSaved(text: string): string {
  const saved: unknown = JSON.parse(text);
  if (typeof saved !== 'object' || saved === null) return sha256Hex(text);
  const play = 'play' in saved && typeof saved.play === 'string' ? JSON.parse(saved.play) : null;
  return sha256Hex(canonicalText({ ...saved, play }));
}

import { bytesOfBase64Url, textOfBase64Url } from '../journal/base64.ts';
import { type ChainedRecord, entryOfText, isObject } from '../journal/entry.ts';
import { type NoteKey, readKey } from '../journal/note.ts';
import { growTree, isIncluded, sameDigest } from '../journal/tree.ts';
import { type MatchHead, openOf } from './match-head.ts';
import type { Broken, VerifyTools } from './verdict.ts';

/** What is wrong with a head, and what of it is allowed and yet not proven. */
export interface HeadFound {
  readonly broken?: Broken;
  readonly notes: readonly string[];
}

/**
 * Holds all that a match file says of itself against its first record, which the tree proves, and against the tree of the
 * records before: names, the start it was played under, the state it begins from, the key.
 */
export function checkHead(
  match: MatchHead,
  firstLine: string | undefined,
  given: NoteKey | undefined,
  tools: VerifyTools,
): HeadFound {
  const broken = (what: Broken['what'], text: string): HeadFound => ({
    broken: { what, seq: match.from, line: 1, text },
    notes: [],
  });
  const entry = firstLine === undefined ? undefined : entryOfText(firstLine);
  if (entry === undefined || 'pruned' in entry) return broken('empty', 'There is no record in it.');
  const { record: first } = entry;
  if (match.table !== first.table) {
    return broken('head', `Its head names table ${match.table}, its records are of ${first.table}.`);
  }
  const id = `${first.table}-${first.seq}`;
  if (match.match !== id) {
    return broken('head', `Its head names match ${match.match}, its records are match ${id}.`);
  }
  if (match.prev !== first.prev) {
    return broken('head', 'Its head names another record before it than its first record does.');
  }
  const own = readKey(match.key);
  if (given !== undefined && (own === undefined || !sameDigest(own.publicKey, given.publicKey))) {
    return broken('head', 'Its head names another key than the given one.');
  }
  const data = isObject(first.data) ? first.data : {};
  if (first.kind === 'open' && data.resumes !== true) {
    return match.open === null && match.start === null
      ? { notes: [] }
      : broken('head', 'Its head holds a start or a state, and its first record begins anew.');
  }
  if (first.kind !== 'snapshot' || data.why !== 'match-start') {
    return broken('head', `No match begins with its first record, which is of kind ${first.kind}.`);
  }
  const why = openTrouble(match, first, tools);
  if (why !== undefined) return broken('head', why);
  if (match.start === null || stateHashOf(match.start, tools) !== data.state) {
    return broken('start-state', 'The state it starts from is not the one that its first record names.');
  }
  // A host of an earlier version did not name it.
  if (isObject(data.open)) return { notes: [] };
  const { seq } = openOf(match) ?? first;
  return {
    notes: [
      `Not proven: that record ${seq} was the last start before this match. The host that recorded it did not name it.`,
    ],
  };
}

/** What speaks against the `open` in the head as the one that the match was played under. */
function openTrouble(match: MatchHead, first: ChainedRecord, tools: VerifyTools): string | undefined {
  const open = openOf(match);
  if (match.open === null || open === undefined) return 'The start that it was played under is missing.';
  const { record, proof } = match.open;
  const leaf = tools.hashing.leaf(new TextEncoder().encode(record));
  const changed = `The start that it was played under, record ${open.seq}, is not what was written.`;
  const named = isObject(first.data) ? first.data.open : undefined;
  if (isObject(named)) {
    if (named.seq !== open.seq) {
      return `It was played under the start in record ${String(named.seq)}, and its head holds record ${open.seq}.`;
    }
    return proof === null && named.hash === textOfBase64Url(leaf) ? undefined : changed;
  }
  const hashes = (texts: readonly string[]) =>
    texts.map((text) => bytesOfBase64Url(text) ?? new Uint8Array());
  const root = growTree(tools.hashing, match.from, hashes(match.before)).root();
  const isProven = isIncluded(tools.hashing, leaf, open.seq, match.from, hashes(proof ?? []), root);
  return isProven ? undefined : changed;
}

function stateHashOf(state: string, tools: VerifyTools): string | undefined {
  try {
    return tools.stateHash(state);
  } catch (error) {
    // It is no saved state at all.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

import { TableFault } from '../fault.ts';
import type { Json } from '../ids.ts';
import { bytesOfBase64Url, textOfBase64Url } from '../journal/base64.ts';
import { endOf, entryOfText, isObject, type Pruned } from '../journal/entry.ts';
import { nodeHashing } from '../journal/hashing.ts';
import { readNote } from '../journal/note.ts';
import { appendPruned } from '../journal/pruned.ts';
import { type Digest, growTree, levelsBetween, rootOf, type Tree } from '../journal/tree.ts';
import { type Match, restsBefore } from './matches.ts';
import { provable } from './provable.ts';
import type { SegmentReader } from './segment-reader.ts';

/** What stands around the records of a match, so that they prove themselves alone. */
export interface MatchSlice {
  readonly from: number;
  /** One past the last record that a checkpoint vouches for. */
  readonly to: number;
  /** Leaf hash of the record before. */
  readonly prev: string;
  /** Whole subtrees before and after, as in a match file. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly checkpoint: string;
  readonly origin: string;
  readonly key: string;
  /** Number of the `open` in force at the start. */
  readonly openSeq: number;
}

const START = 'A'.repeat(43);

/**
 * Reads a match and as much of its journal as is needed to prove it: from the segment in which it begins to the first
 * checkpoint behind it. Throws a TableFault when records were removed or none vouches for it yet.
 */
export async function sliceOf(reader: SegmentReader, match: Match): Promise<MatchSlice> {
  let tree: Tree | undefined;
  const later: Digest[] = [];
  let before: readonly string[] = [];
  let prev = START;
  let last = START;
  let openSeq = -1;
  let key = '';
  let checkpoint = '';
  let seq = 0;
  outer: for await (const bytes of reader.texts(match.from, Number.POSITIVE_INFINITY)) {
    for (const line of linesIn(bytes)) {
      const entry = entryOfText(textOf(line));
      if (entry === undefined) throw notThere(match, seq);
      if ('pruned' in entry) {
        const { pruned } = entry;
        // What was heard after its end may have been let go; the match ends before that then.
        if (tree !== undefined && restsBefore(match, pruned) && checkpoint !== '') break outer;
        if (tree === undefined || (pruned.from < match.to && pruned.to > match.from))
          throw notKept(match, pruned);
        const before = tree;
        provable(() => appendPruned(before, pruned));
        last = pruned.last;
        seq = pruned.to;
        continue;
      }
      const { record } = entry;
      const data = isObject(record.data) ? record.data : {};
      if (tree === undefined) {
        // A segment begins with the tree of all records before it.
        tree = growTree(nodeHashing, record.seq, frontierOf(data.frontier));
        last = record.prev;
        if (typeof data.open === 'number') openSeq = data.open;
      }
      if (record.seq === match.from) {
        before = tree.frontier().map(textOfBase64Url);
        prev = last;
      }
      const leaf = nodeHashing.leaf(line);
      if (record.kind === 'open' && record.seq <= match.from) openSeq = record.seq;
      const names = record.kind === 'open' || record.kind === 'segment';
      if (names && typeof data.key === 'string' && record.seq < match.to) key = data.key;
      if (record.seq >= match.to) {
        const next = later.length === record.seq - match.to;
        if (record.kind === 'checkpoint' && typeof data.note === 'string' && next) {
          checkpoint = data.note;
          break outer;
        }
        later.push(leaf);
      } else if (record.kind === 'checkpoint' && typeof data.note === 'string') checkpoint = data.note;
      tree.append(leaf);
      last = textOfBase64Url(leaf);
      seq = record.seq + 1;
    }
  }
  const note = readNote(checkpoint);
  if (note === undefined || note.size <= match.from) throw notThere(match, seq);
  // The last checkpoint of a journal stands behind what it vouches for.
  const to = Math.min(match.to, note.size);
  let at = 0;
  const after = levelsBetween(to, note.size).map((level) => {
    at += 2 ** level;
    return textOfBase64Url(rootOf(nodeHashing, later.slice(at - 2 ** level, at)));
  });
  return { from: match.from, to, prev, before, after, checkpoint, origin: note.origin, key, openSeq };
}

/** The lines of a match as they stand in the journal, in pieces of text that end with a line end. */
export async function* linesOfMatch(reader: SegmentReader, from: number, to: number): AsyncGenerator<string> {
  for await (const bytes of reader.texts(from, to)) {
    const out: string[] = [];
    for (const line of linesIn(bytes)) {
      const text = textOf(line);
      const seq = endOf(text)?.seq ?? Number.NaN;
      if (seq >= from && seq < to) out.push(text);
    }
    if (out.length > 0) yield `${out.join('\n')}\n`;
  }
}

const LINE_FEED = 10;

/** The lines of a segment, without their ends and the empty ones. */
export function* linesIn(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) return;
    if (end > at) yield bytes.subarray(at, end);
    at = end + 1;
  }
}

/** A line as text. */
export function textOf(line: Uint8Array): string {
  return Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8');
}

/** The tree that the first record of a segment tells of. */
export function frontierOf(value: Json | undefined): readonly Digest[] {
  const texts = Array.isArray(value) ? value : [];
  return texts.map((text) => bytesOfBase64Url(String(text)) ?? new Uint8Array(32));
}

function notKept({ id }: Match, { from, to }: Pruned): TableFault {
  return new TableFault(
    'journal/not-kept',
    `Match ${id} cannot be made into a file: records ${from} to ${to - 1} are no longer kept, let go or removed with leave.`,
    'What is left of its table is told by: bakucore report.',
  );
}

function notThere(match: Match, seq: number): TableFault {
  return new TableFault(
    'journal/not-intact',
    `Match ${match.id} cannot be exported: record ${seq} is not there, or no checkpoint vouches for it yet.`,
    'While the host runs wait for the next checkpoint; after a crash start the host once more.',
  );
}

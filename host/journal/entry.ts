import type { Json } from '../ids.ts';
import type { JournalRecord, RecordKind } from '../record.ts';

/** A record as a journal keeps it: chained to the one before. */
export interface ChainedRecord extends JournalRecord {
  /** Leaf hash of the record before, base64url. */
  readonly prev: string;
}

/** Records that were removed: only what proves their place is left. */
export interface Pruned {
  /** First record that is missing and first that is there again. */
  readonly from: number;
  readonly to: number;
  /** Hashes of the largest whole subtrees of all but the last of them, base64url, in order. */
  readonly hashes: readonly string[];
  /** Leaf hash of the last of them. */
  readonly last: string;
}

const KINDS: ReadonlySet<string> = new Set<RecordKind>([
  'open',
  'line',
  'link',
  'command',
  'ruling',
  'event',
  'sent',
  'fault',
  'close',
  'tick',
  'segment',
  'snapshot',
  'checkpoint',
  'tombstone',
]);

export function isKind(kind: unknown): kind is RecordKind {
  return typeof kind === 'string' && KINDS.has(kind);
}

export function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How every record ends, as canonical JSON has it; a text cannot look so, since its quotes are escaped. */
const END = /"kind":"([a-z]+)","prev":"[\w-]{43}","seq":(\d+),"table":"[^"]*"\}$/;
/** No end is longer, characters: names of tables have 32 at most. */
export const LONGEST_END = 160;

/**
 * Kind and number of the record on a line, told by its end alone: most records are only counted, and reading one whole
 * takes far longer. Undefined when no record ends so. Of the line its last `LONGEST_END` characters are enough.
 */
export function endOf(line: string): { readonly kind: RecordKind; readonly seq: number } | undefined {
  const match = END.exec(line.slice(-LONGEST_END));
  const kind = match?.[1];
  return isKind(kind) ? { kind, seq: Number(match?.[2]) } : undefined;
}

/** A heard line that a serial wire brought, as its record stands in a journal; its texts need no unescaping. */
const LINE =
  /^\{"atMs":(0|[1-9]\d{0,14}),"data":\{"line":"([ !#-[\]-~]*)","link":"([ !#-[\]-~]*)"\},"kind":"line","prev":"[\w-]{43}","seq":(0|[1-9]\d{0,14}),"table":"([ !#-[\]-~]*)"\}$/;

/**
 * The record of a heard line, read directly: nearly all records are such lines, and reading JSON takes four times as long.
 * Undefined for every other text, be it a record or not.
 */
export function lineRecordOf(text: string): JournalRecord | undefined {
  const match = LINE.exec(text);
  if (match === null) return undefined;
  const [, atMs, line = '', link = '', seq, table = ''] = match;
  return { seq: Number(seq), atMs: Number(atMs), kind: 'line', table, data: { line, link } };
}

/** What stands on a line of a journal; undefined when it is neither a record nor a mark of removed ones. */
export function entryOfText(
  text: string,
): { readonly record: ChainedRecord } | { readonly pruned: Pruned } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (isObject(value.pruned)) {
    const pruned = prunedOf(value.pruned);
    return pruned === undefined ? undefined : { pruned };
  }
  const { seq, atMs, kind, table, data, prev } = value;
  if (!isKind(kind) || typeof atMs !== 'number' || !Number.isFinite(atMs)) return undefined;
  if (typeof prev !== 'string') return undefined;
  if (
    !Number.isSafeInteger(seq) ||
    typeof seq !== 'number' ||
    typeof table !== 'string' ||
    data === undefined
  ) {
    return undefined;
  }
  return { record: { seq, atMs, kind, table, data, prev } };
}

/** A mark of removed records as its line of text. */
export function prunedText(pruned: Pruned): string {
  return JSON.stringify({ pruned });
}

/** A mark of removed records, or undefined when it says none. */
export function prunedOf(value: { readonly [key: string]: Json }): Pruned | undefined {
  const { from, to, hashes, last } = value;
  if (typeof from !== 'number' || typeof to !== 'number' || !(from < to) || typeof last !== 'string') {
    return undefined;
  }
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || !Array.isArray(hashes))
    return undefined;
  const texts = hashes.filter((hash) => typeof hash === 'string');
  return texts.length === hashes.length ? { from, to, hashes: texts, last } : undefined;
}

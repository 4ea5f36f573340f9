import { TableFault } from '../fault.ts';
import { type ChainedRecord, entryOfText, isObject } from '../journal/entry.ts';

/** Version of the match file format that is written here, and the only one that is read. */
export const MATCH_VERSION = 2;
const FORMAT = 'bakucore-match';

/** A record that stands before a match, as its journal has it, and what proves that. */
export interface ProvenRecord {
  readonly record: string;
  /**
   * Null when the first record of the match names its hash. Otherwise, of earlier hosts: inclusion proof (RFC 9162,
   * 2.1.3.1) in the tree over all records before the match, base64url.
   */
  readonly proof: readonly string[] | null;
}

/**
 * First line of a match file. The lines after it are the records of one match as its journal has them, byte for byte.
 * `before` and `after` are what the tree needs to prove that they stand in the journal that the checkpoint vouches for.
 * Nothing stands here that this tree, its signature or the records themselves do not prove.
 */
export interface MatchHead {
  readonly format: typeof FORMAT;
  readonly version: typeof MATCH_VERSION;
  /** `<table>-<number of its first record>`. */
  readonly match: string;
  readonly table: string;
  /** Name of the journal in its checkpoints. */
  readonly origin: string;
  /** Public key in the text form of signed notes. */
  readonly key: string;
  /** First record and one past the last. */
  readonly from: number;
  readonly to: number;
  /** Leaf hash of the record before the first. */
  readonly prev: string;
  /** Whole subtrees over all records before, largest first, base64url. */
  readonly before: readonly string[];
  /** Whole subtrees from `to` to the size of the checkpoint, in order. */
  readonly after: readonly string[];
  /** Signed note over a tree that holds all these records. */
  readonly checkpoint: string;
  /** The `open` record in force at the start; null when the first record is an `open` that begins anew. */
  readonly open: ProvenRecord | null;
  /** State at the start as `saveTable` writes it; null when `open` is. */
  readonly start: string | null;
}

/** The record of the start of the host that a match was begun under; undefined when the match begins with its own. */
export function openOf({ open }: Pick<MatchHead, 'open'>): ChainedRecord | undefined {
  const entry = open === null ? undefined : entryOfText(open.record);
  return entry !== undefined && 'record' in entry && entry.record.kind === 'open' ? entry.record : undefined;
}

/** Whether a line claims to be the head of a match file, whatever else stands in it. */
export function isMatchHead(text: string): boolean {
  if (!text.includes('bakucore-')) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value.format === 'string' && value.format.startsWith('bakucore-');
  } catch {
    return text.startsWith('{"format":"bakucore-');
  }
}

/**
 * Reads the head of a match file. Throws a TableFault `journal/unknown-form` for any other format or version, for an
 * unknown field and for a missing one: half understood is misjudged.
 */
export function matchHeadOf(text: string): MatchHead {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unknown('its first line is not JSON');
  }
  if (!isObject(value)) throw unknown('its first line is no object');
  if (value.format !== FORMAT) throw unknown(`its format is ${JSON.stringify(value.format)}`);
  if (value.version === 1) {
    throw new TableFault(
      'journal/unknown-form',
      'This match file is of version 1: nothing in it proves the limits, calibration and names it was played under.',
      'Export the match again from its journal with: bakucore export --match.',
    );
  }
  if (value.version !== MATCH_VERSION) throw unknown(`its version is ${JSON.stringify(value.version)}`);
  const texts = ['match', 'table', 'origin', 'key', 'prev', 'checkpoint'] as const;
  const numbers = ['from', 'to'] as const;
  const others = ['format', 'version', 'before', 'after', 'open', 'start'] as const;
  const known = new Set<string>([...texts, ...numbers, ...others]);
  const other = Object.keys(value).find((key) => !known.has(key));
  if (other !== undefined) throw unknown(`it has an unknown field "${other}"`);
  for (const key of texts) if (typeof value[key] !== 'string') throw unknown(`"${key}" is no text`);
  for (const key of numbers) if (!Number.isSafeInteger(value[key])) throw unknown(`"${key}" is no number`);
  for (const key of ['before', 'after'] as const) {
    if (!isTexts(value[key])) throw unknown(`"${key}" is no list`);
  }
  checkOpen(value.open);
  if (value.start !== null && typeof value.start !== 'string') throw unknown('"start" is no text');
  return value as unknown as MatchHead;
}

function isTexts(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((one) => typeof one === 'string');
}

function checkOpen(open: unknown): void {
  if (open === null) return;
  if (!isObject(open)) throw unknown('"open" is no record');
  const { record, proof, ...more } = open;
  const [other] = Object.keys(more);
  if (other !== undefined) throw unknown(`it has an unknown field "${other}" in "open"`);
  if (proof !== null && !isTexts(proof)) throw unknown('"open" has no proof');
  if (typeof record !== 'string' || openOf({ open: { record, proof } }) === undefined) {
    throw unknown('"open" holds no record of a start');
  }
}

function unknown(why: string): TableFault {
  return new TableFault(
    'journal/unknown-form',
    `This match file is not understood: ${why}. This host reads ${FORMAT} version ${MATCH_VERSION}.`,
    'It may come from a newer host: use that one.',
  );
}

import { TableFault } from '../fault.ts';
import type { Json } from '../ids.ts';
import { isObject } from '../journal/entry.ts';

/** Version of the match file format that is written here, and the only one that is read. */
export const MATCH_VERSION = 1;
const FORMAT = 'bakucore-match';

/**
 * First line of a match file. The lines after it are the records of one match as its journal has them, byte for byte.
 * `before` and `after` are what the tree needs to prove that they stand in the journal that the checkpoint vouches for.
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
  /** Data of the `open` record in force at the start. */
  readonly head: Json;
  /** State at the start as `saveTable` writes it; null when the first record is an `open` that begins anew. */
  readonly start: string | null;
  /** Version of the host that wrote this file. */
  readonly writtenBy: string;
}

/** Whether a line claims to be the head of a match file. */
export function isMatchHead(text: string): boolean {
  return text.startsWith('{"format":"bakucore-');
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
  if (value.version !== MATCH_VERSION) throw unknown(`its version is ${JSON.stringify(value.version)}`);
  const texts = ['match', 'table', 'origin', 'key', 'prev', 'checkpoint', 'writtenBy'] as const;
  const numbers = ['from', 'to'] as const;
  const known = new Set<string>([
    ...texts,
    ...numbers,
    'format',
    'version',
    'before',
    'after',
    'head',
    'start',
  ]);
  const other = Object.keys(value).find((key) => !known.has(key));
  if (other !== undefined) throw unknown(`it has an unknown field "${other}"`);
  for (const key of texts) if (typeof value[key] !== 'string') throw unknown(`"${key}" is no text`);
  for (const key of numbers) if (!Number.isSafeInteger(value[key])) throw unknown(`"${key}" is no number`);
  for (const key of ['before', 'after'] as const) {
    const list = value[key];
    if (!Array.isArray(list) || list.some((one) => typeof one !== 'string'))
      throw unknown(`"${key}" is no list`);
  }
  if (value.start !== null && typeof value.start !== 'string') throw unknown('"start" is no text');
  if (!('head' in value)) throw unknown('"head" is missing');
  return value as unknown as MatchHead;
}

function unknown(why: string): TableFault {
  return new TableFault(
    'journal/unknown-form',
    `This match file is not understood: ${why}. This host reads ${FORMAT} version ${MATCH_VERSION}.`,
    'It may come from a newer host: use that one.',
  );
}

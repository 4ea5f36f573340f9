import { createReadStream } from 'node:fs';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import type { JournalRecord } from '../record.ts';
import { DAMAGE_REMEDY, type Damage, damageText, isDamage } from './damage.ts';
import { isKind, isObject, lineRecordOf, prunedOf } from './entry.ts';
import { rawOf } from './records.ts';

/** Longest line that is read, in bytes; a longer one is noise. */
export const LONGEST_RECORD = 4 * 1024 * 1024;

/** Bytes that are read at once: records that wait for their turn only fill memory, and what lives long is dear to clear. */
const READ_BYTES = 32 * 1024;

/** Something in a file that is no record. Reading goes on. */
export interface ReadTrouble {
  readonly what: 'torn-tail' | 'not-a-record' | 'too-long' | 'gap' | 'damaged' | 'pruned';
  /** Line of the file, from 1. */
  readonly line: number;
  /** One sentence. */
  readonly text: string;
  /** Of `pruned`: the records that are no longer kept, and the first that is there again. */
  readonly hole?: Hole;
}

/** Records that are no longer kept: the first of them, and one past the last. */
export interface Hole {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a journal, or a plain capture (`{"atMs":…,"via":"…","line":"…"}` or `"b64"` a line), as records in batches.
 * Captured lines become records of kind `line` numbered from 0. A last line that was cut off, and anything else that
 * is no record, is told and left out; nothing throws but the source itself.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array | Damage>,
  told: (trouble: ReadTrouble) => void,
): AsyncGenerator<readonly JournalRecord[]> {
  // Lines are cut as raw text, one character a byte.
  let rest = '';
  let line = 0;
  let skipping = false;
  let captured = 0;
  let lastSeq: number | undefined;

  const recordOf = (raw: string): JournalRecord | undefined => {
    line++;
    const record = parseRecord(raw, captured);
    if (record === 'blank') return undefined;
    if (record !== undefined && 'from' in record) {
      // The gap that follows is of records that were removed, not of records that are missing.
      lastSeq = undefined;
      const { from, to } = record;
      told({ what: 'pruned', line, text: `Records ${from} to ${to - 1} are no longer kept.`, hole: record });
      return undefined;
    }
    if (record === undefined) {
      told({ what: 'not-a-record', line, text: `Line ${line} is neither a record nor a captured line.` });
      return undefined;
    }
    if (record.captured) captured++;
    else {
      if (lastSeq !== undefined && record.value.seq !== lastSeq + 1) {
        told({ what: 'gap', line, text: `Line ${line}: record ${record.value.seq} follows ${lastSeq}.` });
      }
      lastSeq = record.value.seq;
    }
    return record.value;
  };

  const take = (bytes: Uint8Array): JournalRecord[] => {
    const pieces = rawText(bytes).split('\n');
    pieces[0] = rest + (pieces[0] ?? '');
    rest = pieces.pop() ?? '';
    const batch: JournalRecord[] = [];
    for (const piece of pieces) {
      if (skipping) {
        skipping = false;
        line++;
        continue;
      }
      const record = recordOf(piece);
      if (record !== undefined) batch.push(record);
    }
    if (rest.length > LONGEST_RECORD) {
      if (!skipping)
        told({ what: 'too-long', line: line + 1, text: `Line ${line + 1} is no record: too long.` });
      skipping = true;
      rest = '';
    }
    return batch;
  };

  for await (const chunk of chunks) {
    if (isDamage(chunk)) {
      // The line that was cut is no record, and the next file does not go on with it.
      rest = '';
      skipping = false;
      const from = lastSeq === undefined ? 'Up' : `From record ${lastSeq + 1} up`;
      const text = `${from} to the next kept state records may be left out: ${damageText(chunk)} ${DAMAGE_REMEDY}`;
      told({ what: 'damaged', line, text });
      continue;
    }
    for (let at = 0; at < chunk.length; at += READ_BYTES) {
      const batch = take(chunk.subarray(at, at + READ_BYTES));
      if (batch.length > 0) yield batch;
    }
  }

  if (skipping) return;
  const last = parseRecord(rest, captured);
  if (last === 'blank') return;
  // A record is written together with its line end: without one it was never safe, so never acted on.
  if (last !== undefined && 'captured' in last && last.captured) yield [last.value];
  else {
    const text = `The last line was cut off; ${rest.length} bytes were left out.`;
    told({ what: 'torn-tail', line: line + 1, text });
  }
}

/** Bytes as text of one character each: lines are cut from it, and what is ASCII needs no decoding. */
function rawText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

const utf8 = new TextDecoder();
const BEYOND_ASCII = /[\x80-\xff]/;

/** The text that the bytes of a line spell. */
function textOf(raw: string): string {
  return BEYOND_ASCII.test(raw) ? utf8.decode(Buffer.from(raw, 'latin1')) : raw;
}

/** The bytes of a file. Throws a TableFault `journal/unreadable` on the first read. */
export async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw new TableFault(
      'journal/unreadable',
      `${path} cannot be read (${systemCodeOf(error) ?? wordsOf(error)}).`,
      'Check the name and the permissions of the file.',
      { cause: error },
    );
  }
}

function parseRecord(
  bytes: string,
  captured: number,
): { readonly captured: boolean; readonly value: JournalRecord } | Hole | 'blank' | undefined {
  const line = lineRecordOf(bytes);
  if (line !== undefined) return { captured: false, value: line };
  const text = textOf(bytes);
  if (text.trim() === '') return 'blank';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (isObject(value.pruned)) return prunedOf(value.pruned);
  // JSON spells infinity as 1e999: no moment, and a table would wait for it for ever.
  if (typeof value.atMs !== 'number' || !Number.isFinite(value.atMs)) return undefined;
  const { seq, atMs, kind, table, data } = value;
  if (isKind(kind)) {
    if (typeof seq !== 'number' || typeof table !== 'string' || data === undefined) return undefined;
    return { captured: false, value: { seq, atMs, kind, table, data } };
  }
  const raw = rawOf(value);
  if (raw === undefined || typeof value.via !== 'string') return undefined;
  const from = {
    ...(typeof value.device === 'string' ? { device: value.device } : {}),
    ...(typeof value.retained === 'boolean' ? { retained: value.retained } : {}),
  };
  return {
    captured: true,
    value: { seq: captured, atMs, kind: 'line', table: '', data: { link: value.via, ...raw, ...from } },
  };
}

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import type { JournalRecord, RecordKind } from '../record.ts';
import { isObject, rawOf } from './records.ts';

/** Longest line that is read, in characters; a longer one is noise. */
export const LONGEST_RECORD = 4 * 1024 * 1024;

/** Something in a file that is no record. Reading goes on. */
export interface ReadTrouble {
  readonly what: 'torn-tail' | 'not-a-record' | 'too-long' | 'gap';
  /** Line of the file, from 1. */
  readonly line: number;
  /** One sentence. */
  readonly text: string;
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
]);

/**
 * Reads a journal, or a plain capture (`{"atMs":…,"via":"…","line":"…"}` or `"b64"` a line), as records in batches.
 * Captured lines become records of kind `line` numbered from 0. A last line that was cut off, and anything else that
 * is no record, is told and left out; nothing throws but the source itself.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  told: (trouble: ReadTrouble) => void,
): AsyncGenerator<readonly JournalRecord[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  let skipping = false;
  let captured = 0;
  let lastSeq: number | undefined;

  const recordOf = (text: string): JournalRecord | undefined => {
    line++;
    if (text.trim() === '') return undefined;
    const record = parseRecord(text, captured);
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

  for await (const chunk of chunks) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n');
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
    if (batch.length > 0) yield batch;
  }

  if (rest.trim() === '' || skipping) return;
  // A record is written together with its line end: without one it was never safe, so never acted on.
  const last = parseRecord(rest, captured);
  if (last?.captured === true) yield [last.value];
  else {
    const bytes = Buffer.byteLength(rest);
    told({
      what: 'torn-tail',
      line: line + 1,
      text: `The last line was cut off; ${bytes} bytes were left out.`,
    });
  }
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

/**
 * Cuts a tail that was torn by a power cut off a journal, so that it may be continued. Returns the bytes cut. Looks
 * at the last 64 KiB only: more cannot be at risk.
 */
export async function trimTornTail(path: string): Promise<number> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - 65_536);
    const tail = Buffer.alloc(size - from);
    await file.read(tail, 0, tail.length, from);
    let end = tail.lastIndexOf('\n') + 1;
    while (end > 0) {
      const start = end === 1 ? 0 : tail.lastIndexOf('\n', end - 2) + 1;
      if (parseRecord(tail.toString('utf8', start, end), 0) !== undefined) break;
      if (start === 0) {
        end = 0;
        break;
      }
      end = start;
    }
    const cut = size - (from + end);
    // With no whole record in sight and more before it, this is no torn journal: leave it alone.
    if (cut === 0 || (end === 0 && from > 0)) return 0;
    await file.truncate(from + end);
    await file.datasync();
    return cut;
  } finally {
    await file.close();
  }
}

function parseRecord(
  text: string,
  captured: number,
): { readonly captured: boolean; readonly value: JournalRecord } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || typeof value.atMs !== 'number') return undefined;
  const { seq, atMs, kind, table, data } = value;
  if (typeof kind === 'string' && KINDS.has(kind)) {
    if (typeof seq !== 'number' || typeof table !== 'string' || data === undefined) return undefined;
    return { captured: false, value: { seq, atMs, kind: kind as RecordKind, table, data } };
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

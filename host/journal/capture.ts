import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import type { AtMs, Json, TableId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { RecordKind } from '../record.ts';
import { type Disk, type DiskFile, systemDisk } from './disk.ts';
import { isConsequential } from './records.ts';

/** Raw lines reach the disk within this time, ms, plus one write; with a sync of 25 ms at most 50 ms are at risk. */
export const LINE_DELAY_MS = 25;
/** Wait before a failed write is tried again, ms. */
export const WRITE_RETRY_MS = 1000;
/** Bytes that may wait while the disk fails; then raw lines are given up and counted. 10 min of two boards. */
export const WAITING_LIMIT_BYTES = 64 * 1024 * 1024;

/** What was in force when a journal began: its first record. */
export interface JournalHead {
  readonly host: string;
  readonly protocol: number;
  readonly ruleset: { readonly name: string; readonly version: string };
  readonly configHash: string;
  readonly layout: Json;
  /** Null before calibration. */
  readonly calibration: Json;
  readonly [key: string]: Json;
}

export interface JournalOptions {
  readonly dataDir: string;
  readonly table: TableId;
  readonly head: JournalHead;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk?: Disk;
  /** Told when the disk fails (with the fault) and when it works again (undefined). */
  readonly onTrouble?: (trouble: TableFault | undefined) => void;
}

/** The record of one table from one start to one stop: one JSON object a line, in the order it happened. */
export interface Journal {
  readonly path: string;
  /** Moment of its first record: a table that begins then is the one a replay begins. */
  readonly beganAtMs: AtMs;
  /** Adds a record and returns its number, from 0. Never throws, never waits; after `close` it does nothing. */
  append(kind: RecordKind, atMs: AtMs, data: object): number;
  /** Highest number that survives a power cut; -1 before the first. */
  readonly safeSeq: number;
  /** The disk fails; what is appended waits in memory. */
  readonly trouble: TableFault | undefined;
  /** Calls after each step of `safeSeq`. One listener. */
  onSafe(listener: (seq: number) => void): void;
  /** Writes what waits, without delay. Resolves when it is safe, or when the disk failed: see `trouble`. */
  flush(): Promise<void>;
  /** Adds the closing record, writes, closes. Rejects with a TableFault when the last records could not be saved. */
  close(atMs: AtMs): Promise<void>;
}

/**
 * Begins `<dataDir>/<table>/<start>.jsonl`. Throws a TableFault `journal/not-writable` when that cannot be done: a
 * host that cannot record must not start.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { clock, table, log } = options;
  const { file, path } = await createFile(options);
  const envelopeEnd = `,"table":${JSON.stringify(table)},"data":`;

  let nextSeq = 0;
  let safeSeq = -1;
  let waiting: string[] = [];
  let waitingBytes = 0;
  /** Where the next write begins; everything before is safe. */
  let position = 0;
  let linesGivenUp = 0;
  let trouble: TableFault | undefined;
  let onSafe = (_seq: number): void => {};
  let writing: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let closed: Promise<void> | undefined;
  let isClosed = false;

  const append = (kind: RecordKind, atMs: AtMs, data: object): number => {
    if (isClosed) return nextSeq - 1;
    if (kind === 'line' && waitingBytes > WAITING_LIMIT_BYTES) {
      linesGivenUp++;
      return nextSeq - 1;
    }
    const seq = nextSeq++;
    const text = `{"seq":${seq},"atMs":${JSON.stringify(atMs)},"kind":"${kind}"${envelopeEnd}${JSON.stringify(data)}}\n`;
    waiting.push(text);
    waitingBytes += text.length;
    if (trouble === undefined) {
      if (isConsequential(kind)) void flush();
      else cancelTimer ??= clock.after(LINE_DELAY_MS, () => void flush());
    }
    return seq;
  };

  const flush = (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = undefined;
    writing ??= writeAll();
    return writing;
  };

  const writeAll = async (): Promise<void> => {
    // Everything that one step appends goes out in one write.
    await Promise.resolve();
    try {
      while (waiting.length > 0) {
        const batch = waiting;
        const upTo = nextSeq - 1;
        const bytes = Buffer.from(batch.join(''), 'utf8');
        waiting = [];
        try {
          await file.write(bytes, position);
          await file.sync();
        } catch (error) {
          // Nothing of a failed sync may be trusted: all of it is written again, at the same place.
          waiting = batch.concat(waiting);
          fail(error);
          return;
        }
        position += bytes.length;
        waitingBytes -= batch.reduce((sum, text) => sum + text.length, 0);
        safeSeq = upTo;
        recover();
        onSafe(upTo);
      }
    } finally {
      writing = undefined;
    }
  };

  const fail = (error: unknown): void => {
    if (trouble === undefined) {
      trouble = writeFault(path, error);
      log.error(trouble.message, { table });
      options.onTrouble?.(trouble);
    }
    if (!isClosed) cancelTimer = clock.after(WRITE_RETRY_MS, () => void flush());
  };

  const recover = (): void => {
    if (trouble === undefined) return;
    trouble = undefined;
    log.info('The journal is written again', { table, path, linesGivenUp });
    options.onTrouble?.(undefined);
    if (linesGivenUp > 0) {
      const text = `${linesGivenUp} lines were not recorded while the disk failed.`;
      linesGivenUp = 0;
      append('fault', clock.now(), { link: '', code: 'journal/write-failed', text });
    }
  };

  const close = async (atMs: AtMs): Promise<void> => {
    append('close', atMs, { wallTime: clock.wall() });
    isClosed = true;
    while (safeSeq < nextSeq - 1) {
      await flush();
      if (trouble !== undefined) break;
    }
    cancelTimer?.();
    await file
      .close()
      .catch((error: unknown) => log.warn('The journal did not close', { why: wordsOf(error) }));
    if (trouble !== undefined) throw trouble;
  };

  const beganAtMs = clock.now();
  append('open', beganAtMs, { wallTime: clock.wall(), ...options.head });
  await flush();
  return {
    path,
    beganAtMs,
    append,
    get safeSeq() {
      return safeSeq;
    },
    get trouble() {
      return trouble;
    },
    onSafe(listener) {
      onSafe = listener;
    },
    flush,
    close(atMs) {
      closed ??= close(atMs);
      return closed;
    },
  };
}

async function createFile(options: JournalOptions): Promise<{ file: DiskFile; path: string }> {
  const disk = options.disk ?? systemDisk;
  const folder = join(options.dataDir, options.table);
  const start = options.clock.wall().replaceAll(':', '-');
  try {
    await disk.makeFolder(folder);
    for (let n = 1; ; n++) {
      const path = join(folder, n === 1 ? `${start}.jsonl` : `${start}-${n}.jsonl`);
      try {
        return { file: await disk.create(path), path };
      } catch (error) {
        if (systemCodeOf(error) !== 'EEXIST' || n >= 1000) throw error;
      }
    }
  } catch (error) {
    throw new TableFault(
      'journal/not-writable',
      `The folder ${folder} cannot be written (${systemCodeOf(error) ?? wordsOf(error)}).`,
      'Give dataDir a folder that this user may write to.',
      { cause: error },
    );
  }
}

function writeFault(path: string, error: unknown): TableFault {
  const full = ['ENOSPC', 'EDQUOT'].includes(systemCodeOf(error) ?? '');
  return new TableFault(
    'journal/write-failed',
    full
      ? `The disk is full: ${path} cannot be written, and play waits.`
      : `${path} cannot be written (${systemCodeOf(error) ?? wordsOf(error)}), and play waits.`,
    full
      ? 'Free some space; the host goes on by itself.'
      : 'Check the disk; the host tries again every second and goes on by itself.',
    { cause: error },
  );
}

import type { Clock } from '../clock.ts';
import { type TableFault, wordsOf } from '../fault.ts';
import type { AtMs, Json, TableId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { RecordKind } from '../record.ts';
import { textOfBase64Url } from './base64.ts';
import { createChain } from './chain.ts';
import type { Disk } from './disk.ts';
import { type JournalFolder, lowSpaceIn, openFolder } from './folder.ts';
import { leafOfText } from './hashing.ts';
import { keyText } from './note.ts';
import { isConsequential } from './records.ts';
import { compressClosed } from './retain.ts';
import { SEGMENT_BYTES } from './segments.ts';
import { notWritable, setBack, writeFault } from './trouble.ts';
import { type SegmentWriter, writeSegments } from './write.ts';

export { WRITE_RETRY_MS } from './write.ts';

/**
 * Raw lines reach the disk at ticks this far apart, ms; with a sync of 25 ms at most 50 ms are at risk. All tables of a
 * host share the ticks: what is synced together costs the disk one flush, not one for each table.
 */
export const LINE_DELAY_MS = 25;
/** Bytes that may wait while the disk fails; then raw lines are given up and counted. 10 min of two boards. */
export const WAITING_LIMIT_BYTES = 64 * 1024 * 1024;
/** A signed checkpoint follows after so many records, at match end and at stop. */
export const CHECKPOINT_RECORDS = 256;
/** Free room is looked at this often while lines come, ms. */
const LOOK_AT_SPACE_MS = 10_000;

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
  /** The table's folder, when it was opened before, as to find what to go on from. */
  readonly folder?: JournalFolder;
  /** The match in progress goes on: its state comes from the records before. */
  readonly resumes?: boolean;
  /** The clock whose ticks all tables share; by default the table's own. */
  readonly ticks?: Clock;
  /** Looks after closed segments, at the start and whenever one is closed, while it may go on. Never rejects. */
  readonly tidy?: (mayGoOn: () => boolean) => Promise<void>;
  /** Told when the disk fails (with the fault) and when it works again (undefined). */
  readonly onTrouble?: (trouble: TableFault | undefined) => void;
}

/** The record of one table: one JSON object a line, in the order it happened, from one start to the next. */
export interface Journal {
  /** The segment that is written now. */
  readonly path: string;
  /** Moment of the record that began it: a table that begins then is the one a replay begins. */
  readonly beganAtMs: AtMs;
  /** Adds a record and returns its number. Never throws, never waits; after `close` it does nothing. */
  append(kind: RecordKind, atMs: AtMs, data: object): number;
  /** Highest number that survives a power cut; -1 before the first. */
  readonly safeSeq: number;
  /** The disk fails; what is appended waits in memory. */
  readonly trouble: TableFault | undefined;
  /** Why no match may begin now: too little room is left. */
  readonly lowSpace?: TableFault | undefined;
  /** Calls after each step of `safeSeq`. One listener. */
  onSafe(listener: (seq: number) => void): void;
  /** Adds a signed checkpoint over everything before it, at once, and copies it beside the journal when it is safe. */
  checkpoint?(): void;
  /** Begins the next segment now; resolves when all before it are safe and compressed, so that nobody writes them again. */
  nextSegment?(): Promise<void>;
  /** Writes what waits, without delay. Resolves when it is safe, or when the disk failed: see `trouble`. */
  flush(): Promise<void>;
  /**
   * Adds the closing record, with the hash of the last state when it is given, writes, closes. Rejects with a
   * TableFault when the last records could not be saved.
   */
  close(atMs: AtMs, state?: string): Promise<void>;
}

/**
 * Begins the next segment of a table's journal in `<dataDir>/<table>/`. Throws a TableFault with the remedy when the
 * folder cannot be used: a host that cannot record must not start.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { clock, table, log } = options;
  const folder = options.folder ?? (await openFolder(options));
  const { found, signer, disk } = folder;
  const ticks = options.ticks ?? clock;
  const tidy = options.tidy ?? ((mayGoOn) => compressClosed(disk, folder.path, log, { mayGoOn }));
  let tidying: Promise<void> = Promise.resolve();
  const tidyUp = (): void => {
    tidying = tidying.then(() => tidy(() => !isClosed));
  };
  const chain = createChain(table, found.end);
  let waitingBytes = 0;
  let linesGivenUp = 0;
  let onSafe = (_seq: number): void => {};
  let cancelTimer: (() => void) | undefined;
  let closed: Promise<void> | undefined;
  let isClosed = false;
  let signedSize = found.end.nextSeq;
  let segmentBytes = 0;
  let lastAtMs = found.lastAtMs;
  let openSeq = found.openSeq ?? 0;
  /** Leaf hash of the `open` in force. */
  let openHash = '';
  let lowSpace = folder.lowSpace;
  let lookedMs = clock.now();

  let writer: SegmentWriter;
  try {
    writer = await writeSegments(disk, folder.path, found.end.nextSeq, {
      safe(seq, bytes) {
        waitingBytes -= bytes;
        onSafe(seq);
      },
      failed(error) {
        const trouble = writeFault(writer.path, error);
        log.error(trouble.message, { table });
        options.onTrouble?.(trouble);
        return trouble;
      },
      recovered() {
        log.info('The journal is written again', { table, path: writer.path, linesGivenUp });
        options.onTrouble?.(undefined);
        if (linesGivenUp === 0) return;
        const text = `${linesGivenUp} lines were not recorded while the disk failed.`;
        linesGivenUp = 0;
        append('fault', clock.now(), { link: '', code: 'journal/write-failed', text });
      },
      after: (ms, then) => clock.after(ms, then),
    });
  } catch (error) {
    await folder.release().catch(() => {});
    throw notWritable(folder.path, error);
  }

  const put = (kind: RecordKind, atMs: AtMs, data: object): number => {
    const seq = chain.nextSeq;
    // A match that begins by a snapshot vouches so for the start it was played under, whatever becomes of records between.
    const told = kind === 'snapshot' ? { ...data, open: { hash: openHash, seq: openSeq } } : data;
    const text = chain.add(kind, atMs, told);
    if (kind === 'open') openHash = textOfBase64Url(leafOfText(text));
    lastAtMs = atMs;
    segmentBytes += text.length + 1;
    waitingBytes += text.length + 1;
    writer.add(seq, text);
    return seq;
  };

  const append = (kind: RecordKind, atMs: AtMs, data: object): number => {
    if (isClosed) return chain.nextSeq - 1;
    if (kind === 'line' && waitingBytes > WAITING_LIMIT_BYTES) {
      linesGivenUp++;
      return chain.nextSeq - 1;
    }
    const seq = put(kind, atMs, data);
    if (chain.nextSeq - signedSize >= CHECKPOINT_RECORDS) checkpoint();
    if (writer.trouble === undefined) {
      if (isConsequential(kind)) void flush();
      else
        cancelTimer ??= clock.after(LINE_DELAY_MS - (ticks.now() % LINE_DELAY_MS), () => void flush(false));
    }
    if (clock.now() - lookedMs >= LOOK_AT_SPACE_MS) void lookAtSpace();
    return seq;
  };

  const checkpoint = (): void => {
    if (isClosed || signedSize === chain.nextSeq) return;
    const note = signer.sign({ origin: folder.origin, size: chain.nextSeq, root: chain.tree.root() });
    put('checkpoint', lastAtMs, { note });
    signedSize = chain.nextSeq;
    newest = note;
    if (segmentBytes >= SEGMENT_BYTES) beginSegment();
  };
  let newest = '';

  const beginSegment = (): void => {
    segmentBytes = 0;
    writer.beginSegment(chain.nextSeq);
    put('segment', lastAtMs, segmentData());
    tidyUp();
  };

  const nextSegment = async (): Promise<void> => {
    checkpoint();
    beginSegment();
    await flush();
    await tidying;
  };

  const segmentData = (): object => ({
    frontier: chain.tree.frontier().map(textOfBase64Url),
    open: openSeq,
    key: keyText(signer.key),
    wallTime: clock.wall(),
  });

  const lookAtSpace = async (): Promise<void> => {
    lookedMs = clock.now();
    const low = await lowSpaceIn(disk, folder.path);
    if (low !== undefined && lowSpace === undefined) log.warn(low.message, { table });
    lowSpace = low;
  };

  /** Keeps the newest checkpoint beside the journal, for whoever wants to take a copy. */
  const copyNewest = async (): Promise<void> => {
    await disk
      .replace(`${folder.path}/checkpoint.txt`, Buffer.from(newest))
      .catch((error: unknown) => log.warn('The newest checkpoint was not copied', { why: wordsOf(error) }));
  };

  const flush = (hurried = true): Promise<void> => {
    cancelTimer?.();
    cancelTimer = undefined;
    return writer.flush(hurried);
  };

  const close = async (atMs: AtMs, state: string | undefined): Promise<void> => {
    append('close', atMs, { wallTime: clock.wall(), ...(state === undefined ? {} : { state }) });
    checkpoint();
    isClosed = true;
    await writer.close();
    cancelTimer?.();
    if (writer.trouble === undefined) await copyNewest();
    await tidying;
    await folder.release().catch((error: unknown) => log.warn(`The lock stays: ${wordsOf(error)}`));
    if (writer.trouble !== undefined) throw writer.trouble;
  };

  const beganAtMs = Math.max(clock.now(), found.lastAtMs);
  lastAtMs = beganAtMs;
  const wallTime = clock.wall();
  if (found.end.nextSeq > 0) put('segment', beganAtMs, segmentData());
  openSeq = append('open', beganAtMs, {
    wallTime,
    key: keyText(signer.key),
    resumes: options.resumes === true,
    ...options.head,
  });
  const remarks = [...folder.remarks, ...setBack(found.lastWall, wallTime)];
  for (const { code, text } of remarks) append('fault', beganAtMs, { link: '', code, text });
  for (const { code, text } of setBack(found.lastWall, wallTime)) log.warn(text, { table, code });
  await flush();
  tidyUp();
  return {
    get path() {
      return writer.path;
    },
    beganAtMs,
    append,
    get safeSeq() {
      return writer.safeSeq;
    },
    get trouble() {
      return writer.trouble;
    },
    get lowSpace() {
      return lowSpace;
    },
    onSafe(listener) {
      onSafe = listener;
    },
    checkpoint() {
      checkpoint();
      void flush().then(() => {
        if (writer.trouble === undefined && !isClosed) return copyNewest();
      });
    },
    nextSegment,
    flush: () => flush(),
    close(atMs, state) {
      closed ??= close(atMs, state);
      return closed;
    },
  };
}

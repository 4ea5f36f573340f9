import { join } from 'node:path';
import { systemCodeOf, type TableFault } from '../fault.ts';
import type { Disk, DiskFile } from './disk.ts';
import { type Turn, turnsOn } from './disk-turns.ts';
import { segmentName } from './segments.ts';

/** Wait before a failed write is tried again, ms. */
export const WRITE_RETRY_MS = 1000;

export interface WriterEvents {
  /** Everything up to this record survives a power cut; so many characters were written for it. */
  safe(seq: number, length: number): void;
  /** The disk fails. Gives the fault to tell of. Called once until it works again. */
  failed(error: unknown): TableFault;
  recovered(): void;
  after(ms: number, then: () => void): () => void;
}

/** Brings records to the disk, in order, in as few writes as their sources allow. */
export interface SegmentWriter {
  readonly path: string;
  readonly safeSeq: number;
  readonly trouble: TableFault | undefined;
  /** Takes a record; it is written at the next flush. */
  add(seq: number, text: string): void;
  /** What is added from now on goes into the segment that begins with this record. */
  beginSegment(firstSeq: number): void;
  /** Brings what was added to the disk; not `hurried`, when the disk has time for what nobody waits for. */
  flush(hurried?: boolean): Promise<void>;
  /** Writes everything once more and closes the file; `trouble` says when that failed. */
  close(): Promise<void>;
}

/** What goes into one file in one write. */
interface Batch {
  readonly firstSeq: number | undefined;
  texts: string[];
  upTo: number;
}

/** Opens the segment that begins with record `firstSeq`. Rejects when it cannot be made. */
export async function writeSegments(
  disk: Disk,
  folder: string,
  firstSeq: number,
  events: WriterEvents,
): Promise<SegmentWriter> {
  let path = join(folder, segmentName(firstSeq));
  let file: DiskFile = await disk.create(path);
  /** Where the next write begins; everything before is safe. */
  let position = 0;
  let safeSeq = firstSeq - 1;
  let lastSeq = firstSeq - 1;
  let trouble: TableFault | undefined;
  let writing: Promise<void> | undefined;
  let cancelRetry: (() => void) | undefined;
  let isClosed = false;
  const turns = turnsOn(disk);
  let turn: Turn | undefined;
  let isHurried = false;
  let batches: Batch[] = [{ firstSeq: undefined, texts: [], upTo: lastSeq }];

  const flush = (hurried = true): Promise<void> => {
    cancelRetry?.();
    cancelRetry = undefined;
    if (hurried) {
      isHurried = true;
      turn?.hurry();
    }
    writing ??= writeAll();
    return writing;
  };

  const writeAll = async (): Promise<void> => {
    // Everything that one step adds goes out in one write.
    await Promise.resolve();
    try {
      while (hasBatch()) {
        turn?.done();
        turn = turns.ask(isHurried);
        await turn.come;
        isHurried = false;
        const batch = takeBatch();
        if (batch === undefined) return;
        // The empty line says that everything before it was one write.
        const text = `${batch.texts.join('\n')}\n\n`;
        const bytes = Buffer.from(text, 'utf8');
        try {
          if (batch.firstSeq !== undefined) await moveOn(batch.firstSeq);
          await file.write(bytes, position);
          await file.sync();
        } catch (error) {
          // Nothing of a failed sync may be trusted: all of it is written again, at the same place.
          putBack(batch);
          trouble ??= events.failed(error);
          if (!isClosed) cancelRetry = events.after(WRITE_RETRY_MS, () => void flush());
          return;
        }
        position += bytes.length;
        safeSeq = batch.upTo;
        if (trouble !== undefined) {
          trouble = undefined;
          events.recovered();
        }
        events.safe(safeSeq, text.length - 1);
      }
    } finally {
      turn?.done();
      turn = undefined;
      // Whoever hurried has been served, or is with the next try.
      isHurried = false;
      writing = undefined;
    }
  };

  const hasBatch = (): boolean => (batches[0]?.texts.length ?? 0) > 0;

  const takeBatch = (): Batch | undefined => {
    const [first, ...rest] = batches;
    if (first === undefined || first.texts.length === 0) return undefined;
    batches = rest.length > 0 ? rest : [{ firstSeq: undefined, texts: [], upTo: lastSeq }];
    return first;
  };

  const putBack = (batch: Batch): void => {
    const [next, ...rest] = batches;
    if (next !== undefined && next.firstSeq === undefined) {
      batches = [
        {
          ...batch,
          texts: [...batch.texts, ...next.texts],
          upTo: next.texts.length > 0 ? next.upTo : batch.upTo,
        },
        ...rest,
      ];
    } else batches = [batch, ...batches];
  };

  const moveOn = async (seq: number): Promise<void> => {
    const next = join(folder, segmentName(seq));
    if (next === path) return;
    let opened: DiskFile;
    try {
      opened = await disk.create(next);
    } catch (error) {
      // Made by a try that failed later.
      if (systemCodeOf(error) !== 'EEXIST') throw error;
      opened = await disk.open(next);
    }
    await file.close().catch(() => {});
    file = opened;
    path = next;
    position = 0;
  };

  return {
    get path() {
      return path;
    },
    get safeSeq() {
      return safeSeq;
    },
    get trouble() {
      return trouble;
    },
    add(seq, text) {
      const batch = batches.at(-1);
      lastSeq = seq;
      batch?.texts.push(text);
      if (batch !== undefined) batch.upTo = seq;
    },
    beginSegment(seq) {
      batches.push({ firstSeq: seq, texts: [], upTo: lastSeq });
      batches = batches.filter(({ texts }, i) => texts.length > 0 || i === batches.length - 1);
    },
    flush,
    async close() {
      isClosed = true;
      while (safeSeq < lastSeq) {
        await flush();
        if (trouble !== undefined) break;
      }
      cancelRetry?.();
      await file.close().catch(() => {});
    },
  };
}

import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import type { Disk } from './disk.ts';

/** A segment is closed and the next begun when it holds this much, bytes: what a start has to read at most. */
export const SEGMENT_BYTES = 8 * 1024 * 1024;

/** One file of a journal. Closed ones may be compressed. */
export interface Segment {
  /** Number of its first record. */
  readonly firstSeq: number;
  readonly path: string;
  readonly compressed: boolean;
}

const NAME = /^(\d{12})\.jsonl(\.gz)?$/;

/** Name of the segment that begins with this record. */
export function segmentName(firstSeq: number): string {
  return `${String(firstSeq).padStart(12, '0')}.jsonl`;
}

/** The segments in a table's folder, oldest first. Of a segment that is there plain and compressed the plain one counts. */
export async function segmentsIn(disk: Disk, folder: string): Promise<readonly Segment[]> {
  const found = new Map<number, Segment>();
  for (const name of await disk.list(folder)) {
    const match = NAME.exec(name);
    if (match === null) continue;
    const firstSeq = Number(match[1]);
    if (found.has(firstSeq)) continue;
    found.set(firstSeq, { firstSeq, path: join(folder, name), compressed: match[2] !== undefined });
  }
  return [...found.values()].sort((a, b) => a.firstSeq - b.firstSeq);
}

/** The bytes of a segment as they were written. */
export function segmentChunks(disk: Disk, segment: Segment): AsyncIterable<Uint8Array> {
  const chunks = disk.chunks(segment.path);
  return segment.compressed ? unzipped(chunks, segment.path) : chunks;
}

/** Unpacks gzip, piece by piece. Throws a TableFault `journal/unreadable` that names the file when it is none or cut off. */
export async function* unzipped(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const unzip = createGunzip();
  pipeline(Readable.from(chunks), unzip, () => {});
  try {
    yield* unzip;
  } catch (error) {
    if (systemCodeOf(error)?.startsWith('Z_') !== true) throw error;
    throw new TableFault(
      'journal/unreadable',
      `${path} cannot be unpacked (${wordsOf(error)}).`,
      'It was cut off or is no gzip file: take another copy of it.',
      { cause: error },
    );
  }
}

/** All segments one after the other, from the one that holds record `fromSeq`. */
export async function* journalChunks(
  disk: Disk,
  segments: readonly Segment[],
  fromSeq = 0,
): AsyncGenerator<Uint8Array> {
  for (const [i, segment] of segments.entries()) {
    const next = segments[i + 1];
    if (next !== undefined && next.firstSeq <= fromSeq) continue;
    yield* segmentChunks(disk, segment);
  }
}

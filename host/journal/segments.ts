import { join } from 'node:path';
import type { Damage } from './damage.ts';
import type { Disk } from './disk.ts';
import { unzipped, unzippedSoFar } from './unpack.ts';

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

/** The bytes of a segment as they were written. Throws a TableFault `journal/unreadable` when they cannot be unpacked. */
export function segmentChunks(disk: Disk, segment: Segment): AsyncIterable<Uint8Array> {
  const chunks = disk.chunks(segment.path);
  return segment.compressed ? unzipped(chunks, segment.path) : chunks;
}

/**
 * All segments one after the other, from the one that holds record `fromSeq`; of one that cannot be unpacked whole as much
 * as can, then what is wrong with it, then the next.
 */
export async function* journalChunks(
  disk: Disk,
  segments: readonly Segment[],
  fromSeq = 0,
): AsyncGenerator<Uint8Array | Damage> {
  for (const [i, segment] of segments.entries()) {
    const next = segments[i + 1];
    if (next !== undefined && next.firstSeq <= fromSeq) continue;
    if (segment.compressed) yield* unzippedSoFar(disk, segment.path);
    else yield* disk.chunks(segment.path);
  }
}

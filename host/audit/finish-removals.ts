import type { Disk } from '../journal/disk.ts';
import type { Rewriting } from '../journal/rewriting.ts';
import { segmentChunks, segmentsIn } from '../journal/segments.ts';
import { matchesIn, readIndex } from './matches.ts';
import { pruneMatch } from './remove-match.ts';

/**
 * Takes out what a tombstone speaks of and a crash left in the journal. Returns how many records went. Reads the list of
 * matches and looks for tombstones behind it; only where there is one are records read.
 */
export async function finishRemovals(disk: Disk, folder: string, rewriting: Rewriting): Promise<number> {
  const listed = await readIndex(disk, folder);
  const isKnown = listed.some(({ removed, gone }) => removed !== undefined && gone !== true);
  if (!isKnown && !(await hasTombstone(disk, folder, listed.at(-1)?.to ?? 0))) return 0;
  let records = 0;
  for (const match of await matchesIn(disk, folder)) {
    if (match.removed === undefined || match.gone === true) continue;
    records += await pruneMatch(disk, folder, match, rewriting);
  }
  return records;
}

const MARK = '"kind":"tombstone"';

/** Whether there may be a tombstone from that record on: its mark is in the bytes. */
async function hasTombstone(disk: Disk, folder: string, fromSeq: number): Promise<boolean> {
  const segments = await segmentsIn(disk, folder);
  for (const [i, segment] of segments.entries()) {
    if ((segments[i + 1]?.firstSeq ?? Number.POSITIVE_INFINITY) <= fromSeq) continue;
    let end = Buffer.alloc(0);
    for await (const chunk of segmentChunks(disk, segment)) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      // A mark may lie across two pieces.
      if (bytes.includes(MARK) || Buffer.concat([end, bytes.subarray(0, MARK.length)]).includes(MARK)) {
        return true;
      }
      end = Buffer.from(bytes.subarray(-MARK.length));
    }
  }
  return false;
}

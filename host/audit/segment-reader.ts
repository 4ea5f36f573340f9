import type { Disk } from '../journal/disk.ts';
import { type ChainedRecord, endOf, entryOfText, LONGEST_END } from '../journal/entry.ts';
import { type Segment, segmentChunks, segmentsIn } from '../journal/segments.ts';

/** Segments kept unpacked, each about 8 MB. */
const KEPT = 2;
/** Records given at a time. */
const BATCH = 256;
const LINE_FEED = 10;

/** What stands from one record on, in pieces; `gone` where records were removed with leave. */
export type Piece = { readonly records: readonly ChainedRecord[]; readonly gone: boolean };

/** Reads a journal from any record on, at the cost of one segment. Holds two unpacked segments at most. */
export interface SegmentReader {
  from(seq: number, until: number): AsyncGenerator<Piece>;
  /** Bytes of every segment that holds records from `seq` to `until`, one after the other. */
  texts(seq: number, until: number): AsyncGenerator<Uint8Array>;
}

export function segmentReader(disk: Disk, folder: string): SegmentReader {
  let kept: { readonly key: string; readonly bytes: Uint8Array }[] = [];

  /** The unpacked bytes of a segment. The host may have compressed it since the folder was listed. */
  const bytesOf = async (segment: Segment, last: boolean): Promise<Uint8Array> => {
    const key = segment.path.replace(/\.gz$/, '');
    const found = last ? undefined : kept.find((one) => one.key === key);
    if (found !== undefined) return found.bytes;
    const packed = { ...segment, path: `${key}.gz`, compressed: true };
    const bytes = await all(segmentChunks(disk, segment)).catch(() => all(segmentChunks(disk, packed)));
    // The newest segment still grows.
    if (!last) kept = [{ key, bytes }, ...kept].slice(0, KEPT);
    return bytes;
  };

  async function* texts(seq: number, until: number): AsyncGenerator<Uint8Array> {
    const segments = await segmentsIn(disk, folder);
    for (const [i, segment] of segments.entries()) {
      const next = segments[i + 1];
      if ((next !== undefined && next.firstSeq <= seq) || segment.firstSeq >= until) continue;
      yield await bytesOf(segment, next === undefined);
    }
  }

  return {
    texts,
    async *from(seq, until) {
      for await (const bytes of texts(seq, until)) {
        let records: ChainedRecord[] = [];
        let at = lineOf(bytes, seq);
        while (at < bytes.length) {
          const end = bytes.indexOf(LINE_FEED, at);
          if (end < 0) break;
          const text = textOf(bytes, at, end);
          at = end + 1;
          if (text === '') continue;
          const entry = entryOfText(text);
          if (entry === undefined || 'pruned' in entry) {
            const { from = 0, to = 0 } = entry?.pruned ?? {};
            if (entry === undefined || (to > seq && from < until)) yield { records: [], gone: true };
            continue;
          }
          if (entry.record.seq >= until) break;
          if (entry.record.seq >= seq) records.push(entry.record);
          if (records.length >= BATCH) {
            yield { records, gone: false };
            records = [];
          }
        }
        if (records.length > 0) yield { records, gone: false };
      }
    },
  };
}

/** Where to begin so that nothing from record `seq` on is missed: halves the bytes until lines tell where it stands. */
function lineOf(bytes: Uint8Array, seq: number): number {
  let low = 0;
  let high = bytes.length;
  while (high - low > 4096) {
    const middle = bytes.indexOf(LINE_FEED, (low + high) >> 1);
    if (middle < 0 || middle >= high) break;
    const found = seqAfter(bytes, middle + 1);
    if (found === undefined) break;
    if (found.seq > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Number of the first record that begins at or after a place. */
function seqAfter(bytes: Uint8Array, from: number): { readonly seq: number } | undefined {
  let at = from;
  while (at < bytes.length) {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end < 0) return undefined;
    const found = endOf(textOf(bytes, Math.max(at, end - LONGEST_END), end));
    if (found !== undefined) return found;
    at = end + 1;
  }
  return undefined;
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

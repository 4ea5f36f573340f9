import type { Disk } from '../journal/disk.ts';
import { entryOfText, isObject } from '../journal/entry.ts';
import { linesOf } from '../journal/lines.ts';
import { type Rewriting, whileRewriting } from '../journal/rewriting.ts';
import { type Segment, segmentChunks, segmentsIn } from '../journal/segments.ts';
import { matchesIn } from './matches.ts';
import { pruneSegment } from './remove-match.ts';

/** How much of the raw lines is kept. Rulings, commands and events are kept for ever. */
export interface Retention {
  /** Most that all segments of a table may take, bytes. */
  readonly mostBytes?: number;
  /** Raw lines of segments begun before this are let go, days. */
  readonly mostDays?: number;
}

/** Raw kinds: what rulings were made of, and not what was ruled. */
const RAW: ReadonlySet<string> = new Set(['line', 'sent', 'tick']);

/**
 * Lets raw lines go, oldest segment first, until both bounds hold; never of the newest match, which a start may need,
 * never a ruling, a command, an event, a link change or a fault. Hashes stand for what went. Returns how many records
 * went.
 */
export async function retain(
  disk: Disk,
  folder: string,
  retention: Retention,
  nowWall: string,
  rewriting: Rewriting = {},
): Promise<Went> {
  if (retention.mostBytes === undefined && retention.mostDays === undefined) return NOTHING;
  const needed = (await matchesIn(disk, folder)).at(-1)?.from ?? 0;
  const went = await whileRewriting(disk, folder, rewriting, () =>
    letGo({ disk, folder, retention, nowWall, needed, ...rewriting }),
  );
  return went ?? NOTHING;
}

/** How many segments were written again, and how many records went. */
interface Went {
  readonly segments: number;
  readonly records: number;
}

const NOTHING: Went = { segments: 0, records: 0 };

async function letGo(ask: {
  readonly disk: Disk;
  readonly folder: string;
  readonly retention: Retention;
  readonly nowWall: string;
  /** Records from here on stay whole. */
  readonly needed: number;
  readonly mayGoOn?: () => boolean;
}): Promise<Went> {
  const { disk, folder, retention, nowWall, needed, mayGoOn = () => true } = ask;
  const segments = await segmentsIn(disk, folder);
  const sizes = await Promise.all(segments.map(({ path }) => disk.size(path)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let pruned = 0;
  let records = 0;
  for (const [i, segment] of segments.slice(0, -1).entries()) {
    if ((segments[i + 1]?.firstSeq ?? 0) > needed || !mayGoOn()) break;
    const tooOld =
      retention.mostDays !== undefined && (await daysOld(disk, segment, nowWall)) > retention.mostDays;
    const tooMuch = retention.mostBytes !== undefined && total > retention.mostBytes;
    if (!tooOld && !tooMuch) continue;
    const went = await pruneSegment(disk, segment, (_seq, kind) => RAW.has(kind));
    if (went === 0) continue;
    pruned += 1;
    records += went;
    total += (await disk.size(segment.path)) - (sizes[i] ?? 0);
  }
  return { segments: pruned, records };
}

/** Age of a segment by its first label of wall time; 0 when it has none. */
async function daysOld(disk: Disk, segment: Segment, nowWall: string): Promise<number> {
  for await (const lines of linesOf(segmentChunks(disk, segment))) {
    for (const { bytes } of lines) {
      const entry = entryOfText(Buffer.from(bytes).toString('utf8'));
      const data = entry !== undefined && 'record' in entry ? entry.record.data : null;
      if (!isObject(data) || typeof data.wallTime !== 'string') continue;
      return (Date.parse(nowWall) - Date.parse(data.wallTime)) / 86_400_000;
    }
  }
  return 0;
}

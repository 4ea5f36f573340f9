import type { Disk } from '../journal/disk.ts';
import { entryOfText, isObject } from '../journal/entry.ts';
import { linesOf } from '../journal/lines.ts';
import { type Rewriting, whileRewriting } from '../journal/rewriting.ts';
import { type Segment, segmentChunks, segmentsIn } from '../journal/segments.ts';
import { snapshotsIn } from '../journal/snapshots.ts';
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
 * Lets raw lines go, oldest segment first, until both bounds hold; of the newest match, which a start may need, only those
 * that were heard after its end and before the newest kept states; never a ruling, a command, an event, a link change or a fault. Hashes stand for what went. Returns how many records
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
  const newest = (await matchesIn(disk, folder)).at(-1);
  const needed = newest?.from ?? 0;
  const restsFrom = newest?.restsFrom ?? Number.POSITIVE_INFINITY;
  // A start goes on from the newest state that can be read, over every line behind it.
  const [, state = 0] = await snapshotsIn(disk, folder);
  const went = await whileRewriting(disk, folder, rewriting, () =>
    letGo({ disk, folder, retention, nowWall, needed, rest: { from: restsFrom, to: state }, ...rewriting }),
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
  /** Records from here on stay whole, */
  readonly needed: number;
  /** but for these, of the time after the end of the newest match. */
  readonly rest: { readonly from: number; readonly to: number };
  readonly mayGoOn?: () => boolean;
}): Promise<Went> {
  const { disk, folder, retention, nowWall, needed, rest, mayGoOn = () => true } = ask;
  const segments = await segmentsIn(disk, folder);
  const sizes = await Promise.all(segments.map(({ path }) => disk.size(path)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let pruned = 0;
  let records = 0;
  for (const [i, segment] of segments.slice(0, -1).entries()) {
    if (!mayGoOn()) break;
    const end = segments[i + 1]?.firstSeq ?? Number.POSITIVE_INFINITY;
    if (end > needed && !(segment.firstSeq >= rest.from && end <= rest.to)) continue;
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

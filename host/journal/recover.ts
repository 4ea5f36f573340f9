import { basename, join } from 'node:path';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import type { AtMs, TableId } from '../ids.ts';
import type { RecordKind } from '../record.ts';
import { bytesOfBase64Url, textOfBase64Url } from './base64.ts';
import { type ChainEnd, EMPTY_CHAIN, NO_PREV } from './chain.ts';
import type { Disk } from './disk.ts';
import { type ChainedRecord, entryOfText, isObject } from './entry.ts';
import { nodeHashing } from './hashing.ts';
import { linesOf } from './lines.ts';
import { type Segment, segmentChunks, segmentsIn } from './segments.ts';
import { type Digest, growTree, type Tree } from './tree.ts';

/** What a start finds of the journal before it. */
export interface Found {
  readonly end: ChainEnd;
  readonly segments: readonly Segment[];
  /** Latest time in it; 0 when there is nothing. */
  readonly lastAtMs: AtMs;
  /** Wall time of `lastAtMs`, reckoned from the newest label. */
  readonly lastWall?: string;
  /** Number of the newest `open`. */
  readonly openSeq?: number;
  /** Text of the key that the newest `open` names. */
  readonly key?: string;
  /** It ended with a stop, not with a crash. */
  readonly closed: boolean;
  /** Bytes that were cut off its end, and where they are kept. */
  readonly torn?: { readonly bytes: number; readonly aside: string };
  /** Records before its end that cannot be read or are not what was written. */
  readonly damaged: readonly number[];
}

/** Kinds whose time is the time of writing; outputs may tell of earlier moments. */
const TIMED: ReadonlySet<RecordKind> = new Set(['open', 'line', 'link', 'command', 'tick', 'close']);

const NOTHING: Found = { end: EMPTY_CHAIN, segments: [], lastAtMs: 0, closed: true, damaged: [] };

/**
 * Finds the last good record of a table's journal and cuts off what was torn behind it, which is kept in `aside/`.
 * Reads the last segment only. Throws a TableFault `journal/unreadable` when the folder cannot be read at all.
 */
export async function recoverJournal(disk: Disk, folder: string): Promise<Found> {
  try {
    return await recover(disk, folder);
  } catch (error) {
    if (error instanceof TableFault) throw error;
    const denied = ['EACCES', 'EPERM', 'EROFS'].includes(systemCodeOf(error) ?? '');
    throw new TableFault(
      denied ? 'journal/not-writable' : 'journal/unreadable',
      `The journal in ${folder} cannot be ${denied ? 'written' : 'read'} (${systemCodeOf(error) ?? wordsOf(error)}).`,
      'Check the folder and its permissions.',
      { cause: error },
    );
  }
}

async function recover(disk: Disk, folder: string): Promise<Found> {
  const segments = [...(await segmentsIn(disk, folder))];
  let torn: Found['torn'];
  while (true) {
    const last = segments.at(-1);
    if (last === undefined) return torn === undefined ? NOTHING : { ...NOTHING, torn };
    const scan = await scanSegment(disk, last);
    const size = last.compressed ? scan.endBytes : await disk.size(last.path);
    const cut = size - scan.endBytes;
    if (cut > 0) {
      const aside = await keepAside(disk, folder, last.path, scan.endBytes);
      torn = { bytes: cut + (torn?.bytes ?? 0), aside };
      if (scan.records > 0) await truncate(disk, last.path, scan.endBytes);
    }
    if (scan.records === 0) {
      await disk.remove(last.path);
      segments.pop();
      continue;
    }
    return {
      end: { nextSeq: scan.nextSeq, prev: scan.prev, frontier: scan.tree.frontier() },
      segments,
      lastAtMs: scan.lastAtMs,
      closed: scan.closed,
      damaged: scan.damaged,
      ...wallOf(scan),
      ...(scan.openSeq === undefined ? {} : { openSeq: scan.openSeq }),
      ...(scan.key === undefined ? {} : { key: scan.key }),
      ...(torn === undefined ? {} : { torn }),
    };
  }
}

function wallOf(scan: Scan): { readonly lastWall?: string } {
  const labelled = scan.wall === undefined ? Number.NaN : Date.parse(scan.wall.label);
  if (scan.wall === undefined || Number.isNaN(labelled)) return {};
  return { lastWall: new Date(labelled + Math.max(0, scan.lastAtMs - scan.wall.atMs)).toISOString() };
}

interface Scan {
  records: number;
  nextSeq: number;
  prev: string;
  tree: Tree;
  /** End of the last good line in the file. */
  endBytes: number;
  lastAtMs: AtMs;
  /** Newest label of wall time and when it was written. */
  wall: { readonly label: string; readonly atMs: AtMs } | undefined;
  openSeq: number | undefined;
  key: string | undefined;
  closed: boolean;
  damaged: number[];
}

type Item = { readonly record: ChainedRecord | undefined; readonly leaf: Digest; readonly endBytes: number };

/** Reads a segment up to its last good record. What is wrong in the last write of all counts as torn. */
async function scanSegment(disk: Disk, segment: Segment): Promise<Scan> {
  const { items, syncedItems } = await itemsOf(disk, segment);
  let good = items.length;
  while (good > 0 && items[good - 1]?.record === undefined) good -= 1;
  // Within the last write any hole means that its end was never safe, even where later bytes reached the disk.
  for (let i = Math.max(0, syncedItems); i < good; i += 1) {
    if (!follows(items, i, segment.firstSeq)) good = i;
  }
  const scan: Scan = {
    records: 0,
    nextSeq: segment.firstSeq,
    prev: NO_PREV,
    tree: growTree(nodeHashing),
    endBytes: 0,
    lastAtMs: 0,
    wall: undefined,
    openSeq: undefined,
    key: undefined,
    closed: false,
    damaged: [],
  };
  begin(scan, segment.firstSeq, items[0]?.record);
  for (let i = 0; i < good; i += 1) {
    const item = items[i];
    if (item !== undefined) takeItem(scan, item, items[i + 1]?.record);
  }
  return scan;
}

function follows(items: readonly Item[], i: number, firstSeq: number): boolean {
  const record = items[i]?.record;
  if (record === undefined) return false;
  const before = items[i - 1];
  if (before === undefined) return record.seq === firstSeq;
  return record.prev === textOfBase64Url(before.leaf) && record.seq === (before.record?.seq ?? -2) + 1;
}

/** Takes the tree so far from the first record of a later segment. */
function begin(scan: Scan, firstSeq: number, first: ChainedRecord | undefined): void {
  if (firstSeq === 0) return;
  const data = first?.kind === 'segment' && isObject(first.data) ? first.data : {};
  const hashes = Array.isArray(data.frontier) ? data.frontier : [];
  const frontier = hashes.flatMap((hash) =>
    typeof hash === 'string' ? [bytesOfBase64Url(hash) ?? new Uint8Array(32)] : [],
  );
  try {
    scan.tree = growTree(nodeHashing, firstSeq, frontier);
  } catch {
    // Without it nothing after can be proven to belong to what was before; the records themselves can.
    scan.damaged.push(firstSeq);
    for (let n = 0; n < firstSeq; n += 1) scan.tree.append(new Uint8Array(32));
  }
  if (typeof data.open === 'number') scan.openSeq = data.open;
  if (typeof data.key === 'string') scan.key = data.key;
  if (typeof data.wallTime === 'string') scan.wall = { label: data.wallTime, atMs: first?.atMs ?? 0 };
}

function takeItem(scan: Scan, item: Item, next: ChainedRecord | undefined): void {
  const { record } = item;
  scan.records += 1;
  scan.endBytes = item.endBytes;
  if (record === undefined) {
    // What the record after it says of it is what was written; the tree stays right.
    scan.damaged.push(scan.nextSeq);
    const was = next?.seq === scan.nextSeq + 1 ? bytesOfBase64Url(next.prev) : undefined;
    add(scan, was ?? item.leaf);
    return;
  }
  for (; scan.nextSeq < record.seq; ) {
    scan.damaged.push(scan.nextSeq);
    add(
      scan,
      scan.nextSeq + 1 === record.seq ? (bytesOfBase64Url(record.prev) ?? item.leaf) : new Uint8Array(32),
    );
  }
  add(scan, item.leaf);
  if (TIMED.has(record.kind)) scan.lastAtMs = Math.max(scan.lastAtMs, record.atMs);
  const data = isObject(record.data) ? record.data : {};
  if (typeof data.wallTime === 'string') scan.wall = { label: data.wallTime, atMs: record.atMs };
  if (record.kind === 'open') {
    scan.openSeq = record.seq;
    if (typeof data.key === 'string') scan.key = data.key;
  }
  scan.closed = record.kind === 'close' || (scan.closed && record.kind === 'checkpoint');
}

function add(scan: Scan, leaf: Digest): void {
  scan.tree.append(leaf);
  scan.prev = textOfBase64Url(leaf);
  scan.nextSeq += 1;
}

/** Lines as records with their hashes, and how many of them earlier writes than the last one brought. */
async function itemsOf(disk: Disk, segment: Segment): Promise<{ items: Item[]; syncedItems: number }> {
  const items: Item[] = [];
  const marks: number[] = [];
  for await (const lines of linesOf(segmentChunks(disk, segment))) {
    for (const { bytes, offset, whole } of lines) {
      if (bytes.length === 0) {
        // A write ends with an empty line.
        marks.push(items.length);
        const last = items.at(-1);
        if (last !== undefined && whole) items[items.length - 1] = { ...last, endBytes: offset + 1 };
        continue;
      }
      const entry = whole ? entryOfText(Buffer.from(bytes).toString('utf8')) : undefined;
      const record = entry !== undefined && 'record' in entry ? entry.record : undefined;
      items.push({ record, leaf: nodeHashing.leaf(bytes), endBytes: offset + bytes.length + 1 });
    }
  }
  const before = marks.filter((at) => at < items.length);
  return { items, syncedItems: before.at(-1) ?? 0 };
}

async function keepAside(disk: Disk, folder: string, path: string, fromBytes: number): Promise<string> {
  const aside = join(folder, 'aside');
  await disk.makeFolder(aside);
  const bytes = (await disk.read(path)).subarray(fromBytes);
  const into = join(aside, `${basename(path)}-${fromBytes}.bin`);
  await disk.replace(into, bytes);
  return into;
}

async function truncate(disk: Disk, path: string, bytes: number): Promise<void> {
  const file = await disk.open(path);
  try {
    await file.truncate(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Folder of a table's journal. */
export function journalFolder(dataDir: string, table: TableId): string {
  return join(dataDir, table);
}

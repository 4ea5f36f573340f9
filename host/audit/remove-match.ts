import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { TableFault } from '../fault.ts';
import { textOfBase64Url } from '../journal/base64.ts';
import { createChain } from '../journal/chain.ts';
import type { Disk } from '../journal/disk.ts';
import { endOf, type Pruned, prunedText } from '../journal/entry.ts';
import { openFolder } from '../journal/folder.ts';
import { nodeHashing } from '../journal/hashing.ts';
import { linesOf } from '../journal/lines.ts';
import { keyText } from '../journal/note.ts';
import { journalFolder } from '../journal/recover.ts';
import { type Rewriting, whileRewriting } from '../journal/rewriting.ts';
import { type Segment, segmentChunks, segmentName, segmentsIn } from '../journal/segments.ts';
import { removeSnapshots } from '../journal/snapshots.ts';
import { type Digest, subtreesOf } from '../journal/tree.ts';
import type { Log } from '../log.ts';
import { type Match, matchesIn, writeIndex } from './matches.ts';
import { refuseRemoved } from './removal.ts';

const zip = promisify(gzip);

/** Kinds without which the records that are left could not be understood or proven. */
const STAYS: ReadonlySet<string> = new Set([
  'open',
  'close',
  'segment',
  'snapshot',
  'checkpoint',
  'tombstone',
]);

/** Which records of a run may go: all of a match, or only what rulings rest on and are not themselves. */
export type Goes = (seq: number, kind: string) => boolean;

/**
 * Removes the records of a match for good and adds a tombstone that says who, when and why. Their hashes stay, so that
 * everything else is still proven. Throws a TableFault when the host runs, there is no such match, or it was removed before.
 */
export async function removeMatch(options: {
  readonly disk: Disk;
  readonly dataDir: string;
  readonly table: string;
  readonly match: string;
  readonly who: string;
  readonly why: string;
  readonly wall: () => string;
  readonly log: Log;
}): Promise<{ readonly records: number }> {
  const { disk, dataDir, table, who, why, log } = options;
  // The journal goes on under the name it has: who checks it by its key takes no other.
  const origin = await originOf(disk, journalFolder(dataDir, table));
  const folder = await openFolder({ dataDir, table, log, disk, ...(origin === undefined ? {} : { origin }) });
  try {
    const match = (await matchesIn(disk, folder.path)).find((one) => one.id === options.match);
    if (match === undefined) {
      throw new TableFault(
        'library/no-such-match',
        `${folder.path} has no match ${options.match}.`,
        'List them with: bakucore library.',
      );
    }
    refuseRemoved(match);
    // A removal that was cut short has its tombstone; what it left goes now.
    if (match.removed !== undefined) return { records: await pruneMatch(disk, folder.path, match) };
    // The tombstone is safe before anything goes.
    const chain = createChain(table, folder.found.end);
    const { lastAtMs } = folder.found;
    const at = options.wall();
    const texts = [
      chain.add('segment', lastAtMs, {
        frontier: chain.tree.frontier().map(textOfBase64Url),
        open: folder.found.openSeq ?? 0,
        key: keyText(folder.signer.key),
        wallTime: at,
      }),
      chain.add('tombstone', lastAtMs, {
        match: match.id,
        from: match.from,
        to: match.to,
        who,
        why,
        wallTime: at,
      }),
    ];
    const { signer } = folder;
    const note = signer.sign({ origin: folder.origin, size: chain.nextSeq, root: chain.tree.root() });
    texts.push(chain.add('checkpoint', lastAtMs, { note }));
    await disk.replace(
      join(folder.path, segmentName(folder.found.end.nextSeq)),
      Buffer.from(`${texts.join('\n')}\n\n`),
    );
    return { records: await pruneMatch(disk, folder.path, match) };
  } finally {
    await folder.release();
  }
}

/**
 * Takes the records of a match out of every segment but the newest, which a host may be writing, with the states kept of
 * it, torn ends that were kept aside, and the names of its players in the list of matches. A tombstone must be safe
 * before. Returns how many records went. Rejects with a TableFault when others do not end writing these segments.
 */
export async function pruneMatch(
  disk: Disk,
  folder: string,
  match: Match,
  rewriting: Rewriting = {},
): Promise<number> {
  const went = await whileRewriting(disk, folder, rewriting, async () => {
    let records = 0;
    const segments = await segmentsIn(disk, folder);
    for (const segment of segments.slice(0, -1)) {
      if (segment.firstSeq >= match.to) continue;
      records += await pruneSegment(disk, segment, (seq) => seq >= match.from && seq < match.to);
    }
    await removeSnapshots(disk, folder, match.from, match.to);
    await removeAside(disk, folder, match);
    if ((segments.at(-1)?.firstSeq ?? 0) >= match.to) await markGone(disk, folder, match.id);
    return records;
  });
  return went ?? 0;
}

/** Says in the list of matches that nothing of one is left, so that no start looks for it again. */
async function markGone(disk: Disk, folder: string, id: string): Promise<void> {
  const matches = await matchesIn(disk, folder);
  const marked = matches.map((match) => (match.id === id ? { ...match, gone: true as const } : match));
  await writeIndex(disk, folder, marked);
}

/** Removes the ends that power cuts tore off within a match: they hold what its records held. */
async function removeAside(disk: Disk, folder: string, match: Match): Promise<void> {
  const within = (seq: number): boolean => seq >= match.from && seq < match.to;
  const aside = join(folder, 'aside');
  for (const name of await disk.list(aside)) {
    const lines = Buffer.from(await disk.read(join(aside, name)))
      .toString('utf8')
      .split('\n');
    const seqs = lines.flatMap((line) => endOf(line)?.seq ?? []);
    const segment = Number(/^(\d{12})\./.exec(name)?.[1] ?? Number.NaN);
    if (within(segment) || seqs.some(within)) await disk.remove(join(aside, name));
  }
}

async function originOf(disk: Disk, folder: string): Promise<string | undefined> {
  try {
    return Buffer.from(await disk.read(join(folder, 'checkpoint.txt')))
      .toString('utf8')
      .split('\n')[0];
  } catch {
    return undefined;
  }
}

/**
 * Writes a segment again without the records that may go; the largest whole subtrees stand for each run of them. The
 * file is replaced whole or not at all. What later records need to be understood always stays. Returns how many went.
 */
export async function pruneSegment(disk: Disk, segment: Segment, goes: Goes): Promise<number> {
  const out: string[] = [];
  let run: Digest[] = [];
  let runFrom = 0;
  let removed = 0;
  const endRun = (): void => {
    const end = run.at(-1);
    if (end === undefined) return;
    const to = runFrom + run.length;
    const pruned: Pruned = {
      from: runFrom,
      to,
      hashes: subtreesOf(nodeHashing, run, runFrom, to - 1, runFrom).map(({ hash }) => textOfBase64Url(hash)),
      last: textOfBase64Url(end),
    };
    out.push(prunedText(pruned));
    removed += run.length;
    run = [];
  };
  for await (const lines of linesOf(segmentChunks(disk, segment))) {
    for (const { bytes } of lines) {
      if (bytes.length === 0) continue;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
      const end = endOf(text);
      if (end !== undefined && !STAYS.has(end.kind) && goes(end.seq, end.kind)) {
        if (run.length === 0) runFrom = end.seq;
        run.push(nodeHashing.leaf(bytes));
        continue;
      }
      endRun();
      out.push(text);
    }
  }
  endRun();
  if (removed === 0) return 0;
  const bytes = Buffer.from(`${out.join('\n')}\n\n`);
  await disk.replace(segment.path, segment.compressed ? await zip(bytes, { level: 6 }) : bytes);
  return removed;
}

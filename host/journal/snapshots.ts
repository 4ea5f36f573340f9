import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { systemCodeOf, wordsOf } from '../fault.ts';
import type { AtMs, Json } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Journal } from './capture.ts';
import type { Disk } from './disk.ts';
import { isObject } from './entry.ts';
import { leafOfText } from './hashing.ts';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Form of a snapshot file. */
const FORM = 1;
/** Play goes on for this long between two snapshots, ms. */
const EVERY_MS = 60_000;
/** Newest snapshots kept besides those that stay. */
const KEPT = 2;
/** A calm snapshot stays when the last that stayed is this old, ms: a replay then finds any moment from near by. */
const STAYS_MS = 2 * 60_000;
const NAME = /^(\d{12})(-match|-stays)?\.json\.gz$/;

/** What stands in the name of a file that is not let go with the others. */
type Suffix = '' | '-match' | '-stays';

/** Why a snapshot was taken. */
export type SnapshotWhy = 'match-start' | 'calm' | 'stop';

/** A saved state and its place: it holds everything up to and with the record `seq`, which carries its hash. */
export interface Snapshot {
  readonly seq: number;
  readonly atMs: AtMs;
  /** Data of the `open` record it was taken under. */
  readonly head: Json;
  /** Hash of the state, as the record has it. */
  readonly hash: string;
  /** The state as `saveTable` writes it. */
  readonly state: string;
}

export interface Snapshots {
  /** Play goes on for at least this long between two calm snapshots, ms. */
  readonly everyMs: number;
  /** The first is due so long after the start, ms; as long as between two when it is left out. */
  readonly firstMs?: number;
  /** Records the hash of a state and keeps the state itself; resolves when it is on disk or was given up. */
  save(atMs: AtMs, state: string, hash: string, why: SnapshotWhy): Promise<void>;
}

/** Keeps snapshots of one table beside its journal. They only save time: the journal alone gives the same state. */
export function keepSnapshots(options: {
  readonly disk: Disk;
  readonly folder: string;
  readonly journal: Journal;
  readonly head: Json;
  readonly wall: () => string;
  readonly log: Log;
  readonly everyMs?: number;
}): Snapshots {
  const { disk, folder, journal, head, wall, log } = options;
  const place = join(folder, 'snapshots');
  let busy: Promise<void> = Promise.resolve();
  let stayedMs = Number.NEGATIVE_INFINITY;
  const suffixOf = (atMs: AtMs, why: SnapshotWhy): Suffix => {
    if (why !== 'match-start' && atMs - stayedMs < STAYS_MS) return '';
    stayedMs = atMs;
    return why === 'match-start' ? '-match' : '-stays';
  };
  const write = async (snapshot: Snapshot, suffix: Suffix): Promise<void> => {
    try {
      await keepState(disk, folder, snapshot, suffix);
      const others = (await disk.list(place)).filter((one) => NAME.exec(one)?.[2] === undefined);
      for (const old of others.filter((one) => NAME.test(one)).slice(0, -KEPT)) {
        await disk.remove(join(place, old));
      }
    } catch (error) {
      log.warn('A snapshot was not kept; a start takes longer', { why: wordsOf(error) });
    }
  };
  const everyMs = options.everyMs ?? EVERY_MS;
  return {
    everyMs,
    firstMs: everyMs * shareOf(basename(folder)),
    save(atMs, state, hash, why) {
      const seq = journal.append('snapshot', atMs, { state: hash, why, wallTime: wall() });
      if (why === 'match-start') journal.checkpoint?.();
      const suffix = suffixOf(atMs, why);
      busy = busy.then(() => write({ seq, atMs, head, hash, state }, suffix));
      return busy;
    },
  };
}

/** A share of one by a name: tables that start together then do not hold the host up together. */
function shareOf(name: string): number {
  const [high = 0, low = 0] = leafOfText(name);
  return (high * 256 + low + 1) / 65_536;
}

/** Writes a state to its file. Rejects when it cannot be written. */
export async function keepState(
  disk: Disk,
  folder: string,
  snapshot: Snapshot,
  suffix: Suffix,
): Promise<void> {
  const place = join(folder, 'snapshots');
  await disk.makeFolder(place);
  const bytes = await zip(JSON.stringify({ form: FORM, ...snapshot }), { level: 1 });
  const name = `${String(snapshot.seq).padStart(12, '0')}${suffix}.json.gz`;
  await disk.replace(join(place, name), bytes);
}

/** Numbers of the records at which snapshots are kept, newest first. */
export async function snapshotsIn(disk: Disk, folder: string): Promise<readonly number[]> {
  const names = await disk.list(join(folder, 'snapshots')).catch((error: unknown) => {
    // A file in the place of the folder costs the time that snapshots save, not the start.
    if (systemCodeOf(error) === 'ENOTDIR') return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const match = NAME.exec(name);
      return match === null ? [] : [Number(match[1])];
    })
    .sort((a, b) => b - a);
}

/** A snapshot, or undefined when it is torn or of another form. */
export async function readSnapshot(disk: Disk, folder: string, seq: number): Promise<Snapshot | undefined> {
  const number = String(seq).padStart(12, '0');
  for (const name of ['', '-match', '-stays'].map((suffix) => `${number}${suffix}.json.gz`)) {
    try {
      const bytes = await disk.read(join(folder, 'snapshots', name));
      const value: unknown = JSON.parse((await unzip(bytes)).toString('utf8'));
      if (!isObject(value) || value.form !== FORM || value.seq !== seq) continue;
      const { atMs, head, hash, state } = value;
      if (typeof atMs !== 'number' || head === undefined || typeof hash !== 'string') continue;
      if (typeof state === 'string') return { seq, atMs, head, hash, state };
    } catch {
      // Not there, or torn: there are others, and the journal.
    }
  }
  return undefined;
}

/** Forgets the snapshots between two records: states of a match that is removed. */
export async function removeSnapshots(disk: Disk, folder: string, from: number, to: number): Promise<void> {
  const place = join(folder, 'snapshots');
  for (const name of await disk.list(place)) {
    const seq = Number(NAME.exec(name)?.[1] ?? Number.NaN);
    if (seq >= from && seq < to) await disk.remove(join(place, name));
  }
}

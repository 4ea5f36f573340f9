import type { Clock } from '../clock.ts';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import type { TableId } from '../ids.ts';
import type { Log } from '../log.ts';
import { holesIn } from './closed.ts';
import { type Disk, systemDisk } from './disk.ts';
import type { IsAlive } from './holder.ts';
import { openSigner, type Signer } from './keys.ts';
import { LOCK_FILE, takeLock } from './lock.ts';
import { keyText } from './note.ts';
import { type Found, journalFolder, recoverJournal } from './recover.ts';

/** Free room below which no match is begun, bytes: nearly three hours of play as it is written, about 90 MB an hour. */
export const LOW_SPACE_BYTES = 256 * 1024 * 1024;
/** Free room below which nothing is opened at all, bytes: a match in progress goes on with less than a new one needs. */
const LEAST_SPACE_BYTES = 8 * 1024 * 1024;

export interface FolderOptions {
  readonly dataDir: string;
  readonly table: TableId;
  readonly log: Log;
  readonly disk?: Disk;
  /** Names the journal in its checkpoints; `bakucore/<store>/<table>` in a store. */
  readonly origin?: string;
  /** How processes are looked for; tests stand in for it. */
  readonly isAlive?: IsAlive;
  /** Measures the patience with a host that is going down; without it there is none. */
  readonly clock?: Clock;
}

/** A table's folder, held by this process alone, with what is in it. */
export interface JournalFolder {
  readonly path: string;
  readonly disk: Disk;
  readonly origin: string;
  readonly found: Found;
  readonly signer: Signer;
  /** Things a person should know, each with a stable code; recorded when the journal is begun. */
  readonly remarks: readonly Remark[];
  /** Why no match may begin here now, if so. */
  readonly lowSpace: TableFault | undefined;
  release(): Promise<void>;
}

export interface Remark {
  readonly code: 'journal/torn-tail' | 'journal/damaged' | 'journal/key-changed' | 'journal/clock-set-back';
  readonly text: string;
}

/**
 * Takes a table's folder: makes it, locks it, finds the end of its journal, opens its key. Throws a TableFault
 * `journal/not-writable`, `journal/in-use`, `journal/disk-full`, `journal/key-unusable` or `journal/unreadable`, and
 * leaves everything as it was.
 */
export async function openFolder(options: FolderOptions): Promise<JournalFolder> {
  const { dataDir, table, log, clock } = options;
  const disk = options.disk ?? systemDisk;
  const origin = options.origin ?? `bakucore/${table}`;
  const path = journalFolder(dataDir, table);
  let release: (() => Promise<void>) | undefined;
  try {
    await disk.makeFolder(path);
    const wait = clock && ((ms: number) => new Promise<void>((done) => void clock.after(ms, done)));
    const lock = await takeLock(disk, path, options.isAlive, undefined, LOCK_FILE, wait);
    release = () => lock.release();
    const free = await disk.freeBytes(path);
    if (free !== undefined && free < LEAST_SPACE_BYTES) throw diskFull(path, free);
    const found = await recoverJournal(disk, path);
    const signer = await openSigner(disk, dataDir, origin);
    const holes = await holesIn(disk, path, found.segments);
    const remarks = remarksOn(path, found, signer, holes);
    for (const { code, text } of remarks) log.warn(text, { table, code });
    const lowSpace = await lowSpaceIn(disk, path);
    return { path, disk, origin, found, signer, remarks, lowSpace, release };
  } catch (error) {
    await release?.().catch(() => {});
    if (error instanceof TableFault) throw error;
    const full = isFull(error);
    throw new TableFault(
      full ? 'journal/disk-full' : 'journal/not-writable',
      full
        ? `The disk of ${path} is full.`
        : `The folder ${path} cannot be written (${systemCodeOf(error) ?? wordsOf(error)}).`,
      full ? 'Free some space, then start again.' : 'Give dataDir a folder that this user may write to.',
      { cause: error },
    );
  }
}

export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCodeOf(error) ?? '');
}

/** Why no match may begin where the path lies: too little room is left. */
export async function lowSpaceIn(disk: Disk, path: string): Promise<TableFault | undefined> {
  const free = await disk.freeBytes(path);
  return free !== undefined && free < LOW_SPACE_BYTES ? diskFull(path, free) : undefined;
}

function diskFull(path: string, freeBytes: number): TableFault {
  return new TableFault(
    'journal/disk-full',
    `Only ${Math.round(freeBytes / 1e6)} MB are free for ${path}; a match needs ${Math.round(LOW_SPACE_BYTES / 1e6)} MB.`,
    'Free some space, or give dataDir another disk.',
  );
}

function remarksOn(path: string, found: Found, signer: Signer, holes: readonly string[]): readonly Remark[] {
  const remarks: Remark[] = [];
  if (found.torn !== undefined) {
    const { bytes, aside } = found.torn;
    remarks.push({
      code: 'journal/torn-tail',
      text: `The end of the journal was cut off, as by a power cut: ${bytes} bytes are kept in ${aside}.`,
    });
  }
  if (found.damaged.length > 0) {
    const [first] = found.damaged;
    const more = found.damaged.length > 1 ? ` and ${found.damaged.length - 1} more` : '';
    remarks.push({
      code: 'journal/damaged',
      text: `Record ${first}${more} of the journal in ${path} cannot be read; the others can. Check the disk.`,
    });
  }
  for (const text of holes) remarks.push({ code: 'journal/damaged', text });
  if (found.key !== undefined && found.key !== keyText(signer.key)) {
    const why = signer.isNew ? 'the old key is lost' : 'the key was replaced';
    remarks.push({
      code: 'journal/key-changed',
      text: `The journal is signed with another key from here on: ${why}.`,
    });
  }
  return remarks;
}

import { join } from 'node:path';
import { systemCodeOf, TableFault } from '../fault.ts';
import type { Disk } from './disk.ts';
import { sha256Hex } from './hashing.ts';
import { type Holder, type IsAlive, processIsAlive, thisProcess } from './holder.ts';

/** Name of the lock in the folder of a table. */
export const LOCK_FILE = 'in-use.json';

/** Somebody else who takes the folder over is done after fewer looks at it. */
const MOST_LOOKS = 20;

/** How often a host that may be going down is looked at again, and the pause between two looks, ms: 2 s in all. */
const MOST_WAITS = 40;
const WAIT_MS = 50;

/** Resolves after so many ms. */
export type Wait = (ms: number) => Promise<void>;

/**
 * Takes a table's folder for this process. Resolves to the release. Throws a TableFault `journal/in-use` when another
 * host holds it; a lock that a dead process left is taken over, and `tookOver` says whose it was. With a `wait`, a holder
 * that lives is given 2 s to go: a process that was killed lives until its last write is through.
 */
export async function takeLock(
  disk: Disk,
  folder: string,
  isAlive: IsAlive = processIsAlive,
  self: Holder = thisProcess(),
  file = LOCK_FILE,
  wait?: Wait,
): Promise<{ readonly tookOver: Holder | undefined; release(): Promise<void> }> {
  const path = join(folder, file);
  const taking = { disk, isAlive, own: Buffer.from(`${JSON.stringify(self)}\n`) };
  let waits = 0;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const found = await take(taking, path);
    if (found.taken) return { tookOver: found.from, release: () => disk.remove(path) };
    const { holder } = found;
    if (holder === undefined) continue;
    // Nothing is known of a process of another machine, and this one will not end before it has the lock.
    const mayGo = isAlive(holder) !== undefined && !isSame(holder, self);
    if (wait === undefined || waits === MOST_WAITS || !mayGo) {
      throw inUse(folder, `process ${holder.pid} on ${holder.machine}`, path);
    }
    waits += 1;
    looks -= 1;
    await wait(WAIT_MS);
  }
  throw inUse(folder, 'one that is just starting', path);
}

/** Whether a process that lives holds a table's folder, or one of which that cannot be told from here. */
export async function isHeld(
  disk: Disk,
  folder: string,
  isAlive: IsAlive = processIsAlive,
): Promise<boolean> {
  const text = await textOf(disk, join(folder, LOCK_FILE)).catch(() => undefined);
  const holder = text === undefined ? undefined : holderOf(text);
  return holder !== undefined && isAlive(holder) !== false;
}

interface Taking {
  readonly disk: Disk;
  readonly isAlive: IsAlive;
  /** What a lock of this process holds. */
  readonly own: Uint8Array;
}

/** Taken, from a dead holder where there was one; or held by one that lives; or neither yet, since others are at it. */
type Found =
  | { readonly taken: true; readonly from: Holder | undefined }
  | { readonly taken: false; readonly holder?: Holder };

async function take(taking: Taking, path: string): Promise<Found> {
  const { disk, isAlive, own } = taking;
  try {
    await disk.claim(path, own);
    return { taken: true, from: undefined };
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
  const text = await textOf(disk, path);
  if (text === undefined) return { taken: false };
  const holder = holderOf(text);
  // A lock without a holder was torn by a power cut: whoever wrote it is gone.
  if (holder !== undefined && isAlive(holder) !== false) return { taken: false, holder };
  return (await takeOver(taking, path, text)) ? { taken: true, from: holder } : { taken: false };
}

/**
 * Puts this process in the place of a dead holder. Whoever does so holds a lock of its own on that one dead lock, so that of
 * many who find it dead at once only one replaces it, and none that somebody has replaced already.
 */
async function takeOver(taking: Taking, path: string, dead: string): Promise<boolean> {
  const { disk, own } = taking;
  const turn = `${path}.${sha256Hex(dead).slice(0, 12)}`;
  if (!(await take(taking, turn)).taken) return false;
  try {
    if ((await textOf(disk, path)) !== dead) return false;
    await disk.replace(path, own);
    return true;
  } finally {
    await disk.remove(turn);
  }
}

function isSame(one: Holder, other: Holder): boolean {
  return one.machine === other.machine && one.pid === other.pid && one.started === other.started;
}

function inUse(folder: string, who: string, path: string): TableFault {
  return new TableFault(
    'journal/in-use',
    `The folder ${folder} is used by another host (${who}).`,
    `Stop that host first. If it is certainly gone, remove ${path}.`,
  );
}

/** What a lock holds; undefined when it is gone. */
async function textOf(disk: Disk, path: string): Promise<string | undefined> {
  try {
    return Buffer.from(await disk.read(path)).toString('utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { machine, boot, pid, started } = value as Partial<Holder>;
    if (typeof machine !== 'string' || typeof boot !== 'string') return undefined;
    if (typeof pid !== 'number' || typeof started !== 'string') return undefined;
    return { machine, boot, pid, started };
  } catch {
    return undefined;
  }
}

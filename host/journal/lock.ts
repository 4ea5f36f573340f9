import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemCodeOf, TableFault } from '../fault.ts';
import type { Disk } from './disk.ts';
import { sha256Hex } from './hashing.ts';

/** Name of the lock in the folder of a table. */
export const LOCK_FILE = 'in-use.json';

/** Who holds a folder. `started` tells a process from a later one with the same number. */
export interface Holder {
  readonly machine: string;
  readonly boot: string;
  readonly pid: number;
  readonly started: string;
}

/** Whether a process still runs; undefined when that cannot be told from here. */
export type IsAlive = (holder: Holder) => boolean | undefined;

/** Somebody else who takes the folder over is done after fewer looks at it. */
const MOST_LOOKS = 20;

/**
 * Takes a table's folder for this process. Resolves to the release. Throws a TableFault `journal/in-use` when another
 * host holds it; a lock that a dead process left is taken over, and `tookOver` says whose it was.
 */
export async function takeLock(
  disk: Disk,
  folder: string,
  isAlive: IsAlive = processIsAlive,
  self: Holder = thisProcess(),
  file = LOCK_FILE,
): Promise<{ readonly tookOver: Holder | undefined; release(): Promise<void> }> {
  const path = join(folder, file);
  const taking = { disk, isAlive, own: Buffer.from(`${JSON.stringify(self)}\n`) };
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const found = await take(taking, path);
    if (found.taken) return { tookOver: found.from, release: () => disk.remove(path) };
    const { holder } = found;
    if (holder !== undefined) throw inUse(folder, `process ${holder.pid} on ${holder.machine}`, path);
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

function inUse(folder: string, who: string, path: string): TableFault {
  return new TableFault(
    'journal/in-use',
    `The folder ${folder} is used by another host (${who}).`,
    `Stop that host first. If it is certainly gone, remove ${path}.`,
  );
}

/** This process as the holder of a lock. */
export function thisProcess(): Holder {
  return { machine: hostname(), boot: bootId(), pid: process.pid, started: startOf(process.pid) ?? '' };
}

/** Looks at processes of this machine; of another machine nothing can be told. */
export function processIsAlive(holder: Holder): boolean | undefined {
  if (holder.machine !== hostname()) return undefined;
  if (holder.boot !== bootId()) return false;
  const started = startOf(holder.pid);
  if (started !== undefined) return started === holder.started;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
}

/** Identifies this run of the machine's kernel; empty where there is none to ask. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** When a process began, in ticks since boot; undefined where that cannot be asked or there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may hold anything; field 22 is the twentieth after it.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
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

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemCodeOf, TableFault } from '../fault.ts';
import type { Disk } from './disk.ts';

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
  let tookOver: Holder | undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      const made = await disk.create(path);
      try {
        await made.write(Buffer.from(`${JSON.stringify(self)}\n`), 0);
        await made.sync();
      } finally {
        await made.close();
      }
      return { tookOver, release: () => disk.remove(path) };
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST' || tries >= 3) throw error;
    }
    const text = await textOf(disk, path);
    const holder = holderOf(text);
    // A lock without a holder was torn by a power cut: whoever wrote it is gone.
    if (holder !== undefined && isAlive(holder) !== false) {
      throw new TableFault(
        'journal/in-use',
        `The folder ${folder} is used by another host (process ${holder.pid} on ${holder.machine}).`,
        `Stop that host first. If it is certainly gone, remove ${path}.`,
      );
    }
    // Somebody else may have taken it over just now.
    if ((await textOf(disk, path)) !== text) continue;
    tookOver = holder ?? tookOver;
    await disk.remove(path);
  }
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

async function textOf(disk: Disk, path: string): Promise<string> {
  const bytes = await disk.read(path).catch(() => new Uint8Array());
  return Buffer.from(bytes).toString('utf8');
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

import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { TableFault } from '../fault.ts';
import { notingClosed } from './closed.ts';
import type { Disk } from './disk.ts';
import { type IsAlive, processIsAlive, thisProcess } from './holder.ts';
import { takeLock } from './lock.ts';

/** Name of the lock that whoever writes closed segments again holds meanwhile. */
export const REWRITE_LOCK = 'rewriting.json';

/** Pause between two tries, ms, and how many there are: a minute, longer than a large segment takes. */
const PAUSE_MS = 50;
const MOST_TRIES = 1200;

/** How closed segments are written again beside others who may want to. */
export interface Rewriting {
  /** Whether the work is still wanted; by default it always is. */
  readonly mayGoOn?: () => boolean;
  /** How processes are looked for; tests stand in for it. */
  readonly isAlive?: IsAlive | undefined;
  /** Waits before the next try. */
  readonly pause?: () => Promise<void>;
}

/**
 * Does work that writes closed segments of a table again, while no other process does: compressing, letting raw lines go
 * and removing a match would each put back what another took out. Waits for whoever is at it; undefined when the work was
 * no longer wanted meanwhile. Throws a TableFault `journal/in-use` when the other does not end.
 */
export async function whileRewriting<Value>(
  disk: Disk,
  folder: string,
  { mayGoOn = () => true, isAlive = processIsAlive, pause = () => later(PAUSE_MS) }: Rewriting,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  for (let tries = 1; mayGoOn(); tries += 1) {
    let release: () => Promise<void>;
    try {
      ({ release } = await takeLock(disk, folder, isAlive, thisProcess(), REWRITE_LOCK));
    } catch (error) {
      if (!(error instanceof TableFault)) throw error;
      if (tries >= MOST_TRIES) throw stillBusy(folder);
      await pause();
      continue;
    }
    try {
      return await notingClosed(disk, folder, work);
    } finally {
      await release();
    }
  }
  return undefined;
}

function stillBusy(folder: string): TableFault {
  return new TableFault(
    'journal/in-use',
    `Another process has been writing closed segments in ${folder} for a minute.`,
    `Try again later; if no other process is at it, remove ${join(folder, REWRITE_LOCK)}.`,
  );
}

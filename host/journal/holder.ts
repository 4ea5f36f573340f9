import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCodeOf } from '../fault.ts';

/** Who holds a folder. `started` tells a process from a later one with the same number. */
export interface Holder {
  readonly machine: string;
  readonly boot: string;
  readonly pid: number;
  readonly started: string;
}

/** Whether a process still runs; undefined when that cannot be told from here. */
export type IsAlive = (holder: Holder) => boolean | undefined;

/** This process as the holder of a lock. */
export function thisProcess(): Holder {
  return processNumbered(process.pid);
}

/** A process of this machine as the holder of a lock; `started` is empty where that cannot be asked. */
export function processNumbered(pid: number): Holder {
  const started = statOf(`/proc/${pid}/stat`)?.started ?? '';
  return { machine: hostname(), boot: bootId(), pid, started };
}

/**
 * Looks at processes of this machine; of another machine nothing can be told. One that ended and that its parent has not
 * asked after is dead, too, however long its number stays taken.
 */
export function processIsAlive(holder: Holder): boolean | undefined {
  if (holder.machine !== hostname()) return undefined;
  if (holder.boot !== bootId()) return false;
  const found = statOf(`/proc/${holder.pid}/stat`);
  if (found !== undefined) return found.started === holder.started && (!found.ended || writesYet(holder.pid));
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
}

/** Whether a thread of a process still runs: one that waits for the disk outlives the first thread, and ends its write. */
function writesYet(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.some((thread) => statOf(`/proc/${pid}/task/${thread}/stat`)?.ended === false);
  } catch {
    return false;
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

/**
 * When a process or thread began, in ticks since boot, and whether it has ended (state Z or X of proc_pid_stat(5));
 * undefined where that cannot be asked or there is none.
 */
function statOf(path: string): { readonly started: string; readonly ended: boolean } | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    // The name of the program stands in brackets and may hold anything; the state is the first field after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state = '', started = ''] = [fields[0], fields[19]];
    return { started, ended: ['Z', 'X', 'x'].includes(state) };
  } catch {
    return undefined;
  }
}

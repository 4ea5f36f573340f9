import { TableFault } from '../fault.ts';
import { NODE_TOOLS } from './node-tools.ts';
import type { Source } from './source.ts';
import type { Verdict } from './verdict.ts';
import { verifySource } from './verify-source.ts';
import { holdsNothing } from './what-is-left.ts';

/** Why figures that were taken of a file may not be those of what was recorded. */
export interface Doubt {
  /** The file or folder. */
  readonly path: string;
  /** One or two sentences for a person. */
  readonly text: string;
  /** Nothing is wrong so far, but it does not end with a stop: all that is missing may be its end. */
  readonly isOpen: boolean;
  /** It is a plain capture: lines that nothing can vouch for. */
  readonly isPlain: boolean;
}

/** What speaks against a file, by what `verify` says of it; undefined when it is what was written. */
export function doubtOf(path: string, verdict: Verdict): Doubt | undefined {
  const { state, broken } = verdict;
  if (state === 'intact') return undefined;
  if (state === 'open') {
    const text = `${path} does not end with a stop: its host still runs, was killed, or its end was cut off.`;
    return { path, text, isOpen: true, isPlain: false };
  }
  if (holdsNothing(verdict)) {
    const text = `${path} is a plain capture: nothing vouches for its lines.`;
    return { path, text, isOpen: false, isPlain: true };
  }
  const text = `${path} is NOT what was written: ${broken?.text ?? ''}`;
  return { path, text, isOpen: false, isPlain: false };
}

/** Checks a file for those who take figures of it. Reads it once. */
export async function doubtIn(source: Source): Promise<Doubt | undefined> {
  return doubtOf(source.path, await verifySource(source, NODE_TOOLS));
}

/**
 * Runs what takes figures of a file. Where that fails and the file is not what was written, this is why: throws a TableFault
 * `journal/not-intact` that says so.
 */
export async function orDoubt<Value>(source: Source, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const doubt = await doubtIn(source);
    if (doubt === undefined || doubt.isOpen || doubt.isPlain) throw error;
    throw notWritten(doubt, error);
  }
}

/** The fault of a file that is not what was written. */
export function notWritten({ text }: Doubt, cause?: unknown): TableFault {
  const remedy = 'See what is wrong with: bakucore verify. Take another copy of it.';
  return new TableFault('journal/not-intact', text, remedy, { cause });
}

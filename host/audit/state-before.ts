import type { TableSetting } from '../advance/setting.ts';
import type { TableState } from '../advance/state.ts';
import type { Json } from '../ids.ts';
import type { Parts } from '../parts.ts';
import { savedWithHash } from '../state-hash.ts';
import { replaySource } from './replay.ts';
import { openSource } from './source.ts';

/** A table as it stood before a record, made again from all records before it. */
export interface StateBefore {
  /** As `saveTable` writes it, with its hash. */
  readonly text: string;
  readonly hash: string;
  /** Data of the `open` in force there. */
  readonly head: Json;
}

/**
 * Runs a journal again from its beginning up to a record. Undefined when it holds no such record, or when records before it
 * are no longer kept. Throws a TableFault when it cannot be run.
 */
export async function stateBefore(
  folder: string,
  seq: number,
  parts: Parts,
): Promise<StateBefore | undefined> {
  let head: Json = null;
  let found: { readonly setting: TableSetting; readonly state: TableState } | undefined;
  await replaySource(await openSource(folder), {
    parts,
    notRun(record) {
      if (record.kind === 'open') head = record.data;
    },
    until(record, refold) {
      if (record.seq >= seq) {
        // A table that is first known again behind that record is of a later moment.
        if (record.seq === seq) found = refold;
        return false;
      }
      if (record.kind === 'open') head = record.data;
      return true;
    },
  });
  return found === undefined ? undefined : { ...savedWithHash(found.state), head };
}

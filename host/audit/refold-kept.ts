import type { AtMs, Json, TableId } from '../ids.ts';
import type { Parts } from '../parts.ts';
import { beginRefold, type Refold, settingOfHead } from '../refold.ts';

/**
 * A run that goes on from a kept state, or begins where only its head is known. Undefined when another version of this host
 * saved the state: an older one may do, or the beginning.
 */
export function refoldKept(
  { head, state }: { readonly head: Json; readonly state?: string },
  table: TableId,
  atMs: AtMs,
  parts: Parts,
): Refold | undefined {
  try {
    return beginRefold(settingOfHead({ data: head, table }, parts), atMs, parts, state);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

import { isObject } from '../journal/entry.ts';
import { readNote } from '../journal/note.ts';
import type { Source } from './source.ts';

/** Name of the journal in its checkpoints; undefined when it has none yet. */
export async function originOf(source: Source): Promise<string | undefined> {
  if (source.match !== undefined) return source.match.origin;
  for await (const batch of source.records(() => {})) {
    for (const { kind, data } of batch) {
      if (kind === 'checkpoint' && isObject(data) && typeof data.note === 'string') {
        return readNote(data.note)?.origin;
      }
    }
  }
  return undefined;
}

import { openSource, type Source } from '../host/audit/source.ts';
import type { ReadTrouble } from '../host/journal/read.ts';
import { sayAside } from './say.ts';

/** Places that are spelt out; `bakucore verify` names the first one exactly. */
const SPELT_OUT = 5;

/**
 * Opens records for a command, as `openSource` does, and says on stderr what in them cannot be read: a figure that was
 * taken of half a file must not look like one of a whole file. Each place is said once, however often it is read.
 */
export async function openTelling(path: string): Promise<Source> {
  const source = await openSource(path);
  const told = new Set<string>();
  const tell = ({ what, text }: ReadTrouble): void => {
    // What was let go with leave is no trouble; whoever needs it says what it lacks.
    if (what === 'pruned' || told.has(text)) return;
    told.add(text);
    // Why whole stretches are not there is never lost among lines that are.
    if (what === 'damaged') sayAside(`${path}: ${text}`);
    else if (told.size <= SPELT_OUT) sayAside(`${path}: ${text}`);
    else if (told.size === SPELT_OUT + 1) sayAside(`${path}: And more of the kind.`);
  };
  return {
    ...source,
    records: (also) =>
      source.records((trouble) => {
        tell(trouble);
        also(trouble);
      }),
  };
}

import { canonicalText } from '../../host/journal/canonical.ts';
import { PARTS } from '../../host/parts.ts';
import type { JournalRecord } from '../../host/record.ts';
import { beginRefold, settingOfHead } from '../../host/refold.ts';
import { isSaid, textOfOutput } from '../../host/said.ts';

/** Places where a replay says something else than the records, either way; `bakucore replay --check` does the same. */
export function differenceIn(records: readonly JournalRecord[]): readonly string[] {
  const [open] = records;
  if (open?.kind !== 'open') throw new Error('a journal begins with its head');
  const refold = beginRefold(settingOfHead(open, PARTS), open.atMs, PARTS);
  const replayed = records.flatMap((record) => refold.take(record).map(textOfOutput));
  const said = records.filter(isSaid).map(({ kind, atMs, data }) => canonicalText({ kind, atMs, data }));
  const different: string[] = [];
  for (let i = 0; i < Math.max(said.length, replayed.length) && different.length < 3; i++) {
    if (said[i] !== replayed[i]) different.push(`${i}: said ${said[i]}, replayed ${replayed[i]}`);
  }
  return different;
}

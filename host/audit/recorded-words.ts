import type { RollId } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { JournalRecord } from '../record.ts';
import type { RollRuling } from '../sensing/ruling.ts';

/** A ruling that was taken back. */
export interface Retracted {
  /** Of the ruling; 0 where none of sensing was kept. */
  readonly revision: number;
  readonly why: string;
}

/** The ruling that a record holds. */
export function rulingIn({ kind, data }: JournalRecord): RollRuling | undefined {
  if (kind !== 'ruling' || !isObject(data) || !isObject(data.ruling)) return undefined;
  // The chain vouches for its form: the host wrote it.
  return typeof data.ruling.roll === 'string' ? (data.ruling as unknown as RollRuling) : undefined;
}

/** The retraction that a record holds, with its roll. */
export function retractionIn({
  kind,
  data,
}: JournalRecord): { readonly roll: RollId; readonly retracted: Retracted } | undefined {
  if (kind !== 'ruling' || !isObject(data) || !isObject(data.retraction)) return undefined;
  const { roll, revision, why } = data.retraction;
  if (typeof roll !== 'string' || typeof revision !== 'number') return undefined;
  return { roll, retracted: { revision, why: String(why) } };
}

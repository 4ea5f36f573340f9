import type { AtMs, RollId } from '../ids.ts';
import { endOf, entryOfText, isObject, LONGEST_END } from '../journal/entry.ts';
import type { Parts } from '../parts.ts';
import type { JournalRecord, RecordKind } from '../record.ts';
import type { Refold } from '../refold.ts';
import { hashOfSaved } from '../state-hash.ts';
import { matchIdOf } from './match-draft.ts';
import { begins } from './matches.ts';
import { refoldKept } from './refold-kept.ts';
import type { Source } from './source.ts';

/** A table as it stood after the record `seq`. */
export interface Begun {
  readonly seq: number;
  /** Id of the match that it stands in; undefined where its beginning is not known. */
  readonly match: string | undefined;
  readonly refold: Refold;
  /** Wall time that this record gives. */
  readonly wallTime: string;
  readonly atMs: AtMs;
}

/** As much of a record as the evidence of one roll rests on. */
export interface RollStretch {
  /** Where to begin; undefined for the beginning. */
  readonly from: Begun | undefined;
  /** After this record nothing says or changes anything about the roll. */
  readonly lastSeq: number;
}

/** Kinds of record that are read here; what is of none and does not name the roll is passed over unread. */
const READ: ReadonlySet<RecordKind> = new Set(['open', 'command', 'snapshot']);

type Kept = Omit<Begun, 'refold'> & { readonly hash: string };

/**
 * Finds the stretch of a roll, in every game that has one of this name: from the newest kept state before it is first named
 * to the last record that names it, or that could change the table beyond play. Undefined when no record names it, and
 * when some cannot be read or are no longer kept: then all that can be is run.
 */
export async function stretchOf(
  source: Source,
  roll: RollId,
  parts: Parts,
): Promise<RollStretch | undefined> {
  const name = Buffer.from(JSON.stringify(roll));
  const kept: Kept[] = [];
  let first: JournalRecord | undefined;
  let lastSeq = -1;
  let match = source.match?.match;
  for await (const batch of source.lines()) {
    for (const { bytes, damage } of batch) {
      if (damage !== undefined) {
        if (first !== undefined) return undefined;
        // No state from before leads over what is missing.
        kept.length = 0;
      }
      if (bytes.length === 0) continue;
      const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const end = endOf(line.toString('utf8', Math.max(0, line.length - LONGEST_END)));
      if (end === undefined) {
        const hole = entryOfText(line.toString('utf8'));
        if (first !== undefined || hole === undefined || !('pruned' in hole)) return undefined;
        kept.length = 0;
        continue;
      }
      const names = line.includes(name);
      if (!names && !READ.has(end.kind)) continue;
      const entry = entryOfText(line.toString('utf8'));
      if (entry === undefined || 'pruned' in entry) return undefined;
      const { record } = entry;
      if (begins(record)) match = matchIdOf(record);
      if (names) first ??= record;
      if (first === undefined) kept.push(...keptIn(record, match));
      else if (names || changesMore(record)) lastSeq = record.seq;
    }
  }
  if (first === undefined) return undefined;
  return { from: await newestOf(source, kept, first, parts), lastSeq };
}

/** An `open` brings its own setting, and commands beside play take calibrations into use or games back. */
function changesMore({ kind, data }: JournalRecord): boolean {
  if (kind !== 'command') return kind === 'open';
  return !(isObject(data) && isObject(data.command) && data.command.do === 'play');
}

function keptIn({ kind, seq, atMs, data }: JournalRecord, match: string | undefined): readonly Kept[] {
  if (kind !== 'snapshot' || !isObject(data)) return [];
  const { state: hash, wallTime } = data;
  return typeof hash === 'string' && typeof wallTime === 'string'
    ? [{ match, seq, atMs, hash, wallTime }]
    : [];
}

/** The newest kept state that is what its record says, that this host understands, and that stands in no roll. */
async function newestOf(
  source: Source,
  kept: readonly Kept[],
  { table }: JournalRecord,
  parts: Parts,
): Promise<Begun | undefined> {
  for (const { match, seq, atMs, hash, wallTime } of [...kept].reverse()) {
    const found = await source.snapshot?.(seq);
    if (found?.hash !== hash || hashOfSaved(found.state) !== hash) continue;
    const refold = refoldKept(found, table, atMs, parts);
    if (refold !== undefined && refold.state.activity.kind !== 'roll')
      return { match, seq, refold, wallTime, atMs };
  }
  return undefined;
}

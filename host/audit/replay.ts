import { createHash } from 'node:crypto';
import type { Output } from '../advance/input.ts';
import { TableFault } from '../fault.ts';
import { isObject } from '../journal/entry.ts';
import type { Hole, ReadTrouble } from '../journal/read.ts';
import type { Parts } from '../parts.ts';
import type { JournalRecord } from '../record.ts';
import { beginRefold, type Refold, resumes, settingOfCapture, settingOfHead } from '../refold.ts';
import { checkSaid, type Difference, isSaid, textOfOutput } from '../said.ts';
import { hashOfSaved, savedWithHash } from '../state-hash.ts';
import { openOf } from './match-head.ts';
import { noRecord } from './no-record.ts';
import { refoldKept } from './refold-kept.ts';
import type { Source } from './source.ts';

/** What a replay found. */
export interface Replayed {
  readonly records: number;
  readonly outputs: number;
  readonly rulings: number;
  readonly lightFrames: number;
  /** SHA-256 of every output in order, hex. */
  readonly hash: string;
  /** Hash of the state at the end, as journals record it. */
  readonly state: string;
  /** Places where the journal names a hash of the state, and how many the replay gives too. */
  readonly marks: number;
  /** Records of what was ruled, told or sent, each held against the replay. */
  readonly compared: number;
  readonly troubles: readonly string[];
  /** False when a damaged file hides records: those up to the next state that is kept were not run. */
  readonly isWhole: boolean;
  /** Records that were not run again, since lines before them are no longer kept: by retention, or with a match. */
  readonly notRun: number;
  /** First place where the recorded output and the replayed one differ. */
  readonly difference?: Difference;
}

export interface ReplayAsk {
  readonly parts: Parts;
  /** Compares what was said and the hashes of the state with what was recorded. */
  readonly check?: boolean;
  /** A table that has taken every record up to this one: only later ones are run and counted. */
  readonly from?: { readonly seq: number; readonly refold: Refold };
  /** Whether to go on with this record. */
  readonly until?: (record: JournalRecord, refold: Refold) => boolean;
  /** Told of every record with what the table says about it. A promise is waited for: stepping, real time. */
  readonly each?: (
    record: JournalRecord,
    outputs: readonly Output[],
    refold: Refold,
  ) => Promise<void> | undefined;
  /**
   * Told of every record that cannot be run, since lines before it are no longer kept, with the table as it stood before
   * the first of these.
   */
  readonly notRun?: (record: JournalRecord, before: Refold) => void;
  /** Told of records that are no longer kept. */
  readonly hole?: (hole: Hole) => void;
}

/** Runs records once more through the live code. Throws a TableFault when they cannot be read or begun. */
export async function replaySource(source: Source, ask: ReplayAsk): Promise<Replayed> {
  const troubles: string[] = [];
  const hash = createHash('sha256');
  let said = checkSaid();
  const counts = { records: 0, outputs: 0, rulings: 0, lightFrames: 0, marks: 0, compared: 0 };
  let last: JournalRecord | undefined;
  let refold = ask.from?.refold;
  let difference: Difference | undefined;
  let stopped = false;
  /** A file was damaged at its end: the next record tells whether any are missing. */
  let isDoubtful = false;
  /** Records are missing: how the table stands is not known before the next kept state. */
  let isLost = false;
  let isWhole = true;
  let left = 0;
  /** Ends of runs of records that are no longer kept and that were not come to yet. */
  const holes: number[] = [];
  /** Why the table is lost: a file is damaged, or lines are no longer kept. */
  let isPruned = false;
  let notRun = 0;
  /** Number of the record that would follow. */
  let nextSeq = source.match?.from ?? 0;
  const troubled = ({ what, text, hole }: ReadTrouble): void => {
    if (hole !== undefined) {
      holes.push(hole.to);
      ask.hole?.(hole);
      return;
    }
    troubles.push(text);
    if (what === 'damaged') isDoubtful = true;
  };

  for await (const batch of source.records(troubled)) {
    for (const record of batch) {
      const follows = record.seq === nextSeq;
      nextSeq = record.seq + 1;
      if (ask.from !== undefined && record.seq <= ask.from.seq) {
        isDoubtful = false;
        holes.length = 0;
        continue;
      }
      if (isDoubtful && !follows) {
        isLost = true;
        isWhole = false;
        isPruned = false;
      }
      isDoubtful = false;
      while (holes[0] !== undefined && holes[0] <= record.seq) {
        holes.shift();
        isPruned ||= !isLost;
        isLost = true;
      }
      if (isLost) {
        const again = await keptAt(source, record, ask.parts);
        if (again === undefined) {
          if (isPruned) {
            notRun += 1;
            if (refold !== undefined) ask.notRun?.(record, refold);
          } else left += 1;
          continue;
        }
        difference ??= said.difference;
        said = checkSaid();
        isLost = false;
        isPruned = false;
        refold = again;
      }
      refold ??= await begin(source, record, ask.parts);
      if (ask.until?.(record, refold) === false) {
        stopped = true;
        break;
      }
      counts.records++;
      // The first record has begun the table.
      const isBeginning = counts.records === 1 && ask.from === undefined;
      if (ask.check && !isBeginning) difference ??= checkMark(record, refold, counts);
      const outputs = isBeginning && record.kind === 'open' ? [] : refold.take(record);
      for (const output of outputs) {
        counts.outputs++;
        if (output.kind === 'ruling') counts.rulings++;
        if (output.kind === 'send') counts.lightFrames++;
        hash.update(`${textOfOutput(output)}\n`);
        if (ask.check) said.replayed(output);
      }
      if (ask.check) said.recorded(record);
      if (ask.check && isSaid(record)) counts.compared++;
      last = record;
      const wait = ask.each?.(record, outputs, refold);
      if (wait !== undefined) await wait;
    }
    if (stopped) break;
  }
  if (left > 0) {
    troubles.push(`${left} records were left out: how the table stood there cannot be read, nor made again.`);
  }
  if (refold === undefined) throw left + notRun > 0 ? nothingKept(source) : noRecord(source.path);
  const [surplus] = said.surplus();
  if (surplus !== undefined && !stopped) {
    const { seq, kind, atMs, data } = surplus;
    difference ??= { seq, recorded: JSON.stringify({ kind, atMs, data }), replayed: '(nothing)' };
  }
  const [unsaid] = said.missing();
  // A host that was killed may not have written what it had begun to say; one that stopped has.
  if (unsaid !== undefined && ask.check && !stopped && last?.kind === 'close') {
    difference ??= { seq: -1, recorded: '(nothing)', replayed: textOfOutput(unsaid) };
  }
  difference = said.difference ?? difference;
  return {
    ...counts,
    isWhole: isWhole && !isDoubtful,
    notRun,
    hash: hash.digest('hex'),
    state: savedWithHash(refold.state).hash,
    troubles,
    ...(difference === undefined ? {} : { difference }),
  };
}

/** Compares a recorded hash of the state with the replayed one. */
function checkMark(record: JournalRecord, refold: Refold, counts: { marks: number }): Difference | undefined {
  if (record.kind !== 'snapshot' && record.kind !== 'close') return undefined;
  const named = isObject(record.data) ? record.data.state : undefined;
  if (typeof named !== 'string') return undefined;
  counts.marks++;
  const own = savedWithHash(refold.state).hash;
  return own === named
    ? undefined
    : { seq: record.seq, recorded: `state ${named}`, replayed: `state ${own}` };
}

/** A table as it stood after this record, where a match begins by it or its state is kept. */
async function keptAt(source: Source, record: JournalRecord, parts: Parts): Promise<Refold | undefined> {
  const { kind, seq, atMs, table, data } = record;
  if (kind === 'open' && !resumes(record)) return beginRefold(settingOfHead(record, parts), atMs, parts);
  if (kind !== 'snapshot' || !isObject(data)) return undefined;
  const found = await source.snapshot?.(seq);
  if (found === undefined || found.hash !== data.state || hashOfSaved(found.state) !== found.hash)
    return undefined;
  return refoldKept(found, table, atMs, parts);
}

function nothingKept({ path }: Source): TableFault {
  return new TableFault(
    'journal/unreadable',
    `${path} cannot be run: its beginning cannot be read, and no state is kept of later.`,
    'See what is wrong with it with: bakucore verify.',
  );
}

async function begin(source: Source, first: JournalRecord, parts: Parts): Promise<Refold> {
  const open = source.match === undefined ? undefined : openOf(source.match);
  if (open !== undefined && source.match !== undefined && source.match.start !== null) {
    try {
      return beginRefold(settingOfHead(open, parts), first.atMs, parts, source.match.start);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const sentence = `The state that ${source.path} begins from is not understood: ${error.message}`;
      throw new TableFault('journal/unknown-form', sentence, 'Use the host that recorded it.', {
        cause: error,
      });
    }
  }
  if (first.kind === 'open') return beginRefold(settingOfHead(first, parts), first.atMs, parts);
  if (first.kind !== 'line') {
    throw new TableFault(
      'journal/unreadable',
      `${source.path} begins in the middle of a match.`,
      'Name the folder of the table, or export the match first.',
    );
  }
  const links = new Set<string>();
  for await (const records of source.records(() => {})) {
    for (const { data } of records) {
      if (isObject(data) && typeof data.link === 'string') links.add(data.link);
    }
  }
  return beginRefold(settingOfCapture([...links], parts), first.atMs, parts);
}

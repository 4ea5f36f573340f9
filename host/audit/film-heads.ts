import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { saveTable } from '../advance/save.ts';
import type { TableState } from '../advance/state.ts';
import { TableFault } from '../fault.ts';
import type { AtMs, Json } from '../ids.ts';
import type { Disk } from '../journal/disk.ts';
import { isObject } from '../journal/entry.ts';
import { readSnapshot, snapshotsIn } from '../journal/snapshots.ts';
import type { Parts } from '../parts.ts';
import type { JournalRecord } from '../record.ts';
import type { Refold } from '../refold.ts';
import { hashOfSaved } from '../state-hash.ts';
import type { SnapshotAt } from './film-outline.ts';
import { type Match, restsBefore } from './matches.ts';
import { refoldKept } from './refold-kept.ts';
import type { SegmentReader } from './segment-reader.ts';
import { stateBefore } from './state-before.ts';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** A state is kept each time a run has come this far, ms of the table, so that going back costs little. */
const KEEP_EVERY_MS = 60_000;
/** Most states kept, about 100 kB each. */
const MOST_KEPT = 90;

/** A run of the live code over the records of a match. */
export interface Head {
  readonly refold: Refold;
  /** Moment of the newest record taken. */
  readonly atMs: AtMs;
  /** Takes every record up to this moment; `each` sees the table after each. False when the records are at their end. */
  runTo(atMs: AtMs, each?: (state: TableState, record: JournalRecord) => boolean): Promise<boolean>;
}

export interface Heads {
  /** A run that stands at or before this moment, as near as states are kept. */
  before(atMs: AtMs): Promise<Head>;
}

/** What a run begins from: the data of the `open` in force, and a saved state or none. */
type Loaded = { readonly head: Json; readonly state?: string };
type Kept = { readonly atMs: AtMs; readonly seq: number; load(): Promise<Loaded | undefined> };

/** Begins runs of one match: from its start, from snapshots on disk whose hash the record carries, or from kept states. */
export function filmHeads(options: {
  readonly disk: Disk;
  readonly folder: string;
  readonly match: Match;
  readonly reader: SegmentReader;
  readonly parts: Parts;
  /** Places of the match at which a state may be kept. */
  readonly snapshots: () => Promise<readonly SnapshotAt[]>;
}): Heads {
  const { disk, folder, match, reader, parts } = options;
  let kept: Kept[] | undefined;
  let everyMs = KEEP_EVERY_MS;

  /** Snapshots beside the journal; one counts only when it is what its record says. */
  const onDisk = async (): Promise<Kept[]> => {
    const there = new Set(await snapshotsIn(disk, folder));
    const known = (await options.snapshots()).filter(({ seq }) => there.has(seq));
    return known.map(({ seq, atMs, hash }) => ({
      atMs,
      seq,
      async load() {
        const found = await readSnapshot(disk, folder, seq);
        return found?.hash === hash && hashOfSaved(found.state) === hash ? found : undefined;
      },
    }));
  };

  const keep = async (state: TableState, seq: number, atMs: AtMs, head: Json): Promise<void> => {
    const packed = await zip(saveTable(state), { level: 1 });
    const load = async (): Promise<Loaded> => ({ head, state: (await unzip(packed)).toString('utf8') });
    const one = { atMs, seq, load };
    kept = [...(kept ?? []), one].sort((a, b) => a.seq - b.seq);
    if (kept.length <= MOST_KEPT) return;
    everyMs *= 2;
    kept = kept.filter((_, i) => i % 2 === 0);
  };

  const begin = async (from: Kept): Promise<Head | undefined> => {
    const loaded = await from.load();
    if (loaded === undefined) return undefined;
    const refold = refoldKept(loaded, match.table, from.atMs, parts);
    if (refold === undefined) return undefined;
    let { head } = loaded;
    let { atMs } = from;
    let keptMs = from.atMs;
    let taken = from.seq;
    let batch: readonly JournalRecord[] = [];
    let at = 0;
    let ended = false;
    const pieces = reader.from(from.seq + 1, match.to);
    const run: Head['runTo'] = async (toMs, each) => {
      for (;;) {
        for (; at < batch.length; at += 1) {
          const next = batch[at];
          if (next === undefined || next.atMs > toMs) return true;
          refold.take(next);
          taken = next.seq;
          if (next.kind === 'open') head = next.data;
          atMs = next.atMs;
          if (atMs - keptMs >= everyMs && !near(kept, atMs, everyMs / 2)) {
            keptMs = atMs;
            await keep(refold.state, next.seq, atMs, head);
          }
          if (each?.(refold.state, next) === false) {
            at += 1;
            return true;
          }
        }
        if (ended) return false;
        const { value, done } = await pieces.next();
        if (done === true || value === undefined) {
          ended = true;
          continue;
        }
        if (value.gone) {
          if (!restsBefore(match, { from: taken + 1 })) throw linesGone(match);
          ended = true;
          continue;
        }
        batch = value.records;
        at = 0;
      }
    };
    return {
      refold,
      get atMs() {
        return atMs;
      },
      runTo: run,
    };
  };

  return {
    async before(atMs) {
      kept ??= await onDisk();
      for (const one of kept.filter((near) => near.atMs <= atMs).reverse()) {
        const head = await begin(one);
        if (head !== undefined) return head;
        kept = kept.filter((other) => other !== one);
      }
      const first = await begin(await startOf(folder, reader, match, parts));
      if (first === undefined) throw noStart(match);
      return first;
    },
  };
}

function near(kept: readonly Kept[] | undefined, atMs: AtMs, withinMs: number): boolean {
  return kept?.some((one) => Math.abs(one.atMs - atMs) < withinMs) ?? false;
}

/** The record that begins a match: an `open`, which says everything, or the state that all records before it give. */
async function startOf(folder: string, reader: SegmentReader, match: Match, parts: Parts): Promise<Kept> {
  for await (const { records } of reader.from(match.from, match.from + 1)) {
    const [first] = records;
    if (first === undefined) continue;
    const { atMs, seq, data, kind } = first;
    if (kind === 'open') return { atMs, seq, load: async () => ({ head: data }) };
    if (kind !== 'snapshot') continue;
    const made = await stateBefore(folder, seq, parts).catch(() => undefined);
    if (made === undefined || !isObject(data) || made.hash !== data.state) throw noStart(match);
    return { atMs, seq, load: async () => ({ head: made.head, state: made.text }) };
  }
  throw noStart(match);
}

function noStart(match: Match): TableFault {
  return new TableFault(
    'journal/unreadable',
    `Match ${match.id} cannot be shown: the state it began from is not kept, and the records before it do not give it.`,
    'Use the host that recorded it. Where an older match was removed, no records lead to this one; its rulings are in the report.',
  );
}

function linesGone(match: Match): TableFault {
  return new TableFault(
    'journal/not-kept',
    `Match ${match.id} cannot be shown: lines from its boards are no longer kept, or cannot be read.`,
    'Its rulings are still in the report.',
  );
}

import { TableFault } from '../fault.ts';
import type { Disk } from '../journal/disk.ts';
import { type ChainedRecord, isObject } from '../journal/entry.ts';
import { readSnapshot } from '../journal/snapshots.ts';
import type { Parts } from '../parts.ts';
import { hashOfSaved } from '../state-hash.ts';
import { MATCH_VERSION, type MatchHead } from './match-head.ts';
import { linesOfMatch, sliceOf } from './match-slice.ts';
import type { Match } from './matches.ts';
import { openProven } from './prove-open.ts';
import { type SegmentReader, segmentReader } from './segment-reader.ts';
import { stateBefore } from './state-before.ts';

/**
 * A match as one file that proves itself: its records as they stand in the journal, what the tree needs around them, the
 * state it began from; in pieces of text. Throws a TableFault when its records were removed or are not vouched for yet.
 */
export async function* matchFile(
  disk: Disk,
  folder: string,
  match: Match,
  parts: Parts,
): AsyncGenerator<string> {
  const reader = segmentReader(disk, folder);
  const { from, to, prev, before, after, checkpoint, origin, key, openSeq } = await sliceOf(reader, match);
  const first = await recordAt(reader, from);
  const line: MatchHead = {
    format: 'bakucore-match',
    version: MATCH_VERSION,
    match: match.id,
    table: match.table,
    ...{ origin, key, from, to, prev, before, after, checkpoint },
    open: openSeq === from ? null : await openProven(reader, openSeq, first),
    start: await startOf(disk, folder, match, first, parts),
  };
  yield `${JSON.stringify(line)}\n`;
  yield* linesOfMatch(reader, from, to);
}

/** The same as one text. */
export async function exportMatch(disk: Disk, folder: string, match: Match, parts: Parts): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of matchFile(disk, folder, match, parts)) pieces.push(piece);
  return pieces.join('');
}

async function recordAt(reader: SegmentReader, seq: number): Promise<ChainedRecord | undefined> {
  for await (const { records } of reader.from(seq, seq + 1)) if (records[0] !== undefined) return records[0];
  return undefined;
}

/** The state a match began from: its snapshot, or the journal run again up to there. */
async function startOf(
  disk: Disk,
  folder: string,
  match: Match,
  record: ChainedRecord | undefined,
  parts: Parts,
): Promise<string | null> {
  if (record?.kind !== 'snapshot') return null;
  const named = isObject(record.data) ? record.data.state : undefined;
  const kept = await readSnapshot(disk, folder, match.from);
  if (kept !== undefined && hashOfSaved(kept.state) === named) return kept.state;
  const made = await stateBefore(folder, match.from, parts);
  if (made === undefined || made.hash !== named) {
    throw new TableFault(
      'journal/differs',
      `The state before match ${match.id} cannot be made again.`,
      'Use the host that recorded it.',
    );
  }
  return made.text;
}

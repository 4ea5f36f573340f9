import { TableFault } from '../fault.ts';
import type { Json } from '../ids.ts';
import { bytesOfBase64Url, textOfBase64Url } from '../journal/base64.ts';
import type { Disk } from '../journal/disk.ts';
import { entryOfText, isObject } from '../journal/entry.ts';
import { nodeHashing } from '../journal/hashing.ts';
import { linesOf } from '../journal/lines.ts';
import { readNote } from '../journal/note.ts';
import { journalChunks, segmentsIn } from '../journal/segments.ts';
import { readSnapshot } from '../journal/snapshots.ts';
import { type Digest, growTree, levelsBetween, rootOf } from '../journal/tree.ts';
import type { Parts } from '../parts.ts';
import { hashOfSaved, savedWithHash } from '../state-hash.ts';
import { HOST_VERSION } from '../version.ts';
import { MATCH_VERSION, type MatchHead } from './match-head.ts';
import type { Match } from './matches.ts';
import { replaySource } from './replay.ts';
import { openSource } from './source.ts';

/**
 * A match as one file that proves itself: its records as they stand in the journal, what the tree needs around them, the
 * state it began from. Throws a TableFault when its records were removed or are not vouched for yet.
 */
export async function exportMatch(disk: Disk, folder: string, match: Match, parts: Parts): Promise<string> {
  const segments = await segmentsIn(disk, folder);
  const tree = growTree(nodeHashing);
  const lines: string[] = [];
  const later: Digest[] = [];
  let before: readonly string[] = [];
  let prev = 'A'.repeat(43);
  let last = prev;
  let head: Json = null;
  let key = '';
  let checkpoint = '';
  let seq = 0;
  outer: for await (const batch of linesOf(journalChunks(disk, segments))) {
    for (const { bytes } of batch) {
      if (bytes.length === 0) continue;
      const text = Buffer.from(bytes).toString('utf8');
      const entry = entryOfText(text);
      if (entry === undefined) throw damaged(match, seq);
      if ('pruned' in entry) {
        const { from, to, hashes, last: end } = entry.pruned;
        if (from < match.to && to > match.from) throw damaged(match, from);
        levelsBetween(from, to - 1).forEach((level, i) => {
          tree.appendSubtree({ level, hash: bytesOfBase64Url(hashes[i] ?? '') ?? new Uint8Array(32) });
        });
        tree.append(bytesOfBase64Url(end) ?? new Uint8Array(32));
        last = end;
        seq = to;
        continue;
      }
      const { record } = entry;
      if (record.seq === match.from) {
        before = tree.frontier().map(textOfBase64Url);
        prev = last;
      }
      const leaf = nodeHashing.leaf(bytes);
      const data = isObject(record.data) ? record.data : {};
      if (record.kind === 'open' && record.seq <= match.from) head = record.data;
      if (record.kind === 'open' && typeof data.key === 'string' && record.seq < match.to) key = data.key;
      if (record.seq >= match.from && record.seq < match.to) lines.push(text);
      if (record.seq >= match.to) {
        if (
          record.kind === 'checkpoint' &&
          typeof data.note === 'string' &&
          later.length === record.seq - match.to
        ) {
          checkpoint = data.note;
          break outer;
        }
        later.push(leaf);
      } else if (
        record.kind === 'checkpoint' &&
        typeof data.note === 'string' &&
        record.seq === match.to - 1
      ) {
        checkpoint = data.note;
      }
      tree.append(leaf);
      last = textOfBase64Url(leaf);
      seq = record.seq + 1;
    }
  }
  const note = readNote(checkpoint);
  let to = match.to;
  if (note === undefined) throw damaged(match, seq);
  // The last checkpoint of a journal stands behind what it vouches for.
  if (note.size < to) {
    lines.length -= to - note.size;
    to = note.size;
  }
  const after = levelsBetween(to, note.size).map((level, i, levels) => {
    const at = levels.slice(0, i).reduce((sum, one) => sum + 2 ** one, 0);
    return textOfBase64Url(rootOf(nodeHashing, later.slice(at, at + 2 ** level)));
  });
  const headLine: MatchHead = {
    format: 'bakucore-match',
    version: MATCH_VERSION,
    match: match.id,
    table: match.table,
    origin: note.origin,
    key,
    from: match.from,
    to,
    prev,
    before,
    after,
    checkpoint,
    head,
    start: await startOf(disk, folder, match, lines[0] ?? '', parts),
    writtenBy: HOST_VERSION,
  };
  return `${JSON.stringify(headLine)}\n${lines.join('\n')}\n`;
}

/** The state a match began from: its snapshot, or the journal run again up to there. */
async function startOf(
  disk: Disk,
  folder: string,
  match: Match,
  first: string,
  parts: Parts,
): Promise<string | null> {
  const entry = entryOfText(first);
  const record = entry !== undefined && 'record' in entry ? entry.record : undefined;
  if (record?.kind !== 'snapshot') return null;
  const named = isObject(record.data) ? record.data.state : undefined;
  const kept = await readSnapshot(disk, folder, match.from);
  if (kept !== undefined && hashOfSaved(kept.state) === named) return kept.state;
  let state = '';
  await replaySource(await openSource(folder), {
    parts,
    until(one, refold) {
      if (one.seq < match.from) return true;
      state = savedWithHash(refold.state).text;
      return false;
    },
  });
  if (hashOfSaved(state) !== named) {
    throw new TableFault(
      'journal/differs',
      `The state before match ${match.id} cannot be made again.`,
      'Use the host that recorded it.',
    );
  }
  return state;
}

function damaged(match: Match, seq: number): TableFault {
  return new TableFault(
    'journal/not-intact',
    `Match ${match.id} cannot be exported: record ${seq} is not there, or no checkpoint vouches for it yet.`,
    'While the host runs wait for the next checkpoint; after a crash start the host once more.',
  );
}

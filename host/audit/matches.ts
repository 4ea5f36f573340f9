import { join } from 'node:path';
import { TableFault } from '../fault.ts';
import type { Json } from '../ids.ts';
import type { Damage } from '../journal/damage.ts';
import type { Disk } from '../journal/disk.ts';
import { endOf, entryOfText, isObject } from '../journal/entry.ts';
import { linesOf } from '../journal/lines.ts';
import { journalChunks, type Segment, segmentsIn } from '../journal/segments.ts';
import type { JournalRecord, RecordKind } from '../record.ts';
import { type Match, restsBefore } from './match.ts';
import { type Draft, draft, isJudged, newGameIn, playersOf, take } from './match-draft.ts';

export { type Match, restsBefore };

/** Who played a match that was removed: nobody is named any more. */
const NO_NAMES = { A: 'A', B: 'B' };

/** Name of the list of closed matches beside a journal. It only saves time: the journal gives the same. */
export const INDEX_FILE = 'matches.jsonl';

/**
 * The matches of a table, oldest first. Reads the list of closed ones and only the records after them. `told` hears of a
 * segment among these that cannot be unpacked: what it hides of matches is missing.
 */
export async function matchesIn(
  disk: Disk,
  folder: string,
  told?: (damage: Damage) => void,
): Promise<readonly Match[]> {
  const closed = await readIndex(disk, folder);
  const from = closed.at(-1)?.to ?? 0;
  const found = await scanMatches(disk, folder, from, closed.at(-1));
  const matches = [...closed, ...found.matches].map((match) => {
    const tombstone = found.tombstones.find((one) => one.match === match.id);
    return tombstone === undefined ? match : { ...match, removed: tombstone.data, players: NO_NAMES };
  });
  for (const damage of found.damages) told?.(damage);
  const news = found.matches.some((match) => match.closed);
  const went = closed.some((was, i) => was.removed === undefined && matches[i]?.removed !== undefined);
  // A list of what can be read just now must not outlast the damage: another copy may bring the rest.
  const sure = found.damages.length === 0 ? matches : matches.slice(0, closed.length);
  // A folder that may only be read can still be listed.
  if (went || (news && sure === matches)) await writeIndex(disk, folder, sure).catch(() => {});
  return matches;
}

/** Writes the list of closed matches. Rejects when it cannot be written. */
export async function writeIndex(disk: Disk, folder: string, matches: readonly Match[]): Promise<void> {
  const text = matches.flatMap((match) => (match.closed ? [`${JSON.stringify(match)}\n`] : [])).join('');
  await disk.replace(join(folder, INDEX_FILE), Buffer.from(text));
}

/** The match of that id. Throws a TableFault `library/no-such-match`. */
export async function matchNamed(disk: Disk, folder: string, id: string): Promise<Match> {
  const matches = await matchesIn(disk, folder);
  const match = id === 'last' ? matches.at(-1) : matches.find((one) => one.id === id);
  if (match !== undefined) return match;
  throw new TableFault(
    'library/no-such-match',
    `${folder} has no match ${id}.`,
    'List them with: bakucore library.',
  );
}

/** The list of closed matches as it stands beside the journal; empty when there is none that can be read. */
export async function readIndex(disk: Disk, folder: string): Promise<readonly Match[]> {
  let text: string;
  try {
    text = Buffer.from(await disk.read(join(folder, INDEX_FILE))).toString('utf8');
  } catch {
    return [];
  }
  const matches: Match[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const value: unknown = JSON.parse(line);
      if (!isObject(value) || typeof value.to !== 'number' || value.closed !== true) return [];
      matches.push(value as unknown as Match);
    } catch {
      return [];
    }
  }
  return matches;
}

/** Lines that say nothing of a match's course are not parsed: by far the most. */
const DULL: ReadonlySet<RecordKind> = new Set(['line', 'sent', 'tick', 'checkpoint']);

async function scanMatches(
  disk: Disk,
  folder: string,
  fromSeq: number,
  /** The match before the first that is found here. */
  newest: Match | undefined,
): Promise<{
  readonly matches: readonly Match[];
  readonly tombstones: readonly { match: string; data: Json }[];
  readonly damages: readonly Damage[];
}> {
  const damages: Damage[] = [];
  const matches: Draft[] = [];
  const tombstones: { match: string; data: Json }[] = [];
  let head: Json = null;
  const segments = await segmentsIn(disk, folder);
  let openSeq: number | undefined;
  // The new game before which a match's first snapshot was taken says who plays it; any later one was refused.
  let naming = false;
  // One command of a judge tells of several things, as of the correction and of what holds instead: it counts once.
  let isCounted = false;
  for await (const lines of linesOf(journalChunks(disk, segments, fromSeq))) {
    for (const { bytes, whole, damage } of lines) {
      if (damage !== undefined) damages.push(damage);
      if (bytes.length === 0 || !whole) continue;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
      const current = matches.at(-1);
      const end = endOf(text);
      if (end !== undefined && DULL.has(end.kind)) {
        if (current !== undefined) current.to = end.seq + 1;
        continue;
      }
      const entry = entryOfText(text);
      if (entry === undefined || 'pruned' in entry) continue;
      const { record } = entry;
      if (record.kind === 'open') head = record.data;
      if (record.kind === 'segment' && isObject(record.data) && typeof record.data.open === 'number') {
        openSeq = record.data.open;
      }
      if (record.seq < fromSeq) continue;
      if (record.kind === 'tombstone' && isObject(record.data) && typeof record.data.match === 'string') {
        tombstones.push({ match: record.data.match, data: record.data });
      }
      if (begins(record)) {
        if (current !== undefined) current.closed = true;
        // Begun in a session whose head lies before what is read here.
        if (head === null && openSeq !== undefined) head = await recordAt(disk, segments, openSeq);
        matches.push(draft(record, head, current ?? newest));
        naming = record.kind === 'snapshot';
        continue;
      }
      if (record.kind === 'command') isCounted = false;
      if (current !== undefined && !isCounted && isJudged(record)) {
        isCounted = true;
        current.corrections += 1;
      }
      const begun = naming ? newGameIn(record) : undefined;
      if (current !== undefined && begun !== undefined) {
        naming = false;
        current.players = playersOf(begun.options) ?? current.players;
      }
      if (current !== undefined) take(current, record, matches.at(-2) ?? newest);
    }
  }
  return { matches, tombstones, damages };
}

/** What a record holds; null when it is gone. */
async function recordAt(disk: Disk, segments: readonly Segment[], seq: number): Promise<Json> {
  for await (const lines of linesOf(journalChunks(disk, segments, seq))) {
    for (const { bytes } of lines) {
      const entry = bytes.length === 0 ? undefined : entryOfText(Buffer.from(bytes).toString('utf8'));
      if (entry === undefined || 'pruned' in entry || entry.record.seq < seq) continue;
      return entry.record.seq === seq ? entry.record.data : null;
    }
  }
  return null;
}

/** A match begins with an `open` that resumes nothing, or with the snapshot before a new game. */
export function begins(record: JournalRecord): boolean {
  const data = isObject(record.data) ? record.data : {};
  if (record.kind === 'open') return data.resumes !== true;
  return record.kind === 'snapshot' && data.why === 'match-start';
}

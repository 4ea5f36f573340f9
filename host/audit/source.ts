import { stat } from 'node:fs/promises';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import { DAMAGE_REMEDY, type Damage, damageText, isDamage } from '../journal/damage.ts';
import { systemDisk } from '../journal/disk.ts';
import { type Line, linesOf } from '../journal/lines.ts';
import { type ReadTrouble, readRecords } from '../journal/read.ts';
import { journalChunks, segmentsIn } from '../journal/segments.ts';
import { readSnapshot, type Snapshot } from '../journal/snapshots.ts';
import { unzippedSoFar } from '../journal/unpack.ts';
import type { JournalRecord } from '../record.ts';
import { isMatchHead, type MatchHead, matchHeadOf } from './match-head.ts';

/** Something that holds records: a table's folder, a segment, a match file, a capture. */
export interface Source {
  readonly path: string;
  /** Present for a match file. */
  readonly match?: MatchHead;
  /** The state kept at this record, as far as it is: it counts when it has the hash that the record names. */
  snapshot?(seq: number): Promise<Snapshot | undefined>;
  /** The file that holds this record, as far as names of files tell. */
  fileOf?(seq: number): string;
  /** Its lines as written, without the head of a match file. */
  lines(): AsyncIterable<readonly Line[]>;
  records(told: (trouble: ReadTrouble) => void): AsyncGenerator<readonly JournalRecord[]>;
}

/**
 * Opens a file or folder with records. Throws a TableFault `journal/unreadable` when there is nothing to read, and
 * `journal/unknown-form` for a match file of a version that is not known here.
 */
export async function openSource(path: string): Promise<Source> {
  const { chunks, fileOf } = await filesOf(path);
  const match = await headIn(chunks());
  const rest = match === undefined ? chunks : () => withoutFirstLine(chunks());
  return {
    path,
    // Beside a file there is no folder of states, and looking for one finds nothing.
    snapshot: (seq) => readSnapshot(systemDisk, path, seq),
    ...(match === undefined ? {} : { match }),
    fileOf,
    lines: () => linesOf(rest()),
    records: (told) => readRecords(rest(), told),
  };
}

type Chunks = AsyncIterable<Uint8Array | Damage>;

async function filesOf(path: string): Promise<{ chunks(): Chunks; fileOf(seq: number): string }> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) {
      const isPacked = path.endsWith('.gz');
      const chunks = () => (isPacked ? unzippedSoFar(systemDisk, path) : systemDisk.chunks(path));
      return { chunks, fileOf: () => path };
    }
  } catch (error) {
    throw new TableFault(
      'journal/unreadable',
      `${path} cannot be read (${systemCodeOf(error) ?? wordsOf(error)}).`,
      'Check the name and the permissions.',
      { cause: error },
    );
  }
  const segments = await segmentsIn(systemDisk, path);
  if (segments.length === 0) {
    throw new TableFault(
      'journal/unreadable',
      `${path} holds no journal.`,
      'Name the folder of a table, as in data/t1, or a file.',
    );
  }
  return {
    chunks: () => journalChunks(systemDisk, segments),
    fileOf: (seq) => (segments.findLast(({ firstSeq }) => firstSeq <= seq) ?? segments[0])?.path ?? path,
  };
}

/** The head of a match file. Throws a TableFault `journal/unreadable` when not one line can be unpacked. */
async function headIn(chunks: Chunks): Promise<MatchHead | undefined> {
  let damage: Damage | undefined;
  for await (const lines of linesOf(chunks)) {
    const [first] = lines;
    damage ??= first?.damage;
    if (first === undefined || first.damage !== undefined) continue;
    const text = Buffer.from(first.bytes).toString('utf8');
    return isMatchHead(text) ? matchHeadOf(text) : undefined;
  }
  if (damage !== undefined) throw new TableFault('journal/unreadable', damageText(damage), DAMAGE_REMEDY);
  return undefined;
}

async function* withoutFirstLine(chunks: Chunks): AsyncGenerator<Uint8Array | Damage> {
  let begun = false;
  for await (const chunk of chunks) {
    if (begun || isDamage(chunk)) yield chunk;
    else {
      const end = chunk.indexOf(10);
      if (end < 0) continue;
      begun = true;
      yield chunk.subarray(end + 1);
    }
  }
}

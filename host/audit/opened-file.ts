import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { MatchName } from '../displays/archive-messages.ts';
import { TableFault, wordsOf } from '../fault.ts';
import type { Disk, DiskFile } from '../journal/disk.ts';
import { entryOfText, isObject } from '../journal/entry.ts';
import { SEGMENT_BYTES, segmentName } from '../journal/segments.ts';
import { keepState } from '../journal/snapshots.ts';
import type { Parts } from '../parts.ts';
import { openOf } from './match-head.ts';
import { NODE_TOOLS } from './node-tools.ts';
import { replaySource } from './replay.ts';
import { openSource, type Source } from './source.ts';
import { verifySource } from './verify-source.ts';

/** Largest match file that is opened once it is unpacked, bytes: about a thousand rolls. */
const MOST_UNPACKED = 256 * 1024 * 1024;

/**
 * Lays a match file out as the folder of a table with that match alone, so that it can be looked at as any other. Throws a
 * TableFault that says what is wrong with the file: it is none, it is not what was written, or this host cannot play it.
 */
export async function unpackMatch(ask: {
  readonly disk: Disk;
  /** Where the file lies, as it came; packed ones are taken too. It is gone afterwards. */
  readonly path: string;
  readonly folder: string;
  readonly parts: Parts;
}): Promise<Pick<MatchName, 'match'>> {
  const { disk, path, folder, parts } = ask;
  const plain = `${path}.match`;
  try {
    await unpackTo(plain, path);
    const source = await openSource(plain);
    if (source.match === undefined) throw noMatchFile();
    const { match, start } = source.match;
    const open = openOf(source.match);
    const { state, broken } = await verifySource(source, NODE_TOOLS);
    if (state === 'broken') throw notAsWritten(broken?.text ?? '');
    // Says what keeps this host from playing it, before anybody waits for a picture.
    await replaySource(source, { parts, until: () => false });
    await disk.makeFolder(folder);
    const first = await layOut(disk, source, folder);
    if (start !== null && open !== undefined && first !== undefined) {
      const hash = isObject(first.data) && typeof first.data.state === 'string' ? first.data.state : '';
      const { seq, atMs } = first;
      await keepState(disk, folder, { seq, atMs, head: open.data, hash, state: start }, '-match');
    }
    return { match };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(path, { force: true });
    await rm(plain, { force: true });
  }
}

/** Writes the records in segments of the usual size, so that none has to be held whole. Gives the first record. */
async function layOut(disk: Disk, source: Source, folder: string) {
  let first: NonNullable<ReturnType<typeof recordIn>> | undefined;
  let file: DiskFile | undefined;
  let position = 0;
  try {
    for await (const lines of source.lines()) {
      const texts = lines.flatMap(({ bytes }) =>
        bytes.length === 0 ? [] : [Buffer.from(bytes).toString('utf8')],
      );
      const record = recordIn(texts[0]);
      if (record === undefined) continue;
      first ??= record;
      if (file === undefined || position > SEGMENT_BYTES) {
        await file?.close();
        file = await disk.create(join(folder, segmentName(record.seq)));
        position = 0;
      }
      const bytes = Buffer.from(`${texts.join('\n')}\n`);
      await file.write(bytes, position);
      position += bytes.length;
    }
  } finally {
    await file?.close();
  }
  return first;
}

function recordIn(text: string | undefined) {
  const entry = text === undefined ? undefined : entryOfText(text);
  return entry !== undefined && 'record' in entry ? entry.record : undefined;
}

/** The file as text in another, unpacked when it is packed. */
async function unpackTo(plain: string, path: string): Promise<void> {
  let bytes = 0;
  const bounded = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MOST_UNPACKED) throw tooLarge();
      yield chunk;
    }
  };
  const from = createReadStream(path);
  const isPacked = await beginsPacked(path);
  try {
    if (isPacked) await pipeline(from, createGunzip(), bounded, createWriteStream(plain));
    else await pipeline(Readable.from(from), bounded, createWriteStream(plain));
  } catch (error) {
    if (error instanceof TableFault) throw error;
    throw new TableFault(
      'journal/unreadable',
      `The file cannot be unpacked (${wordsOf(error)}).`,
      'Export it again.',
    );
  }
}

async function beginsPacked(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const magic = new Uint8Array(2);
    await file.read(magic, 0, 2, 0);
    return magic[0] === 0x1f && magic[1] === 0x8b;
  } finally {
    await file.close();
  }
}

function noMatchFile(): TableFault {
  return new TableFault(
    'journal/unknown-form',
    'This is no match file of BakuCore.',
    'Choose one that the library made under More, or bakucore export; other records are run by bakucore replay.',
  );
}

function notAsWritten(what: string): TableFault {
  return new TableFault(
    'journal/not-intact',
    `This match file is not what was written: ${what}`.replace(/[.:]?\s*$/, '.'),
    'Get it again from where it was recorded.',
  );
}

function tooLarge(): TableFault {
  return new TableFault(
    'journal/unreadable',
    `This match file is larger than ${MOST_UNPACKED / 1024 / 1024} MB unpacked.`,
    'Run it with bakucore replay.',
  );
}

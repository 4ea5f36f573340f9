import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import { DAMAGE_REMEDY, type Damage, damageText } from './damage.ts';
import type { Disk } from './disk.ts';
import { inflatedSoFar } from './inflate.ts';

/** Unpacks gzip, piece by piece. Throws a TableFault `journal/unreadable` that names the file when it is none or cut off. */
export async function* unzipped(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const unzip = createGunzip();
  pipeline(Readable.from(chunks), unzip, () => {});
  try {
    yield* unzip;
  } catch (error) {
    if (!isZipError(error)) throw error;
    const text = damageText({ file: path, why: wordsOf(error) });
    throw new TableFault('journal/unreadable', text, DAMAGE_REMEDY, { cause: error });
  }
}

/** The same as far as it goes: every byte that can be unpacked, and then, where that is not all, what is wrong. */
export async function* unzippedSoFar(disk: Disk, path: string): AsyncGenerator<Uint8Array | Damage> {
  let given = 0;
  try {
    for await (const chunk of unzipped(disk.chunks(path), path)) {
      given += chunk.length;
      yield chunk;
    }
    return;
  } catch (error) {
    const cause = error instanceof TableFault ? error.cause : undefined;
    if (!isZipError(cause)) throw error;
    // A stream that fails gives up what it had unpacked and not handed on.
    const packed = await disk.read(path);
    const rest = inflatedSoFar(packed).subarray(given);
    if (rest.length > 0) yield rest;
    yield { file: path, why: packed.length === 0 ? 'it is empty' : wordsOf(cause) };
  }
}

function isZipError(error: unknown): boolean {
  return systemCodeOf(error)?.startsWith('Z_') === true;
}

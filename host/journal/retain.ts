import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { wordsOf } from '../fault.ts';
import type { Log } from '../log.ts';
import type { Disk } from './disk.ts';
import { segmentsIn } from './segments.ts';

const zip = promisify(gzip);

/**
 * Compresses every segment but the newest, each whole or not at all. What fails is said and left as it is: nothing is
 * removed before its compressed form is on disk.
 */
export async function compressClosed(
  disk: Disk,
  folder: string,
  log: Log,
  mayGoOn: () => boolean = () => true,
): Promise<void> {
  try {
    const segments = await segmentsIn(disk, folder);
    for (const { path, compressed } of segments.slice(0, -1)) {
      if (compressed) continue;
      if (!mayGoOn()) return;
      const bytes = await disk.read(path);
      await disk.replace(`${path}.gz`, await zip(bytes, { level: 6 }));
      await disk.remove(path);
    }
  } catch (error) {
    log.warn('A closed segment was not compressed', { folder, why: wordsOf(error) });
  }
}

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { wordsOf } from '../fault.ts';
import type { Log } from '../log.ts';
import type { Disk } from './disk.ts';
import { type Rewriting, whileRewriting } from './rewriting.ts';
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
  rewriting: Rewriting = {},
): Promise<void> {
  const { mayGoOn = () => true } = rewriting;
  try {
    if ((await plainOnes(disk, folder)).length === 0) return;
    await whileRewriting(disk, folder, rewriting, async () => {
      for (const { path } of await plainOnes(disk, folder)) {
        if (!mayGoOn()) return;
        const bytes = await disk.read(path);
        await disk.replace(`${path}.gz`, await zip(bytes, { level: 6 }));
        await disk.remove(path);
      }
    });
  } catch (error) {
    log.warn('A closed segment was not compressed', { folder, why: wordsOf(error) });
  }
}

async function plainOnes(disk: Disk, folder: string): Promise<readonly { readonly path: string }[]> {
  return (await segmentsIn(disk, folder)).slice(0, -1).filter(({ compressed }) => !compressed);
}

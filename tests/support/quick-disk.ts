import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { type Disk, type DiskFile, systemDisk } from '../../host/journal/disk.ts';

/** The file once it is there, written at once and never synced. */
async function promptly(opening: Promise<DiskFile>, path: string): Promise<DiskFile> {
  await (await opening).close();
  const file = openSync(path, 'r+');
  return {
    async write(bytes, position) {
      for (let done = 0; done < bytes.length; )
        done += writeSync(file, bytes, done, bytes.length - done, position + done);
    },
    async truncate(bytes) {
      ftruncateSync(file, bytes);
    },
    async sync() {},
    async close() {
      closeSync(file);
    },
  };
}

/**
 * This disk, but its journals are written while nobody waits. Virtual time does not: on a disk or a machine that is busy,
 * what is decided would show late in it.
 */
export const quickDisk: Disk = {
  ...systemDisk,
  create: (path) => promptly(systemDisk.create(path), path),
  open: (path) => promptly(systemDisk.open(path), path),
};

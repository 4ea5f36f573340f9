import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { type Disk, type DiskFile, systemDisk } from '../../host/journal/disk.ts';

/** A disk that a run in virtual time can wait for. */
export interface AwaitedDisk extends Disk {
  /** Resolves when nothing that was asked of it is under way any more, nor what that led to. */
  idle(): Promise<void>;
}

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
 * This disk, but virtual time can stand still while it works: on a disk or a machine that is busy, what is decided would
 * show late in that time, and not twice at the same moment of it.
 */
export function quickDisk(): AwaitedDisk {
  let underWay = 0;
  const during = async <T>(work: Promise<T>): Promise<T> => {
    underWay += 1;
    try {
      return await work;
    } finally {
      underWay -= 1;
    }
  };
  return {
    ...systemDisk,
    create: (path) => during(promptly(systemDisk.create(path), path)),
    open: (path) => during(promptly(systemDisk.open(path), path)),
    makeFolder: (path) => during(systemDisk.makeFolder(path)),
    read: (path) => during(systemDisk.read(path)),
    list: (path) => during(systemDisk.list(path)),
    size: (path) => during(systemDisk.size(path)),
    replace: (path, bytes, mode) => during(systemDisk.replace(path, bytes, mode)),
    claim: (path, bytes) => during(systemDisk.claim(path, bytes)),
    remove: (path) => during(systemDisk.remove(path)),
    freeBytes: (path) => during(systemDisk.freeBytes(path)),
    async idle() {
      // What just ended may ask for more: two turns of the loop in which nothing was under way, and it is at rest.
      for (let quiet = 0; quiet < 2; quiet = underWay === 0 ? quiet + 1 : 0) {
        await new Promise((done) => setImmediate(done));
      }
    },
  };
}

import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The little that a journal asks of a file system, so that tests can fill the disk. */
export interface Disk {
  /** Makes a folder and those above it; no error when it is there. */
  makeFolder(path: string): Promise<void>;
  /** Makes a new file; rejects with code `EEXIST` when there is one. The name itself is on disk when this resolves. */
  create(path: string): Promise<DiskFile>;
}

export interface DiskFile {
  /** Writes all bytes at a position; a second write at the same place replaces the first. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Resolves when everything written survives a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The machine's own file system. */
export const systemDisk: Disk = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true });
  },
  async create(path) {
    const file = await open(path, 'wx');
    await syncFolder(dirname(path));
    return {
      write: (bytes, position) => writeAll(file, bytes, position),
      sync: () => file.datasync(),
      close: () => file.close(),
    };
  },
};

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** A new name is safe only when its folder is; systems that cannot sync a folder do without. */
async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await open(path, 'r');
    await folder.sync();
  } catch {
    // Windows opens no folders; there the file system keeps names by itself.
  } finally {
    await folder?.close();
  }
}

import { randomUUID } from 'node:crypto';
import * as files from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCodeOf } from '../fault.ts';

/** What a journal asks of a file system: little, so that tests can fill the disk and cut the power. */
export interface Disk {
  /** Makes a folder and those above it; no error when it is there. Its name is on disk when this resolves. */
  makeFolder(path: string): Promise<void>;
  /** Makes a new file; rejects with code `EEXIST` when there is one. The name itself is on disk when this resolves. */
  create(path: string): Promise<DiskFile>;
  /** Opens a file that is there, to write; rejects with code `ENOENT` when there is none. */
  open(path: string): Promise<DiskFile>;
  /** The whole file; rejects with code `ENOENT` when there is none. */
  read(path: string): Promise<Uint8Array>;
  /** The file in pieces. Rejects on the first one when it cannot be read. */
  chunks(path: string): AsyncIterable<Uint8Array>;
  /** Names in a folder, sorted; none when there is no such folder. */
  list(path: string): Promise<readonly string[]>;
  /** Size in bytes; rejects with code `ENOENT` when there is no such file. */
  size(path: string): Promise<number>;
  /** Puts these bytes under that name, whole or not at all, whatever happens meanwhile. */
  replace(path: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /**
   * Makes a file that holds these bytes from the first moment on. Rejects with EEXIST when there is one: of all who ask at
   * once, one has it. Where a file has one name only, whoever looks early may find it empty.
   */
  claim(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file or folder; no error when it is not there. */
  remove(path: string): Promise<void>;
  /** Free bytes for this user where the path lies; undefined where that is not known. */
  freeBytes(path: string): Promise<number | undefined>;
}

export interface DiskFile {
  /** Writes all bytes at a position; a second write at the same place replaces the first. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Cuts the file to that many bytes. */
  truncate(bytes: number): Promise<void>;
  /** Resolves when everything written survives a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** An open file or folder, as `node:fs/promises` has it. */
export interface OpenFile {
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>;
  truncate(bytes: number): Promise<void>;
  datasync(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The calls of `node:fs/promises` that a disk is made of; a test puts a file system in their place that loses power. */
export interface FileCalls {
  mkdir(path: string, options: { readonly recursive: true }): Promise<string | undefined>;
  open(path: string, flags: string, mode?: number): Promise<OpenFile>;
  readdir(path: string): Promise<string[]>;
  /** A second name for a file; rejects with EEXIST when there is such a name. */
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: true; readonly recursive: true }): Promise<void>;
  stat(path: string): Promise<{ readonly size: number }>;
  statfs(path: string): Promise<{ readonly bavail: number; readonly bsize: number }>;
}

const CHUNK_BYTES = 256 * 1024;
/** What file systems say that know one name for a file, as on memory sticks; Windows says EISDIR there. */
const HAS_NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR']);

/** A disk made of these calls. Whatever must survive a power cut is synced, names in folders too. */
export function diskOver(calls: FileCalls): Disk {
  const syncFolder = async (path: string): Promise<void> => {
    let folder: OpenFile | undefined;
    try {
      folder = await calls.open(path, 'r');
      await folder.sync();
    } catch {
      // Windows opens no folders; there the file system keeps names by itself.
    } finally {
      await folder?.close();
    }
  };
  const write = async (path: string, flags: string, bytes: Uint8Array, mode?: number): Promise<void> => {
    const file = await calls.open(path, flags, mode);
    try {
      await writeAll(file, bytes, 0);
      await file.datasync();
    } finally {
      await file.close();
    }
  };
  const chunks = async function* (path: string): AsyncGenerator<Uint8Array> {
    const file = await calls.open(path, 'r');
    try {
      for (let at = 0; ; ) {
        const bytes = new Uint8Array(CHUNK_BYTES);
        const { bytesRead } = await file.read(bytes, 0, CHUNK_BYTES, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield bytes.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  };
  return {
    async makeFolder(path) {
      const first = await calls.mkdir(path, { recursive: true });
      if (first === undefined) return;
      for (let at = path; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
    },
    async create(path) {
      const file = await calls.open(path, 'wx');
      await syncFolder(dirname(path));
      return fileOf(file);
    },
    open: async (path) => fileOf(await calls.open(path, 'r+')),
    async read(path) {
      const parts: Uint8Array[] = [];
      for await (const part of chunks(path)) parts.push(part);
      return Buffer.concat(parts);
    },
    chunks,
    async list(path) {
      try {
        return (await calls.readdir(path)).sort();
      } catch (error) {
        if (systemCodeOf(error) === 'ENOENT') return [];
        throw error;
      }
    },
    size: async (path) => (await calls.stat(path)).size,
    async replace(path, bytes, mode) {
      const next = `${path}.next`;
      await write(next, 'w', bytes, mode);
      await calls.rename(next, path);
      await syncFolder(dirname(path));
    },
    async claim(path, bytes) {
      // Processes of two machines may have one number.
      const own = `${path}.${randomUUID()}`;
      try {
        await write(own, 'w', bytes);
        await calls.link(own, path);
      } catch (error) {
        if (!HAS_NO_LINKS.has(systemCodeOf(error) ?? '')) throw error;
        await write(path, 'wx', bytes);
      } finally {
        await calls.rm(own, { force: true, recursive: true });
      }
      await syncFolder(dirname(path));
    },
    async remove(path) {
      await calls.rm(path, { force: true, recursive: true });
      await syncFolder(dirname(path));
    },
    async freeBytes(path) {
      try {
        const { bavail, bsize } = await calls.statfs(path);
        return bavail * bsize;
      } catch {
        return undefined;
      }
    },
  };
}

/** The machine's own file system. */
export const systemDisk: Disk = diskOver(files);

function fileOf(file: OpenFile): DiskFile {
  return {
    write: (bytes, position) => writeAll(file, bytes, position),
    truncate: (bytes) => file.truncate(bytes),
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}

async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

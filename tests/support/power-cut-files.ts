import { basename, dirname } from 'node:path';
import type { FileCalls, OpenFile } from '../../host/journal/disk.ts';

/** Draws whole numbers from 0 to n - 1. */
export type Draw = (n: number) => number;

/** A small generator for tests: the same numbers for the same seed, on every machine. */
export function drawFrom(seed: number): Draw {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) % n;
  };
}

const SECTOR = 512;

interface Inode {
  readonly folder: boolean;
  /** What a running program reads. */
  now: Buffer;
  /** What is on the platter. */
  safe: Buffer;
  /** Byte ranges written since. */
  dirty: { readonly from: number; readonly to: number }[];
}

type NameChange = { readonly name: string; readonly inode: Inode | undefined };

export interface PowerCutFiles extends FileCalls {
  /** Calls made so far. */
  readonly calls: number;
  /** Lets the power go at this call from now on: it and all later ones never come back. */
  cutAt(call: number, then: () => void): void;
  /** Whether the power has gone. */
  readonly isCut: boolean;
  /** The file system as the next start finds it: what was not synced is there, torn, or gone. */
  afterCut(draw: Draw): PowerCutFiles;
  /** Every write fails with ENOSPC while true. */
  full: boolean;
  /** Waits this long in every sync. */
  syncTakes: (() => Promise<void>) | undefined;
  text(path: string): string;
  put(path: string, bytes: Uint8Array): void;
}

/**
 * A file system in memory that keeps apart what a program sees and what is on the platter. Bytes become safe by
 * `datasync`, names by syncing their folder, nothing else.
 */
export function powerCutFiles(from?: ReadonlyMap<string, Inode>): PowerCutFiles {
  /** By path; names as a running program sees them. */
  const now = new Map<string, Inode>(from ?? [['/', folderInode()]]);
  const safe = new Map<string, Inode>(now);
  let pending: { readonly folder: string; readonly changes: readonly NameChange[] }[] = [];
  let calls = 0;
  let cutCall = Number.POSITIVE_INFINITY;
  let onCut = (): void => {};
  let isCut = false;

  const step = async (): Promise<void> => {
    calls += 1;
    if (calls >= cutCall && !isCut) {
      isCut = true;
      onCut();
    }
    if (isCut) await new Promise<never>(() => {});
  };
  const find = (path: string): Inode => {
    const inode = now.get(path);
    if (inode === undefined) throw failure('ENOENT', path);
    return inode;
  };
  const change = (folder: string, changes: readonly NameChange[]): void => {
    for (const { name, inode } of changes) {
      if (inode === undefined) now.delete(name);
      else now.set(name, inode);
    }
    pending.push({ folder, changes });
  };
  const commit = (folder: string): void => {
    for (const one of pending) if (one.folder === folder) apply(safe, one.changes);
    pending = pending.filter((one) => one.folder !== folder);
  };

  const files: PowerCutFiles = {
    full: false,
    syncTakes: undefined,
    get calls() {
      return calls;
    },
    get isCut() {
      return isCut;
    },
    cutAt(call, then) {
      cutCall = call;
      onCut = then;
    },
    async mkdir(path) {
      await step();
      let first: string | undefined;
      const missing: string[] = [];
      for (let at = path; !now.has(at); at = dirname(at)) missing.unshift(at);
      for (const at of missing) {
        first ??= at;
        change(dirname(at), [{ name: at, inode: folderInode() }]);
      }
      return first;
    },
    async open(path, flags) {
      await step();
      if (flags === 'wx' && now.has(path)) throw failure('EEXIST', path);
      if ((flags === 'wx' || flags === 'w') && !now.has(path)) {
        if (!now.has(dirname(path))) throw failure('ENOENT', path);
        change(dirname(path), [
          { name: path, inode: { folder: false, now: Buffer.alloc(0), safe: Buffer.alloc(0), dirty: [] } },
        ]);
      }
      const inode = find(path);
      if (flags === 'w') cutTo(inode, 0);
      return openFile(inode, path);
    },
    async readdir(path) {
      await step();
      find(path);
      return [...now.keys()]
        .filter((name) => name !== path && dirname(name) === path)
        .map((name) => basename(name));
    },
    async link(source, target) {
      await step();
      if (now.has(target)) throw failure('EEXIST', target);
      change(dirname(target), [{ name: target, inode: find(source) }]);
    },
    async rename(source, target) {
      await step();
      const inode = find(source);
      change(dirname(target), [
        { name: source, inode: undefined },
        { name: target, inode },
      ]);
    },
    async rm(path) {
      await step();
      const gone = [...now.keys()].filter((name) => name === path || name.startsWith(`${path}/`));
      if (gone.length > 0)
        change(
          dirname(path),
          gone.map((name) => ({ name, inode: undefined })),
        );
    },
    async stat(path) {
      await step();
      return { size: find(path).now.length };
    },
    async statfs() {
      return { bavail: files.full ? 0 : 1e9, bsize: 1 };
    },
    afterCut(draw) {
      const names = new Map(safe);
      // A folder's changes reach the platter in their order, up to some point.
      const folders = new Set(pending.map(({ folder }) => folder));
      for (const folder of folders) {
        const changes = pending.filter((one) => one.folder === folder);
        for (const one of changes.slice(0, draw(changes.length + 1))) apply(names, one.changes);
      }
      // What lies in a folder whose own name was lost cannot be found again.
      for (const name of [...names.keys()].sort()) {
        if (name !== '/' && !names.has(dirname(name))) names.delete(name);
      }
      const kept = new Map<Inode, Inode>();
      const after = new Map<string, Inode>();
      for (const [name, inode] of names) {
        const own = kept.get(inode) ?? survivor(inode, draw);
        kept.set(inode, own);
        after.set(name, own);
      }
      return powerCutFiles(after);
    },
    text: (path) => find(path).now.toString('utf8'),
    put(path, bytes) {
      now.set(path, { folder: false, now: Buffer.from(bytes), safe: Buffer.from(bytes), dirty: [] });
      safe.set(path, find(path));
    },
  };

  const openFile = (inode: Inode, path: string): OpenFile => ({
    async read(into, offset, length, position) {
      await step();
      const bytes = inode.now.subarray(position, position + length);
      into.set(bytes, offset);
      return { bytesRead: bytes.length };
    },
    async write(bytes, offset, length, position) {
      if (files.full) throw failure('ENOSPC', path);
      const size = Math.max(inode.now.length, position + length);
      const next = Buffer.alloc(size);
      inode.now.copy(next);
      next.set(bytes.subarray(offset, offset + length), position);
      inode.now = next;
      inode.dirty.push({ from: position, to: position + length });
      await step();
      return { bytesWritten: length };
    },
    async truncate(bytes) {
      await step();
      cutTo(inode, bytes);
    },
    async datasync() {
      await step();
      await files.syncTakes?.();
      inode.safe = Buffer.from(inode.now);
      inode.dirty = [];
    },
    async sync() {
      await step();
      if (inode.folder) commit(path);
      inode.safe = Buffer.from(inode.now);
      inode.dirty = [];
    },
    async close() {
      await step();
    },
  });
  return files;
}

function folderInode(): Inode {
  return { folder: true, now: Buffer.alloc(0), safe: Buffer.alloc(0), dirty: [] };
}

function apply(names: Map<string, Inode>, changes: readonly NameChange[]): void {
  for (const { name, inode } of changes) {
    if (inode === undefined) names.delete(name);
    else names.set(name, inode);
  }
}

function cutTo(inode: Inode, bytes: number): void {
  inode.now = Buffer.from(inode.now.subarray(0, bytes));
  inode.dirty.push({ from: bytes, to: Number.MAX_SAFE_INTEGER });
}

/** What is left of a file: each sector written since the last sync is there, is not, or holds rubbish. */
function survivor(inode: Inode, draw: Draw): Inode {
  const unsynced = inode.dirty.length > 0;
  const shortest = Math.min(inode.safe.length, inode.now.length);
  const longest = Math.max(inode.safe.length, inode.now.length);
  const size = unsynced ? shortest + draw(longest - shortest + 1) : inode.safe.length;
  const bytes = Buffer.alloc(size);
  inode.safe.copy(bytes);
  if (unsynced) {
    const first = Math.min(...inode.dirty.map(({ from }) => from));
    for (let at = first - (first % SECTOR); at < size; at += SECTOR) {
      const end = Math.min(size, at + SECTOR);
      const dirty = inode.dirty.some(({ from, to }) => from < end && to > at);
      if (!dirty) continue;
      const fate = draw(8);
      const from = Math.max(at, first);
      if (fate < 4) inode.now.copy(bytes, from, from, Math.min(end, inode.now.length));
      else if (fate < 5) for (let i = from; i < end; i += 1) bytes[i] = draw(256);
      else if (fate < 6) bytes.fill(0, from, end);
    }
  }
  return { folder: inode.folder, now: bytes, safe: Buffer.from(bytes), dirty: [] };
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

import type { Disk, DiskFile } from '../../host/journal/disk.ts';
import type { JournalRecord } from '../../host/record.ts';

/** A disk in memory that knows what would survive a power cut, is as slow as a test asks and fails when told to. */
export interface MemoryDisk extends Disk {
  /** Every write fails with this code while it is set. */
  failWith: string | undefined;
  /** Syncs wait while true; `letGo` lets those that wait go. */
  hold: boolean;
  letGo(): void;
  /** Records that are safe now, in order. */
  safeRecords(): readonly JournalRecord[];
  /** Number of the last safe record, -1 before the first. */
  safeSeq(): number;
}

export function memoryDisk(): MemoryDisk {
  const files = new Map<string, Buffer>();
  const safe = new Map<string, Buffer>();
  let waiting: (() => void)[] = [];
  let parsed: { readonly text: string; readonly records: readonly JournalRecord[] } = {
    text: '',
    records: [],
  };

  const failure = (code: string, path: string): Error =>
    Object.assign(new Error(`${code}: ${path}`), { code });
  const find = (path: string): Buffer => {
    const bytes = files.get(path);
    if (bytes === undefined) throw failure('ENOENT', path);
    return bytes;
  };
  const fileAt = (path: string): DiskFile => ({
    async write(bytes, position) {
      if (disk.failWith !== undefined) throw failure(disk.failWith, path);
      const old = find(path);
      const next = Buffer.alloc(Math.max(old.length, position + bytes.length));
      old.copy(next);
      next.set(bytes, position);
      files.set(path, next);
    },
    async truncate(bytes) {
      files.set(path, Buffer.from(find(path).subarray(0, bytes)));
    },
    async sync() {
      if (disk.failWith !== undefined) throw failure(disk.failWith, path);
      if (disk.hold) await new Promise<void>((done) => waiting.push(done));
      safe.set(path, Buffer.from(find(path)));
    },
    async close() {},
  });
  const journalText = (): string =>
    [...safe]
      .filter(([path]) => path.endsWith('.jsonl'))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, bytes]) => bytes.toString('utf8'))
      .join('');

  const disk: MemoryDisk = {
    failWith: undefined,
    hold: false,
    letGo() {
      const now = waiting;
      waiting = [];
      for (const done of now) done();
    },
    safeRecords() {
      const text = journalText();
      if (text === parsed.text) return parsed.records;
      // Only what is new is read: a test asks after every step.
      const known = text.startsWith(parsed.text) ? parsed : { text: '', records: [] };
      const fresh = text
        .slice(known.text.length)
        .split('\n')
        .filter((line) => line !== '');
      parsed = { text, records: [...known.records, ...fresh.map((line): JournalRecord => JSON.parse(line))] };
      return parsed.records;
    },
    safeSeq: () => disk.safeRecords().at(-1)?.seq ?? -1,
    async makeFolder() {},
    async create(path) {
      if (files.has(path)) throw failure('EEXIST', path);
      files.set(path, Buffer.alloc(0));
      return fileAt(path);
    },
    async open(path) {
      find(path);
      return fileAt(path);
    },
    read: async (path) => find(path),
    async *chunks(path) {
      yield find(path);
    },
    list: async (folder) =>
      [...files.keys()]
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1))
        .filter((name) => !name.includes('/'))
        .sort(),
    size: async (path) => find(path).length,
    async replace(path, bytes) {
      if (disk.failWith !== undefined) throw failure(disk.failWith, path);
      files.set(path, Buffer.from(bytes));
      safe.set(path, Buffer.from(bytes));
    },
    async claim(path, bytes) {
      if (files.has(path)) throw failure('EEXIST', path);
      await disk.replace(path, bytes);
    },
    async remove(path) {
      files.delete(path);
      safe.delete(path);
    },
    freeBytes: async () => undefined,
  };
  return disk;
}

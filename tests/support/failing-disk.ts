import type { Disk } from '../../host/journal/disk.ts';
import type { JournalRecord } from '../../host/record.ts';

/** A disk in memory: what is written, what is safe, and any failure the test asks for. */
export class FailingDisk implements Disk {
  readonly files = new Map<string, Buffer>();
  readonly safe = new Map<string, Buffer>();
  fail:
    | { readonly at: 'write' | 'sync' | 'create'; readonly code: string; readonly after?: number }
    | undefined;
  /** Holds every sync back until called. */
  release: (() => void) | undefined;
  syncs = 0;

  async makeFolder(): Promise<void> {}
  async open(): Promise<never> {
    throw Object.assign(new Error('gone'), { code: 'ENOENT' });
  }
  async read(path: string): Promise<Uint8Array> {
    const bytes = this.files.get(path);
    if (bytes === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    return bytes;
  }
  async *chunks(path: string): AsyncGenerator<Uint8Array> {
    yield await this.read(path);
  }
  async list(folder: string): Promise<string[]> {
    return [...this.files.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1))
      .sort();
  }
  async size(path: string): Promise<number> {
    return (await this.read(path)).length;
  }
  async replace(path: string, bytes: Uint8Array): Promise<void> {
    this.files.set(path, Buffer.from(bytes));
  }
  async claim(path: string, bytes: Uint8Array): Promise<void> {
    if (this.files.has(path)) throw Object.assign(new Error('there'), { code: 'EEXIST' });
    await this.replace(path, bytes);
  }
  async remove(path: string): Promise<void> {
    this.files.delete(path);
    this.safe.delete(path);
  }
  async freeBytes(): Promise<undefined> {}
  async create(path: string) {
    if (this.fail?.at === 'create') throw Object.assign(new Error('no'), { code: this.fail.code });
    if (this.files.has(path)) throw Object.assign(new Error('there'), { code: 'EEXIST' });
    this.files.set(path, Buffer.alloc(0));
    return {
      write: async (bytes: Uint8Array, position: number) => {
        const old = this.files.get(path) ?? Buffer.alloc(0);
        const taken = this.fail?.at === 'write' ? bytes.subarray(0, this.fail.after ?? 0) : bytes;
        const next = Buffer.alloc(Math.max(old.length, position + taken.length));
        old.copy(next);
        next.set(taken, position);
        this.files.set(path, next);
        if (this.fail?.at === 'write') throw Object.assign(new Error('no'), { code: this.fail.code });
      },
      sync: async () => {
        this.syncs++;
        if (this.fail?.at === 'sync') throw Object.assign(new Error('no'), { code: this.fail.code });
        if (this.hold) await new Promise<void>((done) => (this.release = done));
        this.safe.set(path, Buffer.from(this.files.get(path) ?? []));
      },
      truncate: async (bytes: number) => {
        this.files.set(path, Buffer.from(this.files.get(path)?.subarray(0, bytes) ?? []));
      },
      close: async () => {},
    };
  }
  hold = false;
  get text(): string {
    return [...this.safe]
      .filter(([path]) => path.endsWith('.jsonl'))
      .map(([, bytes]) => bytes.toString())
      .join('');
  }
  get records(): JournalRecord[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }
}

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Input, Output } from '../host/advance/input.ts';
import { systemClock } from '../host/clock.ts';
import { TableFault } from '../host/fault.ts';
import { type Journal, type JournalHead, LINE_DELAY_MS, openJournal } from '../host/journal/capture.ts';
import type { Disk } from '../host/journal/disk.ts';
import { openOutbox } from '../host/journal/outbox.ts';
import { fileChunks, type ReadTrouble, readRecords } from '../host/journal/read.ts';
import { inputOf } from '../host/journal/records.ts';
import { collectingLog, silentLog } from '../host/log.ts';
import type { JournalRecord } from '../host/record.ts';
import { settle, testClock } from './support/transports.ts';

const HEAD: JournalHead = {
  host: '0.1.0',
  protocol: 1,
  ruleset: { name: 'bakugan', version: '1' },
  configHash: 'abc',
  layout: { name: 'fixed-12' },
  calibration: null,
};

/** A disk in memory: what is written, what is safe, and any failure the test asks for. */
class TestDisk implements Disk {
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

const line = (n: number): Input => ({ kind: 'line', atMs: n, link: 'a', raw: { line: `E1,${n}` } });
const command = (n: number): Input => ({
  kind: 'command',
  atMs: n,
  id: `c${n}`,
  command: { do: 'identify', by: { role: 'operator' }, cell: 'q0r0' },
});
const event = (n: number): Output => ({
  kind: 'event',
  atMs: n,
  event: { type: 'roll/opened', rules: ['5.7'], text: `Event ${n}.`, data: {} },
});
const send = (n: number): Output => ({
  kind: 'send',
  atMs: n,
  link: 'a',
  device: '7F3A0001',
  line: `L1,${n}`,
});

async function bench(disk = new TestDisk()) {
  const clock = testClock();
  const log = collectingLog();
  const troubles: (TableFault | undefined)[] = [];
  const journal = await openJournal({
    dataDir: '/data',
    table: 't1',
    head: HEAD,
    clock,
    log,
    disk,
    onTrouble: (trouble) => troubles.push(trouble),
  });
  const left: Output[] = [];
  const outbox = openOutbox(journal, (output) => left.push(output));
  return { disk, clock, log, troubles, journal, outbox, left };
}

describe('journal', () => {
  it('begins with what is in force, in one canonical envelope', async () => {
    const { disk, journal } = await bench();
    expect(journal.path).toBe('/data/t1/000000000000.jsonl');
    expect(disk.records[0]).toEqual({
      seq: 0,
      atMs: 0,
      kind: 'open',
      table: 't1',
      prev: 'A'.repeat(43),
      data: {
        wallTime: '2026-01-01T00:00:00.000Z',
        key: expect.stringMatching(/^bakucore\/t1\+[0-9a-f]{8}\+/),
        resumes: false,
        ...HEAD,
      },
    });
    expect(Object.keys(disk.records[0] ?? {})).toEqual(['atMs', 'data', 'kind', 'prev', 'seq', 'table']);
  });

  it('numbers without gaps, keeps order, and ends with a closing record', async () => {
    const { disk, clock, journal, outbox } = await bench();
    for (let i = 1; i <= 50; i++) outbox.heard(i % 10 === 0 ? command(i) : line(i));
    await clock.pass(100);
    await journal.close(51);
    expect(disk.records.map(({ seq }) => seq)).toEqual(Array.from({ length: 53 }, (_, i) => i));
    expect(disk.records.slice(1, -2).map(({ atMs }) => atMs)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
    expect(disk.records.at(-2)).toMatchObject({ kind: 'close', atMs: 51 });
    expect(disk.records.at(-1)).toMatchObject({ kind: 'checkpoint', atMs: 51 });
    journal.append('line', 60, {});
    await clock.pass(1000);
    expect(disk.records).toHaveLength(53);
  });

  it('brings raw lines to the disk in one go, within 25 ms', async () => {
    const { disk, clock, outbox } = await bench();
    const before = disk.syncs;
    for (let i = 1; i <= 20; i++) outbox.heard(line(i));
    await clock.pass(LINE_DELAY_MS - 1);
    expect(disk.records).toHaveLength(1);
    await clock.pass(1);
    expect(disk.records).toHaveLength(21);
    expect(disk.syncs).toBe(before + 1);
  });

  it('refuses to start where it cannot write, with the remedy', async () => {
    const disk = new TestDisk();
    disk.fail = { at: 'create', code: 'EACCES' };
    const fault = await bench(disk).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(TableFault);
    expect(fault).toMatchObject({ code: 'journal/not-writable', remedy: expect.stringContaining('dataDir') });
  });
});

describe('outbox', () => {
  it('lets nothing leave that rests on a command, ruling or event before it is safe', async () => {
    const disk = new TestDisk();
    const { clock, outbox, left } = await bench(disk);
    disk.hold = true;
    outbox.heard(command(1));
    outbox.put([{ kind: 'accepted', atMs: 1, id: 'c1' }, send(1), event(1)]);
    await clock.pass(10);
    expect(left).toEqual([]);
    expect(outbox.waiting).toBe(3);
    disk.hold = false;
    disk.release?.();
    await settle();
    expect(left.map(({ kind }) => kind)).toEqual(['accepted', 'send', 'event']);
    expect(disk.records.map(({ kind }) => kind)).toEqual(['open', 'command', 'event', 'sent', 'event']);
  });

  it('does not hold lights back that rest on lines alone', async () => {
    const { outbox, left, disk } = await bench();
    outbox.heard(line(1));
    outbox.put([send(1)]);
    expect(left).toEqual([send(1)]);
    expect(disk.records).toHaveLength(1);
  });

  it('never lets a later output overtake one that waits', async () => {
    const disk = new TestDisk();
    const { outbox, left } = await bench(disk);
    disk.hold = true;
    outbox.put([event(1)]);
    await settle();
    outbox.heard(line(2));
    outbox.put([send(2)]);
    expect(left).toEqual([]);
    disk.hold = false;
    disk.release?.();
    await settle();
    expect(left).toEqual([event(1), send(2)]);
  });

  it('keeps order when what is released makes the table say more', async () => {
    const { journal } = await bench();
    const left: number[] = [];
    const waiting: number[] = [];
    const outbox = openOutbox(journal, (output) => {
      left.push(output.atMs);
      waiting.push(outbox.waiting);
      if (output.atMs === 1) outbox.put([send(3)]);
    });
    outbox.put([send(1), send(2)]);
    expect(left).toEqual([1, 2, 3]);
    expect(waiting).toEqual([0, 0, 0]);
    outbox.put([event(4), send(5)]);
    expect(outbox.waiting).toBe(2);
    await settle();
    expect(left).toEqual([1, 2, 3, 4, 5]);
    expect(outbox.waiting).toBe(0);
  });

  it('keeps order and releases all, whatever is put when', async () => {
    const deeds = fc.array(fc.constantFrom('line', 'command', 'event', 'send', 'pass', 'settle'), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(deeds, async (order) => {
        const { clock, outbox, left, journal, disk } = await bench();
        const put: Output[] = [];
        let n = 0;
        const say = (output: Output): void => {
          put.push(output);
          outbox.put([output]);
        };
        for (const deed of order) {
          n++;
          if (deed === 'line') outbox.heard(line(n));
          if (deed === 'command') outbox.heard(command(n));
          if (deed === 'event') say(event(n));
          if (deed === 'send') say(send(n));
          if (deed === 'pass') await clock.pass(30);
          if (deed === 'settle') await settle(1);
          const safe = new Set(disk.records.map(({ atMs, kind }) => `${kind} ${atMs}`));
          for (const one of left) if (one.kind === 'event') expect(safe.has(`event ${one.atMs}`)).toBe(true);
          expect(left).toEqual(put.slice(0, left.length));
        }
        await journal.close(n);
        expect(left).toEqual(put);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a disk that fails', () => {
  it.each([
    ['write', 'ENOSPC', /disk is full/, /Free some space/],
    ['sync', 'EIO', /EIO/, /Check the disk/],
  ] as const)(
    'holds play back on a failed %s, says so once, and goes on when it works',
    async (at, code, text, remedy) => {
      const { disk, clock, log, troubles, journal, outbox, left } = await bench();
      outbox.put([event(1)]);
      await settle();
      disk.fail = { at, code, after: 17 };
      outbox.put([event(2), send(2)]);
      await clock.pass(10_000);
      outbox.put([event(3)]);
      await clock.pass(10_000);
      expect(left).toEqual([event(1)]);
      expect(troubles).toHaveLength(1);
      expect(journal.trouble).toBe(troubles[0]);
      expect(troubles[0]?.code).toBe('journal/write-failed');
      expect(troubles[0]?.sentence).toMatch(text);
      expect(troubles[0]?.remedy).toMatch(remedy);
      expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
      disk.fail = undefined;
      await clock.pass(1000);
      expect(left).toEqual([event(1), event(2), send(2), event(3)]);
      expect(troubles).toEqual([troubles[0], undefined]);
      expect(journal.trouble).toBeUndefined();
      expect(disk.records.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4]);
    },
  );

  it('bounds what waits in memory: lines are given up and counted, rulings never', async () => {
    const { disk, clock, journal } = await bench();
    disk.fail = { at: 'write', code: 'ENOSPC' };
    const data = { link: 'a', line: 'x'.repeat(1_000_000) };
    for (let i = 0; i < 70; i++) journal.append('line', i, data);
    journal.append('ruling', 70, { ruling: 'kept' });
    await clock.pass(100);
    disk.fail = undefined;
    await clock.pass(2000);
    const kinds = disk.records.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'line')).toHaveLength(68);
    expect(kinds).toContain('ruling');
    expect(disk.records.at(-1)).toMatchObject({
      kind: 'fault',
      data: { text: expect.stringContaining('2 lines') },
    });
    expect(disk.records.map(({ seq }) => seq)).toEqual(disk.records.map((_, i) => i));
  });

  it('says on close when the last records could not be saved', async () => {
    const { disk, journal } = await bench();
    disk.fail = { at: 'sync', code: 'EIO' };
    await expect(journal.close(1)).rejects.toMatchObject({ code: 'journal/write-failed' });
  });
});

describe('reading back', () => {
  const read = async (text: string | Uint8Array, cuts: readonly number[] = []) => {
    const bytes = Buffer.from(text as string);
    const troubles: ReadTrouble[] = [];
    async function* chunks() {
      let from = 0;
      for (const cut of [...cuts, bytes.length]) {
        if (cut > from) yield bytes.subarray(from, cut);
        from = Math.max(from, cut);
      }
    }
    const records: JournalRecord[] = [];
    for await (const batch of readRecords(chunks(), (trouble) => troubles.push(trouble)))
      records.push(...batch);
    return { records, troubles, inputs: records.flatMap((record) => inputOf(record) ?? []) };
  };

  const anyInput: fc.Arbitrary<Input> = fc.oneof(
    fc.record({
      kind: fc.constant('line' as const),
      atMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      link: fc.string({ minLength: 1 }),
      raw: fc.oneof(
        fc.string().map((text) => ({ line: text })),
        fc.uint8Array().map((bytes) => ({ b64: Buffer.from(bytes).toString('base64') })),
      ),
    }),
    fc.record(
      {
        kind: fc.constant('line' as const),
        atMs: fc.nat(),
        link: fc.constant('m'),
        raw: fc.constant({ line: 'E1' }),
        device: fc.constant('7F3A0001'),
        retained: fc.boolean(),
      },
      { requiredKeys: ['kind', 'atMs', 'link', 'raw', 'device'] },
    ),
    fc.record(
      {
        kind: fc.constant('link' as const),
        atMs: fc.nat(),
        link: fc.constant('a'),
        up: fc.boolean(),
        reason: fc.string(),
        remedy: fc.string(),
      },
      { requiredKeys: ['kind', 'atMs', 'link', 'up', 'reason'] },
    ),
    fc.record({
      kind: fc.constant('dropped' as const),
      atMs: fc.nat(),
      link: fc.constant('a'),
      what: fc.string(),
      count: fc.nat(),
    }),
    fc.nat().map(command),
  );

  it('gives the very inputs back that were recorded, however the file is cut into reads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyInput, { maxLength: 15 }),
        fc.array(fc.nat({ max: 3000 }), { maxLength: 8 }),
        async (inputs, cuts) => {
          const { disk, clock, journal, outbox } = await bench();
          for (const input of inputs) {
            outbox.heard(input);
            outbox.put([send(1), event(1)]);
          }
          await clock.pass(50);
          await journal.close(77);
          const back = await read(
            disk.text,
            cuts.sort((a, b) => a - b),
          );
          expect(back.troubles).toEqual([]);
          // JSON knows no negative zero.
          const written = JSON.parse(JSON.stringify([...inputs, { kind: 'tick', atMs: 77 }]));
          expect(back.inputs).toEqual(written);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('leaves a torn tail out and reports it, wherever the power went', async () => {
    const { disk, clock, journal, outbox } = await bench();
    for (let i = 1; i <= 5; i++) outbox.heard(command(i));
    await clock.pass(50);
    await journal.close(6);
    const bytes = Buffer.from(disk.text.replaceAll('\n\n', '\n'));
    const ends = [...bytes].flatMap((byte, i) => (byte === 10 ? [i + 1] : []));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { records, troubles } = await read(bytes.subarray(0, cut));
      const whole = ends.filter((end) => end <= cut).length;
      expect(records).toHaveLength(whole);
      const torn = cut > 0 && !ends.includes(cut);
      expect(troubles.map(({ what }) => what)).toEqual(torn ? ['torn-tail'] : []);
    }
  });

  it('tells what is no record, what is missing, and goes on', async () => {
    const record = (seq: number) =>
      JSON.stringify({ seq, atMs: seq, kind: 'line', table: 't', data: { link: 'a', line: 'x' } });
    const { records, troubles } = await read(
      [record(0), '{"half":', record(1), 'null', '[]', '{"atMs":"x"}', '', record(3), ''].join('\n'),
    );
    expect(records.map(({ seq }) => seq)).toEqual([0, 1, 3]);
    expect(troubles.map(({ what, line: at }) => `${what} ${at}`)).toEqual([
      'not-a-record 2',
      'not-a-record 4',
      'not-a-record 5',
      'not-a-record 6',
      'gap 8',
    ]);
  });

  it('survives megabytes without a line end', async () => {
    const noise = Buffer.alloc(9 * 1024 * 1024, 'x');
    const good = JSON.stringify({ atMs: 1, via: 'a', line: 'E1' });
    const { records, troubles } = await read(Buffer.concat([noise, Buffer.from(`\n${good}\n`)]), [5e6]);
    expect(records).toHaveLength(1);
    expect(troubles.map(({ what }) => what)).toEqual(['too-long']);
  });

  it('reads a plain capture, its last line without a line end too', async () => {
    const { inputs } = await read(
      '{"atMs":1,"via":"a","line":"E1"}\n{"via":"b","b64":"/w==","atMs":2.5,"device":"7F"}',
    );
    expect(inputs).toEqual([
      { kind: 'line', atMs: 1, link: 'a', raw: { line: 'E1' } },
      { kind: 'line', atMs: 2.5, link: 'b', raw: { b64: '/w==' }, device: '7F' },
    ]);
  });
});

describe('on the real disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bakucore-journal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const openIn = (): Promise<Journal> =>
    openJournal({ dataDir: folder, table: 't1', head: HEAD, clock: systemClock, log: silentLog });

  it('writes, syncs and reads back', async () => {
    const journal = await openIn();
    const outbox = openOutbox(journal, () => {});
    outbox.heard({ kind: 'line', atMs: 1, link: 'a', raw: { line: 'Zürich \u{1F3B2}' } });
    await journal.flush();
    expect(statSync(journal.path).size).toBeGreaterThan(0);
    await journal.close(2);
    const inputs: Input[] = [];
    for await (const batch of readRecords(fileChunks(journal.path), () => expect.unreachable())) {
      inputs.push(...batch.flatMap((record) => inputOf(record) ?? []));
    }
    expect(inputs[0]).toMatchObject({ raw: { line: 'Zürich \u{1F3B2}' } });
  });

  it('names a file that cannot be read', async () => {
    const reading = readRecords(fileChunks(join(folder, 'absent')), () => {});
    await expect(reading.next()).rejects.toMatchObject({ code: 'journal/unreadable' });
  });

  it('loses nothing that was released when the process is killed', async () => {
    // The child prints each event only when the outbox releases it; whatever was printed must be on disk.
    const script = `
      import { writeSync } from 'node:fs';
      import { runnerImport } from 'vite';
      const from = async (path) => (await runnerImport(path, { logLevel: 'error' })).module;
      const { openJournal } = await from('./host/journal/capture.ts');
      const { openOutbox } = await from('./host/journal/outbox.ts');
      const { systemClock } = await from('./host/clock.ts');
      const { silentLog } = await from('./host/log.ts');
      const journal = await openJournal({
        dataDir: ${JSON.stringify(folder)}, table: 't1', head: {}, clock: systemClock, log: silentLog,
      });
      const say = (text) => {
        for (;;) {
          try {
            return writeSync(1, text);
          } catch (error) {
            if (error.code !== 'EAGAIN') throw error;
          }
        }
      };
      const outbox = openOutbox(journal, (output) => say(output.atMs + '\\n'));
      for (let n = 1; ; n++) {
        outbox.heard({ kind: 'line', atMs: n, link: 'a', raw: { line: 'E1' } });
        outbox.put([{ kind: 'event', atMs: n, event: { type: 'x', rules: [], text: '', data: {} } }]);
        if (n % 20 === 0) await new Promise((done) => setImmediate(done));
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(import.meta.dirname, '..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed: string[] = [];
    child.stdout.on('data', (bytes: Buffer) => printed.push(bytes.toString()));
    const started = new Promise((done) => child.stdout.once('data', done));
    await started;
    await new Promise((done) => setTimeout(done, 60));
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
    const last = Number(printed.join('').trimEnd().split('\n').at(-1));
    const name = readdirSync(join(folder, 't1')).find((one) => one.endsWith('.jsonl'));
    const events: number[] = [];
    const troubles: ReadTrouble[] = [];
    for await (const batch of readRecords(fileChunks(join(folder, 't1', name ?? '')), (one) =>
      troubles.push(one),
    )) {
      events.push(...batch.filter(({ kind }) => kind === 'event').map(({ atMs }) => atMs));
    }
    expect(last).toBeGreaterThan(0);
    expect(events.slice(0, last)).toEqual(Array.from({ length: last }, (_, i) => i + 1));
    expect(troubles.filter(({ what }) => what !== 'torn-tail')).toEqual([]);
  });
});

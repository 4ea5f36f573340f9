import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Input } from '../host/advance/input.ts';
import { systemClock } from '../host/clock.ts';
import { type Journal, openJournal } from '../host/journal/capture.ts';
import { openOutbox } from '../host/journal/outbox.ts';
import { fileChunks, type ReadTrouble, readRecords } from '../host/journal/read.ts';
import { inputOf } from '../host/journal/records.ts';
import { silentLog } from '../host/log.ts';
import { SMALL_HEAD } from './support/small-journal.ts';
import { eventually } from './support/transports.ts';

describe('on the real disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bakucore-journal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const openIn = (): Promise<Journal> =>
    openJournal({ dataDir: folder, table: 't1', head: SMALL_HEAD, clock: systemClock, log: silentLog });

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
    // In the middle of its work: some hundred are told, and it goes on.
    await eventually('what it tells', () => printed.join('').split('\n').length > 200);
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

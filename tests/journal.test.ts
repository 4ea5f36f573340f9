import { describe, expect, it } from 'vitest';
import { TableFault } from '../host/fault.ts';
import { LINE_DELAY_MS } from '../host/journal/capture.ts';
import { FailingDisk } from './support/failing-disk.ts';
import { command, event, journalBench, line, send } from './support/journal-bench.ts';
import { SMALL_HEAD } from './support/small-journal.ts';
import { settle } from './support/transports.ts';

describe('journal', () => {
  it('begins with what is in force, in one canonical envelope', async () => {
    const { disk, journal } = await journalBench();
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
        ...SMALL_HEAD,
      },
    });
    expect(Object.keys(disk.records[0] ?? {})).toEqual(['atMs', 'data', 'kind', 'prev', 'seq', 'table']);
  });

  it('numbers without gaps, keeps order, and ends with a closing record', async () => {
    const { disk, clock, journal, outbox } = await journalBench();
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
    const { disk, clock, outbox } = await journalBench();
    const before = disk.syncs;
    for (let i = 1; i <= 20; i++) outbox.heard(line(i));
    await clock.pass(LINE_DELAY_MS - 1);
    expect(disk.records).toHaveLength(1);
    await clock.pass(1);
    expect(disk.records).toHaveLength(21);
    expect(disk.syncs).toBe(before + 1);
  });

  it('refuses to start where it cannot write, with the remedy', async () => {
    const disk = new FailingDisk();
    disk.fail = { at: 'create', code: 'EACCES' };
    const fault = await journalBench(disk).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(TableFault);
    expect(fault).toMatchObject({ code: 'journal/not-writable', remedy: expect.stringContaining('dataDir') });
  });
});

describe('a disk that fails', () => {
  it.each([
    ['write', 'ENOSPC', /disk is full/, /Free some space/],
    ['sync', 'EIO', /EIO/, /Check the disk/],
  ] as const)(
    'holds play back on a failed %s, says so once, and goes on when it works',
    async (at, code, text, remedy) => {
      const { disk, clock, log, troubles, journal, outbox, left } = await journalBench();
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
    const { disk, clock, journal } = await journalBench();
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
    const { disk, journal } = await journalBench();
    disk.fail = { at: 'sync', code: 'EIO' };
    await expect(journal.close(1)).rejects.toMatchObject({ code: 'journal/write-failed' });
  });
});

import { describe, expect, it, vi } from 'vitest';
import { collectingLog } from '../host/log.ts';
import { PARTS } from '../host/parts.ts';
import { openRecordedTable } from '../host/recorded-table.ts';
import { isSaid } from '../host/said.ts';
import { createVirtualClock } from '../sim/clock.ts';
import { memoryDisk } from './support/memory-disk.ts';
import { differenceIn } from './support/replay-difference.ts';
import { heard, heardUpTo, NEW_GAME, recorded, tableBench } from './support/table-bench.ts';
import { settle } from './support/transports.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

describe('a table that is closed', () => {
  it('settles what fell due, closes the ways in, and replays to exactly what it said', async () => {
    const { table, disk, clock, told, transports, play } = await tableBench();
    await play(heard);
    // Boards have fallen silent: notices fall due that nobody woke the table for.
    clock.runTo(recorded.nowMs + 10_000);
    await table.close();
    for (const transport of transports.values()) {
      expect(transport.isClosed).toBe(true);
      expect(transport.wrong).toEqual([]);
    }
    const records = disk.safeRecords();
    expect(records.at(0)?.kind).toBe('open');
    expect(records.some(({ kind }) => kind === 'close')).toBe(true);
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, i) => i));
    expect(differenceIn(records)).toEqual([]);
    const said = records.filter((record) => isSaid(record) && record.kind !== 'sent');
    expect(told).toHaveLength(said.length);
    expect(told.some(({ output }) => output.kind === 'fault' && output.code === 'link/silent')).toBe(true);
  });

  it.each([1100, 2300, 3200, 3900, 4700])(
    'at %i ms, in whatever it was doing: replays to exactly what it said',
    async (atMs) => {
      const { table, disk, clock, play } = await tableBench();
      await play(heardUpTo(atMs));
      clock.runTo(atMs + 0.5);
      await table.close();
      expect(differenceIn(disk.safeRecords())).toEqual([]);
    },
  );

  it('hears and tells nothing afterwards, five minutes long', async () => {
    const { table, disk, clock, told, play } = await tableBench();
    await play(heardUpTo(3000));
    await table.close();
    const before = told.length;
    const safe = disk.safeSeq();
    table.command('late', NEW_GAME);
    clock.runTo(clock.now() + 300_000);
    await settle();
    expect(told).toHaveLength(before);
    expect(disk.safeSeq()).toBe(safe);
    expect(clock.nextDue()).toBe(Number.POSITIVE_INFINITY);
  });

  it('says so when its last records could not be saved', async () => {
    const { table, disk, clock, play } = await tableBench();
    await play(heardUpTo(1500));
    disk.failWith = 'EIO';
    table.command('c1', NEW_GAME);
    await settle();
    const closing = expect(table.close()).rejects.toMatchObject({ code: 'journal/write-failed' });
    for (let i = 0; i < 10; i++) {
      clock.runTo(clock.now() + 1000);
      await settle();
    }
    await closing;
  });
});

describe('a table whose links do not open', () => {
  it('does not start, and leaves nothing running behind', async () => {
    const disk = memoryDisk();
    const clock = createVirtualClock();
    const opening = openRecordedTable({
      dataDir: '/data',
      origin: 'bakucore/test/t1',
      configHash: 'test',
      setting: recorded.setting,
      parts: PARTS,
      clock,
      log: collectingLog(),
      newMatch: false,
      disk,
      listener: { told() {}, changed() {} },
      openLinks: async () => {
        throw new Error('no such port');
      },
    });
    await expect(opening).rejects.toThrow('no such port');
    expect(disk.safeRecords().some(({ kind }) => kind === 'close')).toBe(true);
    expect(await disk.list('/data/t1')).not.toContain('lock');
    expect(clock.nextDue()).toBe(Number.POSITIVE_INFINITY);
  });
});

import { describe, expect, it, vi } from 'vitest';
import type { Audience } from '../host/game/ruleset.ts';
import { differenceIn } from './support/replay-difference.ts';
import { heardUpTo, NEW_GAME, OPERATOR, tableBench } from './support/table-bench.ts';
import { settle } from './support/transports.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const EVERYONE: readonly Audience[] = [
  OPERATOR,
  { kind: 'judge' },
  { kind: 'player', player: 'A' },
  { kind: 'venue' },
  { kind: 'public' },
];

describe('a disk that fails', () => {
  it('holds play, says so to everyone, and lets all of it go when it works again', async () => {
    const { table, disk, clock, log, told, play } = await tableBench();
    await play(heardUpTo(2300));
    for (const audience of EVERYONE) expect(table.scene(audience).trouble).toBeNull();
    const before = told.length;
    disk.failWith = 'ENOSPC';
    table.command('c1', NEW_GAME);
    await settle();
    expect(told.length).toBe(before);
    for (const audience of EVERYONE) expect(table.scene(audience).trouble).toMatch(/\.$/);
    expect(table.scene(OPERATOR).trouble).toMatch(/disk is full.*Free some space/);
    expect(
      log.lines
        .filter(({ level }) => level === 'error')
        .map(({ text }) => text)
        .join(),
    ).toMatch(/disk is full/);
    // Seconds of failing, with people who try: nothing of it is told, nothing is lost.
    for (let i = 2; i <= 4; i++) {
      clock.runTo(clock.now() + 1500);
      table.command(`c${i}`, { do: 'identify', by: { role: 'operator' }, cell: 'q9r9' });
      await settle();
    }
    expect(told.filter(({ output }) => output.kind !== 'fault').length).toBe(before);
    disk.failWith = undefined;
    clock.runTo(clock.now() + 1500);
    await settle();
    const answers = told.flatMap(({ output }) =>
      output.kind === 'accepted' || output.kind === 'refused' ? [output.id] : [],
    );
    expect(answers.slice(-4)).toEqual(['c1', 'c2', 'c3', 'c4']);
    for (const audience of EVERYONE) expect(table.scene(audience).trouble).toBeNull();
    await table.close();
    expect(differenceIn(disk.safeRecords())).toEqual([]);
  });

  it('tells screens that something changed, so that they show it without anything being heard', async () => {
    const rig = await tableBench();
    await rig.play(heardUpTo(1500));
    rig.disk.failWith = 'EIO';
    rig.table.command('c1', NEW_GAME);
    const asked = rig.changes;
    await settle();
    expect(rig.changes).toBeGreaterThan(asked);
    const failing = rig.changes;
    rig.disk.failWith = undefined;
    rig.clock.runTo(rig.clock.now() + 1100);
    await settle();
    expect(rig.changes).toBeGreaterThan(failing);
    await rig.table.close();
  });
});

import { describe, expect, it } from 'vitest';
import { createDiskTurns, type Turn, turnsOn } from '../host/journal/disk-turns.ts';
import { writeSegments } from '../host/journal/write.ts';
import { memoryDisk } from './support/memory-disk.ts';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

/** Tables that ask for the disk, and those whose turn has come, in order. */
function tables() {
  const turns = createDiskTurns();
  const begun: string[] = [];
  const asked = new Map<string, Turn>();
  return {
    begun,
    ask(name: string, hurried: boolean) {
      const turn = turns.ask(hurried);
      asked.set(name, turn);
      void turn.come.then(() => begun.push(name));
    },
    hurry: (name: string) => asked.get(name)?.hurry(),
    done: (name: string) => asked.get(name)?.done(),
  };
}

describe('turns of tables at one disk', () => {
  it('let a ruling go at once, however many tables wait with raw lines', async () => {
    const { begun, ask } = tables();
    for (let n = 1; n <= 100; n += 1) ask(`lines ${n}`, false);
    ask('ruling', true);
    await settled();
    expect(begun).toEqual(['lines 1', 'lines 2', 'ruling']);
  });

  it('let raw lines go before all others once a ruling waits behind them', async () => {
    const { begun, ask, hurry } = tables();
    for (let n = 1; n <= 9; n += 1) ask(`lines ${n}`, false);
    await settled();
    hurry('lines 7');
    await settled();
    expect(begun).toEqual(['lines 1', 'lines 2', 'lines 7']);
  });

  it('come to everybody, in order, and count nobody twice', async () => {
    const { begun, ask, done } = tables();
    const names = Array.from({ length: 30 }, (_, n) => `t${n}`);
    for (const name of names) ask(name, name.endsWith('5'));
    for (let at = 0; at < names.length; at += 1) {
      await settled();
      done(begun[at] ?? '');
      done(begun[at] ?? '');
    }
    expect([...begun].sort()).toEqual([...names].sort());
    const patient = begun.filter((name) => !name.endsWith('5'));
    expect(patient).toEqual(names.filter((name) => !name.endsWith('5')));
  });

  it('are hurried for what somebody waits for, and not for the lines after it', async () => {
    const disk = memoryDisk();
    const events = { safe() {}, failed: () => expect.unreachable(), recovered() {}, after: () => () => {} };
    const writer = await writeSegments(disk, '/t1', 0, events);
    for (let n = 0; n < 2; n += 1) turnsOn(disk).ask(false);
    writer.add(0, 'ruling');
    disk.hold = true;
    const ruling = writer.flush();
    await settled();
    // Somebody asks once more while it is being written.
    const again = writer.flush();
    disk.hold = false;
    disk.letGo();
    await Promise.all([ruling, again]);
    expect(writer.safeSeq).toBe(0);
    writer.add(1, 'line');
    void writer.flush(false);
    await settled();
    expect(writer.safeSeq).toBe(0);
    await writer.flush();
    expect(writer.safeSeq).toBe(1);
  });
});

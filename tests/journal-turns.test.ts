import { describe, expect, it } from 'vitest';
import { createDiskTurns, type Turn } from '../host/journal/disk-turns.ts';

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
});

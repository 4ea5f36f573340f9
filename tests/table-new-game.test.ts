import { describe, expect, it, vi } from 'vitest';
import { differenceIn } from './support/replay-difference.ts';
import { heardUpTo, NEW_GAME, recorded, type TableBench, tableBench } from './support/table-bench.ts';
import { settle } from './support/transports.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

describe('a new game', () => {
  const starts = ({ disk }: TableBench): number =>
    disk
      .safeRecords()
      .filter(
        ({ kind, data }) =>
          kind === 'snapshot' && 'why' in Object(data) && Object(data).why === 'match-start',
      ).length;

  it('begins a match in the record when it is taken, and none when it is refused', async () => {
    const rig = await tableBench();
    await rig.play(heardUpTo(1500));
    const by = { role: 'operator' } as const;
    rig.table.command('no', { do: 'new-game', by, options: { players: {} } });
    rig.table.command('nor', { do: 'new-game', by: { role: 'player', player: 'A' } });
    await settle();
    expect(rig.told.filter(({ output }) => output.kind === 'refused')).toHaveLength(2);
    expect(starts(rig)).toBe(0);
    rig.table.command('yes', { do: 'new-game', by });
    await settle();
    expect(starts(rig)).toBe(1);
    await rig.table.close();
    expect(differenceIn(rig.disk.safeRecords())).toEqual([]);
  });

  it('met by a mistake of the rules stops this table alone, and its record is still closed', async () => {
    const unhandled: unknown[] = [];
    const hear = (error: unknown): unknown => unhandled.push(error);
    process.on('unhandledRejection', hear);
    const { ruleset } = recorded.setting;
    let wrong = false;
    const setup: typeof ruleset.setup = (options) => {
      if (wrong) throw new TypeError('a mistake of ours');
      return ruleset.setup(options);
    };
    const rig = await tableBench({ setting: { ruleset: { ...ruleset, setup } } });
    await rig.play(heardUpTo(1500));
    wrong = true;
    rig.table.command('n1', NEW_GAME);
    rig.table.command('n2', NEW_GAME);
    await settle();
    await rig.table.close();
    await settle();
    process.off('unhandledRejection', hear);
    expect(unhandled).toEqual([]);
    expect(
      rig.told.filter(({ output }) => output.kind === 'fault' && output.code === 'table/stopped'),
    ).toHaveLength(1);
    expect(rig.disk.safeRecords().at(-2)?.kind).toBe('close');
  });
});

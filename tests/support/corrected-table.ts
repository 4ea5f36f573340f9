import type { Command } from '../../host/advance/input.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import { createSimTable } from '../../sim/table.ts';
import { quickDisk } from './quick-disk.ts';
import { type TableRun, tableRun, virtualClock } from './table-run.ts';
import { demoFor, settingFor } from './virtual-table.ts';

const JUDGE = { role: 'judge', name: 'Referee' } as const;

/**
 * Two matches of one table in one journal, each from a start of its own, so that both have a game 1 with the same rolls.
 * In the first a judge overrules its second roll, after a try that is refused, and counts a deck; in the second nobody does.
 */
export async function correctedTable(dataDir: string): Promise<{
  /** Rolls of the first match that the sensors were sure of, in order. */
  readonly sure: readonly string[];
  /** The one that is overruled. */
  readonly overruled: string;
}> {
  const sim = createSimTable({ layout: FIXED_12, seed: 14 });
  const setting = settingFor(sim, demoFor(14));
  const clock = virtualClock();
  const ask = { sim, setting, disk: quickDisk(), dataDir, isAlive: () => false };
  const first = await tableRun({ ...ask, clock, seed: 14 });
  await first.run(60_000, () => sureIn(first).length >= 2);
  await first.run(100);
  const rulings = sureIn(first);
  const [before, overruled] = rulings.map(({ roll }) => roll);
  if (before === undefined || overruled === undefined) throw new Error('no two rolls were sure');
  first.table.command('refused', noneOpened(before, ' '));
  first.table.command('overrule', noneOpened(overruled, 'Seen on video: both stayed closed'));
  const count = {
    type: 'count',
    player: 'A',
    zone: 'deck',
    count: 30,
    reason: 'Counted',
    by: JUDGE,
  } as const;
  first.table.command('count', { do: 'play', input: count });
  for (const { player, cell } of sim.standing()) sim.act({ act: 'lift', player, cell });
  await first.run(30_000, () => sureIn(first).length >= 3);
  await first.run(400);
  await first.close();
  const second = await tableRun({
    ...{ ...ask, clock: virtualClock(0, clock.wallMs + 1000), seed: 8, newMatch: true },
  });
  await second.run(60_000, () => sureIn(second).length >= 3);
  await second.run(400);
  await second.close();
  return { sure: sureIn(first).map(({ roll }) => roll), overruled };
}

/** One match whose first sure roll a judge takes back before it is made anew under the same name. Gives that name. */
export async function remadeTable(dataDir: string): Promise<string> {
  const sim = createSimTable({ layout: FIXED_12, seed: 7 });
  const setting = settingFor(sim, demoFor(7));
  const run = await tableRun({
    ...{ sim, setting, disk: quickDisk(), dataDir, clock: virtualClock(), seed: 7, isAlive: () => false },
  });
  await run.run(60_000, () => sim.thrown().length === 2);
  const to = run.table.decided().play.seq;
  await run.run(30_000, () => sureIn(run).length >= 1);
  const [first] = sureIn(run);
  if (first === undefined) throw new Error('no roll was sure');
  run.table.command('back', { do: 'undo', by: JUDGE, to, reason: 'The mat was pushed', rule: '5.7.1' });
  for (const { player, cell } of sim.standing()) sim.act({ act: 'lift', player, cell });
  await run.run(30_000, () => sureIn(run).length >= 2);
  await run.run(400);
  await run.close();
  return first.roll;
}

function noneOpened(roll: string, reason: string): Command {
  const results = (['A', 'B'] as const).map((player) => ({ player, opened: 'no', cores: [] }));
  return {
    do: 'replace-ruling',
    by: JUDGE,
    roll,
    input: { type: 'judge-roll', roll, reason, results, by: JUDGE },
    reason,
    rule: '5.7.1.4',
  };
}

/** Final rulings in which both balls are told and at least one opened. */
function sureIn({ told }: TableRun): readonly RollRuling[] {
  return told.flatMap((one) =>
    one.kind === 'ruling' &&
    one.ruling.stage === 'final' &&
    one.ruling.balls.length === 2 &&
    one.ruling.balls.every(({ opened }) => opened !== 'undetermined') &&
    one.ruling.balls.some(({ opened }) => opened === 'yes')
      ? [one.ruling]
      : [],
  );
}

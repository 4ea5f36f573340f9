import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { createSimTable } from '../../sim/table.ts';
import { quickDisk } from './quick-disk.ts';
import { type TableRun, tableRun, virtualClock } from './table-run.ts';
import { demoFor, settingFor } from './virtual-table.ts';

/**
 * A journal with two matches of one evening, the host started anew within the first, so that the second is played under a
 * start that is not the first of the journal. Gives the folder of data, with the table `t1` in it.
 */
export async function twoMatches(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-two-'));
  const sim = createSimTable({ layout: FIXED_12, seed: 6 });
  const setting = settingFor(sim, demoFor(6));
  const clock = virtualClock();
  const ask = { sim, setting, disk: quickDisk(), dataDir: folder, isAlive: () => false };
  const first = await tableRun({ ...ask, clock, seed: 6 });
  await first.run(40_000, () => isRuled(first));
  await first.run(500);
  await first.close();
  const second = await tableRun({ ...ask, clock: virtualClock(0, clock.wallMs + 20), seed: 7 });
  await second.run(2000);
  second.table.command('next', { do: 'new-game', by: { role: 'operator', name: 'Op' } });
  const before = second.told.length;
  await second.run(40_000, () => isRuled(second, before));
  await second.run(500);
  await second.close();
  return folder;
}

/** Whether a roll was ruled for good since so many things were told. */
function isRuled({ told }: TableRun, since = 0): boolean {
  return told.slice(since).some((one) => one.kind === 'ruling' && one.ruling.stage === 'final');
}

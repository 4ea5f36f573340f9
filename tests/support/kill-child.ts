/**
 * A process that plays one table on a real disk, as fast as it can, and prints everything it tells. Its end is to be
 * killed. Arguments: data folder, seed of the world, seed of this life, ms of play.
 */
import { writeSync } from 'node:fs';
import { systemDisk } from '../../host/journal/disk.ts';
import { textOfOutput } from '../../host/said.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { createSimTable } from '../../sim/table.ts';
import { tableRun, virtualClock } from './table-run.ts';
import { demoFor, settingFor } from './virtual-table.ts';

export async function playUntilKilled(dataDir: string, seed: number, life: number): Promise<void> {
  const sim = createSimTable({ layout: FIXED_12, seed });
  const clock = virtualClock(0, Date.now());
  const run = await tableRun({
    sim,
    setting: settingFor(sim, demoFor(seed)),
    disk: systemDisk,
    clock,
    dataDir,
    seed: seed * 1000 + life,
  });
  let said = 0;
  say('ready\n');
  for (;;) {
    await run.run(1);
    for (; said < run.told.length; said += 1) {
      const output = run.told[said];
      if (output !== undefined) say(`${textOfOutput(output)}\n`);
    }
  }
}

/** Writes all of it; a full pipe is waited for. */
function say(text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

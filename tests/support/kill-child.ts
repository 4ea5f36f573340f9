/**
 * A process that plays one table on a real disk, as fast as it can, and prints everything it tells. Its end is to be
 * killed. Arguments: data folder, seed of the world, seed of this life, ms of play.
 */
import { appendFileSync, existsSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Disk, systemDisk } from '../../host/journal/disk.ts';
import { textOfOutput } from '../../host/said.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { createSimTable } from '../../sim/table.ts';
import { drawFrom } from './power-cut-files.ts';
import { tableRun, virtualClock } from './table-run.ts';
import { demoFor, settingFor } from './virtual-table.ts';

/** Looked at by those who fill the disk meanwhile: how much is free says nothing then. */
const filledDisk: Disk = { ...systemDisk, freeBytes: async () => undefined };

export async function playUntilKilled(
  dataDir: string,
  seed: number,
  life: number,
  fills = false,
): Promise<void> {
  const sim = createSimTable({ layout: FIXED_12, seed });
  const clock = virtualClock(0, Date.now());
  const run = await tableRun({
    sim,
    setting: settingFor(sim, demoFor(seed)),
    disk: fills ? filledDisk : systemDisk,
    clock,
    dataDir,
    seed: seed * 1000 + life,
  });
  let said = 0;
  say('ready\n');
  const draw = drawFrom(seed + life);
  let turnAt = draw(300);
  for (let ms = 0; ; ms += 1) {
    if (fills && ms >= turnAt) {
      fillOrFree(join(dataDir, FILLER));
      turnAt = ms + 50 + draw(400);
    }
    await run.run(1);
    for (; said < run.told.length; said += 1) {
      const output = run.told[said];
      if (output !== undefined) say(`${textOfOutput(output)}\n`);
    }
  }
}

/** Name of the file that takes the room. */
export const FILLER = 'filler';

/** Takes all the room that is left on the disk, or gives it back. */
function fillOrFree(path: string): void {
  if (existsSync(path)) {
    rmSync(path);
    return;
  }
  try {
    for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
      for (;;) {
        try {
          appendFileSync(path, Buffer.alloc(bytes));
        } catch {
          break;
        }
      }
    }
  } catch {
    // It is full.
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

import { mkdtempSync, rmSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchiveRoom } from '../../host/audit/archive-room.ts';
import type { FeedArchive } from '../../host/displays/feed-archive.ts';
import { systemDisk } from '../../host/journal/disk.ts';
import { PARTS } from '../../host/parts.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { createSimTable } from '../../sim/table.ts';
import { quickDisk } from './quick-disk.ts';
import { tableRun, virtualClock } from './table-run.ts';
import { demoFor, settingFor } from './virtual-table.ts';

/** A folder with two recorded matches of one table, and the archive over it, in this process. */
export async function recordedShop(): Promise<{
  readonly archive: FeedArchive;
  readonly folder: string;
  remove(): void;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-shop-'));
  const sim = createSimTable({ layout: FIXED_12, seed: 6 });
  const setting = settingFor(sim, demoFor(6));
  const run = await tableRun({
    ...{ sim, setting, clock: virtualClock(), seed: 6, disk: quickDisk(), dataDir: folder },
    isAlive: () => false,
  });
  const ruled = (count: number) => (): boolean =>
    run.told.filter((one) => one.kind === 'ruling' && one.ruling.stage === 'final').length >= count;
  await run.run(60_000, ruled(3));
  await run.run(400);
  run.table.command('next', { do: 'new-game', by: { role: 'operator', name: 'Op' } });
  await run.run(30_000, ruled(4));
  await run.close();
  const room = openArchiveRoom({
    ...{ disk: systemDisk, dataDir: folder, madeDir: join(folder, '.made'), parts: PARTS },
    nowMs: () => performance.now(),
    wall: () => new Date().toISOString(),
  });
  let files = 0;
  const archive: FeedArchive = {
    ...room,
    async make(ask) {
      const made = await room.make(ask);
      return { ...made, bytes: (await stat(made.path)).size };
    },
    async open(file) {
      const path = join(folder, 'sent');
      await writeFile(path, file);
      files += 1;
      return room.open(path, `file-${String(files).padStart(16, '0')}`);
    },
    verifyPage: async () => undefined,
    close: async () => {},
  };
  return { archive, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

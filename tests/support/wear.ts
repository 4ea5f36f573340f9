import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DiskFile } from '../../host/journal/disk.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { createSimTable } from '../../sim/table.ts';
import { type AwaitedDisk, quickDisk } from './quick-disk.ts';
import { tableRun, virtualClock } from './table-run.ts';
import { demoFor, settingFor } from './virtual-table.ts';

/** What a table asks of its disk, an hour. */
export interface Wear {
  /** Rolls in this time, not an hour. */
  readonly rolls: number;
  /** Megabytes (10^6) of the journal itself. */
  readonly megabytes: number;
  /** Times the disk was asked to keep what it was given, lesser files included. */
  readonly flushes: number;
  /** Pages of 4096 bytes that these flushes touched: each is written anew, whole, however little of it changed. */
  readonly pages: number;
}

const PAGE_BYTES = 4096;

type Counts = { bytes: number; flushes: number; pages: number };

/** A disk that keeps at once, so that virtual time stands still meanwhile, and that counts. */
function countingDisk(): { readonly disk: AwaitedDisk; readonly counts: Counts } {
  const counts: Counts = { bytes: 0, flushes: 0, pages: 0 };
  const counted = (file: DiskFile): DiskFile => {
    let touched = new Set<number>();
    return {
      ...file,
      async write(bytes, position) {
        counts.bytes += bytes.length;
        const last = Math.floor((position + bytes.length - 1) / PAGE_BYTES);
        for (let page = Math.floor(position / PAGE_BYTES); page <= last; page += 1) touched.add(page);
        await file.write(bytes, position);
      },
      async sync() {
        counts.flushes += 1;
        counts.pages += touched.size;
        touched = new Set();
        await file.sync();
      },
    };
  };
  const own = quickDisk();
  const disk: AwaitedDisk = {
    ...own,
    create: async (path) => counted(await own.create(path)),
    open: async (path) => counted(await own.open(path)),
    async replace(path, bytes, mode) {
      // The new file, then the folder that comes to name it.
      counts.flushes += 2;
      counts.pages += Math.ceil(bytes.length / PAGE_BYTES) + 1;
      await own.replace(path, bytes, mode);
    },
  };
  return { disk, counts };
}

/** Counts what a table of twelve tiles asks of its disk in so many ms of its own time, on virtual time. */
export async function wearOf(auto: boolean, ms: number): Promise<Wear> {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-wear-'));
  const { disk, counts } = countingDisk();
  const sim = createSimTable({ layout: FIXED_12, seed: 21 });
  const run = await tableRun({
    ...{ sim, disk, auto, seed: 21, dataDir: folder, clock: virtualClock() },
    setting: settingFor(sim, demoFor(21)),
  });
  const before = { ...counts };
  await run.run(ms);
  const hours = ms / 3_600_000;
  const rolls = run.told.filter((one) => one.kind === 'ruling' && one.ruling.stage === 'final').length;
  const bytes = counts.bytes - before.bytes;
  const wear = {
    rolls,
    megabytes: Math.round(bytes / 1e5 / hours) / 10,
    flushes: Math.round((counts.flushes - before.flushes) / hours),
    pages: Math.round((counts.pages - before.pages) / hours),
  };
  await run.close();
  rmSync(folder, { recursive: true, force: true });
  return wear;
}

import type { Output } from '../../host/advance/input.ts';
import { diskOver } from '../../host/journal/disk.ts';
import { textOfOutput } from '../../host/said.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { createSimTable } from '../../sim/table.ts';
import { lookAtJournal } from './journal-look.ts';
import { drawFrom, type PowerCutFiles, powerCutFiles } from './power-cut-files.ts';
import { type TableRun, tableRun, virtualClock } from './table-run.ts';
import { demoFor, settingFor } from './virtual-table.ts';

export interface PowerTrials {
  readonly cuts: number;
  /** Final rulings told over all lives. */
  readonly rulings: number;
  /** Starts that found a torn tail. */
  readonly torn: number;
  /** Outputs that a start told because a cut had kept them from being told. */
  readonly untold: number;
  readonly records: number;
  readonly wrong: readonly string[];
}

/** Kinds of output whose telling must rest on the disk. */
const TOLD: ReadonlySet<Output['kind']> = new Set(['ruling', 'retraction', 'event', 'accepted']);

/**
 * Plays one table through power cuts at random calls of its file system, in virtual time. After each cut the journal is
 * read as the next start finds it, and compared with what was told before and with a replay.
 */
export async function powerCutTrials(ask: {
  readonly seed: number;
  readonly cuts: number;
  /** Longest life, ms of play. */
  readonly msBetween: number;
  readonly each?: (done: number) => void;
}): Promise<PowerTrials> {
  const draw = drawFrom(ask.seed);
  const sim = createSimTable({ layout: FIXED_12, seed: ask.seed });
  const setting = settingFor(sim, demoFor(ask.seed));
  const wrong: string[] = [];
  const counts = { cuts: 0, rulings: 0, torn: 0, untold: 0, records: 0 };
  /** All that was ever told, by its text. */
  const announced: string[] = [];
  let files: PowerCutFiles = powerCutFiles();
  await diskOver(files).makeFolder('/data');
  let wallMs = Date.UTC(2026, 10, 30, 10);

  for (let n = 0; n < ask.cuts; n += 1) {
    const clock = virtualClock(0, wallMs);
    let run: TableRun | undefined;
    const disk = diskOver(files);
    const cut = new Promise<void>((resolve) =>
      files.cutAt(files.calls + 1 + draw(n % 4 === 0 ? 30 : 900), resolve),
    );
    const life = (async () => {
      run = await tableRun({ sim, setting, disk, clock, seed: ask.seed + n, isAlive: () => false });
      if (n % 3 === 1) {
        // The disk is full for a while, and has room again.
        await run.run(800, () => files.isCut);
        files.full = true;
        await run.run(700, () => files.isCut);
        files.full = false;
      }
      await run.run(Math.ceil(ask.msBetween * (0.2 + draw(100) / 100)), () => files.isCut);
    })();
    await Promise.race([cut, life]);
    if (!files.isCut) {
      // The life ended first: the power goes now.
      files.cutAt(files.calls, () => {});
    }
    run?.die();
    clock.clear();
    counts.cuts += 1;
    const told = run?.told ?? [];
    for (const output of told) {
      if (output.kind === 'ruling' && output.ruling.stage === 'final') counts.rulings += 1;
      if (TOLD.has(output.kind)) announced.push(textOfOutput(output));
    }
    files = files.afterCut(draw);
    wallMs = clock.wallMs + 20;
    await lookAtJournal({
      disk: diskOver(files),
      dataDir: '/data',
      announced,
      wrong,
      label: `cut ${n}`,
      counts,
      setting,
    });
    ask.each?.(n + 1);
  }
  return { ...counts, wrong };
}

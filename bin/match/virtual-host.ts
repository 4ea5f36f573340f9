import type { Command, Output } from '../../host/advance/input.ts';
import type { TableSetting } from '../../host/advance/setting.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import type { BakuganOptions } from '../../host/game/bakugan/options.ts';
import { collectingLog } from '../../host/log.ts';
import { PARTS } from '../../host/parts.ts';
import { openRecordedTable } from '../../host/recorded-table.ts';
import { STANDARD_THEME } from '../../host/scene/theme.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import { SERIAL_WIRE } from '../../host/sensing/links.ts';
import type { Table } from '../../host/table.ts';
import { createVirtualClock } from '../../sim/clock.ts';
import { createSimTable, type SimTable, type SimTableAsk } from '../../sim/table.ts';
import { simTransport } from '../../sim/transport.ts';

export type VirtualHostAsk = {
  readonly seed: number;
  readonly options: BakuganOptions;
  readonly dataDir: string;
  readonly boards: NonNullable<SimTableAsk['boards']>;
  /** Told of every output once it is safe in the journal. */
  told(output: Output): void;
};

/** A table of the host, recorded on disk, over simulated boards in one virtual time. */
export interface VirtualHost {
  readonly table: Table;
  readonly sim: SimTable;
  readonly nowMs: number;
  command(command: Command): void;
  /** Runs on for so long, ms of the table's time; time stands still while the disk works. */
  run(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts it. Rejects with a TableFault when the folder cannot be used. */
export async function openVirtualHost(ask: VirtualHostAsk): Promise<VirtualHost> {
  const { seed, dataDir, boards } = ask;
  const sim = createSimTable({ layout: FIXED_12, seed, boards });
  const clock = createVirtualClock();
  const kind = simTransport(sim);
  const setting: TableSetting = {
    table: 't1',
    links: sim.links.map((link) => ({ link, wire: SERIAL_WIRE })),
    layout: FIXED_12,
    calibration: sim.calibration(),
    ruleset: bakugan,
    rulesetOptions: JSON.parse(JSON.stringify(ask.options)),
    theme: STANDARD_THEME,
    limits: DEFAULT_LIMITS,
    ledBudgetMa: 1000,
    simulated: true,
  };
  let activity = '';
  let commands = 0;
  const table = await openRecordedTable({
    dataDir,
    origin: 'bakucore/simulated/t1',
    configHash: `match-${seed}`,
    setting,
    parts: PARTS,
    clock,
    log: collectingLog(),
    listener: { told: ask.told, changed() {} },
    openLinks: (events) => Promise.all(sim.links.map((board) => kind.open(board, { board }, events, clock))),
    newMatch: true,
  });

  /** What the host's own outbox and the balls' owners hear of the game. */
  const know = (): void => {
    const text = JSON.stringify(table.decided().activity);
    if (text === activity) return;
    activity = text;
    sim.know(table.decided().activity);
  };

  return {
    table,
    sim,
    get nowMs() {
      return clock.now();
    },
    command: (command) => table.command(`match-${++commands}`, command),
    async run(ms) {
      const endMs = clock.now() + ms;
      while (clock.now() < endMs) {
        const nextMs = Math.min(endMs, clock.now() + 1);
        sim.runTo(Math.round(nextMs * 1000));
        clock.runTo(nextMs);
        await diskIsQuiet();
        know();
      }
    },
    async close() {
      let done = false;
      const closing = table.close().finally(() => {
        done = true;
      });
      // What closes waits for some of the table's own time.
      while (!done) {
        clock.runTo(clock.now() + 1);
        await new Promise((next) => setImmediate(next));
      }
      await closing;
    },
  };
}

async function diskIsQuiet(): Promise<void> {
  do {
    await new Promise((next) => setImmediate(next));
  } while (process.getActiveResourcesInfo().includes('FSReqPromise'));
}

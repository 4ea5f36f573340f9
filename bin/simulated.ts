import { type Clock, systemClock } from '../host/clock.ts';
import { type Config, parseConfig } from '../host/config.ts';
import { TableFault } from '../host/fault.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import type { TableId } from '../host/ids.ts';
import { type Parts, withParts } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import type { TransportKind } from '../host/transports/transport.ts';
import { type LiveEvents, type LiveTable, startLiveTable } from '../sim/live.ts';
import { createWorldClock } from '../sim/world-clock.ts';
import { readFirmware } from './firmware-image.ts';
import { countBoots } from './simulated-boots.ts';

/** A config for simulated tables, and the parts that know their world. */
export type Simulated = {
  readonly config: Config;
  readonly parts: Parts;
  readonly worlds: ReadonlyMap<TableId, LiveTable>;
  /** Which mat each stands on. */
  readonly mats: ReadonlyMap<TableId, string>;
  /** Each world's own time. */
  readonly clocks: ReadonlyMap<TableId, Clock>;
};

export type SimulatedAsk = {
  readonly parts: Parts;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly tables: number;
  readonly seed: number;
  /** `emulated` runs the committed firmware; `scripted` is lighter and has no chip. */
  readonly boards: 'emulated' | 'scripted';
  readonly hexFile: URL;
  readonly events: Omit<LiveEvents, 'time'>;
};

/** Name of a simulated mat in the file of its calibration: a seed draws its sensors and magnets. */
export function simulatedMat(seed: number): string {
  return `simulated mat of seed ${seed}`;
}

/** Starts the worlds of as many simulated tables as asked, named `t1`, `t2`, …, and the config that plays on them. */
export async function startSimulated(ask: SimulatedAsk): Promise<Simulated> {
  const hex = ask.boards === 'emulated' ? await readFirmware(ask.hexFile) : undefined;
  const names = Array.from({ length: ask.tables }, (_, i) => `t${i + 1}`);
  const boots = await countBoots(ask.dataDir);
  const worlds = new Map<TableId, LiveTable>();
  const mats = new Map<TableId, string>();
  const clocks = new Map<TableId, Clock>();
  for (const [i, name] of names.entries()) {
    const clock = createWorldClock(systemClock);
    const events = { ...ask.events, time: (worldMs: number) => clock.tell(worldMs) };
    worlds.set(name, await startLiveTable({ layout: FIXED_12, seed: ask.seed + i, hex, boots }, events));
    mats.set(name, simulatedMat(ask.seed + i));
    clocks.set(name, clock);
  }
  const parts = withParts(ask.parts, { transports: [simKind(worlds)] });
  const tables = Object.fromEntries(
    names.map((name, i) => [
      name,
      {
        layout: FIXED_12.name,
        ruleset: 'bakugan',
        rulesetOptions: demoOptions(FIXED_12.cells, ask.seed + i),
        links: Object.fromEntries(
          (worlds.get(name)?.links ?? []).map((board) => [board, { transport: 'sim', table: name, board }]),
        ),
      },
    ]),
  );
  const text = JSON.stringify({
    store: 'demo',
    http: { host: ask.host, port: ask.port },
    dataDir: ask.dataDir,
    tables,
  });
  const parsed = parseConfig(text, 'the simulated table', parts);
  if (!parsed.ok) {
    const [problem] = parsed.problems;
    throw new TableFault(problem?.code ?? 'config/refused', problem?.text ?? 'The config was refused.', '');
  }
  return { config: parsed.config, parts, worlds, mats, clocks };
}

type SimOptions = { readonly table: TableId; readonly board: string };

/** The way in to simulated boards that run in a thread of their own. */
function simKind(worlds: ReadonlyMap<TableId, LiveTable>): TransportKind<unknown> {
  return {
    name: 'sim',
    parse: (options) => options,
    async open(link, options, events) {
      const { table, board } = options as SimOptions;
      const world = worlds.get(table);
      if (world === undefined) throw new TableFault('config/bad-value', `No simulated table "${table}".`, '');
      return world.open(link, board, events);
    },
  };
}

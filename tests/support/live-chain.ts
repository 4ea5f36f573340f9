import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Autopilot, startAutopilot } from '../../bin/autopilot.ts';
import type { Output } from '../../host/advance/input.ts';
import { systemClock } from '../../host/clock.ts';
import { parseConfig } from '../../host/config.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import type { BakuganView } from '../../host/game/bakugan/view.ts';
import { type Host, runHost } from '../../host/host.ts';
import { silentLog } from '../../host/log.ts';
import { PARTS } from '../../host/parts.ts';
import type { Scene } from '../../host/scene/scene.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { Table } from '../../host/table.ts';
import type { Pace } from '../../sim/autoplay.ts';
import { type LiveTable, startLiveTable } from '../../sim/live.ts';
import { type LivePorts, servePorts } from '../../sim/live-ports.ts';
import { createWorldClock } from '../../sim/world-clock.ts';

export const UNO_HEX = new URL('../../firmware-protocol/hex/uno.hex', import.meta.url);
export const PAGES = join(import.meta.dirname, '../../dist/pages');

/** People who do not think long but give the boards time to answer. */
const BRISK: Pace = { think: [30, 120], throw: [350, 600], lift: [60, 200], again: 2500, byStud: 0.5 };

/** A host and a simulated world in real time, joined by real wires. */
export interface LiveChain {
  readonly world: LiveTable;
  readonly ports: LivePorts;
  readonly host: Host;
  readonly table: Table;
  readonly outputs: readonly Output[];
  /** Scene for the operator. */
  scene(): Scene;
  view(): BakuganView;
  /** Begins automatic play. */
  play(): void;
  /** Folder of the table's journal. */
  journal(): string;
  close(): Promise<void>;
}

export interface LiveChainAsk {
  readonly seed: number;
  /** Links of the config, given the ports; by default one serial link a side. */
  readonly links?: (paths: readonly string[]) => object;
  readonly broker?: object;
  /** Boards without a chip. */
  readonly scripted?: boolean;
}

export async function liveChain(ask: LiveChainAsk): Promise<LiveChain> {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-chain-'));
  const outputs: Output[] = [];
  // On a busy machine the emulated boards fall behind real time, and the host's clock with them.
  const clock = createWorldClock(systemClock);
  const world = await startLiveTable(
    { layout: FIXED_12, seed: ask.seed, hex: ask.scripted ? undefined : readFileSync(UNO_HEX, 'utf8') },
    { refused() {}, late() {}, died() {}, time: (worldMs) => clock.tell(worldMs) },
  );
  const ports = await servePorts(world, folder);
  const paths = ports.ports.map(({ path }) => path);
  const links = ask.links?.(paths) ?? {
    'side-a': { transport: 'serial', path: paths[0], side: 'A' },
    'side-b': { transport: 'serial', path: paths[1], side: 'B' },
  };
  const text = JSON.stringify({
    http: { port: 0 },
    dataDir: join(folder, 'data'),
    ...(ask.broker === undefined ? {} : { broker: ask.broker }),
    tables: { t1: { rulesetOptions: demoOptions(FIXED_12.cells, ask.seed), links } },
  });
  const parsed = parseConfig(text, 'chain', PARTS);
  if (!parsed.ok) throw new Error(parsed.problems.map((problem) => problem.text).join('\n'));
  const host = await runHost({
    config: parsed.config,
    parts: PARTS,
    clock,
    log: silentLog,
    pagesDir: PAGES,
    simulated: {
      feed: { act: (_table, action) => world.act(action) },
      calibrationOf: () => world.calibration,
      clockOf: () => clock,
    },
    onTold: (_table, output) => {
      outputs.push(output);
      if (process.env.CHAIN_DEBUG) console.log(JSON.stringify(output).slice(0, 300));
    },
  });
  const table = host.tables.get('t1');
  if (table === undefined) throw new Error('no table t1');
  let autopilot: Autopilot | undefined;
  const scene = (): Scene => table.scene({ kind: 'operator' });

  return {
    world,
    ports,
    host,
    table,
    outputs,
    scene,
    view: () => scene().view as unknown as BakuganView,
    play() {
      world.act({ act: 'auto', on: true });
      autopilot ??= startAutopilot({
        table,
        world,
        ruleset: bakugan,
        seed: ask.seed,
        now: () => clock.now(),
        pace: BRISK,
      });
    },
    journal: () => join(folder, 'data/t1'),
    async close() {
      autopilot?.stop();
      await host.close();
      await ports.close();
      await world.close();
      process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    },
  };
}

/** Longest real time that boards, wires and pages are waited for on a busy machine, ms. */
const PATIENCE_MS = 120_000;

/** Waits for something that happens in real time. Rejects with what was waited for. */
export async function eventually(what: string, holds: () => boolean, withinMs = PATIENCE_MS): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > untilMs) throw new Error(`${what}: not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Both sides' boards are heard and used. */
export function bothHeard(chain: LiveChain): boolean {
  const heard = chain.scene().links.filter(({ complaints }) => complaints.length === 0);
  return (['A', 'B'] as const).every((side) => heard.some((link) => link.side === side));
}

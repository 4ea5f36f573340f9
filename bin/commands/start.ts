import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command, Option } from 'commander';
import { systemClock } from '../../host/clock.ts';
import { loadConfig } from '../../host/config.ts';
import { type Host, runHost } from '../../host/host.ts';
import { type Log, pinoLog } from '../../host/log.ts';
import { PARTS, partNamed } from '../../host/parts.ts';
import { type Autopilot, startAutopilot } from '../autopilot.ts';
import { whole } from '../option-values.ts';
import { ROOT } from '../root.ts';
import { type Simulated, startSimulated } from '../simulated.ts';
import { untilStopped } from '../until-stopped.ts';

type Options = {
  readonly config?: string;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly tables: number;
  readonly seed: number;
  readonly boards: 'emulated' | 'scripted';
  readonly auto: boolean;
  readonly json: boolean;
  readonly newMatch: boolean;
};

/** `bakucore start`: real tables from a config, or a simulated one without. */
export function start(): Command {
  return new Command('start')
    .description('Run the tables of a config; without one, a simulated table on emulated boards.')
    .option('--config <file>', 'tables, ports and boards, as in the README')
    .option('--port <number>', 'port of the pages of a simulated table', whole(0, 65_535), 8080)
    .option('--host <address>', 'address of the pages of a simulated table', '127.0.0.1')
    .option('--data-dir <folder>', 'where a simulated table keeps its journal', './data')
    .option('--tables <count>', 'simulated tables', whole(1, 8), 1)
    .option('--seed <number>', 'what the simulated world is drawn from', whole(0, 0x7fffffff), 1)
    .addOption(
      new Option('--boards <kind>', 'boards of a simulated table')
        .choices(['emulated', 'scripted'])
        .default('emulated'),
    )
    .option('--no-auto', 'people play the simulated table from the page; nobody plays by itself')
    .option('--new-match', 'begin a new match even where one is in progress; its record stays', false)
    .option('--json', 'log as JSON lines', false)
    .addHelpText('after', '\nExamples:\n  bakucore start\n  bakucore start --config my-table.yaml')
    .action(async (options: Options) => {
      const log = await pinoLog({ json: options.json, stream: process.stderr });
      if (options.config === undefined) await runSimulated(options, log);
      else await runReal(options.config, options.newMatch, log);
    });
}

async function runReal(file: string, newMatch: boolean, log: Log): Promise<void> {
  const config = loadConfig(file, PARTS);
  const clock = systemClock;
  const host = await runHost({ config, parts: PARTS, clock, log, newMatch, pagesDir: pagesDir() });
  const stopped = untilStopped();
  process.stdout.write(addressesOf(host.url));
  await stopped;
  await host.close();
}

/** Loss of real time that is worth a word, as a share. */
const SLOW_SHARE = 0.1;
const SLOW_LOOK_MS = 10_000;

async function runSimulated(options: Options, log: Log): Promise<void> {
  let lostMs = 0;
  let lookedMs = systemClock.now();
  let toldSlow = false;
  const slow = `This machine is too slow for these boards: play runs slower.${options.boards === 'scripted' ? '' : ' Try --boards scripted.'}`;
  const simulated = await startSimulated({
    parts: PARTS,
    port: options.port,
    host: options.host,
    dataDir: options.dataDir,
    tables: options.tables,
    seed: options.seed,
    boards: options.boards,
    hexFile: pathToFileURL(join(ROOT, 'firmware-protocol/hex/uno.hex')),
    events: {
      refused: (_action, why) => log.info(`The simulated table cannot do that: ${why}`),
      died: (why) => log.error(`The simulated table ended: ${why}. Start again.`),
      late(ms) {
        lostMs += ms;
        const sinceMs = systemClock.now() - lookedMs;
        if (sinceMs < SLOW_LOOK_MS) return;
        if (lostMs > SLOW_SHARE * sinceMs) {
          // Once: on such a machine it stays so, and the log is there for what happens at the table.
          if (!toldSlow) log.warn(slow, { lostPercent: Math.round((100 * lostMs) / sinceMs) });
          toldSlow = true;
        }
        lookedMs = systemClock.now();
        lostMs = 0;
      },
    },
  });
  const { worlds, clocks } = simulated;
  try {
    const host = await runHost({
      config: simulated.config,
      parts: simulated.parts,
      clock: systemClock,
      log,
      newMatch: options.newMatch,
      pagesDir: pagesDir(),
      simulated: {
        feed: {
          act: (table, action) => worlds.get(table)?.act(action),
          auto: (table) => worlds.get(table)?.seen().auto ?? false,
        },
        calibrationOf: (table) => worlds.get(table)?.calibration,
        matOf: (table) => simulated.mats.get(table),
        clockOf: (table) => clocks.get(table) ?? systemClock,
      },
    });
    const autopilots = pilot(host, simulated, options);
    const stopped = untilStopped();
    process.stdout.write(addressesOf(host.url));
    await stopped;
    for (const one of autopilots) one.stop();
    await host.close();
  } finally {
    for (const world of worlds.values()) await world.close();
  }
}

function pilot(host: Host, simulated: Simulated, options: Options): readonly Autopilot[] {
  return [...host.tables].flatMap(([name, table], i) => {
    const world = simulated.worlds.get(name);
    const ruleset = partNamed(simulated.parts.rulesets, simulated.config.tables[name]?.ruleset ?? '');
    if (world === undefined || ruleset === undefined) return [];
    const clock = simulated.clocks.get(name) ?? systemClock;
    if (options.auto) world.act({ act: 'auto', on: true });
    return [startAutopilot({ table, world, ruleset, seed: options.seed + i, now: () => clock.now() })];
  });
}

function addressesOf(url: string): string {
  const pages = { 'Live table': '', Operator: 'operator', Overlay: 'overlay', Library: 'library' };
  return Object.entries(pages)
    .map(([name, path]) => `${`${name}:`.padEnd(12)}${url}${path}\n`)
    .join('');
}

function pagesDir(): string {
  return join(ROOT, 'dist/pages');
}

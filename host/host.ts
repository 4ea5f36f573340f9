import { join } from 'node:path';
import type { Output } from './advance/input.ts';
import type { Decided } from './advance/known.ts';
import type { TableSetting } from './advance/setting.ts';
import { openArchive } from './audit/archive.ts';
import { calibrationPath, keepCalibration, readCalibration, uncalibrated } from './calibration-file.ts';
import type { Clock } from './clock.ts';
import { type Config, needsBroker, type TableConfig } from './config.ts';
import { type Feed, type FeedSim, openFeed } from './displays/feed.ts';
import { readFeedTokens, type TokenFile } from './displays/feed-tokens.ts';
import { TableFault, wordsOf } from './fault.ts';
import type { TableId } from './ids.ts';
import { systemDisk } from './journal/disk.ts';
import type { Log } from './log.ts';
import { type Parts, partNamed } from './parts.ts';
import { openRecordedTable } from './recorded-table.ts';
import { STANDARD_THEME } from './scene/theme.ts';
import type { Calibration } from './sensing/calibration.ts';
import { MQTT_WIRE, SERIAL_WIRE } from './sensing/links.ts';
import type { Table } from './table.ts';
import { openBroker } from './transports/broker.ts';
import type { Transport, TransportEvents } from './transports/transport.ts';

export interface HostOptions {
  readonly config: Config;
  readonly parts: Parts;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the built pages. */
  readonly pagesDir: string;
  /** Present when tables are simulated: the world behind them, and what calibration would measure of it. */
  readonly simulated?: {
    readonly feed: FeedSim;
    calibrationOf(table: TableId): Calibration | undefined;
    /** Name of the mat it stands on: no other mat's calibration is used. */
    matOf?(table: TableId): string | undefined;
    /** The world's own time. */
    clockOf?(table: TableId): Clock;
  };
  /** Begins new matches even where one is in progress. */
  readonly newMatch?: boolean;
  /** Told of every output of a table after it is safe, for automatic play and tests. */
  readonly onTold?: (table: TableId, output: Output) => void;
}

/** A host that runs. */
export interface Host {
  readonly url: string;
  readonly tables: ReadonlyMap<TableId, Table>;
  /** Newest safe decisions of a table. */
  decided(table: TableId): Decided | undefined;
  /** Closes pages, tables with their journals, and broker, in this order. Rejects when a journal could not be saved. */
  close(): Promise<void>;
}

/**
 * Starts every table of a config, the pages, and the embedded broker where one is needed. Rejects with a TableFault
 * when something cannot start at all; what has started by then is closed again. Later faults never end it.
 */
export async function runHost(options: HostOptions): Promise<Host> {
  const { config, log, clock } = options;
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    const failed: unknown[] = [];
    for (const close of closers.splice(0).reverse()) {
      await close().catch((error: unknown) => {
        log.error(wordsOf(error));
        failed.push(error);
      });
    }
    // Everything is closed first; whoever asked then hears of what could not be saved.
    if (failed.length > 0) throw failed[0];
  };
  const tables = new Map<TableId, Table>();
  let feed: Feed | undefined;
  try {
    if (needsBroker(config)) {
      const broker = await openBroker(
        { host: config.broker.host, port: config.broker.port, ...(await brokerLogin(config)) },
        log,
      );
      closers.push(() => broker.close());
    }
    for (const [table, tableConfig] of Object.entries(config.tables)) {
      const running = await openTable(options, table, tableConfig, {
        told(output) {
          feed?.told(table, output);
          options.onTold?.(table, output);
        },
        changed: () => feed?.changed(table),
      });
      closers.push(() => running.close());
      tables.set(table, running);
    }
    const archive = openArchive({
      dataDir: config.dataDir,
      tables,
      verifyFile: join(options.pagesDir, '../verify/verify.html'),
      log,
    });
    closers.push(() => archive.close());
    const opened = await openFeed({
      host: config.http.host,
      port: config.http.port,
      tokens: await readFeedTokens(tokenFiles(config)),
      names: config.http.names,
      origins: config.http.origins,
      pagesDir: options.pagesDir,
      tables,
      archive,
      clock,
      log,
      ...(options.simulated === undefined ? {} : { sim: options.simulated.feed }),
    });
    feed = opened;
    closers.push(() => opened.close());
    return {
      url: opened.url,
      tables,
      decided: (table) => tables.get(table)?.decided(),
      close: closeAll,
    };
  } catch (error) {
    await closeAll().catch(() => {});
    throw error;
  }
}

async function openTable(
  options: HostOptions,
  table: TableId,
  config: TableConfig,
  listener: { told(output: Output): void; changed(): void },
): Promise<Table> {
  const { log, parts } = options;
  const clock = options.simulated?.clockOf?.(table) ?? options.clock;
  const { dataDir, store, hash, retention } = options.config;
  const setting = await settingOf(options, table, config);
  const openLinks = async (events: TransportEvents, linkClock: Clock): Promise<readonly Transport[]> => {
    const opened: Transport[] = [];
    try {
      for (const [link, { transport, options: linkOptions }] of Object.entries(config.links)) {
        const kind = partNamed(parts.transports, transport);
        if (kind === undefined) throw unknownPart('transport', transport);
        opened.push(await kind.open(link, linkOptions, events, linkClock));
      }
    } catch (error) {
      await Promise.all(opened.map((transport) => transport.close()));
      throw error;
    }
    return opened;
  };
  return openRecordedTable({
    dataDir,
    origin: `bakucore/${store}/${table}`,
    configHash: hash,
    setting,
    parts,
    clock,
    log,
    listener,
    openLinks,
    newMatch: options.newMatch === true,
    retention,
    async keepCalibration(calibration) {
      const path = calibrationPath(options.config.dataDir, table, config.calibration);
      const mat = options.simulated?.matOf?.(table);
      const before = await keepCalibration(path, calibration, systemDisk, mat);
      log.info('Calibration kept', { table, file: path, ...(before === undefined ? {} : { before }) });
    },
  });
}

async function settingOf(options: HostOptions, table: TableId, config: TableConfig): Promise<TableSetting> {
  const ruleset = partNamed(options.parts.rulesets, config.ruleset);
  if (ruleset === undefined) throw unknownPart('ruleset', config.ruleset);
  const links = Object.entries(config.links).map(([link, { transport }]) => ({
    link,
    wire: transport === 'mqtt' ? MQTT_WIRE : SERIAL_WIRE,
  }));
  return {
    table,
    links,
    layout: config.layout,
    calibration: await calibrationFor(options, table, config),
    ruleset,
    rulesetOptions: config.rulesetOptions,
    theme: STANDARD_THEME,
    limits: config.sensing,
    ledBudgetMa: config.ledBudgetMa,
    checksSensors: true,
    simulated: options.simulated !== undefined,
    ...(config.bestOf === undefined ? {} : { bestOf: config.bestOf }),
    ...(config.loserChooses === undefined ? {} : { loserChooses: config.loserChooses }),
    ...(config.autoPassMs === undefined ? {} : { autoPassMs: config.autoPassMs }),
  };
}

async function calibrationFor(
  options: HostOptions,
  table: TableId,
  config: TableConfig,
): Promise<Calibration> {
  const path = calibrationPath(options.config.dataDir, table, config.calibration);
  const kept = await readCalibration(path, config.layout);
  const mat = options.simulated?.matOf?.(table);
  const isOther = mat !== undefined && kept?.mat !== undefined && kept.mat !== mat;
  if (kept !== undefined && !isOther) return kept.calibration;
  if (isOther) {
    options.log.warn(
      `${path} was made on the ${kept.mat}, and this is the ${mat}: it is left aside. Calibrate this one from its operator page, or start with the seed of the other.`,
      { table },
    );
  }
  const measured = options.simulated?.calibrationOf(table);
  if (measured !== undefined) return measured;
  options.log.warn(
    'This table is not calibrated: rulings rest on usual values and are doubtful more often. Calibrate it from its operator page.',
    {
      table,
    },
  );
  return uncalibrated(config.layout);
}

async function brokerLogin(
  config: Config,
): Promise<{ readonly login?: { readonly username: string; readonly password: string } }> {
  const { username, passwordFile } = config.broker;
  if (username === undefined || passwordFile === undefined) return {};
  const { readFile } = await import('node:fs/promises');
  const [password = ''] = (await readFile(passwordFile, 'utf8')).split('\n');
  return { login: { username, password: password.trim() } };
}

function tokenFiles(config: Config): readonly TokenFile[] {
  const { operatorFile, judgeFile, judges, playerAFile, playerBFile } = config.http.tokens;
  return [
    ...(operatorFile === undefined ? [] : [{ role: 'operator', file: operatorFile } as const]),
    ...(judgeFile === undefined ? [] : [{ role: 'judge', file: judgeFile } as const]),
    ...Object.entries(judges).map(([name, path]): TokenFile => ({ role: 'judge', name, file: path })),
    ...(playerAFile === undefined ? [] : [{ role: 'player', player: 'A', file: playerAFile } as const]),
    ...(playerBFile === undefined ? [] : [{ role: 'player', player: 'B', file: playerBFile } as const]),
  ];
}

function unknownPart(sort: string, name: string): TableFault {
  return new TableFault('config/unknown-part', `No ${sort} is named "${name}".`, 'Check the config.');
}

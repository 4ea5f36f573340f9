import { PROTOCOL_VERSION } from '../firmware-protocol/frame.ts';
import type { TableSetting } from './advance/setting.ts';
import { finishRemovals } from './audit/finish-removals.ts';
import { type Retention, retain } from './audit/retention.ts';
import { type Clock, clockFrom } from './clock.ts';
import { wordsOf } from './fault.ts';
import type { Json } from './ids.ts';
import { type Journal, type JournalHead, openJournal } from './journal/capture.ts';
import type { Disk } from './journal/disk.ts';
import { type JournalFolder, openFolder } from './journal/folder.ts';
import type { IsAlive } from './journal/holder.ts';
import type { Found } from './journal/recover.ts';
import { compressClosed } from './journal/retain.ts';
import { keepSnapshots } from './journal/snapshots.ts';
import type { Log } from './log.ts';
import type { Parts } from './parts.ts';
import { type Resumed, resumeMatch } from './resume.ts';
import type { Calibration } from './sensing/calibration.ts';
import { type Listener, runTable, type Table } from './table.ts';
import type { Transport, TransportEvents } from './transports/transport.ts';
import { HOST_VERSION } from './version.ts';

export interface RecordedTableOptions {
  readonly dataDir: string;
  /** Names the journal in its checkpoints. */
  readonly origin: string;
  readonly configHash: string;
  readonly setting: TableSetting;
  readonly parts: Parts;
  readonly clock: Clock;
  readonly log: Log;
  readonly listener: Listener;
  /** Opens every way in, on the clock of the table. */
  readonly openLinks: (events: TransportEvents, clock: Clock) => Promise<readonly Transport[]>;
  /** Begins a new match even where one is in progress. */
  readonly newMatch: boolean;
  /** How much of the raw lines is kept; all by default. */
  readonly retention?: Retention;
  /** Writes a calibration to its file. */
  readonly keepCalibration?: (calibration: Calibration) => Promise<void>;
  readonly disk?: Disk;
  readonly isAlive?: IsAlive;
}

/**
 * Runs a table on its journal: takes the folder, finds the end of what was recorded, goes on with the match in progress
 * or begins one. Rejects with a TableFault when the folder cannot be used, and leaves it as it was.
 */
export async function openRecordedTable(options: RecordedTableOptions): Promise<Table> {
  const { dataDir, parts, log, listener, origin } = options;
  let { setting } = options;
  const { table } = setting;
  const folder = await openFolder({
    dataDir,
    table,
    log,
    origin,
    clock: options.clock,
    ...(options.disk === undefined ? {} : { disk: options.disk }),
    ...(options.isAlive === undefined ? {} : { isAlive: options.isAlive }),
  });
  // Times of a journal never go back, whatever this process' own clock says.
  const clock = continued(options.clock, folder.found);
  let head: JournalHead;
  let journal: Journal;
  let resume: Resumed | undefined;
  try {
    resume = options.newMatch ? undefined : await resumeMatch(folder, setting, parts, log);
    setting = resume?.setting ?? setting;
    head = headFor(options.configHash, setting);
    if (resume === undefined && folder.lowSpace !== undefined) throw folder.lowSpace;
    journal = await openJournal({
      dataDir,
      table,
      clock,
      log,
      folder,
      resumes: resume !== undefined,
      ticks: options.clock,
      tidy: tidyIn(folder, { ...options, clock }),
      onTrouble: () => listener.changed(),
      head,
    });
  } catch (error) {
    await folder.release().catch(() => {});
    throw error;
  }
  if (resume !== undefined) {
    const { records, untold } = resume;
    log.info('The match in progress goes on', { table, records, untold: untold.length });
  }
  const snapshots = keepSnapshots({
    disk: folder.disk,
    folder: folder.path,
    journal,
    head: toJson(head),
    wall: () => clock.wall(),
    log,
  });
  return runTable({
    setting,
    clock,
    log,
    journal,
    listener,
    openLinks: (events) => options.openLinks(events, clock),
    snapshots,
    ...(options.keepCalibration === undefined ? {} : { keepCalibration: options.keepCalibration }),
    ...(resume === undefined ? {} : { resume }),
  });
}

/**
 * Looks after closed segments: ends removals that a crash cut short, compresses, lets raw lines go that are past what is
 * kept.
 */
function tidyIn(
  { disk, path }: JournalFolder,
  { retention, clock, log, isAlive }: RecordedTableOptions,
): (mayGoOn: () => boolean) => Promise<void> {
  let isFirst = true;
  return async (mayGoOn) => {
    const rewriting = { mayGoOn, isAlive };
    if (isFirst) {
      isFirst = false;
      try {
        const records = await finishRemovals(disk, path, rewriting);
        if (records > 0) log.info('A removal that was cut short is done now', { path, records });
      } catch (error) {
        log.warn('A removal that was cut short is not done yet', { path, why: wordsOf(error) });
      }
    }
    await compressClosed(disk, path, log, rewriting);
    if (retention === undefined) return;
    try {
      const { segments, records } = await retain(disk, path, retention, clock.wall(), rewriting);
      if (records > 0) log.info('Raw lines were let go; rulings stay', { path, segments, records });
    } catch (error) {
      log.warn('Raw lines past their time were not let go', { path, why: wordsOf(error) });
    }
  };
}

/** Longest pause that play counts, ms; what stood still longer is taken up as after a night. */
const LONGEST_PAUSE_MS = 12 * 3_600_000;

/** The clock that goes on where a journal ended, later by the pause as far as the wall clock can be believed. */
function continued(clock: Clock, found: Found): Clock {
  if (found.end.nextSeq === 0) return clock;
  const paused = found.lastWall === undefined ? 0 : Date.parse(clock.wall()) - Date.parse(found.lastWall);
  const pauseMs = paused > 0 ? Math.min(paused, LONGEST_PAUSE_MS) : 0;
  return clockFrom(clock, found.lastAtMs + 1 + pauseMs);
}

/** What is in force, for the head of a journal. */
export function headFor(configHash: string, setting: TableSetting): JournalHead {
  return {
    host: HOST_VERSION,
    protocol: PROTOCOL_VERSION,
    ruleset: { name: setting.ruleset.name, version: setting.ruleset.version },
    configHash,
    layout: toJson(setting.layout),
    calibration: toJson(setting.calibration),
    rulesetOptions: setting.rulesetOptions,
    limits: toJson(setting.limits),
    links: toJson(setting.links),
    ledBudgetMa: setting.ledBudgetMa,
    autoPassMs: setting.autoPassMs ?? null,
    simulated: setting.simulated,
    ...(setting.bestOf === undefined ? {} : { bestOf: setting.bestOf }),
    ...(setting.loserChooses === undefined ? {} : { loserChooses: setting.loserChooses }),
    ...(setting.checksSensors === undefined ? {} : { checksSensors: setting.checksSensors }),
  };
}

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

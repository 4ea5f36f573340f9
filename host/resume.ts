import type { Output } from './advance/input.ts';
import { loadTable, saveTable } from './advance/save.ts';
import type { TableSetting } from './advance/setting.ts';
import type { TableState } from './advance/state.ts';
import { matchesIn } from './audit/matches.ts';
import { TableFault, wordsOf } from './fault.ts';
import type { Json } from './ids.ts';
import { canonicalText } from './journal/canonical.ts';
import { damageText } from './journal/damage.ts';
import { type ChainedRecord, entryOfText } from './journal/entry.ts';
import type { JournalFolder } from './journal/folder.ts';
import { linesOf } from './journal/lines.ts';
import { journalChunks } from './journal/segments.ts';
import { readSnapshot, type Snapshot, snapshotsIn } from './journal/snapshots.ts';
import type { Log } from './log.ts';
import type { Parts } from './parts.ts';
import { beginRefold, type Refold, resumes, settingOfHead } from './refold.ts';
import { checkSaid, type SaidCheck } from './said.ts';
import { layoutHash } from './sensing/layout.ts';

/** A match in progress as its journal has it. */
export interface Resumed {
  /** The setting of this start, with the rules in the version that the match began under. */
  readonly setting: TableSetting;
  readonly state: TableState;
  /** What the records imply and a crash kept from being written and told. */
  readonly untold: readonly Output[];
  /** Records run again on the way. */
  readonly records: number;
}

/**
 * The match in progress, from the newest snapshot that fits the journal and the records after it, or from the records
 * alone. Undefined when there is none, when the newest was played to its end and cannot be read, or when it was played by
 * other rules, on another mat or between other teams than the setting has: then a new one begins. Throws a TableFault
 * `journal/cannot-resume` when a match that is not over cannot be gone on with: an operator decides, nothing is lost.
 */
export async function resumeMatch(
  folder: JournalFolder,
  setting: TableSetting,
  parts: Parts,
  log: Log,
): Promise<Resumed | undefined> {
  if (folder.found.openSeq === undefined) return undefined;
  let why = 'Its beginning is not found';
  for (const seq of [...(await snapshotsIn(folder.disk, folder.path)), undefined]) {
    if (seq !== undefined && seq >= folder.found.end.nextSeq) continue;
    const snapshot = seq === undefined ? undefined : await readSnapshot(folder.disk, folder.path, seq);
    if (seq !== undefined && snapshot === undefined) continue;
    try {
      const run = await runFrom(folder, snapshot, parts);
      if (run === undefined) continue;
      return resumedFrom(run, setting, log);
    } catch (error) {
      const from = seq === undefined ? 'its records' : `snapshot ${seq}`;
      why = wordsOf(error);
      log.warn(`The match in progress cannot be resumed from ${from}: ${why}`, { table: setting.table });
    }
  }
  if (await isOver(folder)) {
    log.warn('The last match was over; a new one begins.', { table: setting.table });
    return undefined;
  }
  throw new TableFault(
    'journal/cannot-resume',
    `The match in progress in ${folder.path} cannot be gone on with: ${why.replace(/\.$/, '')}.`,
    'Nothing is lost. Start the host that recorded it; or begin a new match with --new-match, the record of this one stays.',
  );
}

/** Whether the newest match was played to its end, by its records alone. */
async function isOver(folder: JournalFolder): Promise<boolean> {
  try {
    const last = (await matchesIn(folder.disk, folder.path)).at(-1);
    return last !== undefined && last.winner !== null;
  } catch {
    return false;
  }
}

interface Run {
  readonly refold: Refold;
  readonly said: SaidCheck;
  readonly records: number;
}

function resumedFrom(run: Run, setting: TableSetting, log: Log): Resumed | undefined {
  const { refold, said, records } = run;
  const why = otherThan(refold.setting, setting);
  if (why !== undefined) {
    log.info(`The match in progress is left as it is: ${why}. A new one begins.`, { table: setting.table });
    return undefined;
  }
  const { difference } = said;
  if (difference !== undefined) {
    log.warn(
      'The records before this start are not what this host makes of them; the state follows the records of input.',
      { ...difference },
    );
  }
  const kept = { ...setting, ruleset: refold.setting.ruleset };
  const state = loadTable(kept, saveTable(refold.state), setting.calibration);
  return { setting: kept, state, untold: difference === undefined ? said.missing() : [], records };
}

/** Why a match under one setting cannot go on under another; calibration, limits and links may change. */
function otherThan(was: TableSetting, now: TableSetting): string | undefined {
  // A match begun under an older version of the same rules goes on under that one.
  if (was.ruleset.name !== now.ruleset.name) {
    return `it was played by ${was.ruleset.name} ${was.ruleset.version}`;
  }
  if (layoutHash(was.layout) !== layoutHash(now.layout)) return 'the mat is laid out otherwise';
  if (canonicalText(was.rulesetOptions) !== canonicalText(now.rulesetOptions))
    return 'the config names another match';
  return undefined;
}

/** Runs the records after a snapshot, or after the newest fresh `open`. Undefined when the snapshot fits no record. */
async function runFrom(
  folder: JournalFolder,
  snapshot: Snapshot | undefined,
  parts: Parts,
): Promise<Run | undefined> {
  const { disk, found } = folder;
  const fromSeq = snapshot?.seq ?? (await freshOpen(folder));
  const said = checkSaid();
  let refold: Refold | undefined;
  let records = 0;
  for await (const lines of linesOf(journalChunks(disk, found.segments, fromSeq))) {
    for (const { bytes, damage } of lines) {
      if (damage !== undefined && refold !== undefined) throw new RangeError(damageText(damage));
      const entry = entryOf(bytes);
      if (entry !== undefined && 'pruned' in entry && refold !== undefined) {
        const { from, to } = entry.pruned;
        throw new RangeError(`records ${from} to ${to - 1} were removed`);
      }
      const record = entry !== undefined && 'record' in entry ? entry.record : undefined;
      if (record === undefined || record.seq < fromSeq) continue;
      if (refold === undefined) {
        if (record.seq !== fromSeq) return undefined;
        refold = begin(record, snapshot, parts);
        if (refold === undefined) return undefined;
        continue;
      }
      records += 1;
      said.recorded(record);
      for (const output of refold.take(record)) said.replayed(output);
    }
  }
  return refold === undefined ? undefined : { refold, said, records };
}

function begin(record: ChainedRecord, snapshot: Snapshot | undefined, parts: Parts): Refold | undefined {
  if (snapshot === undefined) return beginRefold(settingOfHead(record, parts), record.atMs, parts);
  const { data, table, atMs } = record;
  const named = typeof data === 'object' && data !== null && 'state' in data ? data.state : undefined;
  if (record.kind !== 'snapshot' || named !== snapshot.hash) return undefined;
  const setting = settingOfHead({ data: snapshot.head, table }, parts);
  return beginRefold(setting, atMs, parts, snapshot.state);
}

/** Number of the newest `open` that began a match; the first record when none is found. */
async function freshOpen(folder: JournalFolder): Promise<number> {
  const { disk, found } = folder;
  let newest = 0;
  for await (const lines of linesOf(journalChunks(disk, found.segments))) {
    for (const { bytes } of lines) {
      const entry = entryOf(bytes);
      const record = entry !== undefined && 'record' in entry ? entry.record : undefined;
      if (record?.kind === 'open' && !resumes(record)) newest = record.seq;
    }
  }
  return newest;
}

function entryOf(bytes: Uint8Array): ReturnType<typeof entryOfText> {
  if (bytes.length === 0) return undefined;
  return entryOfText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
}

/** Head of a journal as snapshots keep it. */
export function headOf(head: object): Json {
  return JSON.parse(JSON.stringify(head));
}

import { saveTable } from '../../host/advance/save.ts';
import type { TableSetting } from '../../host/advance/setting.ts';
import { NODE_TOOLS } from '../../host/audit/node-tools.ts';
import { verifyLines } from '../../host/audit/verify.ts';
import type { Disk } from '../../host/journal/disk.ts';
import { entryOfText } from '../../host/journal/entry.ts';
import { openFolder } from '../../host/journal/folder.ts';
import { linesOf } from '../../host/journal/lines.ts';
import { journalChunks, segmentsIn } from '../../host/journal/segments.ts';
import { silentLog } from '../../host/log.ts';
import { PARTS } from '../../host/parts.ts';
import type { JournalRecord } from '../../host/record.ts';
import { beginRefold, type Refold, settingOfHead } from '../../host/refold.ts';
import { resumeMatch } from '../../host/resume.ts';
import { checkSaid, isSaid } from '../../host/said.ts';
import { hashOfSaved } from '../../host/state-hash.ts';

/** Looks at the disk as the next start will. */
export async function lookAtJournal(ask: {
  readonly disk: Disk;
  readonly dataDir: string;
  /** Everything that was told, as `textOfOutput` has it. */
  readonly announced: readonly string[];
  /** What is not as it must be is added here. */
  readonly wrong: string[];
  readonly label: string;
  readonly counts: { torn: number; untold: number; records: number };
  readonly setting: TableSetting;
}): Promise<void> {
  const { disk, dataDir, announced, wrong, label, counts, setting } = ask;
  const path = `${dataDir}/t1`;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  try {
    folder = await openFolder({ dataDir, table: 't1', log: silentLog, disk, isAlive: () => false });
  } catch (error) {
    wrong.push(`${label}: the folder does not open: ${String(error)}`);
    return;
  }
  if (folder.found.torn !== undefined) counts.torn += 1;
  if (folder.found.damaged.length > 0) wrong.push(`${label}: damaged ${folder.found.damaged.join()}`);
  const segments = await segmentsIn(disk, path);
  if (segments.length > 0) {
    const verdict = await verifyLines(linesOf(journalChunks(disk, segments)), NODE_TOOLS);
    if (verdict.state === 'broken') wrong.push(`${label}: ${verdict.broken?.text}`);
    const records = await recordsIn(disk, path);
    counts.records = records.length;
    const full = replayed(records);
    if (full.difference !== undefined)
      wrong.push(`${label}: replay differs at ${JSON.stringify(full.difference)}`);
    const onDisk = new Set(
      records
        .filter(isSaid)
        .map(({ kind, atMs, data }) => JSON.stringify({ kind, atMs, data: sorted(data) })),
    );
    for (const text of announced) {
      const { kind, atMs, data } = JSON.parse(text);
      if (!onDisk.has(JSON.stringify({ kind, atMs, data: sorted(data) })))
        wrong.push(`${label}: told but not on disk: ${text.slice(0, 200)}`);
    }
    const resumed = await resumeMatch(folder, setting, PARTS, silentLog);
    if (resumed === undefined) wrong.push(`${label}: no match to resume`);
    else {
      counts.untold += resumed.untold.length;
      const [quick, whole] = [saveTable(resumed.state), saveTable(full.refold.state)].map(hashOfSaved);
      if (quick !== whole) wrong.push(`${label}: snapshot and tail give another state than the whole record`);
      if (resumed.untold.length !== full.missing)
        wrong.push(`${label}: ${resumed.untold.length} untold, ${full.missing} by the record`);
    }
  }
  await folder.release();
}

/** The setting of the newest start, as its head has it; undefined when nothing was written. */
export async function settingIn(disk: Disk, dataDir: string): Promise<TableSetting | undefined> {
  const head = (await recordsIn(disk, `${dataDir}/t1`)).findLast(({ kind }) => kind === 'open');
  return head === undefined ? undefined : settingOfHead(head, PARTS);
}

async function recordsIn(disk: Disk, path: string): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const lines of linesOf(journalChunks(disk, await segmentsIn(disk, path)))) {
    for (const { bytes } of lines) {
      const entry = bytes.length === 0 ? undefined : entryOfText(Buffer.from(bytes).toString('utf8'));
      if (entry !== undefined && 'record' in entry) records.push(entry.record);
    }
  }
  return records;
}

function replayed(records: readonly JournalRecord[]) {
  const said = checkSaid();
  let refold: Refold | undefined;
  for (const record of records) {
    if (refold === undefined) {
      refold = beginRefold(settingOfHead(record, PARTS), record.atMs, PARTS);
      continue;
    }
    said.recorded(record);
    for (const output of refold.take(record)) said.replayed(output);
  }
  if (refold === undefined) throw new Error('no records');
  const surplus = said.surplus()[0];
  const difference =
    said.difference ??
    (surplus === undefined ? undefined : { seq: surplus.seq, recorded: 'more', replayed: '' });
  return { refold, difference, missing: said.missing().length };
}

function sorted(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map(sorted);
  return Object.fromEntries(
    Object.entries(data)
      .map(([key, value]) => [key, sorted(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

import { beforeAll, describe, expect, it } from 'vitest';
import { matchesIn } from '../host/audit/matches.ts';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { type Retention, retain } from '../host/audit/retention.ts';
import { verifyLines } from '../host/audit/verify.ts';
import { diskOver } from '../host/journal/disk.ts';
import { entryOfText } from '../host/journal/entry.ts';
import { linesOf } from '../host/journal/lines.ts';
import { readNote } from '../host/journal/note.ts';
import { journalChunks, segmentsIn } from '../host/journal/segments.ts';
import { collectingLog, type Log, silentLog } from '../host/log.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSimTable, type SimTable } from '../sim/table.ts';
import { type PowerCutFiles, powerCutFiles } from './support/power-cut-files.ts';
import { type TableRun, tableRun, virtualClock } from './support/table-run.ts';
import { demoFor, settingFor } from './support/virtual-table.ts';

const DAY_MS = 86_400_000;
const MORNING_MS = Date.UTC(2026, 10, 30, 10);

interface Session {
  readonly files: PowerCutFiles;
  readonly sim: SimTable;
  readonly wallMs: number;
  readonly newMatch?: boolean;
  readonly retention?: Retention;
  readonly auto?: boolean;
  readonly log?: Log;
}

async function begin(ask: Session): Promise<TableRun> {
  const { files, sim, wallMs, ...rest } = ask;
  return tableRun({
    sim,
    setting: settingFor(sim, demoFor(6)),
    disk: diskOver(files),
    clock: virtualClock(0, wallMs),
    seed: 6,
    isAlive: () => false,
    ...rest,
  });
}

async function kindsIn(files: PowerCutFiles): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const disk = diskOver(files);
  for await (const lines of linesOf(journalChunks(disk, await segmentsIn(disk, '/data/t1')))) {
    for (const { bytes } of lines) {
      const entry = entryOfText(Buffer.from(bytes).toString('utf8'));
      if (entry === undefined || !('record' in entry)) continue;
      counts[entry.record.kind] = (counts[entry.record.kind] ?? 0) + 1;
    }
  }
  return counts;
}

async function verdictOf(files: PowerCutFiles) {
  const disk = diskOver(files);
  return verifyLines(linesOf(journalChunks(disk, await segmentsIn(disk, '/data/t1'))), NODE_TOOLS);
}

const concede = { do: 'play', input: { type: 'concede', by: { role: 'player', player: 'A' } } } as const;

describe('the end of a match', () => {
  it('is vouched for at once, and its checkpoint lies beside the journal', async () => {
    const files = powerCutFiles();
    await diskOver(files).makeFolder('/data');
    const sim = createSimTable({ layout: FIXED_12, seed: 6 });
    const run = await begin({ files, sim, wallMs: MORNING_MS, auto: false });
    await run.run(300);
    run.table.command('c1', concede);
    await run.run(60);
    expect(run.told.some((one) => one.kind === 'event' && one.event.type === 'game/over')).toBe(true);
    const note = readNote(files.text('/data/t1/checkpoint.txt'));
    const texts = files.text('/data/t1/000000000000.jsonl').split('\n');
    const over = texts.findIndex((text) => text.includes('"game/over"'));
    const sealed = texts.findIndex((text, at) => at > over && text.includes('"kind":"checkpoint"'));
    expect(over).toBeGreaterThan(0);
    // In the very write that brought the end: before its empty line.
    expect(texts.slice(over, sealed)).not.toContain('');
    expect(note?.size).toBeGreaterThan(Number(/"seq":(\d+)/.exec(texts[over] ?? '')?.[1]));
    await run.close();
    expect((await verdictOf(files)).state).toBe('intact');
  });
});

describe('what is kept', () => {
  let files: PowerCutFiles;
  let sim: SimTable;

  beforeAll(async () => {
    files = powerCutFiles();
    await diskOver(files).makeFolder('/data');
    sim = createSimTable({ layout: FIXED_12, seed: 6 });
    const first = await begin({ files, sim, wallMs: MORNING_MS });
    await first.run(14_000);
    await first.close();
    const second = await begin({ files, sim, wallMs: MORNING_MS + DAY_MS, newMatch: true });
    await second.run(3000);
    await second.close();
  }, 60_000);

  it('is all, where nobody said otherwise, and the newest match in any case', async () => {
    const disk = diskOver(files.afterCut(() => 0));
    const wall = new Date(MORNING_MS + 400 * DAY_MS).toISOString();
    expect(await retain(disk, '/data/t1', {}, wall)).toEqual({ segments: 0, records: 0 });
    const [, newest] = await segmentsIn(disk, '/data/t1');
    const before = await disk.size(newest?.path ?? '');
    expect((await retain(disk, '/data/t1', { mostBytes: 1, mostDays: 1 }, wall)).segments).toBe(1);
    expect(await disk.size(newest?.path ?? '')).toBe(before);
  });

  it.each([
    ['age', { mostDays: 30 }, 31],
    ['size', { mostBytes: 1000 }, 2],
  ] as const)(
    'lets raw lines go by %s at a start by itself, and never a ruling',
    async (_by, retention, days) => {
      const copy = files.afterCut(() => 0);
      const before = await kindsIn(copy);
      const log = collectingLog();
      const run = await begin({
        ...{ files: copy, sim, wallMs: MORNING_MS + days * DAY_MS, retention, log, auto: false },
      });
      await run.run(300_000, () => log.lines.some(({ text }) => /let go/.test(text)));
      await run.close();
      const after = await kindsIn(copy);
      expect(log.lines.map(({ text }) => text).join()).toMatch(/Raw lines were let go/);
      expect(log.lines.map(({ text }) => text).join()).toMatch(/match in progress goes on/);
      expect(after.line).toBeLessThan((before.line ?? 0) / 2);
      expect(before.ruling).toBeGreaterThan(0);
      for (const kind of ['ruling', 'event', 'command', 'link', 'fault'])
        expect(after[kind] ?? 0).toBeGreaterThanOrEqual(before[kind] ?? 0);
      expect((await verdictOf(copy)).state).toBe('intact');
      expect(await matchesIn(diskOver(copy), '/data/t1')).toHaveLength(2);
    },
  );

  it('leaves what is young and small', async () => {
    const copy = files.afterCut(() => 0);
    const before = await kindsIn(copy);
    const retention = { mostDays: 30, mostBytes: 1e9 };
    const run = await begin({ files: copy, sim, wallMs: MORNING_MS + 2 * DAY_MS, retention, auto: false });
    await run.run(300);
    await run.close();
    expect((await kindsIn(copy)).line).toBeGreaterThanOrEqual(before.line ?? 0);
  });
});

describe('a match that cannot be gone on with', () => {
  /** A journal whose match in progress is under rules that no host has. */
  async function unknownRules(over: boolean): Promise<PowerCutFiles> {
    const files = powerCutFiles();
    await diskOver(files).makeFolder('/data');
    const sim = createSimTable({ layout: FIXED_12, seed: 6 });
    const run = await begin({ files, sim, wallMs: MORNING_MS, auto: false });
    await run.run(300);
    if (over) run.table.command('c1', concede);
    await run.run(60);
    await run.close();
    const path = '/data/t1/000000000000.jsonl';
    const head = /"name":"bakugan","version":"[^"]*"/;
    files.put(path, Buffer.from(files.text(path).replace(head, '"name":"bakugan","version":"0.0.0"')));
    await diskOver(files).remove('/data/t1/snapshots');
    return files;
  }
  const start = (files: PowerCutFiles, newMatch = false, log: Log = silentLog) =>
    begin({
      ...{ files, sim: createSimTable({ layout: FIXED_12, seed: 6 }), wallMs: MORNING_MS + 1000 },
      ...{ auto: false, newMatch, log },
    });

  it('is an error with a way out, and nothing is touched', async () => {
    const files = await unknownRules(false);
    const before = files.text('/data/t1/000000000000.jsonl');
    await expect(start(files)).rejects.toMatchObject({
      code: 'journal/cannot-resume',
      sentence: expect.stringContaining('0.0.0'),
      remedy: expect.stringContaining('--new-match'),
    });
    expect(files.text('/data/t1/000000000000.jsonl')).toBe(before);
    await (await start(files, true)).close();
    expect(await matchesIn(diskOver(files), '/data/t1')).toHaveLength(2);
  });

  it('stops nobody when it was over', async () => {
    const log = collectingLog();
    const run = await start(await unknownRules(true), false, log);
    await run.close();
    expect(log.lines.map(({ text }) => text).join()).toMatch(/last match was over/);
  });
});

describe('little room on the disk', () => {
  it('stops a new match and not one in progress, which ends in peace and is followed by none', async () => {
    const files = powerCutFiles();
    await diskOver(files).makeFolder('/data');
    const sim = createSimTable({ layout: FIXED_12, seed: 6 });
    const little = { ...files, statfs: async () => ({ bavail: 100e6, bsize: 1 }) };
    const ask = { sim, setting: settingFor(sim, demoFor(6)), seed: 6, auto: false, isAlive: () => false };
    const fresh = tableRun({ ...ask, disk: diskOver(little), clock: virtualClock(0, MORNING_MS) });
    await expect(fresh).rejects.toMatchObject({
      code: 'journal/disk-full',
      sentence: expect.stringContaining('100 MB'),
    });
    const first = await tableRun({ ...ask, disk: diskOver(files), clock: virtualClock(0, MORNING_MS) });
    await first.run(200);
    await first.close();
    const run = await tableRun({ ...ask, disk: diskOver(little), clock: virtualClock(0, MORNING_MS + 999) });
    await run.run(100);
    run.table.command('c1', concede);
    run.table.command('n1', { do: 'new-game', by: { role: 'operator', name: 'Op' } });
    await run.run(100);
    expect(run.told.some((one) => one.kind === 'event' && one.event.type === 'game/over')).toBe(true);
    expect(run.told.find((one) => one.kind === 'refused')).toMatchObject({
      refusal: { code: 'journal/disk-full', message: expect.stringContaining('a match needs') },
    });
    await run.close();
  });
});

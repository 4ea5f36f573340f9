import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportMatch } from '../host/audit/export-match.ts';
import { openFilm } from '../host/audit/film.ts';
import { type Match, matchesIn } from '../host/audit/matches.ts';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { reportOn } from '../host/audit/report.ts';
import { retain } from '../host/audit/retention.ts';
import { openSource } from '../host/audit/source.ts';
import { verifySource } from '../host/audit/verify-source.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { segmentsIn } from '../host/journal/segments.ts';
import { collectingLog } from '../host/log.ts';
import { PARTS } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSimTable, type SimTable } from '../sim/table.ts';
import { quickDisk } from './support/quick-disk.ts';
import { type TableRun, tableRun, type VirtualClock, virtualClock } from './support/table-run.ts';
import { demoFor, settingFor } from './support/virtual-table.ts';

// Segments end early, so that a few minutes fill many.
vi.mock('../host/journal/segments.ts', async (original) => ({
  ...(await original<typeof import('../host/journal/segments.ts')>()),
  SEGMENT_BYTES: 250_000,
}));

let folder = '';
let table = '';
let sim: SimTable;
let clock: VirtualClock;
let before: { readonly rows: readonly object[]; readonly match: Match };

const begin = (more: object = {}): Promise<TableRun> =>
  tableRun({
    ...{ sim, setting: settingFor(sim, demoFor(6)), disk: quickDisk(), dataDir: folder, clock, seed: 6 },
    ...{ isAlive: () => false, ...more },
  });

async function kindsIn(path: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for await (const batch of (await openSource(path)).records(() => {}))
    for (const { kind } of batch) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

async function bytesIn(path: string): Promise<number> {
  const sizes = await Promise.all(
    (await segmentsIn(systemDisk, path)).map((one) => systemDisk.size(one.path)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function newest(): Promise<Match> {
  const match = (await matchesIn(systemDisk, table)).at(-1);
  if (match === undefined) throw new Error('a match was played');
  return match;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-rest-'));
  table = join(folder, 't1');
  sim = createSimTable({ layout: FIXED_12, seed: 6 });
  clock = virtualClock();
  const played = await begin();
  await played.run(16_000);
  await played.close();
  clock = virtualClock(0, clock.wallMs + 20);
  const run = await begin({ auto: false });
  await run.run(300);
  const concede = { type: 'concede', by: { role: 'player', player: 'A' } } as const;
  run.table.command('end', { do: 'play', input: concede });
  // Left on.
  await run.run(200_000);
  await run.close();
  before = { rows: (await reportOn([await openSource(table)], PARTS)).rows, match: await newest() };
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a host that was left on after a match', () => {
  it('lets the idle lines go and nothing of the match, which is shown, exported and reported as before', async () => {
    const [kinds, bytes] = [await kindsIn(table), await bytesIn(table)];
    expect(before.rows.length).toBeGreaterThan(1);
    const went = await retain(systemDisk, table, { mostBytes: 1000 }, clock.wall());
    expect(went.segments).toBeGreaterThan(3);
    expect(await bytesIn(table)).toBeLessThan(0.8 * bytes);
    const after = await kindsIn(table);
    for (const kind of ['open', 'command', 'ruling', 'event', 'link', 'fault', 'snapshot', 'checkpoint'])
      expect(after[kind], kind).toBe(kinds[kind]);
    expect(after.line).toBeLessThan(0.8 * (kinds.line ?? 0));
    expect((await verifySource(await openSource(table), NODE_TOOLS)).state).toBe('intact');

    const match = await newest();
    expect(match).toEqual(before.match);
    const path = join(folder, 'alone.match');
    writeFileSync(path, await exportMatch(systemDisk, table, match, PARTS));
    const source = await openSource(path);
    expect((await verifySource({ ...source }, NODE_TOOLS)).state).not.toBe('broken');
    for (const from of [table, path]) {
      const report = await reportOn([await openSource(from)], PARTS);
      const said = report.rows.map((row) => ({ ...row, source: table }));
      expect(said).toEqual(before.rows);
      expect(report.linesNotKept).toBe(0);
    }
    const film = openFilm({ disk: systemDisk, folder: table, match, parts: PARTS });
    const { dark, toMs } = await film.outline();
    expect(dark).toBeUndefined();
    const end = await film.stretch({ fromMs: toMs - 100, toMs: toMs + 100, everyMs: 50, seen: 'judge' });
    expect(end.frames.length).toBeGreaterThan(0);
  }, 60_000);

  it('goes on from where it stood at the next start', async () => {
    const log = collectingLog();
    const run = await begin({ clock: virtualClock(0, clock.wallMs + 20), auto: false, log });
    await run.run(300);
    await run.close();
    expect(log.lines.map(({ text }) => text).join()).toMatch(/match in progress goes on/);
    expect(log.lines.map(({ text }) => text).join()).not.toMatch(/cannot be resumed/);
  });

  it('keeps every line while a match is not over', async () => {
    const matches = await matchesIn(systemDisk, table);
    expect(matches.map(({ restsFrom }) => restsFrom !== undefined)).toEqual([true]);
    const run = await begin({ clock: virtualClock(0, clock.wallMs + 40), newMatch: true, auto: false });
    await run.run(200_000);
    await run.close();
    const { from } = await newest();
    const linesOf = async (): Promise<number> => {
      let n = 0;
      for await (const batch of (await openSource(table)).records(() => {}))
        n += batch.filter(({ kind, seq }) => kind === 'line' && seq >= from).length;
      return n;
    };
    const lines = await linesOf();
    expect(lines).toBeGreaterThan(1000);
    await retain(systemDisk, table, { mostBytes: 1000 }, clock.wall());
    expect(await linesOf()).toBe(lines);
  }, 120_000);
});

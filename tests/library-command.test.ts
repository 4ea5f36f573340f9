import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Match, matchesIn } from '../host/audit/matches.ts';
import { retain } from '../host/audit/retention.ts';
import { openSource } from '../host/audit/source.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { ran } from './support/program.ts';
import { recordedShop } from './support/recorded-shop.ts';

// So that a match of a minute fills several, which retention may take.
vi.mock('../host/journal/segments.ts', async (original) => ({
  ...(await original<typeof import('../host/journal/segments.ts')>()),
  SEGMENT_BYTES: 200_000,
}));
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

let shop: Awaited<ReturnType<typeof recordedShop>>;
let first: Match;
const WHO = ['--who', 'A. Keeper', '--why', 'asked for'];

/** A copy of the data folder in which the first match was removed. */
let removed = '';
let told = '';

const tombstones = async (): Promise<number> => {
  let n = 0;
  for await (const batch of (await openSource(join(removed, 't1'))).records(() => {}))
    n += batch.filter(({ kind }) => kind === 'tombstone').length;
  return n;
};

beforeAll(async () => {
  shop = await recordedShop();
  const [match] = await matchesIn(systemDisk, join(shop.folder, 't1'));
  if (match === undefined) throw new Error('matches were recorded');
  first = match;
  removed = join(shop.folder, 'removed');
  for (const name of ['t1', 'journal-key.pem'])
    cpSync(join(shop.folder, name), join(removed, name), { recursive: true });
  told = (await ran(['library', 't1', '--remove', first.id, ...WHO], removed)).stderr;
});

afterAll(() => shop?.remove());

describe('bakucore library', () => {
  it('says who removed a match, when and why', async () => {
    expect(told).toMatch(/^t1-0: \d+ records removed, the tombstone is written\.$/m);
    const { stdout } = await ran(['library', 't1'], removed);
    expect(stdout).toMatch(
      /^t1-0 .* removed .* removed by A\. Keeper on \d{4}-\d\d-\d\d at \d\d:\d\d UTC: asked for$/m,
    );
  });

  it('refuses to remove it once more, and writes nothing', async () => {
    const before = await tombstones();
    const { code, stderr } = await ran(['library', 't1', '--remove', first.id, ...WHO], removed);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^library\/removed: Match t1-0 was removed by A\. Keeper on .* UTC: asked for\./),
    ]);
    expect(before).toBe(1);
    expect(await tombstones()).toBe(1);
  });

  it('says that no match has the words, and gives no line', async () => {
    const none = await ran(['library', 't1', 'Zaphod', '2026'], shop.folder);
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toMatch(/No match of 2 has all of "Zaphod 2026" in t1\./);
  });
});

describe('commands on a table of which lines or a match are gone', () => {
  it('bakucore export asks what to take out where nothing was chosen', async () => {
    const none = await ran(['export', 't1'], shop.folder);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toMatch(/^config\/missing-key: Nothing was chosen to export\. .*--bundle/);
  });

  it('refuses to make a file of a removed match, under its own code', async () => {
    const { code, stderr } = await ran(['export', 't1', '--match', first.id], removed);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^journal\/not-kept: .*no longer kept/)]);
  });

  it('report, replay --check and diff say how many rolls and records they lack, and blame nobody', async () => {
    const folder = join(shop.folder, 'retained');
    for (const name of ['t1', 'journal-key.pem'])
      cpSync(join(shop.folder, name), join(folder, name), { recursive: true });
    const whole = await ran(['report', 't1'], folder);
    const pruned = await retain(
      systemDisk,
      join(folder, 't1'),
      { mostBytes: 1000 },
      new Date().toISOString(),
    );
    expect(pruned.records).toBeGreaterThan(0);
    const report = await ran(['report', 't1'], folder);
    // What tiles and links read is gone with the lines, so that less is compared.
    const said = (text: string): string => text.replace(/the \d+ comparisons/, 'the comparisons');
    expect(said(report.stdout)).toBe(said(whole.stdout));
    expect(report.stderr).toMatch(
      /^\d+ of \d+ rolls told by recorded rulings alone: lines no longer kept\.$/m,
    );
    const json = JSON.parse((await ran(['report', 't1', '--form', 'json'], folder)).stdout);
    expect(json.linesNotKept).toBeGreaterThan(0);
    const replay = await ran(['replay', 't1', '--check'], folder);
    expect(replay.stderr).toMatch(
      /\d+ records could not be replayed: lines before them are no longer kept\./,
    );
    expect(replay.stderr).not.toMatch(/Another version|was changed/);
    expect(replay.stderr).toMatch(/What could be replayed gives exactly what was recorded/);
    expect(replay.code).toBe(0);
    const diff = await ran(['diff', 't1'], folder);
    expect(diff.stderr).toMatch(/\d+ of \d+ rolls could not be judged anew: lines no longer kept\./);
  });
});

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageNames } from '../bin/commands/diff.ts';
import { rejudge } from '../host/audit/rejudge.ts';
import { openSource } from '../host/audit/source.ts';
import { PARTS } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSimTable } from '../sim/table.ts';
import { program } from './support/program.ts';
import { quickDisk } from './support/quick-disk.ts';
import { tableRun, virtualClock } from './support/table-run.ts';
import { demoFor, settingFor } from './support/virtual-table.ts';

const ROOT = join(import.meta.dirname, '..');
let folder = '';

/** Runs `bakucore diff` where the journal lies. */
async function diff(...args: readonly string[]) {
  const run = program(['diff', ...args], { cwd: folder });
  const { code } = await run.ended;
  const rows = run.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): { readonly match?: string; readonly page?: string; readonly roll: string } =>
      JSON.parse(line),
    );
  return { code, stdout: run.stdout, stderr: run.stderr, rows };
}

// Two matches of one table, each with a first roll of its own.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-diff-'));
  const sim = createSimTable({ layout: FIXED_12, seed: 6 });
  const ask = { sim, setting: settingFor(sim, demoFor(6)), disk: quickDisk(), dataDir: join(folder, 'data') };
  for (const [n, newMatch] of [false, true].entries()) {
    const clock = virtualClock(0, Date.UTC(2026, 10, 30, 10 + n));
    const run = await tableRun({ ...ask, clock, newMatch, seed: 6 });
    const isFirst = (): boolean =>
      run.told.some(
        (one) => one.kind === 'ruling' && one.ruling.stage === 'final' && one.ruling.roll === 't1.1',
      );
    await run.run(30_000, isFirst);
    expect(isFirst()).toBe(true);
    await run.run(500);
    await run.close();
  }
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the page of a roll that flips', () => {
  it('stays in its folder, however a record from elsewhere names the roll', () => {
    const pages = pageNames(['data/t1']);
    expect(pages.of('data/t1', { game: 2, roll: 't3.1', match: 't1-0' })).toBe('t1-t1-0-game2-t3.1.html');
    expect(pages.of('capture.jsonl', { game: 2, roll: 't3.1' })).toBe('capture.jsonl-game2-t3.1.html');
    const hostile = pages.of('data/t1', { game: 1, roll: '/../../etc/cron.d/x\\y', match: '../up' });
    expect(hostile).not.toMatch(/[/\\]/);
    expect(hostile.endsWith('.html')).toBe(true);
  });

  it('has a name of its own among files that are called the same, and among rolls that are', () => {
    const files = ['one/t1', 'other/t1'];
    const pages = pageNames(files);
    const roll = { game: 1, roll: 't1.1', match: 't1-0' };
    const names = [...files, 'one/t1'].map((file) => pages.of(file, roll));
    expect(new Set(names).size).toBe(3);
  });
});

describe('diff over a table with two matches', () => {
  it('writes a page for each roll that flips and names it on every JSON line', async () => {
    const { rows, stderr, code } = await diff(
      'data/t1',
      '--limit',
      'openYes=1.01',
      '--trace',
      'flips',
      '--json',
    );
    expect(code).toBe(0);
    const firsts = rows.filter(({ roll }) => roll === 't1.1');
    expect(new Set(firsts.map(({ match }) => match)).size).toBe(2);
    const pages = rows.map(({ page = '' }) => page);
    expect(new Set(pages).size).toBe(rows.length);
    expect(readdirSync(join(folder, 'flips')).sort()).toEqual(
      pages.map((page) => page.replace('flips/', '')).sort(),
    );
    for (const { page = '', match = '' } of rows) {
      expect(readFileSync(join(folder, page), 'utf8')).toContain(`match ${match}`);
    }
    expect(stderr).toMatch(/rolls in 1 file flip\./);
  });

  it('flips nothing by the code of today: a match that ends with a roll is whole', async () => {
    const flips: string[] = [];
    await rejudge(await openSource(join(folder, 'data/t1')), PARTS, {}, (roll) => flips.push(...roll.flips));
    expect(flips).toEqual([]);
  });
});

describe('diff against another build of this host', () => {
  it('runs one that was copied elsewhere, and tells what it would rule otherwise', async () => {
    const other = join(folder, 'other');
    for (const part of ['host', 'firmware-protocol']) {
      cpSync(join(ROOT, 'dist', part), join(other, part), { recursive: true });
    }
    expect(await diff('data/t1', '--host', 'other')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^0 of \d+ rolls in 1 file flip\.$/m),
    });
    // A version whose detector asks more of an open than there can be.
    const shadow = join(other, 'host/audit/shadow.js');
    const text = readFileSync(shadow, 'utf8');
    expect(text).toContain('...otherwise.limits');
    writeFileSync(shadow, text.replace('...otherwise.limits', 'openYes: 1.01'));
    const run = await diff('data/t1', '--host', 'other', '--trace', 'by-other', '--json');
    expect(run.rows.length).toBeGreaterThan(0);
    expect(
      run.rows.every(({ page = '' }) => readFileSync(join(folder, page), 'utf8').includes('the host in')),
    ).toBe(true);
  });

  it('names a folder that holds none', async () => {
    const { code, stderr } = await diff('data/t1', '--host', 'nowhere');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/nowhere is no built program of this host/);
  });
});

/** `bakucore verify` and its fellows on files that are cut off, of another kind, or no file of this host at all. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyFiles } from '../host/audit/page/verify-files.ts';
import { proveOpen } from '../host/audit/prove-open.ts';
import { retain } from '../host/audit/retention.ts';
import { segmentReader } from '../host/audit/segment-reader.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { ran } from './support/program.ts';
import { twoMatches } from './support/two-matches.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let folder = '';
let table = '';
let match = '';

beforeAll(async () => {
  folder = await twoMatches();
  table = join(folder, 't1');
  match = join(folder, 'last.match');
  expect((await ran(['export', table, '--match', 'last', '--out', match], folder)).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n');
const onPage = async (name: string, text: string | Uint8Array) =>
  verifyFiles([new File([typeof text === 'string' ? text : Uint8Array.from(text)], name)], undefined);

describe('a start of the host', () => {
  it('cannot be replaced by an earlier one of the same journal, though its proof holds', async () => {
    const [first = '', ...rest] = linesOf(match);
    const head = JSON.parse(first);
    expect(JSON.parse(head.open.record).seq).toBeGreaterThan(0);
    const open = await proveOpen(segmentReader(systemDisk, table), 0, head.from);
    const path = put('earlier.match', [JSON.stringify({ ...head, open }), ...rest].join('\n'));
    const { code, stderr } = await ran(['verify', path], folder);
    expect(stderr).toMatch(
      /^journal\/not-intact: It was played under the start in record \d+, and its head holds record 0\./,
    );
    expect(code).toBe(1);
  });
});

describe('a file cut off at the end of a line', () => {
  const cutMatch = () => put('cut.match', `${linesOf(match).slice(0, -20).join('\n')}\n`);
  /** A journal without the second half of its newest segment. */
  const cutJournal = (): string => {
    const path = join(mkdtempSync(join(tmpdir(), 'bakucore-cut-')), 't1');
    cpSync(table, path, { recursive: true });
    const names = readdirSync(path).filter((name) => /^\d{12}\.jsonl$/.test(name));
    const last = join(path, names.sort().at(-1) ?? '');
    const lines = linesOf(last);
    writeFileSync(last, `${lines.slice(0, Math.floor(lines.length / 2)).join('\n')}\n`);
    return path;
  };

  it('of a match: reports and evidence say so and are made, a replay does not vouch; exit code 1', async () => {
    const path = cutMatch();
    const report = await ran(['report', path, '--form', 'html', '--out', 'cut.html'], folder);
    expect(report).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^journal\/not-intact: .*cut\.match is NOT what was written: It ends at record/m,
      ),
    });
    expect(readFileSync(join(folder, 'cut.html'), 'utf8')).toContain('cut.match is NOT what was written');
    const plain = await ran(['report', path], folder);
    expect(plain.code).toBe(1);
    expect(plain.stdout).toContain('is NOT what was written');
    const replay = await ran(['replay', path, '--check'], folder);
    expect(replay).toMatchObject({ code: 1, stderr: expect.stringContaining('is NOT what was written') });
    expect(replay.stderr).not.toContain('gives exactly');
    const bundle = await ran(['export', path, '--bundle', '--out', 'cut-rolls.html'], folder);
    expect(bundle).toMatchObject({ code: 1, stderr: expect.stringContaining('is NOT what was written') });
    expect(readFileSync(join(folder, 'cut-rolls.html'), 'utf8')).toContain('NOT what was written');
  });

  it('of a journal: the same; --allow-open takes it as one whose host was killed', async () => {
    const path = cutJournal();
    for (const args of [
      ['report'],
      ['report', '--form', 'html'],
      ['replay', '--check'],
      ['export', '--bundle'],
    ]) {
      const { code, stderr } = await ran([...args, path], folder);
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining('does not end with a stop')]);
      const allowed = await ran([...args, path, '--allow-open'], folder);
      expect([args, allowed.code]).toEqual([args, 0]);
    }
    rmSync(join(path, '..'), { recursive: true });
  });
});

describe('a proof', () => {
  it('is made of a raw line that is there, from a journal and from a match file, and holds', async () => {
    const at =
      linesOf(match)
        .slice(1)
        .find((line) => line.includes('"kind":"line"')) ?? '';
    const { seq } = JSON.parse(at);
    for (const from of [table, match]) {
      const made = await ran(['export', from, '--prove-record', String(seq), '--out', 'line.proof'], folder);
      expect([made.code, made.stderr]).toEqual([0, expect.stringMatching(/^line\.proof: /)]);
      expect(JSON.parse(readFileSync(join(folder, 'line.proof'), 'utf8')).record).toBe(at);
      const { code, stdout } = await ran(['verify', 'line.proof'], folder);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`Record ${seq} is in `)]);
    }
    const none = await ran(['export', match, '--prove-record', '0'], folder);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(/Give a number from \d+ to \d+/) });
  });

  it('is taken by the page as by the command, whole, changed or cut off', async () => {
    await ran(['export', table, '--prove-record', '0', '--out', 'first.proof'], folder);
    const text = readFileSync(join(folder, 'first.proof'), 'utf8');
    expect(await onPage('first.proof', text)).toMatchObject({
      proofs: { ok: true, lines: [/Record 0 is in /] },
    });
    const changed = text.replace('"seq":0', '"seq":1');
    expect(await onPage('first.proof', changed)).toMatchObject({ proofs: { ok: false } });
    const cut = text.slice(0, -9);
    await expect(onPage('first.proof', cut)).rejects.toMatchObject({ code: 'journal/unknown-form' });
    const { code, stderr } = await ran(['verify', put('cut.proof', cut)], folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^journal\/unknown-form: This proof is not understood\./),
    ]);
  });
});

describe('a page of evidence', () => {
  it('is checked by the proofs on it, and one that was changed is named', async () => {
    expect((await ran(['export', match, '--bundle', '--out', 'rolls.html'], folder)).code).toBe(0);
    const html = readFileSync(join(folder, 'rolls.html'), 'utf8');
    const { code, stdout } = await ran(['verify', 'rolls.html'], folder);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Record \d+ is in .*not the page around them/s),
    ]);
    expect(await onPage('rolls.html', html)).toMatchObject({ proofs: { ok: true } });
    const forged = html.replace(/(&quot;record&quot;:.*?opened\\&quot;:\\&quot;)\w+/, '$1maybe');
    expect(forged).not.toBe(html);
    const refused = await ran(['verify', put('forged.html', forged)], folder);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The proof does not hold') });
    expect(await onPage('forged.html', forged)).toMatchObject({ proofs: { ok: false } });
  });

  it('without a proof cannot be checked, and what can be is named', async () => {
    const report = put('report.html', '<!doctype html>\n<p>Rolls</p>\n');
    const { code, stderr } = await ran(['verify', report], folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/shows no proof.*Check the match file or the journal/),
    ]);
  });
});

describe('a file of another kind', () => {
  it.each([
    ['notes.md', '# Notes\n\nNothing of a table.\n'],
    ['photo.png', Buffer.from('89504e470d0a1a0a0000000d49484452000000400a00ff00', 'hex')],
    ['empty.txt', ''],
    ['config.json', '{"tables":[]}\n'],
  ])('%s: is called none of ours, with what is taken', async (name, text) => {
    const { code, stdout, stderr } = await ran(['verify', put(name, text)], folder);
    expect(stderr).toMatch(
      /^journal\/unknown-form: \S+ is no journal, match file or proof\. Give a folder of a table/,
    );
    expect([code, stdout]).toEqual([1, '']);
    await expect(onPage(name, text)).rejects.toMatchObject({
      code: 'journal/unknown-form',
      message: expect.stringContaining(`${name} is no journal`),
    });
  });

  it('is a broken journal all the same where it is named as a segment, or holds one record', async () => {
    const { code, stdout } = await ran(['verify', put('000000000000.jsonl', 'x\n')], folder);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/NOT INTACT\n {2}no record can be read/)]);
    const [, ...rest] = linesOf(match).slice(1);
    const { stderr } = await ran(['verify', put('broken.txt', ['x', ...rest].join('\n'))], folder);
    expect(stderr).toMatch(/^journal\/not-intact/);
  });

  it('is a match file with a field that is not known, wherever it stands', async () => {
    const [head = '', ...rest] = linesOf(match);
    for (const forged of [head.replace('{', '{"more":1,'), head.replace(/\}$/, ',"more":1}')]) {
      const path = put('more.match', [forged, ...rest].join('\n'));
      for (const args of [['verify'], ['replay'], ['report']]) {
        const { code, stderr } = await ran([...args, path], folder);
        expect([code, stderr]).toEqual([1, expect.stringContaining('it has an unknown field "more"')]);
      }
    }
  });

  it('is a checkpoint that cannot be read', async () => {
    const { code, stderr } = await ran(['verify', table, '--since', 'nowhere/x'], folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^file\/unreadable: nowhere\/x cannot be read \(ENOENT\)/),
    ]);
    const other = await ran(['verify', table, '--since', put('no-note.txt', 'x\n')], folder);
    expect(other.stderr).toContain('holds no signed checkpoint');
  });
});

describe('records that were removed with leave', () => {
  it('are summed up in one line, and stand each by itself in the JSON', async () => {
    const kept = join(folder, 'kept');
    cpSync(table, kept, { recursive: true });
    const went = await retain(systemDisk, kept, { mostBytes: 1 }, new Date().toISOString());
    const { code, stdout } = await ran(['verify', kept], folder);
    const said = stdout.split('\n').filter((line) => line.includes('removed with leave'));
    expect([code, said]).toEqual([
      0,
      [expect.stringMatching(/^ {2}\d+ records in \d+ runs, of records \d+ to \d+, /)],
    ]);
    const { removed, notes } = JSON.parse((await ran(['verify', kept, '--json'], folder)).stdout);
    expect(removed.length).toBeGreaterThan(3);
    expect(said[0]).toContain(`${went.records} records in ${removed.length} runs`);
    expect(
      removed.reduce((sum: number, one: { from: number; to: number }) => sum + one.to - one.from, 0),
    ).toBe(went.records);
    expect(notes.filter((note: string) => note.includes('removed')).length).toBe(1);
    // What a later match was played under is proven over them.
    const apart = mkdtempSync(join(tmpdir(), 'bakucore-after-'));
    const made = await ran(['export', kept, '--match', 'last', '--out', 'after.match'], apart);
    expect([made.code, (await ran(['verify', 'after.match'], apart)).code]).toEqual([0, 0]);
    rmSync(apart, { recursive: true });
  });
});

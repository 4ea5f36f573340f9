/** Where the commands may write what they make: never over what they read, never into the journal of a table. */
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeNamed } from '../bin/named-file.ts';
import { ran } from './support/program.ts';
import { FIRST_SEGMENT, writeJournal } from './support/small-journal.ts';

vi.setConfig({ testTimeout: 60_000 });

let folder = '';
let segment = '';
const CAPTURE = '{"atMs":1,"via":"x","line":"old"}\n';
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bakucore-out-')));
  mkdirSync(at('data/t1'), { recursive: true });
  segment = at('data/t1', FIRST_SEGMENT.slice(FIRST_SEGMENT.lastIndexOf('/') + 1));
  writeFileSync(segment, (await writeJournal(20)).text(FIRST_SEGMENT));
  writeFileSync(at('one.jsonl'), CAPTURE);
  writeFileSync(at('two.jsonl'), CAPTURE);
  writeFileSync(at('since.note'), 'a checkpoint');
  symlinkSync('one.jsonl', at('soft.jsonl'));
  linkSync(at('one.jsonl'), at('hard.jsonl'));
  linkSync(segment, at('hard-segment'));
  symlinkSync('data/t1', at('journal'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('--out', () => {
  it.each([
    ['is-input', 'the input itself', ['report', 'one.jsonl', '--out', 'one.jsonl']],
    ['is-input', 'another of the inputs', ['report', 'one.jsonl', 'two.jsonl', '--out', './two.jsonl']],
    ['is-input', 'a soft link to the input', ['export', 'one.jsonl', '--bundle', '--out', 'soft.jsonl']],
    ['is-input', 'a hard link to the input', ['export', 'one.jsonl', '--events', '--out', 'hard.jsonl']],
    [
      'is-input',
      'the checkpoint',
      ['export', 'one.jsonl', '--prove-since', 'since.note', '--out', 'since.note'],
    ],
    ['is-input', 'a hard link to a segment', ['export', 'data/t1', '--events', '--out', 'hard-segment']],
    ['in-journal', 'a new file of a journal', ['export', 'data/t1', '--events', '--out', 'data/t1/x']],
    ['in-journal', 'a journal by a link', ['report', 'one.jsonl', '--out', 'journal/x']],
    ['in-journal', 'a folder of a journal', ['sim', 'record', '--rolls', '1', '--out', 'data/t1/deep/er']],
    ['in-journal', 'a match of a journal', ['sim', 'match', '--out', 'journal/match']],
    ['in-journal', 'a calibration of a journal', ['calibrate', '--simulated', '--out', 'data/t1/c.json']],
    ['in-journal', 'traces of a journal', ['diff', 'one.jsonl', '--trace', 'data/t1/traces']],
  ])('is refused as %s: %s; nothing is touched', async (code, _what, args) => {
    const before = readdirSync(folder, { recursive: true }).sort();
    const { code: left, stderr } = await ran(args, folder);
    expect(stderr).toMatch(new RegExp(`^file/${code}: --(out|trace) .*\\. Give --(out|trace) a`, 'm'));
    expect(left).toBe(1);
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
    for (const name of ['one.jsonl', 'two.jsonl']) expect(readFileSync(at(name), 'utf8')).toBe(CAPTURE);
  });

  it('elsewhere is written', async () => {
    const { code } = await ran(['report', 'one.jsonl', '--out', 'data/report.txt'], folder);
    expect(code).toBe(0);
    expect(readFileSync(at('data/report.txt'), 'utf8')).toContain('0 rolls');
  });
});

describe('a file of results', () => {
  it('takes the place of the one before with its mode, also through a link', async () => {
    writeFileSync(at('kept'), 'old', { mode: 0o640 });
    symlinkSync('kept', at('to-kept'));
    const { ino } = statSync(at('kept'));
    await writeNamed(at('to-kept'), 'new');
    expect(readFileSync(at('kept'), 'utf8')).toBe('new');
    expect(statSync(at('kept')).mode & 0o777).toBe(0o640);
    // Written beside it and renamed: whoever reads sees the old one or the new one, whole.
    expect(statSync(at('kept')).ino).not.toBe(ino);
  });

  it('that fails leaves the one before and nothing beside it', async () => {
    mkdirSync(at('room'));
    writeFileSync(at('room/kept'), 'old');
    const lone = {
      toString: () => {
        throw new Error('made no text');
      },
    };
    await expect(writeNamed(at('room/kept'), lone as never)).rejects.toMatchObject({
      code: 'file/not-written',
    });
    expect(readFileSync(at('room/kept'), 'utf8')).toBe('old');
    expect(readdirSync(at('room'))).toEqual(['kept']);
  });
});

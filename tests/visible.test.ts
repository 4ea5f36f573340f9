/** Names out of files on a terminal: what it would obey or hide is spelt out, everything else stays as it is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openJournal } from '../host/journal/capture.ts';
import { plainLine, silentLog } from '../host/log.ts';
import { visible } from '../host/visible.ts';
import { ran } from './support/program.ts';
import { quickDisk } from './support/quick-disk.ts';
import { handClock, SMALL_HEAD } from './support/small-journal.ts';

/** Clears the screen, turns the text around, hides in the middle of a name, begins a line of its own. */
const NAMES = {
  clears: 'Em\u001b[2Jber',
  turns: 'Gale\u202eelaG',
  hides: 'Em\u200bber',
  'begins a line': 'Ember\nt1-99 2026-01-01 00:00  B won',
  'is a control of eight bits': 'Em\u009b2Jber',
};
/** Code points that a terminal obeys or hides, first and last of each run; a line end is looked for by itself. */
const OBEYED = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2069],
  [0xfeff, 0xfeff],
] as const;
const obeyedIn = (text: string): readonly number[] =>
  Array.from(text, (char) => char.codePointAt(0) ?? 0).filter((code) =>
    OBEYED.some(([first, last]) => code >= first && code <= last),
  );

describe('a line', () => {
  it('keeps letters of every script, pictures and marks', () => {
    for (const text of ['Ærø', 'عنبر', 'ענבר', '焰', 'é', '🔥', '❤️', 'Ember – Gale, 2 rolls']) {
      expect(visible(text)).toBe(text);
    }
  });

  it('has nothing left that a terminal obeys or hides, and as JSON still says the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(obeyedIn(visible(text))).toEqual([]);
        expect(visible(text)).not.toContain('\n');
        expect(JSON.parse(visible(JSON.stringify({ text })))).toEqual({ text });
      }),
    );
  });

  it('of the log for people is one line, whatever goes with it', () => {
    const line = plainLine(JSON.stringify({ level: 'warn', time: 0, msg: 'Said', player: NAMES.turns }));
    expect(line).toBe('00:00:00 warn  Said player=Gale\\u202eelaG\n');
  });
});

describe('the program', () => {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bakucore-visible-'));
    for (const [i, name] of Object.values(NAMES).entries()) {
      const rulesetOptions = { players: { A: { name }, B: { name: 'Gale' } } };
      const journal = await openJournal({
        ...{ dataDir: folder, table: `t${i}`, head: { ...SMALL_HEAD, rulesetOptions } },
        ...{ clock: handClock(), log: silentLog, disk: quickDisk() },
      });
      await journal.close(1);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.keys(NAMES))('lists a player whose name %s on one line, spelt out', async (how) => {
    const i = Object.keys(NAMES).indexOf(how);
    const name = Object.values(NAMES)[i] ?? '';
    const { stdout, code } = await ran(['library', `t${i}`], folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^t\d-0 [^\n]* – Gale [^\n]*\n$/);
    expect(stdout).toContain(JSON.parse(`"${visible(name).replaceAll('\\', '\\\\')}"`));
    expect(obeyedIn(stdout)).toEqual([]);
    const json = await ran(['library', `t${i}`, '--json'], folder);
    expect(obeyedIn(json.stdout)).toEqual([]);
    expect(JSON.parse(json.stdout).players.A).toBe(name);
  });

  it('pairs and refuses players of an event by names that are spelt out', async () => {
    const file = join(folder, 'cup.json');
    const begun = await ran(['event', 'new', file, '--players', `${NAMES.clears},${NAMES.turns}`], folder);
    expect(begun.code).toBe(0);
    for (const args of [
      ['event', 'pair', file],
      ['event', 'standings', file],
      ['event', 'drop', file, 'No\u202eone'],
    ]) {
      const { stdout, stderr } = await ran(args, folder);
      expect(`${stdout}${stderr}`).toMatch(/\\u(001b|202e)/);
      expect(obeyedIn(`${stdout}${stderr}`)).toEqual([]);
    }
  });

  it('names a file of scenarios as it is called, spelt out', async () => {
    writeFileSync(join(folder, 'turn\u202elatot.json'), '{');
    const { stderr } = await ran(['rules', 'check', '.'], folder);
    expect(stderr).toMatch(/turn\\u202elatot\.json: /);
    expect(obeyedIn(stderr)).toEqual([]);
  });
});

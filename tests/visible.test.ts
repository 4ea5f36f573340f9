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
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

describe('a line', () => {
  it('keeps letters of every script, pictures and marks', () => {
    for (const text of ['Ærø', 'عنبر', 'ענבר', '焰', 'é', '🔥', '❤️', 'Ember – Gale, 2 rolls']) {
      expect(visible(text)).toBe(text);
    }
  });

  it('has nothing left that a terminal obeys or hides, and as JSON still says the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(OBEYED);
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
    expect(stdout).not.toMatch(OBEYED);
    const json = await ran(['library', `t${i}`, '--json'], folder);
    expect(json.stdout).not.toMatch(OBEYED);
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
      expect(`${stdout}${stderr}`).not.toMatch(OBEYED);
    }
  });

  it('names a file of scenarios as it is called, spelt out', async () => {
    writeFileSync(join(folder, 'turn\u202elatot.json'), '{');
    const { stderr } = await ran(['rules', 'check', '.'], folder);
    expect(stderr).toMatch(/turn\\u202elatot\.json: /);
    expect(stderr).not.toMatch(OBEYED);
  });
});

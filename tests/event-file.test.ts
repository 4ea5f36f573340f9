import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  type EventFile,
  newEvent,
  openPairings,
  pairedEvent,
  readEvent,
  withoutPlayer,
  withResult,
} from '../host/event-file.ts';
import { TableFault } from '../host/fault.ts';
import { standings } from '../host/game/event.ts';
import { program } from './support/program.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'bakucore-event-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SIX = ['Aiko', 'Ben', 'Cem', 'Dora', 'Emil', 'Fay'];

/** Plays the round that is on: whoever comes first in the alphabet wins. */
function played(event: EventFile): EventFile {
  let now = event;
  for (const [a, b] of openPairings(event)) {
    if (b !== null) now = withResult(now, a, b, a < b ? 2 : 0, a < b ? 0 : 2);
  }
  return now;
}

describe('an event of Swiss rounds', () => {
  it('pairs nobody twice in three rounds of six, and ranks by points, then opponents', () => {
    let event = newEvent(SIX, 3);
    for (let round = 0; round < 3; round += 1) event = played(pairedEvent(event));
    const met = event.rounds.flat().map(([a, b]) => [a, b].sort().join(' '));
    expect(new Set(met).size).toBe(9);
    const rows = standings(event.players, event.results);
    expect(rows[0]).toMatchObject({ entrant: 'Aiko', points: 9, rank: 1 });
    expect(rows.map(({ points }) => points).reduce((a, b) => a + b)).toBe(27);
  });

  it('gives an odd player a bye, each time another, which counts as won', () => {
    let event = newEvent(SIX.slice(0, 5), 1);
    const byes: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      event = pairedEvent(event);
      byes.push(...(event.rounds.at(-1) ?? []).flatMap(([a, b]) => (b === null ? [a] : [])));
      for (const [a, b] of openPairings(event)) if (b !== null) event = withResult(event, a, b, 1, 0);
    }
    expect(new Set(byes).size).toBe(3);
    for (const bye of byes) {
      expect(event.results.some((one) => one.a === bye && one.b === null && one.gamesA > 0)).toBe(true);
    }
  });

  it('does not pair on while results are missing, and says which', () => {
    const event = pairedEvent(newEvent(SIX, 1));
    expect(() => pairedEvent(event)).toThrow(/Round 1 is not over: \w+ – \w+/);
  });

  it('takes a result either way round, replaces it, and refuses what cannot be', () => {
    const event = pairedEvent(newEvent(['Aiko', 'Ben'], 3));
    const [[a, b] = ['', '']] = event.rounds[0] ?? [];
    const once = withResult(event, b ?? '', a, 2, 1);
    expect(once.results).toEqual([{ round: 1, a, b, gamesA: 1, gamesB: 2 }]);
    expect(withResult(once, a, b ?? '', 2, 0).results).toEqual([{ round: 1, a, b, gamesA: 2, gamesB: 0 }]);
    expect(() => withResult(event, a, b ?? '', 2, 2)).toThrow(/best of 3/);
    expect(() => withResult(event, a, 'Zoe', 1, 0)).toThrow(/do not meet/);
  });

  it('pairs who has left no more', () => {
    let event = played(pairedEvent(newEvent(SIX, 3)));
    event = pairedEvent(withoutPlayer(withoutPlayer(event, 'Fay'), 'Emil'));
    expect(event.rounds[1]?.flat()).not.toContain('Fay');
    expect(event.rounds[1]).toHaveLength(2);
    expect(() => withoutPlayer(event, 'Zoe')).toThrow(/Nobody is called Zoe/);
  });

  it('refuses a file that is none, with its place', async () => {
    const file = join(folder, 'bad.json');
    for (const [text, words] of [
      ['{', /cannot be read/],
      ['{}', /is not an event at form/],
      [JSON.stringify({ form: 1, bestOf: 1, players: ['A'] }), /players/],
      [JSON.stringify({ ...newEvent(SIX, 1), results: [{ round: 0 }] }), /results\.0/],
    ] as const) {
      writeFileSync(file, text);
      const error: unknown = await readEvent(file).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TableFault);
      expect(String(error)).toMatch(words);
    }
  });
});

describe('bakucore event', () => {
  const file = join(folder, 'friday.json');
  const run = async (...args: readonly string[]) => {
    const child = program(['event', ...args], { cwd: folder });
    const { code } = await child.ended;
    return { code, out: child.stdout, err: child.stderr };
  };

  it('goes through an evening from the command line', async () => {
    expect(await run('new', file, '--players', 'Aiko,Ben,Cem', '--best-of', '3')).toMatchObject({ code: 0 });
    expect((await run('new', file, '--players', 'X,Y')).code).toBe(1);
    const { out } = await run('pair', file, '--json');
    const { round, pairs } = JSON.parse(out);
    expect(round).toBe(1);
    const [[a, b]] = pairs.filter(([, other]: [string, string | null]) => other !== null);
    expect((await run('result', file, a, b, '3-0')).code).toBe(2);
    expect((await run('result', file, a, b, '2-1')).out).toBe('Round 1 is complete.\n');
    const table = await run('standings', file);
    expect(table.out).toMatch(new RegExp(`1 {2}${a} +3 +1 `));
    expect(JSON.parse(readFileSync(file, 'utf8')).results).toHaveLength(2);
  });
});

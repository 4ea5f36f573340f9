import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { matchesIn } from '../host/audit/matches.ts';
import { csvOf, reportOn } from '../host/audit/report.ts';
import { reportPage } from '../host/audit/report-page.ts';
import { type RollCase, rollsOf } from '../host/audit/rolls.ts';
import { openSource, type Source } from '../host/audit/source.ts';
import { isDoubtful } from '../host/audit/standing-result.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { PARTS } from '../host/parts.ts';
import { correctedTable } from './support/corrected-table.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder = '';
let source: Source;
let cases: readonly RollCase[] = [];
let made: Awaited<ReturnType<typeof correctedTable>>;

const casesOf = async (from: Source): Promise<readonly RollCase[]> => {
  const found: RollCase[] = [];
  await rollsOf(from, { parts: PARTS, each: (one) => found.push(one) });
  return found;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-corrections-'));
  made = await correctedTable(folder);
  source = await openSource(join(folder, 't1'));
  cases = await casesOf(source);
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what a judge did, in a journal with two matches', () => {
  it('belongs to the roll of its own match, and a refused try to none', async () => {
    const named = cases.filter(({ roll }) => roll === made.overruled);
    expect(named.length).toBeGreaterThan(1);
    expect(named.map(({ game }) => game)).toEqual(named.map(() => 1));
    const by = cases.flatMap(({ roll, corrections }) =>
      corrections.map(({ command }) => [roll, (command as { do: string }).do]),
    );
    expect(by.filter(([, what]) => what === 'replace-ruling')).toEqual([[made.overruled, 'replace-ruling']]);
    const ids = (await matchesIn(systemDisk, join(folder, 't1'))).map(({ id }) => id);
    expect(new Set(cases.map(({ match }) => match))).toEqual(new Set(ids));
    expect(cases.filter(({ match }) => match === ids[1]).flatMap((one) => one.corrections)).toEqual([]);
  });

  it('counts once a command, however much the table told of it', async () => {
    const [first, second] = await matchesIn(systemDisk, join(folder, 't1'));
    // The overruled roll, the counted deck, and a roll in doubt that a judge had made anew.
    expect(first?.corrections).toBe(3);
    expect(second?.corrections).toBe(0);
  });

  it('is counted in two matches, by what stands, and a sure ruling overridden is no doubt settled', async () => {
    const report = await reportOn([source], PARTS);
    expect(report.games).toBe(2);
    const doubtful = cases.filter(({ final }) => isDoubtful(final)).length;
    expect(report.undetermined).toMatchObject({ hits: doubtful, of: cases.length });
    expect(report.settled).toMatchObject({ hits: 1, of: doubtful });
    expect(report.overridden).toMatchObject({ hits: 1, of: cases.length - doubtful });
    const again = report.rows.filter(({ judged }) => judged === 'settled');
    expect(again.map(({ stands }) => stands)).toEqual(['again', 'again']);
    const own = report.rows.filter(({ judged }) => judged !== '' && judged !== 'settled');
    expect(own.map(({ roll }) => roll)).toEqual([made.overruled, made.overruled]);
    expect(own.map(({ stands, standsCores }) => stands + standsCores)).toEqual(['no', 'no']);
    expect(own.map(({ opened }) => opened)).toContain('yes');
    const opens = (which: 'opened' | 'stands'): number =>
      report.rows.filter((row) => row[which] === 'yes').length;
    expect(report.players.reduce((sum, { opens: { hits } }) => sum + hits, 0)).toBe(opens('stands'));
    expect(opens('stands')).toBeLessThan(opens('opened'));
    const csv = csvOf(report).split('\r\n');
    expect(csv[0]).toMatch(/,opened,cores,stands,standsCores,judged,/);
    const page = reportPage(report, 'Cup');
    expect(page).toMatch(/Sure rulings overridden by a judge<\/p><p class="verdict">[1-9]\d* %/);
    expect(page).toContain('<th>sensors: opened</th><th>stands</th><th>judge</th>');
  });
});

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBundle } from '../host/audit/make-bundle.ts';
import { type Match, matchesIn } from '../host/audit/matches.ts';
import { type Rejudged, rejudge } from '../host/audit/rejudge.ts';
import { removeMatch } from '../host/audit/remove-match.ts';
import { replaySource } from '../host/audit/replay.ts';
import { type Report, type ReportRow, reportOn } from '../host/audit/report.ts';
import { retain } from '../host/audit/retention.ts';
import { type RollCase, rollsOf } from '../host/audit/rolls.ts';
import { openSource } from '../host/audit/source.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { silentLog } from '../host/log.ts';
import { PARTS } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSimTable } from '../sim/table.ts';
import { quickDisk } from './support/quick-disk.ts';
import { tableRun, virtualClock } from './support/table-run.ts';
import { demoFor, settingFor } from './support/virtual-table.ts';

/** One table: three matches in two starts, then a fourth that is the newest. */
let folder = '';
let table = '';
let whole: Report;
let matches: readonly Match[] = [];
let judged: Rejudged[] = [];

const WALL = new Date(Date.UTC(2026, 11, 30)).toISOString();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-pruned-'));
  table = join(folder, 't1');
  const sim = createSimTable({ layout: FIXED_12, seed: 6 });
  const setting = settingFor(sim, demoFor(6));
  const ask = { sim, setting, disk: quickDisk(), dataDir: folder, isAlive: () => false };
  const clock = virtualClock();
  const first = await tableRun({ ...ask, clock, seed: 6 });
  const ruled = () =>
    first.told.filter((one) => one.kind === 'ruling' && one.ruling.stage === 'final').length;
  await first.run(40_000, () => ruled() >= 2);
  await first.run(1500);
  const judge = { role: 'judge', name: 'Ines' } as const;
  const results = (['A', 'B'] as const).map((player) => ({ player, opened: 'no', cores: [] }));
  const reason = 'seen on video';
  const input = { type: 'judge-roll', by: judge, roll: 't1.1', reason, results };
  const correction = {
    do: 'replace-ruling',
    by: judge,
    roll: 't1.1',
    reason,
    rule: '5.7.1.4',
    input,
  } as const;
  first.table.command('fix', correction);
  await first.run(9000);
  first.table.command('next', { do: 'new-game', by: { role: 'operator', name: 'Op' } });
  await first.run(16_000);
  await first.close();
  const second = await tableRun({
    ...ask,
    clock: virtualClock(0, clock.wallMs + 20),
    seed: 7,
    newMatch: true,
  });
  await second.run(14_000);
  await second.close();
  const last = virtualClock(0, clock.wallMs + 60_000);
  const third = await tableRun({ ...ask, clock: last, seed: 8, newMatch: true, auto: false });
  await third.run(1500);
  await third.close();
  matches = await matchesIn(systemDisk, table);
  whole = await reportOn([await openSource(table)], PARTS);
  judged = await judgedIn(table);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the whole data folder; its table's. */
function copied(name: string): string {
  const to = join(folder, name);
  cpSync(table, join(to, 't1'), { recursive: true });
  cpSync(join(folder, 'journal-key.pem'), join(to, 'journal-key.pem'));
  return join(to, 't1');
}

async function judgedIn(path: string): Promise<Rejudged[]> {
  const rolls: Rejudged[] = [];
  await rejudge(await openSource(path), PARTS, {}, (roll) => rolls.push(roll));
  return rolls;
}

async function casesIn(path: string): Promise<readonly RollCase[]> {
  const cases: RollCase[] = [];
  await rollsOf(await openSource(path), { parts: PARTS, each: (one) => cases.push(one) });
  return cases;
}

/** What a row says of the roll: not of which file, whether its lines are there, nor to the millisecond when. */
const saidIn = (rows: readonly ReportRow[]) =>
  rows.map(({ source: _, lines: __, wallTime, ...row }) => ({ ...row, second: wallTime.slice(0, 18) }));

/** Shares and means, in every group. What tiles and links read stands in lines alone. */
const figuresOf = ({ players, bakugan, cores, tiles, landings, trends, ...report }: Report) => ({
  ...{ players, bakugan, cores, tiles, landings },
  trends: trends.map(({ noise: _, offRest: __, ...trend }) => trend),
  ...{ undetermined: report.undetermined, settled: report.settled, overridden: report.overridden },
  ...{ withdrawn: report.withdrawn, illegal: report.illegal },
});

describe('a table of which raw lines were let go', () => {
  let path = '';
  let report: Report;

  beforeAll(async () => {
    path = copied('retained');
    expect((await retain(systemDisk, path, { mostBytes: 1000 }, WALL)).records).toBeGreaterThan(1000);
    report = await reportOn([await openSource(path)], PARTS);
  }, 60_000);

  it('has the same rolls, rulings and rates in its report, and says of how many rolls lines are no longer kept', () => {
    expect(whole.rolls).toBeGreaterThan(6);
    expect(whole.overridden.hits).toBe(1);
    expect(whole.rows.filter(({ roll, stands, opened }) => roll === 't1.1' && stands !== opened)).not.toEqual(
      [],
    );
    expect(whole.linesNotKept).toBe(0);
    expect(report.rolls).toBe(whole.rolls);
    expect(saidIn(report.rows)).toEqual(saidIn(whole.rows));
    expect(figuresOf(report)).toEqual(figuresOf(whole));
    expect(report.linesNotKept).toBe(whole.rolls);
    expect(report.trends.every(({ noise }) => noise.stretches.length === 0)).toBe(true);
    expect(new Set(report.rows.map(({ lines }) => lines))).toEqual(new Set(['no longer kept']));
  });

  it('has the rulings and corrections of every roll as they were recorded', async () => {
    const [before, after] = [await casesIn(table), await casesIn(path)];
    const said = (one: RollCase) => ({
      ...{
        roll: one.roll,
        game: one.game,
        rulings: one.rulings,
        seqs: one.rulingSeqs,
        activity: one.activity,
      },
      ...{ retractions: one.retractions, corrections: one.corrections, players: one.players },
    });
    expect(after.map(said)).toEqual(before.map(said));
    for (const one of after) expect(one.told?.gone).toBeGreaterThan(10);
  });

  it('is judged anew nowhere, and every roll says so', async () => {
    expect(judged.every((one) => one.notJudged === undefined)).toBe(true);
    const ruled = (all: readonly Rejudged[]) =>
      all.flatMap(({ game, roll, before, match }) =>
        before === undefined ? [] : [{ game, roll, before, match }],
      );
    const rolls = (await judgedIn(path)).filter(({ before }) => before !== undefined);
    expect(ruled(rolls)).toEqual(ruled(judged));
    expect(rolls.every((one) => one.notJudged === true && one.flips.length === 0)).toBe(true);
  });

  it('is not blamed by a check: what could not be replayed is counted', async () => {
    const replayed = await replaySource(await openSource(path), { parts: PARTS, check: true });
    expect(replayed.difference).toBeUndefined();
    expect(replayed.isWhole).toBe(true);
    expect(replayed.notRun).toBeGreaterThan(100);
  });

  it('still gives the evidence of a roll: the recorded ruling, corrections, proof, and what is no longer kept', async () => {
    const source = await openSource(path);
    const corrected = await makeBundle(source, { parts: PARTS, roll: 't1.1', game: 1 });
    expect(corrected).toContain('seen on video');
    expect(corrected).toMatch(/Ember|Gale/);
    const one = await makeBundle(source, { parts: PARTS, roll: 't1.1', game: 2 });
    for (const html of [corrected, one]) {
      expect(html).toMatch(/Lines no longer kept\.<\/b> \d+ of the records \d+ to \d+ were let go/);
      expect(html).toMatch(/Opened on|Did not open|Undetermined/);
      expect(html).not.toMatch(/records \d+ to 0\b/);
    }
    expect(one).toMatch(/Proof that record \d+, ruling \d+, \w+, is in the journal/);
  });
});

describe('a match after one that was removed', () => {
  it('gives the evidence of its rolls as before, by the states that are kept of it', async () => {
    const path = copied('removed-first');
    const [gone, next] = matches;
    if (gone === undefined || next === undefined) throw new Error('there are four matches');
    await removeMatch({
      ...{ disk: systemDisk, dataDir: join(path, '..'), table: 't1', match: gone.id, log: silentLog },
      ...{ who: 'A. Keeper', why: 'asked for', wall: () => WALL },
    });
    const roll = judged.find(({ match, before }) => match === next.id && before !== undefined)?.roll ?? '';
    const html = await makeBundle(await openSource(path), { parts: PARTS, roll, game: 2 });
    const before = await makeBundle(await openSource(table), { parts: PARTS, roll, game: 2 });
    expect(html).toContain('<path d="M');
    const rolls = (text: string) => /<section class="roll"[\s\S]*?<h2>Proof/.exec(text)?.[0];
    expect(rolls(html)).toBe(rolls(before));
  });
});

describe('a table of which a match was removed', () => {
  it.each([0, 1])('has the rolls of the others in its report as before (match %i)', async (at) => {
    const path = copied(`removed-${at}`);
    const gone = matches[at];
    if (gone === undefined) throw new Error('there are four matches');
    await removeMatch({
      ...{ disk: systemDisk, dataDir: join(path, '..'), table: 't1', match: gone.id, log: silentLog },
      ...{ who: 'A. Keeper', why: 'asked for', wall: () => WALL },
    });
    const report = await reportOn([await openSource(path)], PARTS);
    const isGone = (seq: number): boolean => seq >= gone.from && seq < gone.to;
    const before = await casesIn(table);
    const flags = before.flatMap((one) => (one.final?.balls ?? []).map(() => isGone(one.fromSeq)));
    const others = whole.rows.filter((_, i) => flags[i] === false);
    expect(others.length).toBeGreaterThan(4);
    expect(others.length).toBeLessThan(whole.rows.length);
    expect(saidIn(report.rows)).toEqual(saidIn(others));
    expect(report.rolls).toBe(before.filter(({ fromSeq }) => !isGone(fromSeq)).length);
    const ruled = (rolls: readonly Rejudged[]) =>
      rolls.filter((one) => one.before !== undefined).map(({ match, roll }) => `${match} ${roll}`);
    expect(ruled(await judgedIn(path))).toEqual(ruled(judged.filter(({ match }) => match !== gone.id)));
    const replayed = await replaySource(await openSource(path), { parts: PARTS, check: true });
    expect(replayed.difference).toBeUndefined();
  });
});

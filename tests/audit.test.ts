import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyProof } from '../host/audit/check-proof.ts';
import { exportMatch } from '../host/audit/export-match.ts';
import { makeBundle } from '../host/audit/make-bundle.ts';
import { matchHeadOf } from '../host/audit/match-head.ts';
import { matchesIn, matchNamed } from '../host/audit/matches.ts';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { proveGrowth, proveRecord } from '../host/audit/proof.ts';
import { rejudge } from '../host/audit/rejudge.ts';
import { removeMatch } from '../host/audit/remove-match.ts';
import { replaySource } from '../host/audit/replay.ts';
import { csvOf, type Report, reportOn } from '../host/audit/report.ts';
import { reportPage } from '../host/audit/report-page.ts';
import { retain } from '../host/audit/retention.ts';
import { openSource } from '../host/audit/source.ts';
import { chanceOfDifference, shareOf } from '../host/audit/statistics.ts';
import { verifySource } from '../host/audit/verify-source.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { silentLog } from '../host/log.ts';
import { PARTS } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSimTable } from '../sim/table.ts';
import { quickDisk } from './support/quick-disk.ts';
import { type TableRun, tableRun, virtualClock } from './support/table-run.ts';
import { demoFor, settingFor } from './support/virtual-table.ts';

let folder = '';
let table = '';
let interrupted = '';
const told: TableRun['told'][] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-audit-'));
  table = join(folder, 't1');
  const sim = createSimTable({ layout: FIXED_12, seed: 6 });
  const setting = settingFor(sim, demoFor(6));
  const clock = virtualClock();
  const ask = { sim, setting, disk: quickDisk(), dataDir: folder, isAlive: () => false };
  const first = await tableRun({ ...ask, clock, seed: 6 });
  // Killed while a roll is going on, with a ball on its way.
  let rolled = 0;
  await first.run(40_000, () => {
    rolled = first.told.filter((one) => one.kind === 'ruling' && one.ruling.stage === 'final').length;
    return rolled >= 2 && first.table.decided().activity.kind === 'roll' && sim.thrown().length === 2;
  });
  const { activity } = first.table.decided();
  interrupted = activity.kind === 'roll' ? activity.roll : '';
  await first.run(250);
  first.die();
  told.push(first.told);
  const again = virtualClock(0, clock.wallMs + 20);
  const second = await tableRun({ ...ask, clock: again, seed: 7 });
  await second.run(12_000);
  second.table.command('next', { do: 'new-game', by: { role: 'operator', name: 'Op' } });
  await second.run(9000);
  await second.close();
  told.push(second.told);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a match that was interrupted', () => {
  it('goes on; the roll that was going on is undetermined, none before it changed', () => {
    expect(interrupted).not.toBe('');
    const finals = told[1]?.flatMap((one) =>
      one.kind === 'ruling' && one.ruling.stage === 'final' ? [one.ruling] : [],
    );
    const ruling = finals?.find((one) => one.roll === interrupted);
    expect(ruling?.balls.map((ball) => ball.opened)).toEqual(['undetermined', 'undetermined']);
    expect(ruling?.balls[0]?.reasons.map(({ code }) => code)).toContain('doubt/interrupted');
  });

  it('is intact and replays to the same words and states', async () => {
    const source = await openSource(table);
    expect((await verifySource(source, NODE_TOOLS)).state).toBe('intact');
    const replayed = await replaySource(source, { parts: PARTS, check: true });
    expect(replayed.difference).toBeUndefined();
    expect(replayed.marks).toBeGreaterThanOrEqual(3);
  });
});

describe('a match as a file', () => {
  it('proves itself alone, replays to the recorded states, and is refused with any change', async () => {
    const matches = await matchesIn(systemDisk, table);
    expect(matches).toHaveLength(2);
    for (const match of matches) {
      const text = await exportMatch(systemDisk, table, match, PARTS);
      const path = join(folder, `${match.id}.match`);
      writeFileSync(path, text);
      const source = await openSource(path);
      const verdict = await verifySource(source, NODE_TOOLS);
      expect(verdict).toMatchObject({ state: 'intact', from: match.from });
      const replayed = await replaySource(source, { parts: PARTS, check: true });
      expect(replayed.difference).toBeUndefined();
      const lines = text.split('\n');
      const forged = [...lines];
      forged[9] = lines[9]?.replace(/"atMs":(\d)/, '"atMs":9$1') ?? '';
      const start = lines[0]?.replace('\\"passSinceMs\\":null', '\\"passSinceMs\\":1') ?? '';
      const places: readonly (readonly string[])[] = [
        forged,
        lines.filter((_, i) => i !== 5),
        [lines[0] ?? '', ...lines.slice(2)],
        lines.slice(0, -3),
        ...(start === lines[0] ? [] : [[start, ...lines.slice(1)]]),
      ];
      for (const bad of places) {
        writeFileSync(join(folder, 'bad.match'), `${bad.join('\n').trimEnd()}\n`);
        const other = await openSource(join(folder, 'bad.match'));
        expect((await verifySource(other, NODE_TOOLS)).state).toBe('broken');
      }
    }
  });

  it('is not read when its version or a field is unknown', async () => {
    const match = await matchNamed(systemDisk, table, 'last');
    const [head = ''] = (await exportMatch(systemDisk, table, match, PARTS)).split('\n');
    expect(matchHeadOf(head).match).toBe(match.id);
    for (const bad of [
      head.replace('"version":2', '"version":1'),
      head.replace('"version":2', '"version":3'),
      head.replace('{', '{"more":1,'),
      '{"format":"bakucore-x"}',
    ]) {
      expect(() => matchHeadOf(bad)).toThrow(expect.objectContaining({ code: 'journal/unknown-form' }));
    }
  });

  it('gives proofs that hold alone: of one record, and that the journal only grew', async () => {
    const source = await openSource(table);
    const proof = await proveRecord(source, 0, NODE_TOOLS);
    expect(await verifyProof(proof, NODE_TOOLS, undefined)).toMatchObject({ ok: true });
    expect(await verifyProof(proof.replace('"seq":0', '"seq":1'), NODE_TOOLS, undefined)).toMatchObject({
      ok: false,
    });
    const notes = readFileSync(join(folder, 't1-0.match'), 'utf8').match(/"note":"((?:[^"\\]|\\.)*)"/);
    const first = JSON.parse(`"${notes?.[1] ?? ''}"`);
    const grown = await proveGrowth(source, first, NODE_TOOLS);
    expect(await verifyProof(grown, NODE_TOOLS, undefined)).toMatchObject({
      ok: true,
      text: /has only grown/,
    });
    const value = JSON.parse(grown);
    value.proof.pop();
    expect(await verifyProof(JSON.stringify(value), NODE_TOOLS, undefined)).toMatchObject({ ok: false });
  });
});

describe('judging again', () => {
  it('flips nothing under the same setting, and names what flips under another', async () => {
    const source = await openSource(table);
    const same: string[] = [];
    let rolls = 0;
    await rejudge(source, PARTS, {}, (roll) => {
      rolls += 1;
      same.push(...roll.flips);
    });
    expect(rolls).toBeGreaterThan(3);
    expect(same).toEqual([]);
    const other: string[] = [];
    await rejudge(source, PARTS, { limits: { openYes: 1.01 } }, (roll) => other.push(...roll.flips));
    expect(other.join()).toMatch(/opened: yes → undetermined/);
  });
});

describe('evidence and reports', () => {
  it('bundles one roll as a page that needs nothing else', async () => {
    const source = await openSource(table);
    const html = await makeBundle(source, {
      parts: PARTS,
      roll: 't1.1',
      game: 1,
      video: { url: 'final.mp4', offsetS: 3 },
    });
    expect(html).not.toMatch(/<script(?! type="application\/json")|src=|href="http|url\(/);
    expect(html).toMatch(/Opened on|Did not open|Undetermined/);
    for (const part of [
      /5\.7\.2/,
      /<path d="M/,
      /<polygon/,
      /Calibration in force/,
      /it is what was written/,
      /video at \d+:\d\d/,
    ]) {
      expect(html).toMatch(part);
    }
    const proof = /<pre class="mono"[^>]*>(\{&quot;format.*?)<\/pre>/s.exec(html)?.[1] ?? '';
    const text = proof
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
    expect(await verifyProof(text, NODE_TOOLS, undefined)).toMatchObject({ ok: true });
  });

  it('sums up every ball of every roll, with intervals, as page and as table', async () => {
    const report: Report = await reportOn([await openSource(table)], PARTS);
    expect(report.games).toBe(2);
    expect(report.rows.length).toBeGreaterThan(6);
    expect(report.players.map(({ name }) => name)).toEqual(['Ember', 'Gale']);
    expect(report.undetermined.hits).toBeGreaterThan(0);
    const csv = csvOf(report).trim().split('\r\n');
    expect(csv).toHaveLength(report.rows.length + 1);
    expect(reportPage(report, 'Cup <1>')).toContain('Cup &lt;1&gt;');
  });

  it('is the same report in whatever order its files are named, early before late', async () => {
    // The later match has the name that sorts first.
    const files = ['z.match', 'a.match'].map((name) => join(folder, name));
    const ids = (await matchesIn(systemDisk, table)).map(({ id }) => id).sort();
    expect(ids.length).toBeGreaterThan(1);
    for (const [i, file] of files.entries()) {
      const match = await matchNamed(systemDisk, table, ids[i] ?? '');
      writeFileSync(file, await exportMatch(systemDisk, table, match, PARTS));
    }
    const reportIn = async (order: readonly string[]) => {
      const sources = [];
      for (const file of order) sources.push(await openSource(file));
      return reportOn(sources, PARTS);
    };
    const report = await reportIn(files);
    const reversed = await reportIn([...files].reverse());
    expect(JSON.stringify(reversed)).toBe(JSON.stringify(report));
    const times = report.rows.map(({ wallTime }) => wallTime);
    expect(times).toEqual([...times].sort());
    expect(new Set(report.rows.map(({ source }) => source)).size).toBe(2);
    // One table, however many files: its tiles need no other name.
    expect(report.tiles.every(({ name, at }) => name === at?.cell && at.table === 'test/t1')).toBe(true);
    expect(
      report.trends.every(({ noise, offRest }) => noise.stretches.length + offRest.stretches.length > 1),
    ).toBe(true);
  });

  it('knows its statistics: intervals and exact chances as published', () => {
    // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    const near = (share: ReturnType<typeof shareOf>) =>
      [share.low, share.high].map((x) => Math.round(1e4 * x) / 1e4);
    expect(near(shareOf(81, 263))).toEqual([0.2553, 0.3662]);
    expect(near(shareOf(15, 148))).toEqual([0.0624, 0.1605]);
    expect(near(shareOf(0, 20))).toEqual([0, 0.1611]);
    expect(near(shareOf(1, 29))).toEqual([0.0061, 0.1718]);
    // Fisher's tea: 3 of 4 against 1 of 4, two-sided 0.4857.
    expect(chanceOfDifference(3, 4, 1, 4)).toBeCloseTo(0.4857, 4);
    expect(chanceOfDifference(0, 0, 3, 5)).toBe(1);
  });
});

describe('raw lines that nobody keeps', () => {
  it('lets raw lines go without touching a ruling, and everything stays proven', async () => {
    const copy = join(folder, 'kept/t1');
    await systemDisk.makeFolder(copy);
    for (const name of await systemDisk.list(table)) {
      if (/jsonl|txt/.test(name)) writeFileSync(join(copy, name), await systemDisk.read(join(table, name)));
    }
    writeFileSync(
      join(folder, 'kept/journal-key.pem'),
      await systemDisk.read(join(folder, 'journal-key.pem')),
    );
    const count = async (kind: string): Promise<number> => {
      let n = 0;
      for await (const batch of (await openSource(copy)).records(() => {}))
        n += batch.filter((one) => one.kind === kind).length;
      return n;
    };
    const [rulings, lines] = [await count('ruling'), await count('line')];
    const went = await retain(systemDisk, copy, { mostBytes: 1 }, new Date().toISOString());
    expect(went.records).toBeGreaterThan(100);
    expect(await count('ruling')).toBe(rulings);
    expect(await count('line')).toBeLessThan(lines);
    expect((await verifySource(await openSource(copy), NODE_TOOLS)).state).toBe('intact');
    const kept = await systemDisk.read(join(copy, 'checkpoint.txt'));
    await expectProofs(copy, Buffer.from(kept).toString('utf8'));
    // A match is removed for good; a tombstone says who did it and why.
    const [match] = await matchesIn(systemDisk, copy);
    await removeMatch({
      ...{ disk: systemDisk, dataDir: join(folder, 'kept'), table: 't1', match: match?.id ?? '' },
      ...{ who: 'A. Keeper', why: 'asked for', wall: () => new Date().toISOString(), log: silentLog },
    });
    const after = await matchesIn(systemDisk, copy);
    expect(after[0]?.removed).toMatchObject({ who: 'A. Keeper', why: 'asked for' });
    expect(await count('ruling')).toBeLessThan(rulings);
    const verdict = await verifySource(await openSource(copy), NODE_TOOLS);
    expect(verdict.broken).toBeUndefined();
    expect(verdict.notes.join()).toMatch(/removed with leave/);
    await expectProofs(copy, Buffer.from(kept).toString('utf8'));
  });

  /** Every record but a raw line that is left, and growth since a checkpoint kept elsewhere, can be proven to a stranger. */
  async function expectProofs(path: string, earlier: string): Promise<void> {
    const source = await openSource(path);
    const seqs: number[] = [];
    for await (const batch of source.records(() => {}))
      seqs.push(...batch.filter(({ kind }) => kind === 'ruling' || kind === 'open').map(({ seq }) => seq));
    expect(seqs.length).toBeGreaterThan(0);
    for (const seq of new Set([seqs[0] ?? 0, seqs.at(-1) ?? 0])) {
      const proof = await proveRecord(source, seq, NODE_TOOLS);
      expect(await verifyProof(proof, NODE_TOOLS, undefined)).toMatchObject({ ok: true });
    }
    const grown = await proveGrowth(source, earlier, NODE_TOOLS);
    expect(await verifyProof(grown, NODE_TOOLS, undefined)).toMatchObject({ ok: true });
  }
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyProof } from '../host/audit/check-proof.ts';
import { makeBundle } from '../host/audit/make-bundle.ts';
import { matchesIn } from '../host/audit/matches.ts';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { csvOf, reportOn } from '../host/audit/report.ts';
import { reportPage } from '../host/audit/report-page.ts';
import { retain } from '../host/audit/retention.ts';
import { type RollCase, rollsOf } from '../host/audit/rolls.ts';
import { openSource, type Source } from '../host/audit/source.ts';
import { isDoubtful, standingOf } from '../host/audit/standing-result.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { isObject } from '../host/journal/entry.ts';
import { PARTS } from '../host/parts.ts';
import { browserPath, NEEDS_BROWSER, newPage, startBrowser } from './support/browser.ts';
import { correctedTable, remadeTable } from './support/corrected-table.ts';

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

/** Every proof file of a page, as text. */
const proofsIn = (html: string): readonly string[] =>
  [...html.matchAll(/<pre class="mono"[^>]*>(\{&quot;format.*?)<\/pre>/gs)].map(([, text = '']) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  );

describe('the evidence of a roll that a judge overruled', () => {
  it('is headed by what stands, with the sensors and the judge side by side, once', async () => {
    const html = await makeBundle(source, { parts: PARTS, roll: made.overruled });
    const sections = html
      .split('<section class="roll"')
      .slice(1)
      .map((text) => text.split('</section>')[0] ?? '');
    expect(sections).toHaveLength(cases.filter(({ roll }) => roll === made.overruled).length);
    const [first = '', second = ''] = sections;
    expect(first).toMatch(/What stands: a judge overruled the sensors/);
    expect(first).toMatch(/<s class="soft">Opened[^<]*<\/s><\/td><td><b class="no">Did not open<\/b>/);
    expect(first).toMatch(/By a judge, 2026-11-30 [\d:]+ UTC, rule 5\.7\.1\.4; record \d+\./);
    expect(first).toMatch(
      /<p class="verdict gone"><s>Opened[^<]*<\/s> <span class="tag">overruled by a judge/,
    );
    expect(first).not.toMatch(/<p class="verdict yes">/);
    expect(first.indexOf('What stands')).toBeLessThan(first.indexOf('class="verdict'));
    expect(second).not.toMatch(/judge|class="verdict gone"/);
    const [, nav = ''] = /<nav(.*?)<\/nav>/s.exec(html) ?? [];
    expect(nav).toMatch(/class="no">did not open<\/span>, .*class="no">did not open<\/span>.*judge<\/span>/);
  });

  it('has a proof for every ruling and every record of the correction', async () => {
    for (const roll of [made.overruled, undefined]) {
      const html = await makeBundle(source, { parts: PARTS, ...(roll === undefined ? {} : { roll }) });
      const shown = roll === undefined ? cases : cases.filter((one) => one.roll === roll);
      const seqs = new Set([
        ...shown.flatMap((one) => [...one.rulingSeqs, ...one.corrections.flatMap((each) => each.seqs)]),
      ]);
      const proven: unknown[] = [];
      const records: string[] = [];
      for (const proof of proofsIn(html)) {
        expect(await verifyProof(proof, NODE_TOOLS, undefined)).toMatchObject({ ok: true });
        const { seq, record } = JSON.parse(proof);
        proven.push(seq);
        records.push(record);
      }
      for (const seq of seqs) expect(proven).toContain(seq);
      expect(records.some((text) => text.includes('"do":"replace-ruling"'))).toBe(true);
      expect(records.some((text) => text.includes('"correction/made"'))).toBe(true);
      expect(records.some((text) => text.includes('"judge/count"'))).toBe(roll === undefined);
    }
  });

  it('names Bakugan as screens do and the tile that decided first', async () => {
    const html = await makeBundle(source, { parts: PARTS, roll: made.overruled });
    expect(html).not.toMatch(/>[AB]\/\d|[AB]\/\d:/);
    expect(html).toMatch(/Gale’s Dragonoid: S/);
    const [first = ''] = html.split('<section class="roll"').slice(1);
    const [, cell = ''] = /that decided: (q-?\d+r-?\d+)/.exec(first) ?? [];
    expect(cell).not.toBe('');
    expect(/<b>Tile (q-?\d+r-?\d+)/.exec(first)?.[1]).toBe(cell);
  });

  it('counts one roll as one', async () => {
    const html = await makeBundle(await openSource(join(folder, 't1')), { parts: PARTS, roll: 't2.3' });
    expect(html).toMatch(/>1 roll with the samples/);
    expect(html).not.toMatch(/\b1 rolls|\b1 balls/);
  });
});

describe('rulings that this version would not give', () => {
  /** The same records, heard by a detector that is never sure of an open. */
  const unsure = (from: Source): Source => ({
    ...from,
    async *records(told) {
      for await (const batch of from.records(told)) {
        yield batch.map((record) => {
          if (record.kind !== 'open' || !isObject(record.data)) return record;
          const limits = isObject(record.data.limits) ? { ...record.data.limits, openYes: 1.01 } : null;
          return { ...record, data: { ...record.data, limits } };
        });
      }
    },
  });

  it('are shown as they were recorded, with what differs in words, and change no roll after them', async () => {
    const { snapshot: _, ...bare } = source;
    const other = await casesOf(unsure(bare));
    expect(other.map(({ roll, rulings }) => [roll, rulings])).toEqual(
      cases.map(({ roll, rulings }) => [roll, rulings]),
    );
    expect(cases.flatMap(({ wouldRule }) => wouldRule)).toEqual([]);
    const flipped = other.filter(({ wouldRule }) => wouldRule.length > 0);
    expect(flipped.length).toBeGreaterThan(3);
    expect(flipped.flatMap(({ wouldRule }) => wouldRule).join()).toMatch(/opened: yes → undetermined/);
    const report = await reportOn([unsure(bare)], PARTS);
    expect(report.players).toEqual((await reportOn([source], PARTS)).players);
    expect(reportPage(report, 'Cup')).toContain(`This version would rule ${flipped.length} rolls otherwise`);
    const html = await makeBundle(unsure(bare), { parts: PARTS });
    expect(html.match(/would rule otherwise than was recorded; shown is the record/g)).toHaveLength(
      flipped.length,
    );
  });

  it('are not told of rolls whose lines are gone: their recorded rulings are still shown', async () => {
    const table = join(folder, 't1');
    const copy = join(folder, 'kept/t1');
    await systemDisk.makeFolder(copy);
    for (const name of await systemDisk.list(table)) {
      if (/jsonl|txt/.test(name)) writeFileSync(join(copy, name), await systemDisk.read(join(table, name)));
    }
    const went = await retain(systemDisk, copy, { mostBytes: 1 }, new Date().toISOString());
    expect(went.records).toBeGreaterThan(100);
    const less = await casesOf(await openSource(copy));
    expect(new Set(less.map(({ match }) => match)).size).toBe(2);
    for (const one of less) {
      const whole = cases.find(({ match, fromSeq }) => match === one.match && fromSeq === one.fromSeq);
      expect(one.rulings).toEqual(whole?.rulings);
      expect(one.wouldRule).toEqual([]);
    }
  });
});

describe('a roll that was taken back and made anew under its name', () => {
  it('is withdrawn once and stands once', async () => {
    const data = join(folder, 'remade');
    const name = await remadeTable(data);
    const remade = await openSource(join(data, 't1'));
    const both = (await casesOf(remade)).filter(({ roll }) => roll === name);
    expect(both.map((one) => standingOf(one).instead)).toEqual(['withdrawn', undefined]);
    expect(both.map(({ corrections }) => corrections.length)).toEqual([1, 0]);
    expect(both.map(({ retractions }) => retractions.length)).toEqual([1, 0]);
    const html = await makeBundle(remade, { parts: PARTS, roll: name });
    const [first = '', second = ''] = html.split('<section class="roll"').slice(1);
    expect(first).toMatch(/What stands: taken back: this roll does not count/);
    expect(first).toMatch(/<p class="verdict gone"><s>[^<]*<\/s> <span class="tag">withdrawn/);
    expect(first).not.toMatch(/<p class="verdict (yes|no)"/);
    expect(second).toMatch(/<p class="verdict yes">/);
    const report = await reportOn([remade], PARTS);
    expect(report.withdrawn.hits).toBe(1);
    expect(report.overridden.hits).toBe(0);
    expect(report.rows.filter(({ stands }) => stands === 'withdrawn')).toHaveLength(2);
  });
});

describe.skipIf(browserPath === undefined)(`evidence on a phone${NEEDS_BROWSER}`, () => {
  it('fits: every mark of every trace lies on the screen and can be read', async () => {
    const path = join(folder, 'evidence.html');
    writeFileSync(path, await makeBundle(source, { parts: PARTS, roll: made.overruled }));
    const browser = await startBrowser();
    try {
      const page = await newPage(browser, { viewport: { width: 390, height: 844 } });
      await page.goto(`file://${path}`);
      const texts = await page.locator('.trace text').all();
      const seen: { text: string; x: number; right: number; height: number }[] = [];
      for (const text of texts) {
        const { x = 0, width = 0, height = 0 } = (await text.boundingBox()) ?? {};
        seen.push({ text: (await text.textContent()) ?? '', x, right: x + width, height });
      }
      expect(seen.some(({ text }) => text === 'decided')).toBe(true);
      expect(seen.some(({ text }) => text.includes('open?'))).toBe(true);
      expect(seen.filter(({ x, right }) => x < 0 || right > 390)).toEqual([]);
      expect(seen.filter(({ height }) => height < 10)).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

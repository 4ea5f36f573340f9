import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../host/audit/page/sha256.ts';
import { inflatedSoFar } from '../host/journal/inflate.ts';
import { browserPath, newPage, startBrowser } from './support/browser.ts';
import { FIRST_SEGMENT, writeJournal } from './support/small-journal.ts';

const PAGE = join(import.meta.dirname, '../dist/verify/verify.html');

describe('the hash of the page', () => {
  it('is SHA-256', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const other = createHash('sha256').update(bytes).digest('hex');
        expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(other);
      }),
    );
  });
});

const missing =
  browserPath === undefined ? ' (skipped: needs chromium)' : existsSync(PAGE) ? '' : ' (skipped: not built)';

describe.skipIf(missing !== '')(`a record dropped on the page, without a network${missing}`, () => {
  it('is found intact, and not with one bit flipped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bakucore-page-'));
    const bytes = Buffer.from((await writeJournal(700)).text(FIRST_SEGMENT));
    const good = join(folder, 'good.jsonl');
    const bad = join(folder, 'bad.jsonl');
    writeFileSync(good, bytes);
    const at = 50_000;
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    writeFileSync(bad, bytes);
    const browser = await startBrowser();
    try {
      const page = await newPage(browser);
      await page.context().setOffline(true);
      await page.goto(pathToFileURL(PAGE).href);
      await page.setInputFiles('#pick', good);
      await page.waitForSelector('.verdict.intact');
      const text = await page.locator('#result').textContent();
      expect(text).toMatch(/3 signed checkpoints/);
      expect(text).not.toMatch(/cannot check signatures/);
      await page.setInputFiles('#pick', bad);
      await page.waitForSelector('.verdict.broken');
      expect(await page.locator('#result').textContent()).toMatch(
        /First broken place: record \d+, line \d+, in bad\.jsonl\./,
      );
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('names the packed segment that is cut off or damaged, and what is left', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bakucore-page-'));
    const text = (await writeJournal(700)).text(FIRST_SEGMENT);
    // The second file begins with a record in the middle.
    const middle = text.lastIndexOf('\n', text.indexOf('"seq":400,')) + 1;
    const packed = gzipSync(text.slice(0, middle));
    const rest = join(folder, '000000000400.jsonl');
    writeFileSync(rest, text.slice(middle));
    const part = join(folder, '000000000000.jsonl.gz');
    const flipped = Buffer.from(packed);
    flipped[packed.length >> 1] = (packed[packed.length >> 1] ?? 0) ^ 64;
    const trailer = Buffer.from(packed);
    trailer[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 1;
    const cut = packed.subarray(0, packed.length >> 1);
    const browser = await startBrowser();
    try {
      const page = await newPage(browser);
      await page.context().setOffline(true);
      await page.goto(pathToFileURL(PAGE).href);
      const said = async (bytes: Uint8Array, verdict: string): Promise<string> => {
        writeFileSync(part, bytes);
        await page.setInputFiles('#pick', [part, rest]);
        await page.waitForSelector(`.verdict.${verdict}`);
        return (await page.locator('#result').textContent()) ?? '';
      };
      // As far as it can be unpacked: the last record that stands there whole.
      const whole = Buffer.from(inflatedSoFar(cut)).toString();
      const last = /"seq":(\d+),[^\n]*\n+[^\n]*$/.exec(whole)?.[1] ?? '';
      expect(await said(cut, 'broken')).toContain(
        `Record ${Number(last) + 1} cannot be read: 000000000000.jsonl.gz cannot be unpacked`,
      );
      expect(await said(packed, 'intact')).not.toContain('damaged');
      expect(await said(flipped, 'broken')).toMatch(
        /Record \d+ cannot be read.* 000000000000\.jsonl\.gz .*Behind it.* can be read\./,
      );
      expect(await said(trailer, 'intact')).toContain('000000000000.jsonl.gz is damaged');
      expect(await said(new Uint8Array(), 'broken')).toMatch(/Record 0 cannot be read.*\(it is empty\)/);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

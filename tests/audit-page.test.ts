import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../host/audit/page/sha256.ts';
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
        /First broken place: record \d+, line \d+\./,
      );
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

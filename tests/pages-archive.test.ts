import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, NEEDS_BROWSER, newPage, startBrowser } from './support/browser.ts';
import { JUDGE, type ShopFeed, shopFeed } from './support/shop-feed.ts';

describe.skipIf(browserPath === undefined)(`library and replay in a browser${NEEDS_BROWSER}`, () => {
  let shop: ShopFeed;
  let browser: Browser;
  const wrong: string[] = [];
  const visit = async (path: string, size = { width: 1366, height: 768 }): Promise<Page> => {
    const page = await newPage(browser, { viewport: size, reducedMotion: 'reduce' });
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(message.text());
    });
    await page.goto(`${shop.feed.url}${path}#token=${JUDGE}`);
    return page;
  };

  beforeAll(async () => {
    shop = await shopFeed();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
    expect(wrong).toEqual([]);
  });

  it('finds a match by words, makes its evidence, and asks for its id before it is deleted', async () => {
    const page = await visit('library');
    await page.getByText('2 matches', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('nobody');
    await page.getByText('No match has all these words.').waitFor();
    await page.getByRole('searchbox').fill('ember');
    await page.getByText('2 of 2 matches').waitFor();
    await page.getByRole('button', { name: 'Evidence' }).last().click();
    const open = page.getByRole('link', { name: 'Open', exact: true });
    await open.waitFor();
    expect(await open.getAttribute('href')).toMatch(/^\/made\//);
    await page.locator('.more summary').last().click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this match for good?' });
    await dialog.getByLabel('Who removes it').fill('A. Keeper');
    await dialog.getByLabel('Why', { exact: true }).fill('asked for');
    await dialog.getByLabel(/to confirm/).fill('t1-12345');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    // The browser itself holds the form back until the id is right.
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.close();
  });

  it('says who removed a match, when and why, in line with the rows of the others', async () => {
    const removal = {
      who: 'A. Keeper (operator)',
      why: 'asked for by a player',
      at: '2026-11-30T10:00:00.000Z',
    };
    for (const width of [1366, 700, 390]) {
      const page = await newPage(browser, { viewport: { width, height: 800 }, reducedMotion: 'reduce' });
      await page.route('**/api/v1/archive/library*', async (route) => {
        const listed = await (await route.fetch()).json();
        Object.assign(listed.matches[1], {
          removed: true,
          removal,
          winner: 'A',
          players: { A: 'A', B: 'B' },
        });
        await route.fulfill({ json: listed });
      });
      await page.goto(`${shop.feed.url}library#token=${JUDGE}`);
      await page.getByText('2 matches', { exact: true }).waitFor();
      const gone = page.locator('.match-gone');
      await gone.getByText(/^Removed by A\. Keeper \(operator\), .*2026.*: asked for by a player$/).waitFor();
      expect(await gone.getByText('won').count()).toBe(0);
      const lefts = (part: string): Promise<readonly number[]> =>
        page
          .locator(`.match ${part}`)
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
      for (const part of ['.match-who', '.match-when', '.match-counts', '.match-deeds']) {
        const [one = 0, other = 0] = await lefts(part);
        expect(Math.abs(one - other), `${part} at ${width}`).toBeLessThan(1);
      }
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(width);
      await page.close();
    }
  });

  it('says of a match whose lines are no longer kept that it cannot be shown, and waits for nothing', async () => {
    const page = await newPage(browser, { viewport: { width: 1366, height: 768 } });
    const dark =
      'Lines from the boards are no longer kept, so the moments of this match cannot be shown again.';
    await page.route('**/outline', async (route) => {
      await route.fulfill({ json: { ...(await (await route.fetch()).json()), dark } });
    });
    await page.goto(`${shop.feed.url}replay?table=t1&match=${shop.match}#token=${JUDGE}`);
    await page.getByText(dark).waitFor();
    await page.getByText('There is no picture of this moment.').waitFor();
    expect(await page.getByText('Looking up this moment').count()).toBe(0);
    await page.close();
  });

  it('goes through a match by keys alone, and says where it stands', async () => {
    const page = await visit(`replay?table=t1&match=${shop.match}`);
    await page.locator('.field').waitFor();
    const bar = page.getByRole('slider', { name: 'Moment of the match' });
    const words = async (): Promise<string> => (await bar.getAttribute('aria-valuetext')) ?? '';
    await bar.focus();
    await page.keyboard.press('Home');
    await expect.poll(words).toMatch(/^0:00 of \d:\d\d\./);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(words).toMatch(/^0:02 of/);
    await page.keyboard.press('n');
    await expect.poll(words).toMatch(/Roll t1\.1: /);
    await page.getByRole('region', { name: 'Rulings, newest first' }).getByText('Roll t1.1').waitFor();
    await page.locator('.trace-at svg').first().waitFor();
    await page.keyboard.press('End');
    await expect.poll(async () => /^(\d+:\d+) of \1\./.test(await words())).toBe(true);
    // The last ruling may stand at the very end: the one before it does not.
    await page.keyboard.press('p');
    await page.keyboard.press('p');
    await expect.poll(async () => /^(\d+:\d+) of \1\./.test(await words())).toBe(false);
    // Space plays: the bar moves by itself, and stops.
    await page.keyboard.press('Home');
    await expect.poll(words).toMatch(/^0:00 of/);
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await expect.poll(async () => Number(await bar.inputValue())).toBeGreaterThan(200);
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.close();
  });

  it('opens a match file that is chosen or dropped, and says what is none', async () => {
    const page = await visit('replay');
    const choose = page.getByLabel('Match file');
    const text = await shop.matchFileText();
    const fileOf = (name: string, content: string) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    });
    // The refusal is an answer of 415, which a browser notes.
    const before = wrong.length;
    await choose.setInputFiles(fileOf('holiday.match', 'no match at all'));
    await page.getByRole('alert').getByText('This is no match file of BakuCore.').waitFor();
    wrong.splice(before);
    await choose.setInputFiles(fileOf('final.match', text));
    await page.locator('.field').waitFor();
    await page.getByText(`match file ${shop.match}`).waitFor();
    expect(new URL(page.url()).searchParams.get('table')).toMatch(/^file-/);
    const first = page.url();
    // Another one is dropped on it.
    const dropped = await page.evaluateHandle(`(() => {
      const carried = new DataTransfer();
      carried.items.add(new File([${JSON.stringify(text)}], 'again.match'));
      return carried;
    })()`);
    await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
    await page.waitForURL(
      (url) =>
        url.href !== first && url.searchParams.get('table') !== new URL(first).searchParams.get('table'),
    );
    await page.locator('.field').waitFor();
    await page.close();
  });

  it('shows the overlay as it was on air, and what a judge saw never there', async () => {
    const page = await visit(`replay?table=t1&match=${shop.match}&at=9000&show=overlay`);
    const frame = page.frameLocator('iframe');
    await frame.locator('.plate').first().waitFor();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.locator('.field').waitFor();
    await page.close();
  });

  it('fits a laptop and a phone: nothing to the side', async () => {
    for (const path of ['library', 'replay', `replay?table=t1&match=${shop.match}&at=12000`]) {
      for (const size of [
        { width: 1366, height: 768 },
        { width: 390, height: 844 },
      ]) {
        const page = await visit(path, size);
        await page.locator('.match, .field, .drop-place').first().waitFor();
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect([path, size.width, width]).toEqual([path, size.width, size.width]);
        await page.close();
      }
    }
  });
});

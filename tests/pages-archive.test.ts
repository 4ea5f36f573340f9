import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type {
  FilmOutline,
  FilmStretch,
  LibraryPage,
  MadeFile,
  MatchName,
} from '../host/displays/archive-messages.ts';
import type { Feed } from '../host/displays/feed.ts';
import { BROWSER_ARGS, browserPath } from './support/browser.ts';
import { fakeTable, feedOver } from './support/feed-ear.ts';
import { recordedShop } from './support/recorded-shop.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const JUDGE = 'secret-of-the-judge-01';
const PLAYER = 'secret-of-player-a-01';
const why = browserPath === undefined ? ' (skipped: needs chromium)' : '';

let shop: Awaited<ReturnType<typeof recordedShop>>;
let feed: Feed & { readonly port: number };
let pagesDir = '';
let match = '';

beforeAll(async () => {
  pagesDir = mkdtempSync(join(tmpdir(), 'bakucore-pages-'));
  shop = await recordedShop();
  await build({
    configFile: join(import.meta.dirname, '../host/pages/vite.config.ts'),
    build: { outDir: pagesDir, emptyOutDir: false },
  });
  feed = await feedOver(fakeTable(), {
    pagesDir,
    archive: shop.archive,
    tokens: [
      { role: 'judge', name: 'Aiko', secret: JUDGE },
      { role: 'player', player: 'A', secret: PLAYER },
    ],
  });
  const page = await answer<LibraryPage>(ask('library'));
  match = page.matches.at(-1)?.id ?? '';
});

afterAll(async () => {
  await feed?.close();
  shop?.remove();
  rmSync(pagesDir, { recursive: true, force: true });
});

function ask(path: string, secret: string | undefined = JUDGE, how: RequestInit = {}): Promise<Response> {
  const headers = new Headers(how.headers);
  if (secret !== '') headers.set('Authorization', `Bearer ${secret}`);
  return fetch(`${feed.url}api/v1/archive/${path}`, { ...how, headers });
}

async function answer<Body>(response: Promise<Response>): Promise<Body> {
  return (await (await response).json()) as Body;
}

const json = (body: unknown, more: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', ...more },
});

describe('recorded matches over HTTP', () => {
  it('are for judges and operators, by token', async () => {
    expect((await ask('library')).status).toBe(200);
    for (const secret of ['', PLAYER, 'a-secret-nobody-has-1']) {
      for (const path of [
        'library',
        `t1/${match}/outline`,
        `t1/${match}/stretch?fromMs=1&toMs=1&everyMs=50`,
      ]) {
        expect((await ask(path, secret)).status).toBe(403);
      }
      const remove = { table: 't1', match, who: 'x', why: 'y', confirm: match };
      expect((await ask('remove', secret, json(remove))).status).toBe(403);
      expect((await ask('make', secret, json({ make: 'match', table: 't1', match }))).status).toBe(403);
    }
  });

  it('are not changed by pages of other sites, nor by what is no JSON', async () => {
    const remove = { table: 't1', match, who: 'x', why: 'y', confirm: match };
    expect((await ask('remove', JUDGE, json(remove, { Origin: 'https://evil.example' }))).status).toBe(403);
    const plain = { method: 'POST', body: JSON.stringify(remove), headers: { 'Content-Type': 'text/plain' } };
    expect((await ask('remove', JUDGE, plain)).status).toBe(415);
    expect((await ask('remove', JUDGE, json({ ...remove, confirm: 't1-77' }))).status).toBe(404);
    const page = await answer<LibraryPage>(ask('library'));
    expect(page.matches.some(({ removed }) => removed)).toBe(false);
  });

  it('say what was wrong with a question', async () => {
    for (const [path, status] of [
      ['library?most=9999', 400],
      ['t1/t1-987654/outline', 404],
      ['no-table/no-table-0/outline', 404],
      [`t1/..%2f..%2fetc/outline`, 400],
      [`t1/${match}/stretch?fromMs=1&toMs=2&everyMs=0`, 400],
      [`t1/${match}/trace?roll=t9.9&atMs=5`, 404],
    ] as const) {
      const response = await ask(path);
      expect([path, response.status]).toEqual([path, status]);
      expect(await response.json()).toMatchObject({ error: expect.any(String) });
    }
    expect((await ask('make', JUDGE, json({ make: 'nonsense' }))).status).toBe(400);
    expect((await ask('make', JUDGE, json({ make: 'match', pad: 'x'.repeat(70_000) }))).status).toBe(413);
  });

  it('give files under an address that nobody can guess, which may show themselves and nothing else', async () => {
    const made = await answer<MadeFile>(ask('make', JUDGE, json({ make: 'bundle', table: 't1', match })));
    expect(made.url).toMatch(/^\/made\/[0-9a-f]{32}\//);
    const file = await fetch(new URL(made.url, feed.url));
    expect(file.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'/,
    );
    expect(await file.text()).toContain('Calibration in force');
    expect((await fetch(new URL(made.url.replace(/[0-9a-f]{32}/, '0'.repeat(32)), feed.url))).status).toBe(
      404,
    );
  });
});

/** The newest match as a match file. */
async function matchFileText(): Promise<string> {
  const made = await answer<MadeFile>(ask('make', JUDGE, json({ make: 'match', table: 't1', match })));
  return (await fetch(new URL(made.url, feed.url))).text();
}

const file = (body: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': 'application/octet-stream', ...more },
});

describe('a match file that somebody brings', () => {
  it('is looked at as any match, packed or not, and holds its own word', async () => {
    const text = await matchFileText();
    const own = await answer<FilmOutline>(ask(`t1/${match}/outline`));
    const middle = Math.round((own.fromMs + own.toMs) / 2);
    const query = `fromMs=${middle}&toMs=${middle}&everyMs=100`;
    const pictures = await answer<FilmStretch>(ask(`t1/${match}/stretch?${query}`));
    for (const body of [text, Uint8Array.from(gzipSync(text))]) {
      const name = await answer<MatchName>(ask('open', JUDGE, file(body)));
      expect(name).toEqual({ table: expect.stringMatching(/^file-[0-9a-f]{16}$/), match });
      const outline = await answer<FilmOutline>(ask(`${name.table}/${match}/outline`));
      expect(outline.marks).toEqual(own.marks);
      const shown = await answer<FilmStretch>(ask(`${name.table}/${match}/stretch?${query}`));
      expect(shown.frames.length).toBeGreaterThan(0);
      expect(shown.frames[0]?.message).toMatchObject({ op: 'snapshot' });
      expect(JSON.stringify(shown).replaceAll(name.table, 't1')).toBe(JSON.stringify(pictures));
      // It is no match of this host: it is not in its list, and not removed or made into others.
      const page = await answer<LibraryPage>(ask('library'));
      expect(page.matches.some(({ table }) => table === name.table)).toBe(false);
      expect((await ask('make', JUDGE, json({ make: 'events', ...name }))).status).toBe(404);
    }
  });

  it('is refused when it is none, was changed, is of another form, too large, or not for whoever asks', async () => {
    const text = await matchFileText();
    const refused = async (body: string | Uint8Array<ArrayBuffer>): Promise<[number, string]> => {
      const response = await ask('open', JUDGE, file(body));
      const { error } = (await response.json()) as { readonly error: string };
      return [response.status, error];
    };
    expect(await refused('')).toEqual([415, expect.stringMatching(/no match file/)]);
    expect(await refused('{"a":1}\n')).toEqual([415, expect.stringMatching(/no match file/)]);
    expect(await refused(Uint8Array.from({ length: 5000 }, (_, i) => (i * 77) % 256))).toEqual([
      415,
      expect.stringMatching(/no match file/),
    ]);
    // The records alone, as a segment of a journal.
    const records = text.slice(text.indexOf('\n') + 1);
    expect(await refused(records)).toEqual([415, expect.stringMatching(/no match file/)]);
    const other = text.replace('"version":1', '"version":7');
    expect(await refused(other)).toEqual([415, expect.stringMatching(/version is 7/)]);
    const changed = text.replace('"opened":"yes"', '"opened":"no"');
    expect(changed).not.toBe(text);
    expect(await refused(changed)).toEqual([409, expect.stringMatching(/not what was written/)]);
    const bomb = Uint8Array.from(await promisify(gzip)(Buffer.alloc(300 * 1024 * 1024)));
    expect((await refused(bomb))[1]).toMatch(/larger than 256 MB/);
    const half = Uint8Array.from(gzipSync(text)).subarray(0, 2000);
    expect((await refused(half))[1]).toMatch(/cannot be unpacked/);
    expect((await ask('open', PLAYER, file('{}'))).status).toBe(403);
    expect((await ask('open', JUDGE, file('{}', { Origin: 'https://evil.example' }))).status).toBe(403);
    expect((await ask('open', JUDGE, json({}))).status).toBe(415);
    const gone = await ask(`file-${'f'.repeat(16)}/${match}/outline`);
    expect([gone.status, await gone.json()]).toEqual([
      404,
      { code: 'library/no-such-match', error: expect.stringMatching(/Open it again/) },
    ]);
  });
});

describe.skipIf(why !== '')(`library and replay in a browser${why}`, () => {
  let browser: Browser;
  const wrong: string[] = [];
  const visit = async (path: string, size = { width: 1366, height: 768 }): Promise<Page> => {
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(message.text());
    });
    await page.goto(`${feed.url}${path}#token=${JUDGE}`);
    return page;
  };

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: browserPath ?? '',
      args: [...BROWSER_ARGS],
    });
  });
  afterAll(async () => {
    await browser?.close();
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

  it('goes through a match by keys alone, and says where it stands', async () => {
    const page = await visit(`replay?table=t1&match=${match}`);
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
    await expect.poll(async () => Number(await bar.inputValue()), { timeout: 20_000 }).toBeGreaterThan(200);
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.close();
  });

  it('opens a match file that is chosen or dropped, and says what is none', async () => {
    const page = await visit('replay');
    const choose = page.getByLabel('Match file');
    const text = await matchFileText();
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
    await page.getByText(`match file ${match}`).waitFor();
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
    const page = await visit(`replay?table=t1&match=${match}&at=9000&show=overlay`);
    const frame = page.frameLocator('iframe');
    await frame.locator('.plate').first().waitFor();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.locator('.field').waitFor();
    await page.close();
  });

  it('fits a laptop and a phone: nothing to the side', async () => {
    for (const path of ['library', 'replay', `replay?table=t1&match=${match}&at=12000`]) {
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

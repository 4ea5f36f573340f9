import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  FilmOutline,
  FilmStretch,
  LibraryPage,
  MadeFile,
  MatchName,
} from '../host/displays/archive-messages.ts';
import { answer, file, JUDGE, json, PLAYER, type ShopFeed, shopFeed } from './support/shop-feed.ts';

let shop: ShopFeed;
beforeAll(async () => {
  shop = await shopFeed();
});
afterAll(() => shop?.close());

describe('recorded matches over HTTP', () => {
  it('are for judges and operators, by token', async () => {
    expect((await shop.ask('library')).status).toBe(200);
    for (const secret of ['', PLAYER, 'a-secret-nobody-has-1']) {
      for (const path of [
        'library',
        `t1/${shop.match}/outline`,
        `t1/${shop.match}/stretch?fromMs=1&toMs=1&everyMs=50`,
      ]) {
        expect((await shop.ask(path, secret)).status).toBe(403);
      }
      const remove = { table: 't1', match: shop.match, who: 'x', why: 'y', confirm: shop.match };
      expect((await shop.ask('remove', secret, json(remove))).status).toBe(403);
      expect(
        (await shop.ask('make', secret, json({ make: 'match', table: 't1', match: shop.match }))).status,
      ).toBe(403);
    }
  });

  it('are not changed by pages of other sites, nor by what is no JSON', async () => {
    const remove = { table: 't1', match: shop.match, who: 'x', why: 'y', confirm: shop.match };
    expect((await shop.ask('remove', JUDGE, json(remove, { Origin: 'https://evil.example' }))).status).toBe(
      403,
    );
    const plain = { method: 'POST', body: JSON.stringify(remove), headers: { 'Content-Type': 'text/plain' } };
    expect((await shop.ask('remove', JUDGE, plain)).status).toBe(415);
    expect((await shop.ask('remove', JUDGE, json({ ...remove, confirm: 't1-77' }))).status).toBe(404);
    const page = await answer<LibraryPage>(shop.ask('library'));
    expect(page.matches.some(({ removed }) => removed)).toBe(false);
  });

  it('say what was wrong with a question', async () => {
    for (const [path, status] of [
      ['library?most=9999', 400],
      ['t1/t1-987654/outline', 404],
      ['no-table/no-table-0/outline', 404],
      [`t1/..%2f..%2fetc/outline`, 400],
      [`t1/${shop.match}/stretch?fromMs=1&toMs=2&everyMs=0`, 400],
      [`t1/${shop.match}/trace?roll=t9.9&atMs=5`, 404],
    ] as const) {
      const response = await shop.ask(path);
      expect([path, response.status]).toEqual([path, status]);
      expect(await response.json()).toMatchObject({ error: expect.any(String) });
    }
    expect((await shop.ask('make', JUDGE, json({ make: 'nonsense' }))).status).toBe(400);
    expect((await shop.ask('make', JUDGE, json({ make: 'match', pad: 'x'.repeat(70_000) }))).status).toBe(
      413,
    );
  });

  it('give files under an address that nobody can guess, which may show themselves and nothing else', async () => {
    const made = await answer<MadeFile>(
      shop.ask('make', JUDGE, json({ make: 'bundle', table: 't1', match: shop.match })),
    );
    expect(made.url).toMatch(/^\/made\/[0-9a-f]{32}\//);
    const file = await fetch(new URL(made.url, shop.feed.url));
    expect(file.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'/,
    );
    expect(await file.text()).toContain('Calibration in force');
    expect(
      (await fetch(new URL(made.url.replace(/[0-9a-f]{32}/, '0'.repeat(32)), shop.feed.url))).status,
    ).toBe(404);
  });
});

describe('a match file that somebody brings', () => {
  it('is looked at as any match, packed or not, and holds its own word', async () => {
    const text = await shop.matchFileText();
    const own = await answer<FilmOutline>(shop.ask(`t1/${shop.match}/outline`));
    const middle = Math.round((own.fromMs + own.toMs) / 2);
    const query = `fromMs=${middle}&toMs=${middle}&everyMs=100`;
    const pictures = await answer<FilmStretch>(shop.ask(`t1/${shop.match}/stretch?${query}`));
    for (const body of [text, Uint8Array.from(gzipSync(text))]) {
      const name = await answer<MatchName>(shop.ask('open', JUDGE, file(body)));
      expect(name).toEqual({ table: expect.stringMatching(/^file-[0-9a-f]{16}$/), match: shop.match });
      const outline = await answer<FilmOutline>(shop.ask(`${name.table}/${shop.match}/outline`));
      expect(outline.marks).toEqual(own.marks);
      const shown = await answer<FilmStretch>(shop.ask(`${name.table}/${shop.match}/stretch?${query}`));
      expect(shown.frames.length).toBeGreaterThan(0);
      expect(shown.frames[0]?.message).toMatchObject({ op: 'snapshot' });
      expect(JSON.stringify(shown).replaceAll(name.table, 't1')).toBe(JSON.stringify(pictures));
      // It is no match of this host: it is not in its list, and not removed or made into others.
      const page = await answer<LibraryPage>(shop.ask('library'));
      expect(page.matches.some(({ table }) => table === name.table)).toBe(false);
      expect((await shop.ask('make', JUDGE, json({ make: 'events', ...name }))).status).toBe(404);
    }
  });

  it('is refused when it is none, was changed, is of another form, too large, or not for whoever asks', async () => {
    const text = await shop.matchFileText();
    const refused = async (body: string | Uint8Array<ArrayBuffer>): Promise<[number, string]> => {
      const response = await shop.ask('open', JUDGE, file(body));
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
    const other = text.replace('"version":2', '"version":7');
    expect(await refused(other)).toEqual([415, expect.stringMatching(/version is 7/)]);
    const changed = text.replace('"opened":"yes"', '"opened":"no"');
    expect(changed).not.toBe(text);
    expect(await refused(changed)).toEqual([409, expect.stringMatching(/not what was written/)]);
    const bomb = Uint8Array.from(await promisify(gzip)(Buffer.alloc(300 * 1024 * 1024)));
    expect((await refused(bomb))[1]).toMatch(/larger than 256 MB/);
    const half = Uint8Array.from(gzipSync(text)).subarray(0, 2000);
    expect((await refused(half))[1]).toMatch(/cannot be unpacked/);
    expect((await shop.ask('open', PLAYER, file('{}'))).status).toBe(403);
    expect((await shop.ask('open', JUDGE, file('{}', { Origin: 'https://evil.example' }))).status).toBe(403);
    expect((await shop.ask('open', JUDGE, json({}))).status).toBe(415);
    const gone = await shop.ask(`file-${'f'.repeat(16)}/${shop.match}/outline`);
    expect([gone.status, await gone.json()]).toEqual([
      404,
      { code: 'library/no-such-match', error: expect.stringMatching(/Open it again/) },
    ]);
  });
});

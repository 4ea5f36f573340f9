import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostIsOurs, originIsOurs } from '../host/displays/feed-address.ts';
import { TableFault } from '../host/fault.ts';
import { FeedEar, fakeTable, feedOver } from './support/feed-ear.ts';

const table = fakeTable();
let feed: Awaited<ReturnType<typeof feedOver>>;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feed-pages-'));
  await mkdir(join(folder, 'pages', 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.html'), 'not for the network');
  await writeFile(join(folder, 'pages', 'index.html'), '<!doctype html><title>live</title>');
  await writeFile(join(folder, 'pages', 'overlay.html'), '<!doctype html><title>overlay</title>');
  await writeFile(join(folder, 'pages', 'assets', 'live-abc123.js'), 'export {};');
  feed = await feedOver(table, { pagesDir: join(folder, 'pages') });
});
afterAll(async () => {
  await feed.close();
  await rm(folder, { recursive: true });
});

/** A request with any Host header, which fetch would not send. */
function ask(path: string, host: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: feed.port, path, headers: { host } }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    }).on('error', reject);
  });
}

describe('over HTTP', () => {
  it('says how it is, which tables there are, and what each shows the public', async () => {
    const read = async (path: string): Promise<unknown> => (await fetch(feed.url + path)).json();
    expect(await read('healthz')).toMatchObject({ ok: true, tables: 1 });
    expect(await read('api/v1/tables')).toEqual({
      tables: [{ table: 't1', simulated: true, ruleset: 'bakugan' }],
    });
    expect(await read('api/v1/tables/t1')).toEqual(table.scene({ kind: 'public' }));
    const unknown = await fetch(`${feed.url}api/v1/tables/t9`);
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toHaveProperty('error');
  });

  it.each([
    ['', 'live'],
    ['index.html', 'live'],
    ['overlay', 'overlay'],
    ['overlay/', 'overlay'],
    ['overlay?table=t1&theme=light', 'overlay'],
  ])('serves /%s', async (path, title) => {
    const response = await fetch(feed.url + path);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(title);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe-eval');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('lets hashed files be kept for ever and others be asked for again', async () => {
    const script = await fetch(`${feed.url}assets/live-abc123.js`);
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    const page = await fetch(feed.url);
    const again = await fetch(feed.url, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    '/../secret.html',
    '/%2e%2e/secret.html',
    '/assets/../../secret.html',
    '/..%2fsecret.html',
    '/nothing',
  ])('serves no file outside the pages: %s', async (path) => {
    const { status, text } = await ask(path, `127.0.0.1:${feed.port}`);
    expect(status).toBe(404);
    expect(text).not.toContain('not for the network');
  });

  it('takes no other method', async () => {
    expect((await fetch(`${feed.url}api/v1/tables`, { method: 'POST', body: '{}' })).status).toBe(405);
  });

  it('refuses names of other sites that resolve to this machine', async () => {
    for (const host of ['evil.example', `evil.example:${feed.port}`, 'localhost@evil.example']) {
      expect((await ask('/api/v1/tables', host)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await ask('/api/v1/tables', `localhost:${feed.port}`)).status).toBe(200);
    expect((await ask('/api/v1/tables', `[::1]:${feed.port}`)).status).toBe(200);
  });

  it('says what to do when the pages are not built', async () => {
    const bare = await feedOver(table);
    const response = await fetch(bare.url);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm run build');
    await bare.close();
  });

  it('names the port that is taken and the remedy', async () => {
    const error: unknown = await feedOver(table, { port: feed.port }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TableFault);
    expect(error).toMatchObject({ code: 'http/port-taken' });
    expect(String(error)).toContain(String(feed.port));
    expect(String(error)).toContain('http.port');
  });

  it('says so when the address is none of this machine', async () => {
    const error: unknown = await feedOver(table, { host: '203.0.113.7' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'http/failed' });
    expect(String(error)).toContain('127.0.0.1');
  });
});

describe('at the door of the WebSocket', () => {
  const refused = async (options: Parameters<typeof FeedEar.open>[1]): Promise<string> => {
    const outcome = await FeedEar.open(feed.port, options).catch((error: unknown) => error);
    if (outcome instanceof FeedEar) {
      outcome.close();
      return 'let in';
    }
    return String(outcome);
  };

  it('refuses pages of other sites and foreign names', async () => {
    expect(await refused({ headers: { origin: 'https://evil.example' } })).toContain('403');
    expect(await refused({ headers: { origin: 'null' } })).toContain('403');
    expect(await refused({ headers: { host: 'evil.example', origin: 'http://evil.example' } })).toContain(
      '421',
    );
    expect(await refused({ headers: { origin: `http://127.0.0.1:${feed.port}` } })).toBe('let in');
    expect(await refused({})).toBe('let in');
  });

  it('refuses other paths and other protocols', async () => {
    expect(await refused({ path: '/socket' })).toContain('404');
    expect(await refused({ protocol: 'mqtt' })).toContain('400');
  });
});

describe('names', () => {
  it('knows this machine by loopback alone, or by address when bound to the network', () => {
    expect(hostIsOurs('192.168.1.20:8080', '127.0.0.1', [])).toBe(false);
    expect(hostIsOurs('192.168.1.20:8080', '0.0.0.0', [])).toBe(true);
    expect(hostIsOurs('rebound.example:8080', '0.0.0.0', [])).toBe(false);
    expect(hostIsOurs('table.club.example', '0.0.0.0', ['table.club.example'])).toBe(true);
    expect(hostIsOurs(undefined, '127.0.0.1', [])).toBe(false);
  });

  it('takes an origin only when it is the page’s own host or listed', () => {
    expect(originIsOurs('http://localhost:8080', 'localhost:8080', [])).toBe(true);
    expect(originIsOurs('http://localhost:9999', 'localhost:8080', [])).toBe(false);
    expect(originIsOurs('https://club.example', 'localhost:8080', ['https://club.example'])).toBe(true);
    expect(originIsOurs('file://', 'localhost:8080', [])).toBe(false);
  });
});

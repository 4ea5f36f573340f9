import type { LibraryPage, MadeFile } from '../../host/displays/archive-messages.ts';
import type { Feed } from '../../host/displays/feed.ts';
import { fakeTable, feedOver } from './feed-ear.ts';
import { recordedShop } from './recorded-shop.ts';
import { PAGES } from './shown-pages.ts';

export const JUDGE = 'secret-of-the-judge-01';
export const PLAYER = 'secret-of-player-a-01';

/** The recorded matches of a shop over HTTP. */
export interface ShopFeed {
  readonly feed: Feed & { readonly port: number };
  /** Id of the newest match. */
  readonly match: string;
  /** Asks the archive, as the judge where no other secret is given; with '' as nobody. */
  ask(path: string, secret?: string, how?: RequestInit): Promise<Response>;
  /** The newest match as a match file. */
  matchFileText(): Promise<string>;
  close(): Promise<void>;
}

/** Plays the matches and opens the feed over their records. */
export async function shopFeed(): Promise<ShopFeed> {
  const shop = await recordedShop();
  const feed = await feedOver(fakeTable(), {
    pagesDir: PAGES,
    archive: shop.archive,
    tokens: [
      { role: 'judge', name: 'Aiko', secret: JUDGE },
      { role: 'player', player: 'A', secret: PLAYER },
    ],
  });
  const ask: ShopFeed['ask'] = (path, secret = JUDGE, how = {}) => {
    const headers = new Headers(how.headers);
    if (secret !== '') headers.set('Authorization', `Bearer ${secret}`);
    return fetch(`${feed.url}api/v1/archive/${path}`, { ...how, headers });
  };
  const page = await answer<LibraryPage>(ask('library'));
  const match = page.matches.at(-1)?.id ?? '';
  return {
    feed,
    match,
    ask,
    async matchFileText() {
      const made = await answer<MadeFile>(ask('make', JUDGE, json({ make: 'match', table: 't1', match })));
      return (await fetch(new URL(made.url, feed.url))).text();
    },
    async close() {
      await feed.close();
      shop.remove();
    },
  };
}

/** The body of an answer in JSON. */
export async function answer<Body>(response: Promise<Response>): Promise<Body> {
  return (await (await response).json()) as Body;
}

/** A question with a body in JSON. */
export const json = (body: unknown, more: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', ...more },
});

/** A question that brings a file. */
export const file = (
  body: string | Uint8Array<ArrayBuffer>,
  more: Record<string, string> = {},
): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': 'application/octet-stream', ...more },
});

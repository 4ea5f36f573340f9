import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Feed } from '../../host/displays/feed.ts';
import type { Scene } from '../../host/scene/scene.ts';
import type { SimAction } from '../../host/sim-action.ts';
import { newPage, startBrowser } from './browser.ts';
import { demoScene } from './demo-scene.ts';
import { type FakeTable, fakeTable, feedOver } from './feed-ear.ts';

/** Where the built pages lie. */
export const PAGES = join(import.meta.dirname, '../../dist/pages');

/** The pages of a table that shows what a test gives it, in one browser for the tests of a file. */
export interface ShownPages {
  readonly table: FakeTable;
  readonly feed: Feed & { readonly port: number };
  /** What was done to the simulated world. */
  readonly acts: readonly SimAction[];
  /** Opens the feed over a table with this scene. */
  serve(scene?: Scene, port?: number): Promise<void>;
  /** Opens a page at an address of the feed. */
  visit(path: string, size?: { width: number; height: number }): Promise<Page>;
  /** Opens an empty page. */
  blank(): Promise<Page>;
  /** Lets the table show another moment. */
  show(moment: Parameters<typeof demoScene>[0]): void;
}

/** Starts the browser before the tests of the block that it is called in, and closes all that they opened. */
export function shownPages(): ShownPages {
  let browser: Browser;
  let table: FakeTable;
  let feed: Feed & { readonly port: number };
  let acts: SimAction[] = [];
  const wrong: string[] = [];
  const open: Page[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const page of open.splice(0)) await page.close();
    await feed.close();
    // A page that breaks its own content security policy or throws says so on the console.
    expect(wrong.splice(0)).toEqual([]);
  });

  return {
    get table() {
      return table;
    },
    get feed() {
      return feed;
    },
    get acts() {
      return acts;
    },
    async serve(scene = demoScene('brawl'), port = 0) {
      table = fakeTable(scene);
      acts = [];
      feed = await feedOver(table, { port, pagesDir: PAGES, sim: { act: (_, action) => acts.push(action) } });
    },
    async visit(path, size = { width: 1366, height: 768 }) {
      const page = await newPage(browser, { viewport: size, reducedMotion: 'reduce' });
      open.push(page);
      page.on('pageerror', (error) => wrong.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('WebSocket')) wrong.push(message.text());
      });
      await page.goto(feed.url + path);
      return page;
    },
    async blank() {
      const page = await newPage(browser);
      open.push(page);
      return page;
    },
    show(moment) {
      table.now = demoScene(moment);
      feed.changed('t1');
    },
  };
}

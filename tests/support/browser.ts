import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { programPath } from './system.ts';

/** Path of Chromium, or undefined. */
export const browserPath = programPath('chromium');
/** Said by tests that are skipped without it. */
export const NEEDS_BROWSER = browserPath === undefined ? ' (skipped: needs chromium)' : '';

/** For what a browser does: it comes at once, and may take its time where others want the machine too. */
export const PAGE_PATIENCE_MS = 90_000;

/** Chromium without a sandbox, a graphics card or talk of its own on the network. */
const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless Chromium. */
export function startBrowser(): Promise<Browser> {
  const executablePath = browserPath ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: [...BROWSER_ARGS], timeout: PAGE_PATIENCE_MS });
}

/** Opens an empty page that waits as long as a busy machine takes. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PAGE_PATIENCE_MS);
  return page;
}

export interface OpenPage {
  /** Waits until the page's text matches. */
  waitForText(pattern: RegExp): Promise<void>;
  text(): Promise<string>;
  screenshot(path: string): Promise<void>;
  /** Errors that the page threw or logged. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** Opens an address in a headless Chromium of its own. */
export async function openPage(url: string, width = 1920, height = 1080): Promise<OpenPage> {
  const browser = await startBrowser();
  const page = await newPage(browser, { viewport: { width, height } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(url);
  const text = async (): Promise<string> => (await page.locator('body').textContent()) ?? '';
  return {
    errors,
    text,
    async waitForText(pattern) {
      const untilMs = performance.now() + PAGE_PATIENCE_MS;
      while (!pattern.test(await text())) {
        if (performance.now() > untilMs) throw new Error(`the page did not show ${pattern}`);
        await page.waitForTimeout(50);
      }
    },
    async screenshot(path) {
      await page.screenshot({ path });
    },
    close: () => browser.close(),
  };
}

import { chromium } from 'playwright-core';
import { programPath } from './system.ts';

/** Path of Chromium, or undefined. */
export const browserPath = programPath('chromium');

/** Chromium without a sandbox, a graphics card or talk of its own on the network. */
export const BROWSER_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

export interface OpenPage {
  /** Waits until the page's text matches. Rejects after the time. */
  waitForText(pattern: RegExp, withinMs: number): Promise<void>;
  text(): Promise<string>;
  screenshot(path: string): Promise<void>;
  /** Errors that the page threw or logged. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** Opens an address in a headless Chromium of its own. */
export async function openPage(url: string, width = 1920, height = 1080): Promise<OpenPage> {
  const browser = await chromium.launch({
    executablePath: browserPath ?? '/usr/bin/chromium',
    args: [...BROWSER_ARGS, '--disable-component-update', '--disable-sync'],
  });
  const page = await browser.newPage({ viewport: { width, height } });
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
    async waitForText(pattern, withinMs) {
      const untilMs = performance.now() + withinMs;
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

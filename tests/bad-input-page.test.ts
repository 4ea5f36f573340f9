/** A person who types nonsense into every field of the live page of a host that plays. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPage, startBrowser } from './support/browser.ts';
import { hostRig, type Rig } from './support/host-rig.ts';
import { ALL_KEPT } from './support/kept.ts';
import { has } from './support/system.ts';

const CLEAN_ROLL = { wrong: [], doubts: [] };

describe.skipIf(!has('chromium'))('junk in every field of the page', () => {
  const JUNK = [
    '<img src=x onerror="window.pwned=1">',
    '-999999999999',
    '\u202e\u0000\ud83d 1e308',
    'x'.repeat(5000),
  ];

  let rig: Rig;
  beforeAll(async () => {
    rig = await hostRig({ seed: 5 });
    await rig.boot();
  });
  afterAll(async () => {
    const kept = await rig.close();
    expect(kept).toMatchObject(ALL_KEPT);
  });

  it('is refused or taken as text; the page and the host live', async () => {
    const browser = await startBrowser();
    try {
      const page = await newPage(browser, { viewport: { width: 1366, height: 768 } });
      const wrong: string[] = [];
      page.on('pageerror', (error) => wrong.push(error.message));
      await page.goto(rig.host.url);
      const names = new Set<string>();
      for (const state of ['ST-4', 'ST-5']) {
        rig.play = true;
        rig.rolls = state === 'ST-4';
        await rig.until(state, () => rig.view().state === state, 60_000);
        rig.play = false;
        const heading = page.getByRole('heading', { level: 1 });
        await rig.alongside(heading.filter({ hasText: rig.view().step }).waitFor());
        const filled = await rig.alongside(fillAll(page, JUNK));
        for (const name of filled.names) names.add(name);
        expect(filled.sent).toBeGreaterThan(10);
      }
      expect([...names].sort()).toEqual([
        'bPower',
        'cost',
        'count',
        'damage',
        'label',
        'reason',
        'sim-speed',
      ]);
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(await page.locator('img[src=x]').count()).toBe(0);
      expect(wrong).toEqual([]);
      // Things that people may enter were entered, and stand in the log as they were typed.
      expect(
        rig
          .view()
          .log.map(({ text }) => text)
          .join('\n'),
      ).toContain('<img src=x onerror=');
      for (const one of ['A', 'B'] as const) expect(rig.view().players[one].deck).toBeLessThanOrEqual(200);
    } finally {
      await browser.close();
    }
    rig.rolls = true;
    rig.play = true;
    expect((await rig.nextRoll()).wrong).toEqual([]);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });
});

/**
 * Opens everything that folds, fills every field with each junk, in lists for the first two choices and the last, and
 * presses what is beside it; conceding and ruling the live roll aside.
 */
async function fillAll(page: Page, junk: readonly string[]): Promise<{ names: string[]; sent: number }> {
  await page.locator('form').first().waitFor({ state: 'attached' });
  return page.evaluate(async (texts) => {
    type Node = {
      readonly id: string;
      readonly name: string;
      readonly textContent: string;
      readonly disabled: boolean;
      readonly isConnected: boolean;
      readonly options: Iterable<{ readonly value: string }> & { readonly length: number };
      value: string;
      open: boolean;
      click(): void;
      dispatchEvent(event: object): void;
      querySelectorAll(what: string): Iterable<Node>;
    };
    const world = globalThis as unknown as {
      document: Node;
      Event: new (name: string, init: object) => object;
    };
    const names = new Set<string>();
    let sent = 0;
    const rest = (): Promise<void> => new Promise((done) => setTimeout(done, 30));
    const put = (field: Node, value: string): void => {
      field.value = value;
      for (const name of ['input', 'change']) field.dispatchEvent(new world.Event(name, { bubbles: true }));
    };
    const fill = (within: Node, text: string): void => {
      for (const field of within.querySelectorAll('input')) {
        names.add(field.name || field.id);
        put(field, text);
      }
    };
    const press = async (form: Node): Promise<void> => {
      for (const button of form.querySelectorAll('button')) {
        const [select] = form.querySelectorAll('select');
        const what = `${button.textContent} ${select?.value}`;
        if (button.disabled || /concede|again|brawl|judge-roll|open/i.test(what)) continue;
        button.click();
        sent++;
        // Disabled until it is answered.
        do await rest();
        while (button.disabled && button.isConnected);
      }
    };
    for (const text of texts) {
      for (const fold of world.document.querySelectorAll('details')) fold.open = true;
      fill(world.document, text);
      for (const form of [...world.document.querySelectorAll('form')]) {
        const [select] = form.querySelectorAll('select');
        const count = select?.options.length ?? 1;
        for (const at of new Set([0, 1, count - 1])) {
          const choice = select === undefined ? undefined : [...select.options][at]?.value;
          if (select !== undefined && choice !== undefined) put(select, choice);
          await rest();
          fill(form, text);
          await press(form);
        }
      }
    }
    return { names: [...names], sent };
  }, junk);
}

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RollRuling } from '../host/sensing/ruling.ts';
import { browserPath, NEEDS_BROWSER, newPage, startBrowser } from './support/browser.ts';
import { FeedEar } from './support/feed-ear.ts';
import { hostRig, type Rig } from './support/host-rig.ts';
import { ALL_KEPT } from './support/kept.ts';

// A judge at the page of a whole host: what is shown before, what screens hear after, what the journal keeps.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

describe.skipIf(browserPath === undefined)(`corrections on the live page${NEEDS_BROWSER}`, () => {
  let rig: Rig;
  let browser: Browser;
  let page: Page;
  let venue: FeedEar;
  let ruling: RollRuling;
  const wrong: string[] = [];

  beforeAll(async () => {
    rig = await hostRig({ seed: 7 });
    await rig.boot();
    ruling = (await rig.nextRoll()).ruling;
    rig.play = false;
    await rig.pass(300);
    browser = await startBrowser();
    page = await newPage(browser, { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    page.on('pageerror', (error) => wrong.push(error.message));
    await rig.alongside(page.goto(`${rig.host.url}?as=judge`));
    venue = await FeedEar.open(Number(new URL(rig.host.url).port));
    venue.subscribe({ kind: 'venue' });
    await venue.next('snapshot');
  });
  afterAll(async () => {
    await browser?.close();
  });

  const made = (): boolean =>
    rig.outputs.some((output) => output.kind === 'event' && output.event.type === 'correction/made');

  it('shows what overruling a roll would change before anything is changed', async () => {
    await rig.alongside(page.getByRole('button', { name: `Overrule roll ${ruling.roll}` }).click());
    const dialog = page.getByRole('dialog', { name: 'Correct what has happened' });
    for (const side of ['A', 'B']) {
      const field = dialog.locator(`fieldset.of-${side}`);
      await rig.alongside(field.getByRole('button', { name: 'Did not open' }).click());
    }
    await dialog.getByLabel('Why, for the record').fill('Seen on video: both stayed closed');
    await dialog.getByLabel('Rule it rests on').fill('5.7.1.4');
    await dialog.getByLabel('Name of a second judge').fill('Ines');
    await rig.alongside(dialog.getByRole('button', { name: 'Show what would change' }).click());
    await rig.alongside(dialog.getByRole('heading', { name: 'What would change' }).waitFor());
    const text = (await dialog.textContent()) ?? '';
    expect(text).toContain(`Rulings withdrawn: ${ruling.roll}`);
    expect(text).toMatch(/Would not have happened: [1-9]/);
    // 5.7.2.1: nobody opened, so both roll again.
    expect(text).toContain('5.7.2.1');
    expect(made()).toBe(false);
    expect(venue.heard.some((one) => one.op === 'told' && one.news.kind === 'retraction')).toBe(false);
  });

  it('makes the correction as shown; every screen hears that the ruling is taken back', async () => {
    await rig.alongside(page.getByRole('button', { name: 'Make this correction' }).click());
    await rig.alongside(page.getByRole('dialog').waitFor({ state: 'detached' }));
    expect(made()).toBe(true);
    const taken = (): boolean =>
      venue.heard.some(
        (one) => one.op === 'told' && one.news.kind === 'retraction' && one.news.roll === ruling.roll,
      );
    await rig.alongside(venue.until(taken));
    await rig.alongside(page.locator('.roll-gone').getByText('withdrawn', { exact: true }).waitFor());
    const event = rig.outputs.flatMap((output) =>
      output.kind === 'event' && output.event.type === 'correction/made' ? [output.event] : [],
    )[0];
    expect(event?.rules).toEqual(['5.7.1.4', 'AM-39']);
    expect(event?.data).toMatchObject({
      roll: ruling.roll,
      second: { role: 'judge', name: 'Ines' },
      why: 'Seen on video: both stayed closed',
      rule: '5.7.1.4',
      before: { type: 'rolled' },
      after: { type: 'judge-roll' },
    });
  });

  it('counts a pile anew and takes the game back, each shown first', async () => {
    await rig.alongside(page.getByRole('button', { name: 'Correct…' }).click());
    const dialog = page.getByRole('dialog');
    await rig.alongside(dialog.getByRole('button', { name: 'Count a pile' }).click());
    const deck = rig.view().players.A.deck;
    await dialog.getByLabel('Cards there are').fill(String(deck - 3));
    await dialog.getByLabel('Why, for the record').fill('Counted together');
    await rig.alongside(dialog.getByRole('button', { name: 'Show what would change' }).click());
    await rig.alongside(dialog.getByText('players › A › deck').waitFor());
    await rig.alongside(dialog.getByRole('button', { name: 'Make this correction' }).click());
    await rig.alongside(dialog.waitFor({ state: 'detached' }));
    expect(rig.view().players.A.deck).toBe(deck - 3);

    await rig.alongside(page.getByRole('button', { name: 'Correct…' }).click());
    await rig.alongside(dialog.getByRole('button', { name: 'Go back' }).click());
    await dialog.getByLabel('Why, for the record').fill('Wrong pile');
    await rig.alongside(dialog.getByRole('button', { name: 'Show what would change' }).click());
    await rig.alongside(dialog.getByText('1 step has to be made anew').waitFor());
    await rig.alongside(dialog.getByRole('button', { name: 'Make this correction' }).click());
    await rig.alongside(dialog.waitFor({ state: 'detached' }));
    expect(rig.view().players.A.deck).toBe(deck);
  });

  it('leaves a journal that is intact and replays to the same', async () => {
    venue.close();
    await page.close();
    expect(wrong).toEqual([]);
    expect(await rig.close()).toMatchObject(ALL_KEPT);
  });
});

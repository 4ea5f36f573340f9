import { describe, expect, it } from 'vitest';
import { browserPath, NEEDS_BROWSER } from './support/browser.ts';
import { DEMO_MOMENTS } from './support/demo-moments.ts';
import { demoScene } from './support/demo-scene.ts';
import { shownPages } from './support/shown-pages.ts';

/** Runs in the page; the DOM types are the browser's, so they are named here by hand. */
type Measured = { readonly width: number; readonly inner: number; readonly cut: readonly string[] };

describe.skipIf(browserPath === undefined)(`the page of the table${NEEDS_BROWSER}`, () => {
  const shown = shownPages();

  it('shows a Victor when the scene has one, and takes it back when the scene takes it back', async () => {
    await shown.serve();
    const page = await shown.visit('');
    await page.getByText('Waiting for Mira').waitFor();
    shown.show('victor');
    await page.getByText('Victor: Mira').waitFor();
    await page.getByText('8 damage to Jonas, 5 of 8 cards flipped').waitFor();
    expect(await page.getByLabel('B-Power 950').count()).toBe(1);
    const sum = (await page.getByLabel('B-Power, itemised').first().textContent()) ?? '';
    expect(sum.replace(/\s+/g, ' ')).toContain('500 printed +200 BakuCore #24 +250 BakuCore #19');
    shown.show('brawl');
    await page.getByText('Victor: Mira').waitFor({ state: 'detached' });
  });

  it('sends what a button says, marks it until it is answered, and shows why it was refused', async () => {
    await shown.serve();
    const page = await shown.visit('');
    const pass = page.getByRole('button', { name: 'Pass 5.1.3' });
    await pass.click();
    await expect.poll(() => shown.table.commands.length).toBe(1);
    expect(shown.table.commands[0]?.command).toEqual({
      do: 'play',
      input: { type: 'pass', by: { role: 'operator', player: 'A' } },
    });
    expect(await pass.isDisabled()).toBe(true);
    const refusal = { code: 'pass/no', message: 'Jonas has priority now.', rules: ['5.1.3'] };
    shown.feed.told('t1', { kind: 'refused', atMs: 1, id: shown.table.commands[0]?.id ?? '', refusal });
    await page.getByText('Jonas has priority now.').waitFor();
    expect(await pass.isDisabled()).toBe(false);
  });

  it('lets what a listed input asks for be filled in', async () => {
    await shown.serve();
    const page = await shown.visit('');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('B-Power', { exact: true }).fill('300');
    await page.getByLabel('label').fill('Fixation');
    await page.getByRole('button', { name: 'Do it' }).first().click();
    await expect.poll(() => shown.table.commands.length).toBe(1);
    expect(shown.table.commands[0]?.command).toMatchObject({
      input: { type: 'modify', bakugan: 'A/1', bPower: 300, damage: 0, label: 'Fixation', cost: 0 },
    });
  });

  it('puts a doubtful roll before a judge, with its reasons and rule numbers', async () => {
    await shown.serve(demoScene('undetermined'));
    const page = await shown.visit('');
    await page.getByText('Judge needed').waitFor();
    await page.getByText('120 ms of side B are missing around the open.').waitFor();
    await page.getByText('5.7.1.4.1').first().waitFor();
    await page.getByPlaceholder('for the record').fill('seen from the side');
    const answers = page.getByRole('group', { name: 'Jonas' });
    await answers.getByRole('button', { name: 'Opened on B1' }).click();
    await expect.poll(() => shown.table.commands.length).toBe(1);
    expect(shown.table.commands[0]?.command).toMatchObject({
      input: {
        type: 'judge-roll',
        by: { role: 'judge' },
        reason: 'seen from the side',
        results: [{ player: 'B', opened: 'yes', cores: ['B1'] }],
      },
    });
  });

  it('offers what may be done on a tile by clicking it', async () => {
    await shown.serve(demoScene('set-up'));
    const page = await shown.visit('');
    await page.locator('[data-cell="q1r0"]').click();
    await page.getByRole('button', { name: 'Place core A3 on q1r0' }).click();
    await expect.poll(() => shown.table.commands.length).toBe(1);
    expect(shown.table.commands[0]?.command).toMatchObject({
      input: { type: 'place', core: 'A3', cell: 'q1r0' },
    });
  });

  it('throws balls that are dragged over the field, both together, as fast as the hand', async () => {
    await shown.serve(demoScene('rolling'));
    const page = await shown.visit('');
    await page.getByRole('group', { name: 'Opens' }).getByRole('button', { name: 'yes' }).click();
    const drag = async (side: 'A' | 'B', cell: string): Promise<void> => {
      const ball = await page.locator(`.rail-${side} .pad`).boundingBox();
      const aim = await page.locator(`[data-cell="${cell}"]`).boundingBox();
      if (ball === null || aim === null) throw new Error('the field is drawn');
      await page.mouse.move(ball.x + ball.width / 2, ball.y + ball.height / 2);
      await page.mouse.down();
      await page.mouse.move(aim.x + aim.width / 2, aim.y + aim.height / 2, { steps: 6 });
      await page.mouse.up();
    };
    await drag('A', 'q1r0');
    await page.getByText('aimed: waits for the other').waitFor();
    expect(shown.acts).toEqual([]);
    await drag('B', 'q0r-1');
    await expect.poll(() => shown.acts.length).toBe(2);
    expect(shown.acts[0]).toMatchObject({
      act: 'throw',
      player: 'A',
      aim: 'q1r0',
      open: 'yes',
      stays: 'physics',
    });
    expect(shown.acts[1]).toMatchObject({
      act: 'throw',
      player: 'B',
      aim: 'q0r-1',
      open: 'yes',
      stays: 'physics',
    });
    for (const one of shown.acts) {
      const speed = one.act === 'throw' ? one.speedMPerS : 0;
      expect(speed).toBeGreaterThanOrEqual(0.12);
      expect(speed).toBeLessThanOrEqual(2);
    }
    await expect.poll(() => page.locator('.throw').count()).toBe(0);
  });

  it('moves the simulated world from its control panel: play by itself, studs, faults and their mending', async () => {
    await shown.serve();
    const page = await shown.visit('');
    await page.getByRole('group', { name: 'Automatic play' }).getByRole('button', { name: 'Off' }).click();
    await page.getByRole('button', { name: 'Press the stud of Jonas' }).click();
    await page.getByLabel('Fault', { exact: true }).selectOption('stuck-contact');
    await page.getByLabel('Tile of the fault').selectOption('4');
    await page.getByRole('button', { name: 'Inject' }).click();
    await page.getByRole('button', { name: 'mend' }).click();
    const fault = { act: 'fault', fault: 'stuck-contact', player: 'A', tile: 4 };
    await expect.poll(() => shown.acts.length).toBe(4);
    expect(shown.acts).toEqual([
      { act: 'auto', on: false },
      { act: 'stud', player: 'B' },
      { ...fault, on: true },
      { ...fault, on: false },
    ]);
  });

  it('comes back with the newest scene after the host was restarted', async () => {
    await shown.serve();
    const [page, air] = [await shown.visit(''), await shown.visit('overlay')];
    await page.getByText('Waiting for Mira').waitFor();
    await air.getByText('Power Step').waitFor();
    const { port } = shown.feed;
    await shown.feed.close();
    await page.getByText('Reconnecting').waitFor();
    expect(await air.getByText('Power Step').count()).toBe(1);
    await shown.serve(demoScene('game-over'), port);
    await page.getByText('Mira wins').first().waitFor();
    await air.getByText('Mira wins').first().waitFor();
    expect(await page.getByText('Reconnecting').count()).toBe(0);
  });

  it('says which board is gone and what to do', async () => {
    await shown.serve(demoScene('link-lost'));
    const page = await shown.visit('');
    await page.getByText('1 link down').waitFor();
    await page.getByRole('alert').getByText('Plug its USB cable in again').waitFor();
  });

  it('gives a screen that only watches no buttons to press', async () => {
    await shown.serve();
    const page = await shown.visit('?as=venue');
    await page.getByText('This screen only watches.').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('fits a screen, a laptop and a phone at every moment: nothing to the side, no word cut off', async () => {
    await shown.serve();
    const page = await shown.visit('');
    for (const size of [
      { width: 1920, height: 1080 },
      { width: 1366, height: 768 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      for (const moment of DEMO_MOMENTS) {
        shown.show(moment);
        const step = JSON.stringify(demoScene(moment).view).match(/"step":"([^"]+)"/)?.[1] ?? '';
        await page.getByRole('heading', { level: 1 }).filter({ hasText: step }).waitFor();
        const measured: Measured = await page.evaluate(`({
          width: document.documentElement.scrollWidth,
          inner: innerWidth,
          cut: [...document.querySelectorAll('h1, h2, h3, b, p, li, button, legend')]
            .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1
              && getComputedStyle(one).display !== 'inline')
            .map((one) => one.textContent.trim()),
        })`);
        expect({ size, moment, ...measured }).toEqual({
          size,
          moment,
          width: size.width,
          inner: size.width,
          cut: [],
        });
      }
    }
  });
});

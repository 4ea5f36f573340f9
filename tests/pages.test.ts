import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Feed } from '../host/displays/feed.ts';
import type { SimAction } from '../host/sim-action.ts';
import { BROWSER_ARGS, browserPath } from './support/browser.ts';
import { DEMO_MOMENTS } from './support/demo-moments.ts';
import { demoScene } from './support/demo-scene.ts';
import { type FakeTable, fakeTable, feedOver } from './support/feed-ear.ts';

if (browserPath === undefined)
  console.warn('Skipped: the pages are tested in a browser, and Chromium is not installed.');

/** Runs in the page; the DOM types are the browser's, so they are named here by hand. */
type Measured = { readonly width: number; readonly inner: number; readonly cut: readonly string[] };

describe.skipIf(browserPath === undefined)('the pages', () => {
  let browser: Browser;
  let folder = '';
  let table: FakeTable;
  let feed: Feed & { readonly port: number };
  let acts: SimAction[];
  const wrong: string[] = [];
  const open: Page[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pages-'));
    await build({
      configFile: join(import.meta.dirname, '../host/pages/vite.config.ts'),
      build: { outDir: folder, emptyOutDir: false },
    });
    browser = await chromium.launch({
      executablePath: browserPath ?? '',
      args: [...BROWSER_ARGS],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const page of open.splice(0)) await page.close();
    await feed.close();
    // A page that breaks its own content security policy or throws says so on the console.
    expect(wrong.splice(0)).toEqual([]);
  });

  async function serve(moment = demoScene('brawl'), port = 0): Promise<void> {
    table = fakeTable(moment);
    acts = [];
    feed = await feedOver(table, { port, pagesDir: folder, sim: { act: (_, action) => acts.push(action) } });
  }

  async function visit(path: string, size = { width: 1366, height: 768 }): Promise<Page> {
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    open.push(page);
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('WebSocket')) wrong.push(message.text());
    });
    await page.goto(feed.url + path);
    return page;
  }

  function show(moment: Parameters<typeof demoScene>[0]): void {
    table.now = demoScene(moment);
    feed.changed('t1');
  }

  it('shows a Victor when the scene has one, and takes it back when the scene takes it back', async () => {
    await serve();
    const page = await visit('');
    await page.getByText('Waiting for Mira').waitFor();
    show('victor');
    await page.getByText('Victor: Mira').waitFor();
    await page.getByText('8 damage to Jonas, 5 of 8 cards flipped').waitFor();
    expect(await page.getByLabel('B-Power 950').count()).toBe(1);
    const sum = (await page.getByLabel('B-Power, itemised').first().textContent()) ?? '';
    expect(sum.replace(/\s+/g, ' ')).toContain('500 printed +200 BakuCore #24 +250 BakuCore #19');
    show('brawl');
    await page.getByText('Victor: Mira').waitFor({ state: 'detached' });
  });

  it('sends what a button says, marks it until it is answered, and shows why it was refused', async () => {
    await serve();
    const page = await visit('');
    const pass = page.getByRole('button', { name: 'Pass 5.1.3' });
    await pass.click();
    await expect.poll(() => table.commands.length).toBe(1);
    expect(table.commands[0]?.command).toEqual({
      do: 'play',
      input: { type: 'pass', by: { role: 'operator', player: 'A' } },
    });
    expect(await pass.isDisabled()).toBe(true);
    const refusal = { code: 'pass/no', message: 'Jonas has priority now.', rules: ['5.1.3'] };
    feed.told('t1', { kind: 'refused', atMs: 1, id: table.commands[0]?.id ?? '', refusal });
    await page.getByText('Jonas has priority now.').waitFor();
    expect(await pass.isDisabled()).toBe(false);
  });

  it('lets what a listed input asks for be filled in', async () => {
    await serve();
    const page = await visit('');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('B-Power', { exact: true }).fill('300');
    await page.getByLabel('label').fill('Fixation');
    await page.getByRole('button', { name: 'Do it' }).first().click();
    await expect.poll(() => table.commands.length).toBe(1);
    expect(table.commands[0]?.command).toMatchObject({
      input: { type: 'modify', bakugan: 'A/1', bPower: 300, damage: 0, label: 'Fixation', cost: 0 },
    });
  });

  it('puts a doubtful roll before a judge, with its reasons and rule numbers', async () => {
    await serve(demoScene('undetermined'));
    const page = await visit('');
    await page.getByText('Judge needed').waitFor();
    await page.getByText('120 ms of side B are missing around the open.').waitFor();
    await page.getByText('5.7.1.4.1').first().waitFor();
    await page.getByPlaceholder('for the record').fill('seen from the side');
    const answers = page.getByRole('group', { name: 'Jonas' });
    await answers.getByRole('button', { name: 'Opened on B1' }).click();
    await expect.poll(() => table.commands.length).toBe(1);
    expect(table.commands[0]?.command).toMatchObject({
      input: {
        type: 'judge-roll',
        by: { role: 'judge' },
        reason: 'seen from the side',
        results: [{ player: 'B', opened: 'yes', cores: ['B1'] }],
      },
    });
  });

  it('offers what may be done on a tile by clicking it', async () => {
    await serve(demoScene('set-up'));
    const page = await visit('');
    await page.locator('[data-cell="q1r0"]').click();
    await page.getByRole('button', { name: 'Place core A3 on q1r0' }).click();
    await expect.poll(() => table.commands.length).toBe(1);
    expect(table.commands[0]?.command).toMatchObject({ input: { type: 'place', core: 'A3', cell: 'q1r0' } });
  });

  it('throws balls that are dragged over the field, both together, as fast as the hand', async () => {
    await serve(demoScene('rolling'));
    const page = await visit('');
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
    expect(acts).toEqual([]);
    await drag('B', 'q0r-1');
    await expect.poll(() => acts.length).toBe(2);
    expect(acts[0]).toMatchObject({ act: 'throw', player: 'A', aim: 'q1r0', open: 'yes', stays: 'physics' });
    expect(acts[1]).toMatchObject({ act: 'throw', player: 'B', aim: 'q0r-1', open: 'yes', stays: 'physics' });
    for (const one of acts) {
      const speed = one.act === 'throw' ? one.speedMPerS : 0;
      expect(speed).toBeGreaterThanOrEqual(0.12);
      expect(speed).toBeLessThanOrEqual(2);
    }
    await expect.poll(() => page.locator('.throw').count()).toBe(0);
  });

  it('moves the simulated world from its control panel: play by itself, studs, faults and their mending', async () => {
    await serve();
    const page = await visit('');
    await page.getByRole('group', { name: 'Automatic play' }).getByRole('button', { name: 'Off' }).click();
    await page.getByRole('button', { name: 'Press the stud of Jonas' }).click();
    await page.getByLabel('Fault', { exact: true }).selectOption('stuck-contact');
    await page.getByLabel('Tile of the fault').selectOption('4');
    await page.getByRole('button', { name: 'Inject' }).click();
    await page.getByRole('button', { name: 'mend' }).click();
    const fault = { act: 'fault', fault: 'stuck-contact', player: 'A', tile: 4 };
    await expect.poll(() => acts.length).toBe(4);
    expect(acts).toEqual([
      { act: 'auto', on: false },
      { act: 'stud', player: 'B' },
      { ...fault, on: true },
      { ...fault, on: false },
    ]);
  });

  it('comes back with the newest scene after the host was restarted', async () => {
    await serve();
    const [page, air] = [await visit(''), await visit('overlay')];
    await page.getByText('Waiting for Mira').waitFor();
    await air.getByText('Power Step').waitFor();
    const { port } = feed;
    await feed.close();
    await page.getByText('Reconnecting').waitFor();
    expect(await air.getByText('Power Step').count()).toBe(1);
    await serve(demoScene('game-over'), port);
    await page.getByText('Mira wins').first().waitFor();
    await air.getByText('Mira wins').first().waitFor();
    expect(await page.getByText('Reconnecting').count()).toBe(0);
  });

  it('says which board is gone and what to do', async () => {
    await serve(demoScene('link-lost'));
    const page = await visit('');
    await page.getByText('1 link down').waitFor();
    await page.getByRole('alert').getByText('Plug its USB cable in again').waitFor();
  });

  it('gives a screen that only watches no buttons to press', async () => {
    await serve();
    const page = await visit('?as=venue');
    await page.getByText('This screen only watches.').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('fits a screen, a laptop and a phone at every moment: nothing to the side, no word cut off', async () => {
    await serve();
    const page = await visit('');
    for (const size of [
      { width: 1920, height: 1080 },
      { width: 1366, height: 768 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      for (const moment of DEMO_MOMENTS) {
        show(moment);
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

  it('lays the overlay over nothing: see-through but for its plates', async () => {
    await serve(demoScene('victor'));
    const page = await visit('overlay', { width: 1920, height: 1080 });
    await page.getByText('Victor: Mira').waitFor();
    const picture = (await page.screenshot({ omitBackground: true })).toString('base64');
    const reader = await browser.newPage();
    open.push(reader);
    const alpha: readonly number[] = await reader.evaluate(`(async () => {
      const image = new Image();
      image.src = 'data:image/png;base64,${picture}';
      await image.decode();
      const canvas = new OffscreenCanvas(1920, 1080).getContext('2d');
      canvas.drawImage(image, 0, 0);
      return [[960, 540], [100, 300], [1900, 1070], [200, 900], [1700, 900], [960, 60]]
        .map(([x, y]) => canvas.getImageData(x, y, 1, 1).data[3]);
    })()`);
    expect(alpha.slice(0, 3)).toEqual([0, 0, 0]);
    for (const one of alpha.slice(3)) expect(one).toBeGreaterThan(200);
  });

  it('draws on the overlay only what changed on it, and moves nothing afterwards', async () => {
    await serve();
    const page = await visit('overlay');
    await page.getByText('Power Step').waitFor();
    await page.evaluate(`(() => {
      globalThis.batches = 0;
      new MutationObserver(() => { globalThis.batches += 1; })
        .observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    })()`);
    for (let i = 1; i <= 4; i += 1) {
      // Sensors, links and time move all the time; none of it is on air.
      table.now = {
        ...table.now,
        atMs: table.now.atMs + i,
        cues: [...table.now.cues],
        retracted: [{ roll: `x${i}`, revision: 1, why: '' }],
      };
      feed.told('t1', { kind: 'event', atMs: i, event: { type: 'a/b', rules: [], text: '', data: {} } });
    }
    show('victor');
    await page.getByText('Victor: Mira').waitFor();
    expect(await page.evaluate('globalThis.batches')).toBe(1);
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0);
  });

  it('shows nothing on air rather than an error', async () => {
    await serve();
    const page = await visit('overlay?table=no-such-table');
    await expect
      .poll(async () => (await (await fetch(`${feed.url}healthz`)).text()).includes('"clients":1'))
      .toBe(true);
    expect(await page.locator('body').textContent()).toMatch(/^\s*$/);
  });

  it('takes theme, scale and place from its address', async () => {
    await serve();
    const page = await visit('overlay?theme=light&scale=0.8&pos=top&table=t1', { width: 1920, height: 1080 });
    await page.getByText('Power Step').waitFor();
    expect(await page.locator('body').getAttribute('data-theme')).toBe('light');
    const plate = await page.locator('.plate.side-A').boundingBox();
    expect(plate?.y).toBeLessThan(200);
    expect(plate?.width).toBeCloseTo(650 * 0.8, -1);
  });

  it('holds the overlay back by the delay of the video', async () => {
    await serve();
    const page = await visit('overlay?delay=300');
    await page.getByText('Power Step').waitFor();
    const before = Date.now();
    show('victor');
    await page.getByText('Victor: Mira').waitFor();
    expect(Date.now() - before).toBeGreaterThanOrEqual(290);
  });
});

import { describe, expect, it } from 'vitest';
import { browserPath, NEEDS_BROWSER } from './support/browser.ts';
import { demoScene } from './support/demo-scene.ts';
import { shownPages } from './support/shown-pages.ts';

describe.skipIf(browserPath === undefined)(`the overlay${NEEDS_BROWSER}`, () => {
  const shown = shownPages();

  it('lays the overlay over nothing: see-through but for its plates', async () => {
    await shown.serve(demoScene('victor'));
    const page = await shown.visit('overlay', { width: 1920, height: 1080 });
    await page.getByText('Victor: Mira').waitFor();
    const picture = (await page.screenshot({ omitBackground: true })).toString('base64');
    const reader = await shown.blank();
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
    await shown.serve();
    const page = await shown.visit('overlay');
    await page.getByText('Power Step').waitFor();
    await page.evaluate(`(() => {
      globalThis.batches = 0;
      new MutationObserver(() => { globalThis.batches += 1; })
        .observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    })()`);
    for (let i = 1; i <= 4; i += 1) {
      // Sensors, links and time move all the time; none of it is on air.
      shown.table.now = {
        ...shown.table.now,
        atMs: shown.table.now.atMs + i,
        cues: [...shown.table.now.cues],
        retracted: [{ roll: `x${i}`, revision: 1, why: '' }],
      };
      shown.feed.told('t1', {
        kind: 'event',
        atMs: i,
        event: { type: 'a/b', rules: [], text: '', data: {} },
      });
    }
    shown.show('victor');
    await page.getByText('Victor: Mira').waitFor();
    expect(await page.evaluate('globalThis.batches')).toBe(1);
    await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0);
  });

  it('shows nothing on air rather than an error', async () => {
    await shown.serve();
    const page = await shown.visit('overlay?table=no-such-table');
    await expect
      .poll(async () => (await (await fetch(`${shown.feed.url}healthz`)).text()).includes('"clients":1'))
      .toBe(true);
    expect(await page.locator('body').textContent()).toMatch(/^\s*$/);
  });

  it('takes theme, scale and place from its address', async () => {
    await shown.serve();
    const page = await shown.visit('overlay?theme=light&scale=0.8&pos=top&table=t1', {
      width: 1920,
      height: 1080,
    });
    await page.getByText('Power Step').waitFor();
    expect(await page.locator('body').getAttribute('data-theme')).toBe('light');
    const plate = await page.locator('.plate.side-A').boundingBox();
    expect(plate?.y).toBeLessThan(200);
    expect(plate?.width).toBeCloseTo(650 * 0.8, -1);
  });

  it('holds the overlay back by the delay of the video', async () => {
    await shown.serve();
    const page = await shown.visit('overlay?delay=300');
    await page.getByText('Power Step').waitFor();
    const before = Date.now();
    shown.show('victor');
    await page.getByText('Victor: Mira').waitFor();
    expect(Date.now() - before).toBeGreaterThanOrEqual(290);
  });
});

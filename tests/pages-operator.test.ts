import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Scene } from '../host/scene/scene.ts';
import { browserPath, NEEDS_BROWSER } from './support/browser.ts';
import { demoScene } from './support/demo-scene.ts';
import { shownPages } from './support/shown-pages.ts';

const MAGNET = {
  code: 'health/magnet-near',
  blocks: true,
  cell: 'q1r0',
  text: 'There is a magnet on or near tile q1r0 (12 mT).',
  remedy: 'Lift what lies there and look below the mat; if nothing is there, calibrate anew.',
} as const;
const STUCK = {
  code: 'health/contact-stuck',
  blocks: false,
  cell: 'q0r1',
  text: 'The contact of tile q0r1 stays closed though nothing lies there.',
  remedy: 'Clean it, or look for a bridged wire; until then the field alone decides there.',
} as const;
const BLOCKED: Partial<Scene> = {
  health: [MAGNET, STUCK],
  start: { begun: false, blocks: [MAGNET], overrode: null },
};
const SEAT: NonNullable<Scene['calibrating']> = {
  step: 'seat',
  at: 5,
  of: 31,
  cell: 'q0r1',
  ball: 'A/1',
  side: null,
  text: 'Open A/1 and stand it on the lit core, q0r1.',
  problem: '',
  progress: 0.13,
  tookMs: 12_000,
  report: [],
  gates: [],
  saving: false,
};

describe.skipIf(browserPath === undefined)(`the operator page${NEEDS_BROWSER}`, () => {
  const shown = shownPages();

  async function visit(more: Partial<Scene>, size = { width: 1366, height: 768 }): Promise<Page> {
    await shown.serve({ ...demoScene('brawl'), ...more });
    const page = await shown.visit('operator', size);
    await page.waitForSelector('.op');
    return page;
  }

  const commands = () => shown.table.commands.map(({ command }) => command);

  it('lists what is wrong with its remedy, what blocks first, and lights the tile up', async () => {
    const page = await visit(BLOCKED);
    const rows = await page.locator('.health li').allTextContents();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain('blocks');
    expect(rows[0]).toContain(MAGNET.remedy);
    expect(rows[1]).toContain('warns');
    expect(await page.locator('.state').textContent()).toContain('Match waits');
    await page.getByRole('button', { name: 'Show me tile q1r0' }).click();
    await expect.poll(commands).toEqual([{ do: 'identify', by: { role: 'operator' }, cell: 'q1r0' }]);
  });

  it('lists a tile that no board tells of, which only the start of a match waits for', async () => {
    const unwatched = {
      code: 'health/tile-unwatched',
      blocks: true,
      cell: 'q2r0',
      text: 'No board tells of tile q2r0.',
      remedy: 'The board of that side has fewer tiles than the layout: use the one or the other.',
    } as const;
    const page = await visit({
      health: [STUCK],
      start: { begun: false, blocks: [unwatched], overrode: null },
    });
    const rows = await page.locator('.health li').allTextContents();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain(unwatched.text);
    expect(rows[0]).toContain(unwatched.remedy);
    await page.getByRole('button', { name: 'Show me tile q2r0' }).click();
    await expect.poll(commands).toEqual([{ do: 'identify', by: { role: 'operator' }, cell: 'q2r0' }]);
  });

  it('begins a blocked match only with a reason', async () => {
    const page = await visit(BLOCKED);
    const anyway = page.getByRole('button', { name: 'Begin all the same' });
    await anyway.click();
    expect(commands()).toEqual([]);
    await page.locator('.despite input').fill('the magnet is the prize cup');
    await anyway.click();
    await expect
      .poll(commands)
      .toEqual([{ do: 'start-match', by: { role: 'operator' }, despite: 'the magnet is the prize cup' }]);
  });

  it('shows who overrode a block, and why', async () => {
    const overrode = {
      by: { role: 'judge', name: 'Ines' },
      why: 'prize cup',
      blocks: [MAGNET.text],
    } as const;
    const page = await visit({ start: { begun: true, blocks: [], overrode } });
    expect(await page.locator('.start').textContent()).toMatch(/Ines.*prize cup/s);
  });

  it('starts a calibration with the balls of both teams', async () => {
    const page = await visit({});
    await page.getByRole('button', { name: 'Start the calibration' }).click();
    await expect.poll(() => commands().length).toBe(1);
    const [command] = commands();
    expect(command).toMatchObject({ do: 'calibrate', act: 'start', by: { role: 'operator' } });
    expect(command !== undefined && 'balls' in command ? command.balls.length : 0).toBe(5);
  });

  it('says what to do now, shows the tile, and traces of all; the simulated hand follows', async () => {
    const page = await visit({ calibrating: SEAT });
    expect(await page.locator('.deed').textContent()).toContain('q0r1');
    expect(await page.locator('.mat-target title').textContent()).toBe('q0r1');
    expect(await page.locator('.traces li').count()).toBe(12);
    await page.getByRole('button', { name: 'Let the simulated hand do it' }).click();
    await expect.poll(() => shown.acts.at(-1)).toEqual({ act: 'seat', bakugan: 'A/1', cell: 'q0r1' });
    expect(await page.getByRole('button', { name: 'Begin the match' }).count()).toBe(0);
  });

  it('reports every hall of a tile, and what to mend with the name of the hall', async () => {
    const hall = { noiseMt: 0.06, seatedMt: 20.1, liftMt: -20.1, lightMt: 0.2 };
    const fix = 'Its offset hall is turned over: it reads the other polarity. Turn the offset hall.';
    const done: NonNullable<Scene['calibrating']> = {
      ...SEAT,
      step: 'done',
      cell: null,
      ball: null,
      report: [
        {
          tile: 'A2',
          cell: 'q0r1',
          halls: [
            { hall: 'collector', ...hall },
            { hall: 'offset', ...hall, noiseMt: 0.07, seatedMt: 0.4, liftMt: -1.6 },
          ],
          crosstalk: 0.004,
          neighbours: { A0: 0.001, A1: -0.004 },
          contact: true,
          pass: false,
          fix: [fix],
        },
      ],
    };
    const page = await visit({ calibrating: done });
    const rows = await page.locator('.table tbody tr').allInnerTexts();
    expect(rows).toHaveLength(1);
    for (const text of ['collector', 'offset', '0.06', '0.07', '-1.6', 'A0 0.1', 'A1 -0.4', 'mend']) {
      expect(rows[0]).toContain(text);
    }
    expect(await page.locator('.fixes li').allTextContents()).toEqual([expect.stringContaining(fix)]);
    expect(await page.locator('.fixes li').textContent()).toContain('tile A2');
  });

  it('has no simulated hand at a real table', async () => {
    const page = await visit({ calibrating: SEAT, simulated: false });
    expect(await page.getByRole('button', { name: /simulated hand/ }).count()).toBe(0);
  });

  it.each([
    ['blocked', BLOCKED],
    ['calibrating', { calibrating: { ...SEAT, problem: MAGNET.text } }],
  ] as const)('fits a phone when %s', async (_what, more) => {
    const page = await visit(more, { width: 390, height: 844 });
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(390);
  });
});

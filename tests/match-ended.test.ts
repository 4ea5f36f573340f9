import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LibraryPage } from '../host/displays/archive-messages.ts';
import { entriesOf, seriesLine } from '../host/pages/library/series.ts';
import { browserPath, newPage, startBrowser } from './support/browser.ts';
import { hostRig, type Rig } from './support/host-rig.ts';
import { ALL_KEPT } from './support/kept.ts';

// A match of three games through a whole host: its players concede games and begin the next ones on their phones, the
// loser says who begins, a judge ends the match and takes that back, a player concedes the match. Screens show each.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

/** Folder for pictures to look at; none are kept without it. */
const SHOTS = process.env.BAKUCORE_SHOTS;

describe.skipIf(browserPath === undefined)('a match of three games that ends early', () => {
  let browser: Browser;
  let rig: Rig;
  const pages = new Map<string, Page>();
  const wrong: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
    rig = await hostRig({ seed: 3, table: { bestOf: 3, loserChooses: true } });
    rig.play = false;
    await rig.pass(4500);
    for (const [name, path, width, height, colorScheme] of [
      ['phone-A', 'player?side=A', 390, 844, 'light'],
      ['phone-B', 'player?side=B', 390, 844, 'dark'],
      ['venue', '?as=venue', 1920, 1080, 'dark'],
      ['overlay', 'overlay', 1920, 1080, 'dark'],
      ['judge', '?as=judge', 1920, 1080, 'dark'],
      ['operator', 'operator', 1440, 1000, 'light'],
    ] as const) {
      const page = await newPage(browser, {
        viewport: { width, height },
        colorScheme,
        reducedMotion: 'reduce',
      });
      page.on('pageerror', (error) => wrong.push(`${name}: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error') wrong.push(`${name}: ${message.text()}`);
      });
      await page.goto(`${rig.host.url}${path}`);
      pages.set(name, page);
    }
    await rig.pass(1500);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const page = (name: string): Page => {
    const found = pages.get(name);
    if (found === undefined) throw new Error(`no page ${name}`);
    return found;
  };

  /** Does something on pages while the host's time goes on. */
  const doing = <Result>(deed: () => Promise<Result>): Promise<Result> => rig.alongside(deed());

  const shows = (name: string, words: RegExp): Promise<void> =>
    doing(() => page(name).getByText(words).first().waitFor());

  async function shots(moment: string): Promise<void> {
    if (SHOTS === undefined) return;
    for (const [name, one] of pages) {
      await doing(() => one.screenshot({ path: join(SHOTS, `${moment}-${name}.png`) }));
    }
  }

  async function concedesGame(side: 'A' | 'B'): Promise<void> {
    await doing(async () => {
      const phone = page(`phone-${side}`);
      await phone.locator('.phone-more summary', { hasText: 'More' }).click();
      await phone.getByRole('button', { name: /^Concede: .*…$/ }).click();
      await phone.getByRole('button', { name: /^Yes: Concede/ }).click();
    });
  }

  it('asks the loser of a game who begins the next one, and nobody else', async () => {
    await concedesGame('B');
    await shows('phone-A', /says who begins game 2 of 3/);
    await shows('phone-B', /You say who places the first core of game 2 of 3/);
    await shows('venue', /Game 1 of 3, 1–0/);
    await shots('1-loser-chooses');
    await doing(() => page('phone-B').getByRole('button', { name: 'I place first' }).click());
    await shows('venue', /Game 2 of 3, 1–0/);
    expect(rig.view().waitingFor.map(({ who }) => who)).not.toContain('judge');
    const first = rig.outputs.findLast(
      (one) => one.kind === 'event' && one.event.type === 'setup/placing-player',
    );
    expect(first?.kind === 'event' ? first.event.data.player : '').toBe('B');
    await shots('2-game-two');
  });

  it('is ended by a judge with a reason that all screens show, and goes on when that is taken back', async () => {
    await doing(async () => {
      const judge = page('judge');
      await judge.locator('.match-card > summary').click();
      await judge.getByText('End the match early').click();
      await judge.locator('.match-card select').selectOption('B');
      await judge.locator('.match-card input[name=why]').fill('Did not come back.');
      await shots('3-form');
      await judge.getByRole('button', { name: 'End the match' }).click();
    });
    for (const name of ['venue', 'phone-A', 'operator', 'judge']) {
      await shows(name, /ended the match, 1–0 in games: Did not come back\./);
    }
    await shows('overlay', /wins the match/);
    expect(rig.scene().match).toMatchObject({ winner: 'B', won: { A: 1, B: 0 } });
    expect(rig.scene().legal).toEqual([]);
    await shots('4-ended-by-judge');
    await doing(async () => {
      const judge = page('judge');
      await judge.getByText('Let the match go on after all').click();
      await judge.locator('.match-card input[name=why]').fill('Came back.');
      await judge.getByRole('button', { name: 'Go on where it was broken off' }).click();
    });
    await shows('venue', /Game 2 of 3, 1–0/);
    expect(rig.scene().match).toMatchObject({ winner: null });
  });

  it('is conceded by a player who is asked once more first', async () => {
    await doing(() => page('phone-A').getByRole('button', { name: 'Concede the match…' }).click());
    await shows('phone-A', /The whole match goes to/);
    await shots('5-sure');
    await doing(() =>
      page('phone-A').getByRole('button', { name: 'Concede the match', exact: true }).click(),
    );
    await shows('venue', /concedes the match, 1–0 in games/);
    await shows('operator', /result FILE A B 1-2/);
    await shots('6-conceded');
  });

  it('is one match of two games in the library, and its record is what was played', async () => {
    const found = await doing(async () => {
      const answer = await fetch(`${rig.host.url}api/v1/archive/library?words=&from=0`);
      return (await answer.json()) as LibraryPage;
    });
    const entries = entriesOf(found.matches);
    expect(entries.map(({ series, games }) => [series, games.length])).toEqual([[true, 2]]);
    const games = entries[0]?.games ?? [];
    expect(games.map(({ series }) => series?.game)).toEqual([1, 2]);
    expect(seriesLine(games)).toMatch(/1 – 0 .*, ended early: .* won the match$/);
    if (SHOTS !== undefined) {
      const library = await newPage(browser, {
        viewport: { width: 1280, height: 800 },
        colorScheme: 'light',
      });
      await doing(() => library.goto(`${rig.host.url}library`));
      await doing(() => library.getByText('Match of three').waitFor());
      await doing(() => library.screenshot({ path: join(SHOTS, '7-library.png') }));
    }
    expect(wrong).toEqual([]);
    for (const one of pages.values()) await one.close();
    const kept = await rig.close();
    expect(kept).toMatchObject(ALL_KEPT);
  });
});

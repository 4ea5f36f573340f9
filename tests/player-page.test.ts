import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { matchOptions } from '../bin/match/teams.ts';
import type { ServerMessage } from '../host/displays/feed-messages.ts';
import { cardById } from '../host/game/bakugan/cards/catalog.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import type { Side } from '../host/ids.ts';
import { SIDES } from '../host/ids.ts';
import type { Scene } from '../host/scene/scene.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { browserPath, newPage, startBrowser } from './support/browser.ts';
import { fakeTable, feedOver } from './support/feed-ear.ts';
import { hostRig, type Rig } from './support/host-rig.ts';
import { eventually } from './support/transports.ts';

// Whole turns that people play on their phones: everything but the rolls goes through the buttons of two player pages,
// over WebSockets, to a whole host; the balls roll on its simulated mat.
vi.setConfig({ testTimeout: 600_000 });

const PHONE = { width: 390, height: 844 };
/** Folder for pictures to look at; none are kept without it. */
const SHOTS = process.env.BAKUCORE_SHOTS;

const MODES = {
  'cards only counted': demoOptions(FIXED_12.cells, 3),
  'one deck counted, one registered and dealt': matchOptions(FIXED_12, 1),
  'one deck counted, one registered and shuffled on the table': {
    ...matchOptions(FIXED_12, 1),
    hands: 'physical',
  },
} as const;

/** The scene as a page was told it last. */
function sceneHeard(page: Page): () => Scene | undefined {
  let scene: Scene | undefined;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const message: ServerMessage = JSON.parse(payload.toString());
      if (message.op === 'snapshot') scene = message.scene;
      else if (message.op === 'change' && scene !== undefined) scene = { ...scene, ...message.set };
    }),
  );
  return () => scene;
}

describe.skipIf(browserPath === undefined)('the page of a player without a token', () => {
  it('shows what the audience sees, says how to take part, and offers nothing to press', async () => {
    const table = fakeTable();
    const feed = await feedOver(table, {
      tokens: [{ role: 'player', player: 'A', secret: 'player-a-secret-0001' }],
      pagesDir: join(import.meta.dirname, '../dist/pages'),
    });
    const browser = await startBrowser();
    try {
      for (const [address, words] of [
        ['player?side=A', /#token=/],
        ['player?side=B#token=player-a-secret-0001', /belongs to player A/],
      ] as const) {
        const page = await newPage(browser, { viewport: PHONE });
        await page.goto(feed.url + address);
        await page.getByText(words).waitFor();
        expect(await page.locator('button').count()).toBe(0);
        await page.close();
      }
      const lost = await newPage(browser, { viewport: PHONE });
      await lost.goto(`${feed.url}player?side=Z#token=player-a-secret-0001`);
      await lost.getByText('There is no side “Z” at a table').waitFor();
      await lost.getByRole('link', { name: 'Player A' }).click();
      await lost.locator('.phone-do').waitFor();
      await lost.close();
      const page = await newPage(browser, { viewport: PHONE });
      await page.goto(`${feed.url}player?side=A#token=player-a-secret-0001`);
      await page.locator('.phone-do').waitFor();
    } finally {
      await browser.close();
      await feed.close();
    }
  });
});

describe.skipIf(browserPath === undefined)('the page of a player', () => {
  let browser: Browser;
  let rig: Rig;
  let phones: Record<Side, Page>;
  const heard: Partial<Record<Side, () => Scene | undefined>> = {};
  const wrong: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const side of SIDES) await phones[side].close();
    await rig.close();
    expect(wrong.splice(0)).toEqual([]);
  });

  const game = (): GameState => rig.host.tables.get('t1')?.decided().play.state as unknown as GameState;

  async function sitDown(options: object): Promise<void> {
    rig = await hostRig({ seed: 3, options });
    rig.play = false;
    await rig.pass(4500);
    const open = async (side: Side): Promise<Page> => {
      const page = await newPage(browser, {
        viewport: PHONE,
        colorScheme: side === 'A' ? 'light' : 'dark',
        reducedMotion: 'reduce',
      });
      page.on('pageerror', (error) => wrong.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') wrong.push(message.text());
      });
      heard[side] = sceneHeard(page);
      await page.goto(`${rig.host.url}player?side=${side}`);
      await rig.alongside(page.locator('.phone-do').waitFor());
      return page;
    };
    phones = { A: await open('A'), B: await open('B') };
  }

  async function shot(name: string, side: Side): Promise<void> {
    if (SHOTS === undefined) return;
    await phones[side].screenshot({ path: join(SHOTS, `${name}-${side}.png`), fullPage: true });
  }

  /** Presses something, and lets the host's time go on until its game has moved on. */
  async function press(side: Side, what: () => Promise<void>): Promise<void> {
    const before = JSON.stringify([
      game().at,
      game().log.length,
      game().log.at(-1),
      game().window,
      game().players,
    ]);
    await what();
    const moved = async (): Promise<void> => {
      for (let tries = 0; tries < 24_000; tries += 1) {
        const now = JSON.stringify([
          game().at,
          game().log.length,
          game().log.at(-1),
          game().window,
          game().players,
        ]);
        if (now !== before) return;
        await new Promise((next) => setTimeout(next, 5));
      }
      throw new Error(
        `player ${side} pressed and nothing came of it: ${await phones[side].locator('.phone').textContent()}`,
      );
    };
    await rig.alongside(moved());
    await rig.pass(60);
    await rig.alongside(shownOn(side));
  }

  /** What the host says of the game reaches a phone, and is drawn, before anybody looks at it again. */
  async function shownOn(side: Side): Promise<void> {
    const says = (scene: Scene | undefined): string => JSON.stringify([scene?.view, scene?.legal]);
    const host = (): Scene | undefined => rig.host.tables.get('t1')?.scene({ kind: 'player', player: side });
    await eventually('the phone is told', () => says(heard[side]?.()) === says(host()));
    await phones[side].evaluate(
      'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
    );
  }

  /** Whose turn it is to press something, and what stands first on that page. */
  function acting(): Side | undefined {
    const now = game();
    if (now.winner !== null) return undefined;
    if (now.returning[0] !== undefined) return now.returning[0].player;
    if (now.decision !== null) return now.decision.player;
    if (now.window !== null) return now.window.holder;
    if (now.acting !== null) return now.acting;
    return now.damage?.to;
  }

  async function roll(): Promise<void> {
    const table = rig.host.tables.get('t1');
    const activity = table?.decided().activity;
    if (activity?.kind !== 'roll') throw new Error('no roll');
    rig.sim.know(activity);
    const plain = { act: 'throw', speedMPerS: 0.7, open: 'yes', stays: 'yes' } as const;
    for (const player of SIDES) {
      const aims = player === 'A' ? ['q0r1', 'q-1r2', 'q1r1'] : ['q1r-1', 'q2r-2', 'q0r-1'];
      const near = [...aims, ...activity.cores.map(({ cell }) => cell)];
      expect(near.some((aim) => rig.sim.act({ ...plain, player, aim }).ok)).toBe(true);
    }
    await rig.until('the roll is ruled', () => game().at !== 'ST-5', 20_000);
    rig.sim.know(table?.decided().activity ?? { kind: 'idle' });
  }

  describe.each(Object.entries(MODES))('%s', (mode, options) => {
    it('plays a whole turn through its buttons alone', async () => {
      await sitDown(options);
      const seen = new Set<string>();
      const first = mode.split(' ').slice(-1)[0] ?? '';
      let entered = false;
      let stopped = false;
      let cardPlayed = false;
      for (let steps = 0; game().turn < 2; steps += 1) {
        if (steps > 150) throw new Error(`the turn does not end: ${game().at}`);
        const now = game();
        seen.add(now.at);
        if (now.at === 'ST-5') {
          await roll();
          for (const side of SIDES) await rig.alongside(shownOn(side));
          await shot(`${first}-after-roll`, 'A');
          continue;
        }
        if (now.at === 'ST-6') throw new Error('this roll is in no doubt');
        const side = acting();
        if (side === undefined) throw new Error(`nobody acts in ${now.at}`);
        const page = phones[side];
        const counted = now.players[side].hand.known.length < now.players[side].hand.count;
        if (now.at === 'ST-8' && side === 'A' && !entered) {
          // "I play an Action: +300 B", on the own Bakugan.
          entered = true;
          await page.getByText('A card or ability that is not listed').click();
          await page.locator('select[name=what]').selectOption({ index: 1 });
          await page.locator('input[name=bPower]').fill('300');
          await page.locator('input[name=label]').fill('Water Boost');
          await shot(`${first}-entry`, 'A');
          await press(side, () => page.getByRole('button', { name: 'Do it' }).click());
          expect(game().window?.batch.map(({ label }) => label)).toContain('Water Boost');
          continue;
        }
        const ways = page.locator('.phone-do .phone-ways').first();
        if (now.at === 'ST-8' && side === 'B' && !cardPlayed && (await ways.count()) > 0) {
          cardPlayed = true;
          await ways.locator('summary').click();
          await shot(`${first}-cards`, 'B');
          await press(side, () => ways.locator('.big-play').first().click());
          expect(game().players.B.played).toHaveLength(1);
          continue;
        }
        if (now.at === 'ST-10' && counted && !stopped && (now.damage?.amount ?? 0) > 1) {
          // "The first card is a Flip, Stop": everything is said on the page.
          stopped = true;
          await page.getByText('A Flip card came, or count fewer').click();
          for (let n = (now.damage?.amount ?? 1) - 1; n > 0; n -= 1) {
            await page.getByRole('button', { name: 'One card less' }).click();
          }
          await page.locator('input[name=flipCard]').fill('Stop Haos');
          await shot(`${first}-flips`, side);
          await press(side, () => page.getByRole('button', { name: 'it stops the attack' }).click());
          expect(game().window?.batch.map(({ label }) => label)).toContain('Stop Haos');
          continue;
        }
        if (now.at === 'ST-2') {
          await shot(`${first}-energize`, side);
          // A dealt hand is for its owner's eyes only.
          const own = now.players.B.hand.known.map((id) => cardById([], id)?.name ?? id);
          const other = await phones.A.content();
          for (const name of own) expect([name, other.includes(name)]).toEqual([name, false]);
        }
        if (now.returning.length > 0) {
          rig.sim.know(rig.host.tables.get('t1')?.decided().activity ?? { kind: 'idle' });
          for (const { player, cell } of rig.sim.standing()) {
            if (player === side) rig.sim.act({ act: 'lift', player, cell });
          }
          await rig.pass(900);
          await rig.alongside(shownOn(side));
          await shot(`${first}-place`, side);
        }
        const big = page.locator(
          '.phone-do > .big:not([disabled]), .phone-do .phone-cells .big:not([disabled])',
        );
        if ((await big.count()) === 0 && (await ways.count()) > 0) await ways.locator('summary').click();
        const any = page.locator('.phone-do .big:not([disabled])').first();
        await press(side, () => (async () => ((await big.count()) > 0 ? big.first() : any).click())());
      }
      expect([...seen]).toEqual(
        expect.arrayContaining(['ST-2', 'ST-3', 'ST-4', 'ST-5', 'ST-8', 'ST-9', 'ST-10', 'ST-13']),
      );
      expect(entered).toBe(true);
      const types = rig.outputs.flatMap((output) => (output.kind === 'event' ? [output.event.type] : []));
      expect(types).toEqual(expect.arrayContaining(['modify/applied', 'damage/flipped']));
      if (stopped) expect(types).toContain('damage/stopped');
    });
  });
});

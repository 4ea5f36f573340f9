/** A board that is unplugged in mid-roll and comes back, on a real port, with a page that says so. */
import { afterEach, describe, expect, it } from 'vitest';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { replaySource } from '../host/audit/replay.ts';
import { openSource } from '../host/audit/source.ts';
import { verifySource } from '../host/audit/verify-source.ts';
import { PARTS } from '../host/parts.ts';
import { browserPath, openPage } from './support/browser.ts';
import { bothHeard, eventually, type LiveChain, liveChain } from './support/live-chain.ts';
import { type Desk, deskAt, isSure, untrueIn } from './support/real-mat.ts';
import { has } from './support/system.ts';

describe.skipIf(!has('socat'))('one board unplugged in mid-roll and back 2 s later', () => {
  let chain: LiveChain | undefined;
  let desk: Desk | undefined;
  afterEach(async () => {
    desk?.close();
    await chain?.close();
    chain = undefined;
  });

  it('the host lives and says so; that roll is in doubt, the next is right, none counts twice', {
    timeout: 900_000,
  }, async () => {
    const live = await liveChain({ seed: 3 });
    chain = live;
    const { host, world, ports, scene } = live;
    /** Lets so much of the host's own time pass, which goes with that of the boards where a machine is too slow for them. */
    const hostTime = async (ms: number): Promise<void> => {
      const untilMs = scene().atMs + ms;
      await eventually(`${ms} ms of the host's time`, () => scene().atMs >= untilMs);
    };
    await eventually('both boards are heard', () => bothHeard(live));
    const at = await deskAt(Number(new URL(host.url).port), world);
    desk = at;
    // Until the boards' clocks are known.
    at.seats.rolls = false;
    await hostTime(2500);
    at.seats.rolls = true;
    await at.nextRoll();
    const page = browserPath === undefined ? undefined : await openPage(host.url);

    const roll = await at.midRoll();
    const cable = ports.ports[0];
    if (cable === undefined) throw new Error('no port');
    await cable.unplug();
    await eventually('the link is down', () => scene().links.some(({ up }) => !up));
    if (page !== undefined) {
      await page.waitForText(/There is no port|went away/);
      expect(page.errors).toEqual([]);
      await page.close();
    }
    await hostTime(2000);
    await cable.replug();
    const backMs = scene().atMs;
    await eventually('the link is up', () => scene().links.every(({ up }) => up));
    const upMs = scene().atMs - backMs;
    // The boot loader is silent for a second, then the board says hello.
    await eventually('the board is heard', () => bothHeard(live));
    const heardMs = scene().atMs - backMs;
    expect(heardMs).toBeLessThan(2000);

    await eventually('that roll is ruled', () => at.finalOf(roll) !== undefined);
    const ruling = at.finalOf(roll);
    if (ruling === undefined) throw new Error('no ruling');
    expect(isSure(ruling)).toBe(false);
    expect(untrueIn(ruling, at.seats.aims)).toEqual([]);
    expect(ruling.balls.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toContain(
      'doubt/link-lost',
    );
    await at.nextRoll();
    expect(scene().links.flatMap(({ complaints }) => complaints)).toEqual([]);
    for (const { counts } of scene().links) expect(counts.repeats ?? 0).toBe(0);
    console.log(
      `the link is up ${upMs.toFixed(0)} ms after the port is back, the board heard after ${heardMs.toFixed(0)} ms`,
    );

    at.close();
    await live.close();
    const folder = live.journal();
    chain = undefined;
    const source = await openSource(folder);
    expect((await verifySource(source, NODE_TOOLS)).state).toBe('intact');
    expect((await replaySource(source, { parts: PARTS, check: true })).difference).toBeUndefined();
  });
});

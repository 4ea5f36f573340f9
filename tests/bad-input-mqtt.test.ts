/** Bad manners on a broker, and a broker that dies, while a whole host plays over it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'mqtt';
import { afterEach, describe, expect, it } from 'vitest';
import { type Air, onAir } from './support/air.ts';
import { client, embedded, type Login, mosquitto, type TestBroker } from './support/brokers.ts';
import { eventsIn, finalsIn } from './support/chain.ts';
import { ALL_KEPT } from './support/kept.ts';
import { has } from './support/system.ts';
import { eventually } from './support/transports.ts';

const CLEAN_ROLL = { wrong: [], doubts: [] };
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function running(make: (login?: Login) => Promise<TestBroker>, login?: Login): Promise<TestBroker> {
  const broker = await make(login);
  await broker.start();
  closers.push(async () => {
    await broker.stop();
    broker.dispose();
  });
  return broker;
}

async function play(...ask: Parameters<typeof onAir>): Promise<Air> {
  const air = await onAir(...ask);
  closers.push(async () => expect(await air.close()).toMatchObject(ALL_KEPT));
  // A broker's lines take longer to tell how a board's clock runs.
  await air.rig.boot(5000);
  return air;
}

describe('over a broker', () => {
  it('a stale retained line', async () => {
    const broker = await running(embedded);
    const other = await client(broker.url);
    // Yesterday's, of a board that claimed side A.
    const hello = 'H1,2A0000,00000733,012A,5C0FFEE1,A,1,1.0.0,9F86D081,6,2,1000,000F,01,091F';
    await other.publishAsync('bakucore/v1/demo/t1/line/5c0ffee1/up', hello, { qos: 1, retain: true });
    const air = await play(broker);
    const { rig } = air;
    await other.publishAsync('bakucore/v1/demo/t1/line/5c0ffee1/up', '', { qos: 1, retain: true });
    await other.endAsync();
    expect(rig.counts('air')['refused.retained']).toBe(1);
    expect(rig.faults('link/reset')).toEqual([]);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
    await rig.until('the complaint is over', () => rig.complaints().length === 0);
  });

  it('a duplicate 3 s late, of every line of a roll', async () => {
    const { rig, publish, sent } = await play(await running(embedded));
    await rig.midRoll();
    const again = sent.slice(-120);
    await rig.pass(3000);
    const before = rig.counts('air').repeats ?? 0;
    const ruled = rig.scene().rulings.at(-1);
    await rig.alongside(publish(again.join('')));
    await rig.until('all are heard again', () => (rig.counts('air').repeats ?? 0) - before === again.length);
    expect(rig.scene().rulings.find(({ roll }) => roll === ruled?.roll)).toEqual(ruled);
    // However far play has gone on meanwhile: each ball that was ruled to have opened did so once.
    const opened = new Map(
      finalsIn(rig.outputs).map(({ roll, balls }) => [
        roll,
        balls.filter((ball) => ball.opened === 'yes').length,
      ]),
    );
    const openings = [...opened.values()].reduce((sum, count) => sum + count, 0);
    expect(eventsIn(rig.outputs, 'roll/opened')).toHaveLength(openings);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });

  it('a topic with junk', async () => {
    const { rig, publish } = await play(await running(embedded));
    const line = 'bakucore/v1/demo/t1/line';
    const before = rig.counts('air');
    for (const device of ['', 'a b', 'Ω', '..', 'x'.repeat(40), '{"a":1}']) {
      await rig.alongside(publish('E1', { topic: `${line}/${device}/up` }));
    }
    await rig.alongside(publish(Buffer.alloc(70_000, 'x')));
    await rig.alongside(publish(Buffer.from([0, 255, 10, 10, 13, 10]), { topic: `${line}/deadbeef/up` }));
    await rig.until('all is counted', () => (rig.counts('air').dropped ?? 0) - (before.dropped ?? 0) === 7);
    expect((rig.counts('air')['fault.not-ascii'] ?? 0) - (before['fault.not-ascii'] ?? 0)).toBe(1);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
    expect(rig.complaints()).toEqual([]);
  });

  it('two clients with one id that kick each other out for ever', async () => {
    const broker = await running(embedded);
    const { rig } = await play(broker);
    const rival = connect(broker.url, {
      protocolVersion: 4,
      clientId: 'bakucore-demo-t1-air',
      reconnectPeriod: 1,
    });
    rival.on('error', () => {});
    await rig.alongside(
      expect
        .poll(() => rig.complaints().join(' '))
        .toMatch(
          /closes the connection again and again right after the login: most likely another client uses the client id "bakucore-demo-t1-air" too\. Stop the second host or bridge, or give each its own clientId\./,
        ),
    );
    await rival.endAsync(true);
    await rig.until('the host is in again', () => rig.link('air').up, 70_000);
    await rig.until('the board is heard again', () => rig.complaints().length === 0);
    expect((await rig.nextRoll()).wrong).toEqual([]);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });

  it('a broker that refuses the login', async () => {
    const login = { username: 'mat', password: 'right' };
    const broker = await running(embedded, login);
    const folder = mkdtempSync(join(tmpdir(), 'bakucore-login-'));
    closers.push(async () => rmSync(folder, { recursive: true }));
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, 'wrong\n');
    const { rig } = await play(broker, login, { link: { url: broker.url, username: 'mat', passwordFile } });
    expect(rig.link('air')).toMatchObject({ up: false });
    expect(rig.complaints().join(' ')).toMatch(
      /refused user name or password\. Check username and the file named by passwordFile\./,
    );
    writeFileSync(passwordFile, 'right\n');
    await rig.until('the host gets in', () => rig.link('air').up && rig.complaints().length === 0);
    expect((await rig.nextRoll()).wrong).toEqual([]);
    expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
  });
});

const BROKERS = [
  ['the embedded broker', embedded, true],
  ['mosquitto', mosquitto, has('mosquitto')],
] as const;

describe.each(BROKERS)('%s killed in mid-roll and started again', (_, make, there) => {
  it.skipIf(!there)(
    'is said on the page; that roll is in doubt, the next is right, none counts twice',
    async () => {
      const broker = await running(make);
      const { rig } = await play(broker);
      expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
      const opened = (): number => eventsIn(rig.outputs, 'roll/opened').length;
      expect(opened()).toBe(2);
      const roll = await rig.midRoll();
      await broker.stop();
      await rig.until('it is told', () => !rig.link('air').up);
      await rig.until('it is said', () =>
        rig.complaints().some((text) => /No broker answers at mqtt:/.test(text)),
      );
      await rig.pass(2000);
      await broker.start();
      await rig.alongside(eventually('the link is up', () => rig.link('air').up));
      await rig.until('that roll is ruled', () =>
        rig.scene().rulings.some((one) => one.roll === roll && one.stage === 'final'),
      );
      const ruling = rig.scene().rulings.find((one) => one.roll === roll);
      expect(ruling?.balls.map((ball) => ball.opened)).toContain('undetermined');
      expect(await rig.nextRoll()).toMatchObject({ wrong: [] });
      expect(await rig.nextRoll()).toMatchObject(CLEAN_ROLL);
      expect(rig.complaints()).toEqual([]);
      const rolls = eventsIn(rig.outputs, 'roll/opened').length;
      expect(rolls).toBeLessThanOrEqual(
        rig.sim.truth().reduce((sum, { balls }) => sum + balls.filter((ball) => ball.opened).length, 0),
      );
    },
  );
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MqttClient } from 'mqtt';
import { afterEach, describe, expect, it } from 'vitest';
import { mqtt } from '../host/transports/mqtt.ts';
import { FIRST_KICKED_WAIT_MS } from '../host/transports/mqtt-faults.ts';
import { LONGEST_RETRY_MS } from '../host/transports/retry.ts';
import type { LinkPlace, Transport } from '../host/transports/transport.ts';
import { client, embedded, type Login, mosquitto, type TestBroker } from './support/brokers.ts';
import {
  eventually,
  hasProgram,
  Listener,
  placeOf,
  type WatchedClock,
  watchedClock,
} from './support/transports.ts';

const mosquittoIsThere = hasProgram('mosquitto');
if (!mosquittoIsThere) console.warn('skipped: MQTT over mosquitto needs it (apt-get install mosquitto)');

const BROKERS: readonly [string, (login?: Login) => Promise<TestBroker>, boolean][] = [
  ['embedded broker', embedded, true],
  ['mosquitto', mosquitto, mosquittoIsThere],
];

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

async function running(make: (login?: Login) => Promise<TestBroker>, login?: Login): Promise<TestBroker> {
  const broker = await make(login);
  await broker.start();
  ends.push(async () => {
    await broker.stop();
    broker.dispose();
  });
  return broker;
}

async function boardOn(broker: TestBroker, login?: Login): Promise<MqttClient> {
  const board = await client(broker.url, { ...login });
  ends.push(() => board.endAsync(true));
  return board;
}

async function openOn(
  broker: TestBroker,
  options: object = {},
  place: Partial<LinkPlace> = {},
): Promise<{ transport: Transport; listener: Listener; clock: WatchedClock }> {
  const listener = new Listener();
  const clock = watchedClock();
  const parsed = mqtt.parse(options, placeOf({ broker: { url: broker.url }, ...place }));
  const transport = await mqtt.open('m', parsed, listener, clock);
  ends.push(() => transport.close());
  return { transport, listener, clock };
}

const UP = 'bakucore/v1/demo/t1/line/7f3a0001/up';

describe.each(BROKERS)('MQTT transport over the %s', (_name, make, isThere) => {
  describe.skipIf(!isThere)('', () => {
    it('hears the lines of every board of its table, in order, several a message', async () => {
      const broker = await running(make);
      const board = await boardOn(broker);
      const { listener } = await openOn(broker);
      await listener.until('up', (one) => one.isUp);
      const sent = Array.from({ length: 200 }, (_, i) => `E1,${i}`);
      for (const line of sent) board.publish(UP, line, { qos: 1 });
      await listener.until('200 lines', (one) => one.lines.length === 200);
      expect(listener.lines).toEqual(sent);
      await board.publishAsync('bakucore/v1/demo/t1/line/7f3a0002/up', 'A\r\nB\n\nC', { qos: 1 });
      await board.publishAsync(UP, Buffer.from([0x45, 0xe9, 0x0a]), { qos: 1 });
      await listener.until('4 more', (one) => one.lines.length === 204);
      expect(listener.told.slice(-4)).toEqual([
        { told: 'line', link: 'm', raw: { line: 'A' }, from: { device: '7F3A0002' } },
        { told: 'line', link: 'm', raw: { line: 'B' }, from: { device: '7F3A0002' } },
        { told: 'line', link: 'm', raw: { line: 'C' }, from: { device: '7F3A0002' } },
        {
          told: 'line',
          link: 'm',
          raw: { b64: Buffer.from([0x45, 0xe9]).toString('base64') },
          from: { device: '7F3A0001' },
        },
      ]);
    });

    it('passes repeats of QoS 1 on, and marks what was retained', async () => {
      const broker = await running(make);
      const board = await boardOn(broker);
      await board.publishAsync(UP, 'E1,old', { qos: 1, retain: true });
      const { listener } = await openOn(broker);
      await listener.until('the retained line', (one) => one.lines.length === 1);
      expect(listener.told.find(({ told }) => told === 'line')).toMatchObject({ from: { retained: true } });
      await board.publishAsync(UP, 'E1,new', { qos: 1 });
      await board.publishAsync(UP, 'E1,new', { qos: 1, dup: true });
      await listener.until('both', (one) => one.lines.length === 3);
      expect(listener.told.slice(-2)).toEqual([
        { told: 'line', link: 'm', raw: { line: 'E1,new' }, from: { device: '7F3A0001' } },
        { told: 'line', link: 'm', raw: { line: 'E1,new' }, from: { device: '7F3A0001' } },
      ]);
    });

    it('sends to one board, and to all it has heard when none is named', async () => {
      const broker = await running(make);
      const board = await boardOn(broker);
      const heard: string[] = [];
      board.on('message', (topic, payload, packet) =>
        heard.push(`${topic.split('/').slice(-2).join('/')} ${payload} ${packet.retain}`),
      );
      await board.subscribeAsync('bakucore/v1/demo/t1/line/+/down', { qos: 1 });
      const { listener, transport } = await openOn(broker);
      await listener.until('up', (one) => one.isUp);
      expect(transport.send('G1,01,ABCD')).toBe(true);
      expect(transport.send('P1,01,ABCD', { device: '7F3A0001' })).toBe(true);
      await eventually('ping', () => heard.length === 1);
      await board.publishAsync(UP, 'E1', { qos: 1 });
      await listener.until('a line', (one) => one.lines.length === 1);
      expect(transport.send('G1,01,ABCD')).toBe(true);
      expect(transport.send('P1,02,ABCD', { device: '../#' })).toBe(true);
      await eventually('greet', () => heard.length === 2);
      expect(heard).toEqual(['7f3a0001/down P1,01,ABCD\n false', '7f3a0001/down G1,01,ABCD\n false']);
      expect(listener.droppedOf('line to a board whose name fits no topic')).toBe(1);
    });

    it('hears a board that spells its id in upper case, as its lines do, and answers in the same', async () => {
      const broker = await running(make);
      const board = await boardOn(broker);
      const heard: string[] = [];
      board.on('message', (topic) => heard.push(topic));
      await board.subscribeAsync('bakucore/v1/demo/t1/line/5C0FFEE1/down', { qos: 1 });
      const { listener, transport } = await openOn(broker);
      await listener.until('up', (one) => one.isUp);
      await board.publishAsync('bakucore/v1/demo/t1/line/5C0FFEE1/up', 'E1', { qos: 1 });
      await listener.until('a line', (one) => one.lines.length === 1);
      expect(listener.told.at(-1)).toMatchObject({ from: { device: '5C0FFEE1' } });
      expect(transport.send('P1,01,ABCD', { device: '5C0FFEE1' })).toBe(true);
      await eventually('ping', () => heard.length === 1);
    });

    it('counts junk and lives', async () => {
      const broker = await running(make);
      const board = await boardOn(broker);
      const { listener } = await openOn(broker);
      await listener.until('up', (one) => one.isUp);
      await board.publishAsync('bakucore/v1/demo/t1/line/Seven.F/up', 'E1', { qos: 1 });
      await board.publishAsync('bakucore/v1/demo/t1/line//up', 'E1', { qos: 1 });
      await board.publishAsync('bakucore/v1/demo/t1/line/a/b/up', 'E1', { qos: 1 });
      await board.publishAsync('bakucore/v1/demo/t2/line/7f3a0001/up', 'E1,other table', { qos: 1 });
      await board.publishAsync(UP, '', { qos: 1 });
      await board.publishAsync(UP, 'x'.repeat(70_000), { qos: 1 });
      await board.publishAsync(UP, `${'y'.repeat(300)}\nE1,good`, { qos: 1 });
      await listener.until('the good line', (one) => one.lines.length === 1);
      await listener.until('counts', (one) => one.droppedOf('line without an end') === 1);
      expect(listener.lines).toEqual(['E1,good']);
      expect(listener.droppedOf('message on a topic that names no board')).toBe(2);
      expect(listener.droppedOf('message over the limit')).toBe(1);
    });

    it('tries twice a second after the broker was killed, and is back once it is started again', async () => {
      const broker = await running(make);
      const { listener, transport, clock } = await openOn(broker);
      await listener.until('up', (one) => one.isUp);
      await broker.stop();
      await listener.until('down', (one) => !one.isUp);
      expect(listener.downs[0]?.code).toBe('mqtt/lost');
      expect(transport.send('P1', { device: '7F3A0001' })).toBe(false);
      await listener.until('unreachable', (one) => one.downs.length === 2);
      expect(listener.downs[1]?.code).toBe('mqtt/unreachable');
      const before = clock.set.length;
      await eventually('it tries', () => clock.set.length >= before + 4);
      for (const ms of clock.set.slice(before)) expect(ms).toBeLessThanOrEqual(LONGEST_RETRY_MS);
      await broker.start();
      await listener.until('up again', (one) => one.isUp);
      const board = await boardOn(broker);
      await board.publishAsync(UP, 'E1,after', { qos: 1 });
      await listener.until('the line after', (one) => one.lines.includes('E1,after'));
    });

    it('names a refused login with its remedy, and gets in with the right one', async () => {
      const login = { username: 'mat', password: 'hex' };
      const broker = await running(make, login);
      const folder = mkdtempSync(join(tmpdir(), 'bakucore-login-'));
      ends.push(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'wrong'), 'nonsense\n');
      writeFileSync(join(folder, 'right'), 'hex\n');
      const wrong = await openOn(broker, { username: 'mat', passwordFile: 'wrong' }, { folder });
      await wrong.listener.until('refused', (one) => one.downs.length === 1);
      expect(wrong.listener.downs[0]?.code).toBe('mqtt/login-refused');
      expect(wrong.listener.downs[0]?.remedy).toContain('passwordFile');
      const missing = await openOn(
        broker,
        { username: 'mat', passwordFile: 'absent', clientId: 'x' },
        { folder },
      );
      await missing.listener.until('no file', (one) => one.downs.length === 1);
      expect(missing.listener.downs[0]?.code).toBe('mqtt/no-password');
      const right = await openOn(
        broker,
        { username: 'mat', passwordFile: 'right', clientId: 'y' },
        { folder },
      );
      await right.listener.until('up', (one) => one.isUp);
      expect(JSON.stringify(wrong.listener.told)).not.toContain('nonsense');
    });

    it('names two clients with one id, and one of them gives way', async () => {
      const broker = await running(make);
      const one = await openOn(broker, { clientId: 'twin' });
      const two = await openOn(broker, { clientId: 'twin' });
      const kicked = (listener: Listener): boolean =>
        listener.downs.some(({ code }) => code === 'mqtt/kicked-out');
      await eventually('one is named', () => kicked(one.listener) || kicked(two.listener));
      const [yields, stays] = kicked(one.listener) ? [one, two] : [two, one];
      expect(yields.listener.downs.at(-1)?.reason).toContain('"twin"');
      expect(yields.listener.downs.at(-1)?.remedy).toContain('clientId');
      await stays.listener.until('the other plays', (listener) => listener.isUp);
      // It leaves the other alone for much longer than a broker that is merely away.
      await eventually('it waits', () => yields.clock.waits.length === 1);
      expect(yields.clock.waits[0]).toBeGreaterThanOrEqual(FIRST_KICKED_WAIT_MS);
      expect(yields.listener.isUp).toBe(false);
    });

    it('says online while it lives, and offline when it stops or dies', async () => {
      const broker = await running(make);
      const watcher = await boardOn(broker);
      const seen: string[] = [];
      watcher.on('message', (_topic, payload) => seen.push(payload.toString()));
      await watcher.subscribeAsync('bakucore/v1/demo/t1/status', { qos: 1 });
      const { listener, transport } = await openOn(broker);
      await listener.until('up', (one) => one.isUp);
      await eventually('online', () => seen.at(-1) === 'online');
      // Another client with its id makes the broker cut it off without a goodbye, as a dead host would be.
      const killer = await client(broker.url, { clientId: 'bakucore-demo-t1-l1' });
      await eventually('the will', () => seen.includes('offline'));
      await killer.endAsync();
      await listener.until('up again', (one) => one.isUp);
      await eventually('online again', () => seen.at(-1) === 'online');
      await transport.close();
      await eventually('offline', () => seen.at(-1) === 'offline');
      const told = listener.told.length;
      await (await boardOn(broker)).publishAsync(UP, 'E1', { qos: 1 });
      expect(listener.told.length).toBe(told);
    });
  });
});

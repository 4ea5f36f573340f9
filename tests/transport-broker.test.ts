import { connect as dial } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { TableFault } from '../host/fault.ts';
import { collectingLog, silentLog } from '../host/log.ts';
import { openBroker } from '../host/transports/broker.ts';
import { client, freePort } from './support/brokers.ts';

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

describe('embedded broker', () => {
  it('names a port that is taken, with what to do', async () => {
    const first = await openBroker({ host: '127.0.0.1', port: 0 }, silentLog);
    ends.push(() => first.close());
    const second = await openBroker({ host: '127.0.0.1', port: first.port }, silentLog).catch(
      (error) => error,
    );
    expect(second).toBeInstanceOf(TableFault);
    expect(second).toMatchObject({ code: 'broker/port-taken' });
    expect(second.remedy).toContain('broker.port');
  });

  it('names an address that is not this machine’s', async () => {
    const fault = await openBroker({ host: '203.0.113.7', port: 0 }, silentLog).catch((error) => error);
    expect(fault).toMatchObject({ code: 'broker/failed' });
  });

  it('drops who sends a huge packet or no MQTT at all, and serves the rest', async () => {
    const log = collectingLog();
    const broker = await openBroker({ host: '127.0.0.1', port: 0, largestPacketBytes: 10_000 }, log);
    ends.push(() => broker.close());
    const good = await client(broker.url);
    const bad = await client(broker.url);
    ends.push(() => good.endAsync(true));
    const gone = new Promise<void>((done) => bad.once('close', () => done()));
    bad.publish('big', Buffer.alloc(20_000), { qos: 0 });
    await gone;
    expect(log.lines.some(({ text }) => text.includes('over the limit'))).toBe(true);
    const socket = dial(broker.port, '127.0.0.1');
    socket.on('error', () => {});
    const cut = new Promise((done) => socket.once('close', done));
    socket.write(Buffer.alloc(5000, 0xff));
    await cut;
    const heard = new Promise((done) => good.once('message', (_topic, payload) => done(payload.toString())));
    await good.subscribeAsync('still/here');
    await good.publishAsync('still/here', 'z'.repeat(9000), { qos: 1 });
    expect(await heard).toBe('z'.repeat(9000));
  });

  it('keeps the password out of its log', async () => {
    const log = collectingLog();
    const port = await freePort();
    const broker = await openBroker(
      { host: '127.0.0.1', port, login: { username: 'mat', password: 'correct horse' } },
      log,
    );
    ends.push(() => broker.close());
    await expect(client(broker.url, { username: 'mat', password: 'battery staple' })).rejects.toThrow();
    await (await client(broker.url, { username: 'mat', password: 'correct horse' })).endAsync();
    expect(JSON.stringify(log.lines)).not.toMatch(/horse|staple/);
  });
});

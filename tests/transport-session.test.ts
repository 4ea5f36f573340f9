import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import type { IClientOptions } from 'mqtt';
import { describe, expect, it } from 'vitest';
import type { MqttTrouble } from '../host/transports/mqtt-faults.ts';
import {
  type ClientLike,
  IN_FLIGHT_LIMIT,
  openSession,
  type SessionOptions,
} from '../host/transports/mqtt-session.ts';
import { settle, testClock } from './support/transports.ts';

/** A client of a broker that does only what the test says. */
class FakeClient extends EventEmitter implements ClientLike {
  connected = false;
  ended = false;
  readonly published: string[] = [];
  readonly acks: ((error?: Error | null) => void)[] = [];
  private grant: Parameters<ClientLike['subscribe']>[2] | undefined;

  subscribe(_topics: string[], _options: object, then: Parameters<ClientLike['subscribe']>[2]): void {
    this.grant = then;
  }
  publish(
    topic: string,
    payload: string | Buffer,
    _options: object,
    then: (error?: Error | null) => void,
  ): void {
    this.published.push(`${topic} ${payload}`);
    this.acks.push(then);
  }
  end(_force: boolean, then?: () => void): void {
    this.connected = false;
    this.ended = true;
    then?.();
  }
  welcome(): void {
    this.connected = true;
    this.emit('connect');
    this.grant?.(null, [{ topic: 't', qos: 1 }]);
  }
  refuseTopic(): void {
    this.connected = true;
    this.emit('connect');
    this.grant?.(new Error('Subscribe error: Unspecified error'), [{ topic: 't', qos: 128 }]);
  }
  drop(error?: Error): void {
    this.connected = false;
    if (error !== undefined) this.emit('error', error);
    this.emit('close');
  }
}

function bench(more: Partial<SessionOptions> = {}) {
  const clients: FakeClient[] = [];
  const asked: IClientOptions[] = [];
  const told: (string | MqttTrouble)[] = [];
  const clock = testClock();
  const session = openSession(
    { url: 'mqtt://host', clientId: 'me', subscribe: ['t'], ...more },
    {
      up: () => told.push('up'),
      down: (trouble) => told.push(trouble),
      message: (topic, payload, retained) => told.push(`${topic} ${payload} ${retained}`),
    },
    clock,
    async (_url, options) => {
      const made = new FakeClient();
      clients.push(made);
      asked.push(options);
      return made;
    },
  );
  const codes = () => told.map((one) => (typeof one === 'string' ? one : one.code));
  return { clients, asked, told, codes, clock, session, last: () => clients.at(-1) as FakeClient };
}

const refused = (code: number): Error => Object.assign(new Error('Connection refused'), { code });
const unreachable = Object.assign(new Error(''), { code: 'ECONNREFUSED' });

describe('MQTT session', () => {
  it('speaks MQTT 3.1.1 with a clean session, never reconnects behind our back, leaves a will', async () => {
    const on = bench({ statusTopic: 's' });
    await settle();
    expect(on.asked[0]).toMatchObject({
      protocolVersion: 4,
      clean: true,
      clientId: 'me',
      reconnectPeriod: 0,
      will: { topic: 's', payload: Buffer.from('offline'), qos: 1, retain: true },
    });
    on.last().welcome();
    expect(on.last().published).toEqual(['s online']);
    const closing = on.session.close();
    on.last().acks[1]?.();
    await closing;
    expect(on.last().published).toEqual(['s online', 's offline']);
    expect(on.last().ended).toBe(true);
  });

  it('tries for ever, at most half a second apart, and tells of it once', async () => {
    const on = bench();
    const at: number[] = [];
    for (let i = 0; i < 40; i++) {
      await settle();
      at.push(on.clock.now());
      on.last().drop(unreachable);
      await on.clock.pass(500);
    }
    expect(on.codes()).toEqual(['mqtt/unreachable']);
    expect(on.clients.length).toBeGreaterThanOrEqual(40);
    on.last().welcome();
    expect(on.codes()).toEqual(['mqtt/unreachable', 'up']);
  });

  it.each([
    [1, 'MQTT 3.1.1'],
    [2, 'client id'],
    [4, 'user name or password'],
    [5, 'does not let this user in'],
  ])('names refusal %i of a login and waits five seconds', async (code, words) => {
    const on = bench();
    await settle();
    on.last().drop(refused(code));
    expect(on.told[0]).toMatchObject({ code: 'mqtt/login-refused', reason: expect.stringContaining(words) });
    await on.clock.pass(4900);
    expect(on.clients).toHaveLength(1);
    await on.clock.pass(200);
    expect(on.clients).toHaveLength(2);
  });

  it('names topics that the broker keeps from it', async () => {
    const on = bench();
    await settle();
    on.last().refuseTopic();
    expect(on.codes()).toEqual(['mqtt/subscription-refused']);
  });

  it('gives way to another client with its id: ever longer, up to a minute', async () => {
    const on = bench();
    const waits: number[] = [];
    for (let i = 0; i < 10; i++) {
      await settle();
      on.last().welcome();
      await on.clock.pass(50);
      on.last().drop();
      const from = on.clock.now();
      const clients = on.clients.length;
      while (on.clients.length === clients) await on.clock.pass(50);
      waits.push(on.clock.now() - from);
    }
    expect(waits.slice(0, 2).every((ms) => ms <= 250)).toBe(true);
    expect(waits.slice(2)).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000]);
    expect(on.codes().filter((code) => code === 'mqtt/kicked-out')).toHaveLength(8);
    // Once left in peace it forgets.
    on.last().welcome();
    await on.clock.pass(2500);
    on.last().drop();
    expect(on.codes().at(-1)).toBe('mqtt/lost');
  });

  it('does not take a broker that breaks off now and then for a rival', async () => {
    const on = bench();
    for (let i = 0; i < 6; i++) {
      await settle();
      on.last().welcome();
      await on.clock.pass(3000);
      on.last().drop(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
      await on.clock.pass(500);
    }
    expect(on.codes()).not.toContain('mqtt/kicked-out');
  });

  it('lets a bounded number of messages wait, and starts anew when none is acknowledged', async () => {
    const on = bench();
    await settle();
    on.last().welcome();
    let taken = 0;
    while (on.session.publish('t', 'x')) taken++;
    expect(taken).toBe(IN_FLIGHT_LIMIT);
    on.last().acks[0]?.();
    expect(on.session.publish('t', 'x')).toBe(true);
    expect(on.session.publish('t', 'x')).toBe(false);
    await on.clock.pass(10_000);
    expect(on.codes()).toEqual(['up', 'mqtt/stalled']);
    await on.clock.pass(500);
    on.last().welcome();
    expect(on.session.publish('t', 'x')).toBe(true);
  });

  it('hears nothing of an old connection', async () => {
    const on = bench();
    await settle();
    const old = on.last();
    old.welcome();
    old.drop();
    await on.clock.pass(500);
    on.last().welcome();
    const told = on.told.length;
    old.emit('message', 't', Buffer.from('late'), { retain: false });
    old.emit('error', new Error('late'));
    old.emit('close');
    expect(on.told.length).toBe(told);
  });

  it('lives through any order of what a client may tell, and close is final', async () => {
    const deeds = fc.constantFrom(
      'welcome',
      'drop',
      'refuse',
      'error',
      'message',
      'publish',
      'pass',
      'long',
      'ack',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(deeds, { maxLength: 30 }), async (order) => {
        const on = bench({ statusTopic: 's' });
        await settle(1);
        for (const deed of order) {
          const last = on.last();
          if (deed === 'welcome' && !last.ended) last.welcome();
          if (deed === 'drop') last.drop();
          if (deed === 'refuse') last.drop(refused(4));
          if (deed === 'error') last.emit('error', new Error('protocol'));
          if (deed === 'message') last.emit('message', 't', Buffer.from('E1'), {});
          if (deed === 'publish') on.session.publish('t', 'x');
          if (deed === 'pass') await on.clock.pass(300);
          if (deed === 'long') await on.clock.pass(70_000);
          if (deed === 'ack') last.acks.shift()?.();
          await settle(1);
        }
        const closing = on.session.close();
        await on.clock.pass(1000);
        await closing;
        const told = on.told.length;
        for (const one of on.clients) one.drop(new Error('late'));
        await on.clock.pass(300_000);
        expect(on.told.length).toBe(told);
        expect(on.clock.pending).toBe(0);
        expect(on.clients.every(({ ended }) => ended)).toBe(true);
        expect(on.session.publish('t', 'x')).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { PARTS, partNamed, withParts } from '../host/parts.ts';
import type { Transport, TransportKind } from '../host/transports/transport.ts';
import { FAR_SIDES, type FarSide, named } from './support/far-sides.ts';
import { eventually, Listener, placeOf, settle, watchedClock } from './support/transports.ts';

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

interface Bench {
  readonly far: FarSide;
  readonly listener: Listener;
  readonly transport: Transport;
  /** How long the timers of the transport that wait were set for, ms. */
  readonly waits: () => readonly number[];
}

async function bench(name: string): Promise<Bench> {
  const make = FAR_SIDES[name];
  if (make === undefined)
    throw new Error(`the transport "${name}" is listed and has no far side in this suite`);
  const far = await make();
  ends.push(() => far.end());
  const listener = new Listener();
  const parsed = far.kind.parse(far.options, placeOf(far.place));
  const clock = watchedClock();
  const transport = await far.kind.open('link', parsed, listener, clock);
  ends.push(() => transport.close());
  return { far, listener, transport, waits: () => clock.waits };
}

const SENT = Array.from({ length: 100 }, (_, i) => `E1,${i}`);

describe.each(PARTS.transports.map(({ name }) => name))('every transport: %s', (name) => {
  it('tells up first, then lines in their order, all under its link', async () => {
    const { far, listener, transport } = await bench(name);
    expect(transport.link).toBe('link');
    await listener.until('up', (one) => one.ups === 1);
    expect(listener.told[0]?.told).toBe('up');
    await far.say(SENT);
    await listener.until('100 lines', (one) => one.lines.length === 100);
    expect(listener.lines).toEqual(SENT);
    expect(listener.told.every(({ link }) => link === 'link')).toBe(true);
  });

  it('sends whole lines when up', async () => {
    const { far, listener, transport } = await bench(name);
    await listener.until('up', (one) => one.ups === 1);
    const to = far.device === undefined ? {} : { device: far.device };
    const heard = far.heard;
    if (heard === undefined) return;
    expect(transport.send('P1,01,ABCD', to)).toBe(true);
    expect(transport.send('P1,02,ABCD', to)).toBe(true);
    await eventually('both arrive', () => heard().length === 2);
    expect(heard()).toEqual(['P1,01,ABCD', 'P1,02,ABCD']);
  });

  it('goes down with reason and remedy, takes nothing meanwhile, and comes back by itself', async () => {
    const { far, listener, transport } = await bench(name);
    await listener.until('up', (one) => one.ups === 1);
    if (far.cut === undefined || far.mend === undefined) return;
    await far.cut();
    await listener.until('down', (one) => one.downs.length > 0);
    for (const { code, reason, remedy } of listener.downs) {
      expect(code).toMatch(new RegExp(`^${name}/`));
      expect(reason).toMatch(/\.$/);
      expect(remedy).toBeTruthy();
    }
    expect(transport.send('P1,01,ABCD', { device: '7F3A0001' })).toBe(false);
    await far.mend();
    await listener.until('up again', (one) => one.ups === 2);
    await far.say(['E1,again']);
    await listener.until('a line', (one) => one.lines.includes('E1,again'));
  });

  it('never throws at what nobody could send', async () => {
    const { far, listener, transport } = await bench(name);
    await listener.until('up', (one) => one.ups === 1);
    for (const line of ['', '\n', 'a\nb', 'ä', '\u0000', 'x'.repeat(5000)]) {
      expect(() => transport.send(line, { device: '7F3A0001' })).not.toThrow();
    }
    expect(() => transport.send('P1', { device: '#/+' })).not.toThrow();
    expect(far.heard?.() ?? []).toEqual([]);
  });

  it('is silent for ever once closed, however often', async () => {
    const { far, listener, transport, waits } = await bench(name);
    await listener.until('up', (one) => one.ups === 1);
    const closing = transport.close();
    await Promise.all([closing, transport.close()]);
    const told = listener.told.length;
    await far.say(['E1,late']).catch(() => {});
    await far.cut?.();
    await settle(50);
    expect(listener.told.length).toBe(told);
    expect(waits()).toEqual([]);
    expect(transport.send('P1', { device: '7F3A0001' })).toBe(false);
    await transport.close();
  });

  it('may be closed before anything happened', async () => {
    const { listener, transport, waits } = await bench(name);
    await transport.close();
    const told = listener.told.length;
    await settle(50);
    expect(listener.told.length).toBe(told);
    expect(waits()).toEqual([]);
  });

  it('checks its options, naming the key', () => {
    const kind = named(name);
    expect(() => kind.parse({ nonsense: 1 }, placeOf())).toThrow(/nonsense/);
    expect(kind.optionsSchema?.()).toMatchObject({ type: 'object', additionalProperties: false });
  });
});

describe('parts list', () => {
  it('grows by a plain value, and a part of the same name takes the place', () => {
    const sim: TransportKind<unknown> = { ...named('replay'), name: 'sim' };
    const fake: TransportKind<unknown> = { ...named('replay'), name: 'serial' };
    const more = withParts(PARTS, { transports: [sim, fake] });
    expect(more.transports.map(({ name }) => name).sort()).toEqual([
      'firmata',
      'mqtt',
      'replay',
      'serial',
      'sim',
    ]);
    expect(partNamed(more.transports, 'serial')).toBe(fake);
    expect(PARTS.transports).toHaveLength(4);
  });
});

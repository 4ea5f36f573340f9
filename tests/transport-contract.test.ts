import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialPortMock } from 'serialport';
import { afterEach, describe, expect, it } from 'vitest';
import { PARTS, partNamed, withParts } from '../host/parts.ts';
import { firmataKind } from '../host/transports/firmata.ts';
import type { BoardProcessEvents } from '../host/transports/firmata-fork.ts';
import { serialKind } from '../host/transports/serial.ts';
import type { LinkPlace, Transport, TransportKind } from '../host/transports/transport.ts';
import { client, embedded } from './support/brokers.ts';
import { eventually, Listener, placeOf, realClock } from './support/transports.ts';

/** The far side of a transport: what a board, a broker or a file would do. */
interface FarSide {
  readonly kind: TransportKind<unknown>;
  readonly options: object;
  readonly place?: Partial<LinkPlace>;
  /** Makes these lines arrive. */
  say(lines: readonly string[]): Promise<void>;
  /** Everything that arrived on the far side; undefined where there is none. */
  readonly heard?: () => readonly string[];
  readonly device?: string;
  /** Breaks the link and mends it; undefined where that cannot be. */
  readonly cut?: () => Promise<void>;
  readonly mend?: () => Promise<void>;
  end(): Promise<void>;
}

/** One maker for every listed transport; a transport that is listed and missing here fails the suite. */
const FAR_SIDES: Readonly<Record<string, () => Promise<FarSide>>> = {
  async serial() {
    const path = '/dev/ttyCONTRACT';
    const ports: SerialPortMock[] = [];
    SerialPortMock.binding.createPort(path, { record: true });
    return {
      kind: serialKind(async (settings) => {
        const port = new SerialPortMock(settings);
        ports.push(port);
        return port;
      }),
      options: { path },
      async say(lines) {
        ports.at(-1)?.port?.emitData(lines.map((line) => `${line}\r\n`).join(''));
      },
      heard: () => (ports.at(-1)?.port?.recording.toString() ?? '').split('\n').filter((line) => line !== ''),
      async cut() {
        SerialPortMock.binding.reset();
        ports.at(-1)?.close(undefined, new Error('bad file descriptor'));
      },
      async mend() {
        SerialPortMock.binding.createPort(path, { record: true });
      },
      async end() {
        SerialPortMock.binding.reset();
      },
    };
  },
  async mqtt() {
    const broker = await embedded();
    await broker.start();
    const heard: string[] = [];
    const arrive = async () => {
      const board = await client(broker.url);
      board.on('message', (_topic, payload) => heard.push(payload.toString().trimEnd()));
      await board.subscribeAsync('bakucore/v1/demo/t1/line/7f3a0001/down', { qos: 1 });
      return board;
    };
    let board = await arrive();
    return {
      kind: named('mqtt'),
      options: {},
      place: { broker: { url: broker.url } },
      async say(lines) {
        for (const line of lines) board.publish('bakucore/v1/demo/t1/line/7f3a0001/up', line, { qos: 1 });
      },
      heard: () => heard,
      device: '7F3A0001',
      cut: () => broker.stop(),
      async mend() {
        await broker.start();
        board = await arrive();
      },
      async end() {
        await board.endAsync(true);
        await broker.stop();
      },
    };
  },
  async firmata() {
    // The process that speaks with the board is played here; the real one has tests of its own.
    let events: BoardProcessEvents | undefined;
    let isThere = true;
    const heard: string[] = [];
    const begin = (): void => {
      if (isThere) events?.told({ told: 'up', detail: 'StandardFirmata' });
      else events?.told({ told: 'down', code: 'firmata/silent', reason: 'Nothing.', remedy: 'Wait.' });
    };
    return {
      kind: firmataKind((given) => {
        events = given;
        setImmediate(begin);
        return {
          ask(message) {
            if (message.ask === 'line') setImmediate(() => heard.push(message.line));
            if (message.ask === 'stop') setImmediate(() => given.ended(undefined));
            return true;
          },
          kill() {},
        };
      }),
      options: { path: '/dev/ttyFIRMATA', device: '0F1A7A00', tiles: [{ tile: 0, hall: 'A0', contact: 2 }] },
      place: { side: 'A' },
      async say(lines) {
        for (const line of lines) events?.told({ told: 'line', line });
      },
      heard: () => heard,
      async cut() {
        isThere = false;
        events?.ended('signal SIGSEGV');
      },
      async mend() {
        isThere = true;
        begin();
      },
      async end() {},
    };
  },
  async replay() {
    const folder = mkdtempSync(join(tmpdir(), 'bakucore-replay-'));
    const path = join(folder, 'capture.jsonl');
    // A capture cannot be spoken into; its lines are there before it is opened.
    const lines = Array.from({ length: 100 }, (_, i) => `E1,${i}`);
    writeFileSync(path, lines.map((line, i) => `${JSON.stringify({ atMs: i, via: 'a', line })}\n`).join(''));
    return {
      kind: named('replay'),
      options: { path, speed: 'max' },
      async say() {},
      async end() {
        rmSync(folder, { recursive: true });
      },
    };
  },
};

function named(name: string): TransportKind<unknown> {
  const kind = partNamed(PARTS.transports, name);
  if (kind === undefined) throw new Error(`no transport ${name}`);
  return kind;
}

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

async function bench(name: string): Promise<{ far: FarSide; listener: Listener; transport: Transport }> {
  const make = FAR_SIDES[name];
  if (make === undefined)
    throw new Error(`the transport "${name}" is listed and has no far side in this suite`);
  const far = await make();
  ends.push(() => far.end());
  const listener = new Listener();
  const parsed = far.kind.parse(far.options, placeOf(far.place));
  const transport = await far.kind.open('link', parsed, listener, realClock);
  ends.push(() => transport.close());
  return { far, listener, transport };
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
    await listener.until('up again', (one) => one.ups === 2, 1000);
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
    const { far, listener, transport } = await bench(name);
    await listener.until('up', (one) => one.ups === 1);
    const closing = transport.close();
    await Promise.all([closing, transport.close()]);
    const told = listener.told.length;
    await far.say(['E1,late']).catch(() => {});
    await far.cut?.();
    await new Promise((done) => setTimeout(done, 250));
    expect(listener.told.length).toBe(told);
    expect(transport.send('P1', { device: '7F3A0001' })).toBe(false);
    await transport.close();
  });

  it('may be closed before anything happened', async () => {
    const { listener, transport } = await bench(name);
    await transport.close();
    const told = listener.told.length;
    await new Promise((done) => setTimeout(done, 100));
    expect(listener.told.length).toBe(told);
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

describe('replay transport', () => {
  const open = async (text: string, options: object = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'bakucore-replay-'));
    ends.push(async () => rmSync(folder, { recursive: true }));
    const path = join(folder, 'c.jsonl');
    writeFileSync(path, '');
    appendFileSync(path, text);
    const listener = new Listener();
    const kind = named('replay');
    const transport = await kind.open('r', kind.parse({ path, ...options }, placeOf()), listener, realClock);
    ends.push(() => transport.close());
    return listener;
  };

  it('uses the rest of a capture that was cut in mid-line, and says so', async () => {
    const listener = await open('{"atMs":1,"via":"a","line":"E1"}\nnonsense\n{"atMs":2,"via":"a","li', {
      speed: 'max',
    });
    await listener.until('end', (one) => one.downs.length === 1);
    expect(listener.lines).toEqual(['E1']);
    expect(listener.droppedOf('line cut off')).toBe(1);
    expect(listener.droppedOf('unreadable line of the capture')).toBe(1);
    expect(listener.downs[0]?.reason).toMatch(/1 lines\. The last line was cut off/);
  });

  it('plays at the recorded pace, or faster', async () => {
    const text = [0, 60, 120].map((atMs) => JSON.stringify({ atMs, via: 'a', b64: 'RTE=' })).join('\n');
    const from = performance.now();
    const real = await open(text);
    await real.until('end', (one) => one.downs.length === 1);
    expect(performance.now() - from).toBeGreaterThanOrEqual(115);
    expect(real.lines).toEqual(['base64 RTE=', 'base64 RTE=', 'base64 RTE=']);
    const again = performance.now();
    await (await open(text, { speed: 100 })).until('end', (one) => one.downs.length === 1);
    expect(performance.now() - again).toBeLessThan(100);
  });

  it('plays one link of a journal, with what MQTT named', async () => {
    const text = [
      { seq: 0, atMs: 0, kind: 'open', table: 't1', data: {} },
      { seq: 1, atMs: 1, kind: 'line', table: 't1', data: { link: 'a', line: 'A' } },
      {
        seq: 2,
        atMs: 2,
        kind: 'line',
        table: 't1',
        data: { link: 'b', line: 'B', device: '7F', retained: true },
      },
      { seq: 3, atMs: 3, kind: 'sent', table: 't1', data: { link: 'b', device: '7F', line: 'L1' } },
    ]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join('');
    const listener = await open(text, { via: 'b', speed: 'max' });
    await listener.until('end', (one) => one.downs.length === 1);
    expect(listener.told.filter(({ told }) => told === 'line')).toEqual([
      { told: 'line', link: 'r', raw: { line: 'B' }, from: { device: '7F', retained: true } },
    ]);
  });

  it('says when there is no such file, or nothing in it', async () => {
    const listener = new Listener();
    const kind = named('replay');
    const transport = await kind.open(
      'r',
      kind.parse({ path: '/nowhere/c.jsonl' }, placeOf()),
      listener,
      realClock,
    );
    await listener.until('down', (one) => one.downs.length === 1);
    expect(listener.downs[0]).toMatchObject({
      code: 'replay/unreadable',
      reason: expect.stringContaining('ENOENT'),
    });
    await transport.close();
    const empty = await open('\n');
    await empty.until('down', (one) => one.downs.length === 1);
    expect(empty.downs[0]?.remedy).toContain('capture');
  });
});

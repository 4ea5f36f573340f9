import fc from 'fast-check';
import { SerialPortMock } from 'serialport';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LineGuard } from '../host/transports/line-guard.ts';
import { type PortSettings, type SerialPortLike, serialKind } from '../host/transports/serial.ts';
import type { Transport } from '../host/transports/transport.ts';
import { Listener, settle, type TestClock, testClock } from './support/transports.ts';

const PATH = '/dev/serial/by-id/usb-Arduino_Uno_1234-if00';

/** Serialport's own mock behind the transport; `made` are the ports opened so far. */
function bench(path = PATH) {
  const made: SerialPortMock[] = [];
  const asked: PortSettings[] = [];
  const listener = new Listener();
  const clock = testClock();
  const kind = serialKind(async (settings) => {
    asked.push(settings);
    const port = new SerialPortMock(settings);
    made.push(port);
    return port;
  });
  return {
    made,
    asked,
    listener,
    clock,
    open: (options: object = {}) => kind.open('a', kind.parse({ path, ...options }, place), listener, clock),
    say: async (text: string | Buffer) => {
      made.at(-1)?.port?.emitData(Buffer.from(text as string, 'latin1'));
      await settle();
    },
  };
}
const place = { store: 's', table: 't', link: 'a', folder: '/', broker: { url: 'mqtt://x' } };

/** A port whose `open` fails with the words of the driver. */
function failing(words: string) {
  const listener = new Listener();
  const clock = testClock();
  let tries = 0;
  const kind = serialKind(async (settings) => {
    const port = new SerialPortMock(settings);
    port.open = (then?: (error: Error | null) => void) => {
      tries++;
      setImmediate(() => then?.(new Error(words)));
    };
    return port;
  });
  const open = () => kind.open('a', kind.parse({ path: PATH }, place), listener, clock);
  return { listener, clock, open, tries: () => tries };
}

// The first load of the parser takes real time, which virtual time does not wait for.
beforeAll(() => import('@serialport/parser-readline'));

let opened: { transport: Transport; clock: TestClock } | undefined;
async function start(on: ReturnType<typeof bench>, options?: object): Promise<Transport> {
  const transport = await on.open(options);
  opened = { transport, clock: on.clock };
  await on.clock.pass(0);
  await settle();
  return transport;
}
afterEach(async () => {
  await opened?.transport.close();
  opened = undefined;
  SerialPortMock.binding.reset();
});

describe('serial transport on serialport’s mock', () => {
  it('asks for 500000 baud, opens by itself and leaves DTR alone on close', async () => {
    SerialPortMock.binding.createPort(PATH);
    const on = bench();
    await start(on);
    expect(on.asked).toEqual([{ path: PATH, baudRate: 500_000, autoOpen: false, hupcl: false }]);
    expect(on.listener.isUp).toBe(true);
  });

  it('passes lines on whole, whatever the pieces, with either line end', async () => {
    SerialPortMock.binding.createPort(PATH);
    const on = bench();
    await start(on);
    for (const piece of ['H1,', 'abc\r\nQ', '1,def', '\n', 'E1\nE2\r\n']) await on.say(piece);
    expect(on.listener.lines).toEqual(['H1,abc', 'Q1,def', 'E1', 'E2']);
  });

  it('keeps bytes that are not clean text as base64', async () => {
    SerialPortMock.binding.createPort(PATH);
    const on = bench();
    await start(on);
    await on.say(Buffer.from([0x48, 0xff, 0x00, 0x41, 0x0a]));
    expect(on.listener.lines).toEqual([`base64 ${Buffer.from([0x48, 0xff, 0x00, 0x41]).toString('base64')}`]);
  });

  it('gives up a line without an end, counts it and hears the next', async () => {
    SerialPortMock.binding.createPort(PATH);
    const on = bench();
    await start(on);
    await on.say('x'.repeat(1_000_000));
    expect(on.listener.lines).toEqual([]);
    await on.say('tail\nE1,ok\n');
    expect(on.listener.lines).toEqual(['E1,ok']);
    expect(on.listener.droppedOf('line without an end')).toBe(1);
  });

  it('counts all drops but tells them at most once a second', async () => {
    SerialPortMock.binding.createPort(PATH);
    const on = bench();
    await start(on);
    for (let i = 0; i < 50; i++) await on.say(`${'x'.repeat(300)}\n`);
    await on.clock.pass(1000);
    expect(on.listener.droppedOf('line without an end')).toBe(50);
    expect(on.listener.told.filter(({ told }) => told === 'dropped')).toHaveLength(2);
  });

  it('sends with a line feed, refuses when down, and drops what no board could read', async () => {
    SerialPortMock.binding.createPort(PATH, { record: true });
    const on = bench();
    const transport = await start(on);
    expect(transport.send('L1,07,FFF,00FF00,80,0,ABCD')).toBe(true);
    expect(transport.send('two\nlines')).toBe(true);
    expect(transport.send('é')).toBe(true);
    await settle();
    expect(on.made[0]?.port?.recording.toString()).toBe('L1,07,FFF,00FF00,80,0,ABCD\n');
    await on.clock.pass(1000);
    expect(on.listener.droppedOf('line that cannot be sent')).toBe(2);
    on.made[0]?.close();
    await settle();
    expect(transport.send('L1')).toBe(false);
  });

  it('refuses more than 4 KiB that the wire has not taken', async () => {
    SerialPortMock.binding.createPort(PATH);
    const on = bench();
    const transport = await start(on);
    const port = on.made[0]?.port;
    if (port === undefined) throw new Error('no port');
    port.write = () => new Promise(() => {});
    let taken = 0;
    while (taken < 1000 && transport.send('y'.repeat(59))) taken++;
    expect(taken).toBeGreaterThan(50);
    expect(taken).toBeLessThan(100);
  });

  it('says once that the port is missing, and opens it in under a second when it is there', async () => {
    const on = bench();
    await start(on);
    await on.clock.pass(20_000);
    expect(on.listener.downs).toHaveLength(1);
    expect(on.listener.downs[0]).toMatchObject({ code: 'serial/missing' });
    expect(on.listener.downs[0]?.remedy).toContain('/dev/serial/by-id');
    SerialPortMock.binding.createPort(PATH);
    await on.clock.pass(500);
    expect(on.listener.isUp).toBe(true);
  });

  it('names a port that another program holds', async () => {
    SerialPortMock.binding.createPort(PATH);
    const first = bench();
    const second = bench();
    await start(first);
    const other = await second.open();
    await second.clock.pass(100);
    expect(second.listener.downs[0]).toMatchObject({ code: 'serial/busy' });
    await opened?.transport.close();
    await second.clock.pass(500);
    expect(second.listener.isUp).toBe(true);
    await other.close();
  });

  it.each([
    ['Error Permission denied Cannot open /dev/ttyACM0', 'serial/not-permitted', 'dialout'],
    ['Error Resource temporarily unavailable Cannot lock port', 'serial/busy', 'fuser'],
    ['Opening COM3: Access denied', 'serial/busy', 'Close the other program'],
    ['Error No such file or directory Cannot open /dev/ttyACM0', 'serial/missing', 'Plug the board in'],
    ['Opening COM9: File not found', 'serial/missing', 'Plug the board in'],
    ['Error Inappropriate ioctl for device Cannot open /dev/null', 'serial/not-a-port', 'path of the board'],
    ['Error Input/output error Cannot open /dev/ttyACM0', 'serial/failed', 'Unplug'],
  ])('gives the remedy for: %s', async (words, code, remedy) => {
    const on = failing(words);
    const transport = await on.open();
    await on.clock.pass(5000);
    expect(on.listener.downs).toHaveLength(1);
    expect(on.listener.downs[0]).toMatchObject({ code, remedy: expect.stringContaining(remedy) });
    expect(on.tries()).toBeGreaterThan(9);
    await transport.close();
    const tries = on.tries();
    await on.clock.pass(300_000);
    expect(on.tries()).toBe(tries);
  });

  it('notices an open port that is mute, opens it again and tells of it once', async () => {
    SerialPortMock.binding.createPort(PATH);
    const on = bench();
    await start(on);
    await on.say('E1\n');
    await on.clock.pass(2000);
    expect(on.listener.isUp).toBe(true);
    await on.clock.pass(1600);
    expect(on.listener.downs).toMatchObject([{ code: 'serial/silent' }]);
    await on.clock.pass(60_000);
    expect(on.made.length).toBeGreaterThan(10);
    expect(on.listener.downs).toHaveLength(1);
    expect(on.listener.ups).toBe(1);
    await on.say('E2\n');
    expect(on.listener.ups).toBe(2);
    expect(on.listener.lines).toEqual(['E1', 'E2']);
  });

  it('comes back after a loss, tells the line that was cut off, and joins no halves', async () => {
    SerialPortMock.binding.createPort(PATH);
    const on = bench();
    await start(on);
    await on.say('E1\nhalf a li');
    on.made[0]?.close(undefined, Object.assign(new Error('bad file descriptor'), { disconnected: true }));
    await settle();
    expect(on.listener.downs).toMatchObject([{ code: 'serial/lost' }]);
    await on.clock.pass(100);
    expect(on.listener.isUp).toBe(true);
    await on.say('ne\nE2\n');
    expect(on.listener.lines).toEqual(['E1', 'ne', 'E2']);
    expect(on.listener.droppedOf('line cut off')).toBe(1);
  });

  it('survives a driver that does not load', async () => {
    const listener = new Listener();
    const clock = testClock();
    const kind = serialKind(() => Promise.reject(new Error('no prebuilt binary')));
    const transport = await kind.open('a', kind.parse({ path: PATH }, place), listener, clock);
    await clock.pass(2000);
    expect(listener.downs).toMatchObject([
      { code: 'serial/no-driver', remedy: expect.stringContaining('npm ci') },
    ]);
    await transport.close();
  });

  it('says so when the system never answers, and closes all the same', async () => {
    const listener = new Listener();
    const clock = testClock();
    const kind = serialKind(async (settings) => {
      const port = new SerialPortMock(settings);
      port.open = () => {};
      return port;
    });
    const transport = await kind.open('a', kind.parse({ path: PATH }, place), listener, clock);
    await clock.pass(5000);
    expect(listener.downs).toMatchObject([{ code: 'serial/failed' }]);
    const closing = transport.close();
    await clock.pass(1000);
    await closing;
  });

  it('lives through any order of what a driver may tell, and close is final', async () => {
    const deeds = fc.constantFrom(
      'error',
      'close',
      'end',
      'data',
      'disconnect',
      'mute',
      'pass',
      'send',
      'gone',
      'back',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(deeds, { maxLength: 25 }), async (order) => {
        SerialPortMock.binding.reset();
        SerialPortMock.binding.createPort(PATH);
        const on = bench();
        const transport = await on.open();
        await on.clock.pass(0);
        for (const deed of order) {
          const port = on.made.at(-1);
          if (deed === 'error') port?.emit('error', new Error('EIO'));
          if (deed === 'close') port?.emit('close', null);
          if (deed === 'end') port?.emit('end');
          if (deed === 'data' && port?.isOpen) port.port?.emitData('E1,x\nE2');
          if (deed === 'disconnect' && port?.isOpen) port.close(undefined, new Error('bad file descriptor'));
          if (deed === 'mute') await on.clock.pass(4000);
          if (deed === 'pass') await on.clock.pass(150);
          if (deed === 'send') transport.send('P1,00,0000');
          if (deed === 'gone') SerialPortMock.binding.reset();
          if (deed === 'back') SerialPortMock.binding.createPort(PATH);
          await settle(2);
        }
        const closing = transport.close();
        await on.clock.pass(1000);
        await closing;
        const told = on.listener.told.length;
        await on.clock.pass(300_000);
        expect(on.listener.told.length).toBe(told);
        expect(on.clock.pending).toBe(0);
        expect(transport.send('P1')).toBe(false);
        expect(on.made.filter((port: SerialPortLike) => port.isOpen)).toEqual([]);
        const updown = on.listener.told.filter((one) => one.told === 'up' || one.told === 'down');
        for (const [i, one] of updown.entries()) {
          if (one.told === 'up') expect(updown[i + 1]?.told ?? 'down').toBe('down');
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('serial options', () => {
  const kind = serialKind();
  it('needs a path and a possible baud rate, and knows its keys', () => {
    expect(() => kind.parse({}, place)).toThrow(/path/);
    expect(() => kind.parse({ path: 'x', baudRate: 12 }, place)).toThrow(/baudRate/);
    expect(() => kind.parse({ path: 'x', baud: 9600 }, place)).toThrow(/baud/);
  });
});

describe('line guard', () => {
  /** What must come out: lines of at most `limit` bytes, in order; the rest counted. */
  function expected(text: string, limit: number) {
    const parts = text.split('\n');
    const tail = parts.pop() ?? '';
    const kept = parts.filter((part) => part.length <= limit);
    const tooLong = parts.length - kept.length + (tail.length > limit ? 1 : 0);
    return {
      kept: kept.map((part) => `${part}\n`).join(''),
      tooLong,
      pending: tail.length > limit ? 0 : tail.length,
    };
  }

  it('keeps whole lines and counts long ones, wherever the bytes are cut', () => {
    const piece = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '\n', 'b'), maxLength: 40 }),
      fc.nat({ max: 30 }).map((n) => 'x'.repeat(n)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let tooLong = 0;
        const guard = new LineGuard((lines) => {
          tooLong += lines;
        }, 16);
        const out: Buffer[] = [];
        guard.on('data', (chunk: Buffer) => out.push(chunk));
        for (const one of pieces) guard._transform(Buffer.from(one), 'latin1', () => {});
        let chunk: unknown = guard.read();
        while (chunk !== null) {
          out.push(chunk as Buffer);
          chunk = guard.read();
        }
        const want = expected(pieces.join(''), 16);
        expect(Buffer.concat(out).toString()).toBe(want.kept);
        expect(tooLong).toBe(want.tooLong);
        expect(guard.pendingBytes).toBe(want.pending);
      }),
    );
  });

  it('takes 64 MiB without a line feed in far less time than the parser behind it would', () => {
    let tooLong = 0;
    const guard = new LineGuard((lines) => {
      tooLong += lines;
    });
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const from = performance.now();
    for (let i = 0; i < 1024; i++) guard._transform(chunk, 'latin1', () => {});
    expect(performance.now() - from).toBeLessThan(2000);
    expect(guard.pendingBytes).toBe(0);
    expect(tooLong).toBe(1);
  });
});

import fc from 'fast-check';
import { SerialPortMock } from 'serialport';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type SerialPortLike, serialKind } from '../host/transports/serial.ts';
import { bench, failing, PATH, place, start, takeAway } from './support/serial-bench.ts';
import { Listener, settle, testClock } from './support/transports.ts';

// The first load of the parser takes real time, which virtual time does not wait for.
beforeAll(() => import('@serialport/parser-readline'));
afterEach(takeAway);

describe('a serial port that is missing, held by another, mute or lost', () => {
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
    const held = await start(first);
    const other = await second.open();
    await second.clock.pass(100);
    expect(second.listener.downs[0]).toMatchObject({ code: 'serial/busy' });
    await held.close();
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

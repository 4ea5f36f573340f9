import { SerialPortMock } from 'serialport';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serialKind } from '../host/transports/serial.ts';
import { bench, PATH, place, start, takeAway } from './support/serial-bench.ts';
import { settle } from './support/transports.ts';

// The first load of the parser takes real time, which virtual time does not wait for.
beforeAll(() => import('@serialport/parser-readline'));
afterEach(takeAway);

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
});

describe('serial options', () => {
  const kind = serialKind();
  it('needs a path and a possible baud rate, and knows its keys', () => {
    expect(() => kind.parse({}, place)).toThrow(/path/);
    expect(() => kind.parse({ path: 'x', baudRate: 12 }, place)).toThrow(/baudRate/);
    expect(() => kind.parse({ path: 'x', baud: 9600 }, place)).toThrow(/baud/);
  });
});

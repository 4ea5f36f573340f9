import { SerialPortMock } from 'serialport';
import { afterEach, describe, expect, it } from 'vitest';
import type { HelloFrame } from '../firmware-protocol/frame.ts';
import { encodeUp } from '../firmware-protocol/spell.ts';
import { systemClock } from '../host/clock.ts';
import { collectingLog } from '../host/log.ts';
import { runBridge } from '../host/transports/bridge.ts';
import { mqtt } from '../host/transports/mqtt.ts';
import { serialKind } from '../host/transports/serial.ts';
import { client, embedded } from './support/brokers.ts';
import { eventually, Listener, placeOf, realClock } from './support/transports.ts';

const PATH = '/dev/ttyMOCK';

function helloOf(device: string, seq = 0): string {
  const frame: HelloFrame = {
    kind: 'hello',
    boot: 1,
    seq,
    deviceUs: 1000,
    bootId: 1,
    device,
    side: 'A',
    protocol: 1,
    firmware: '1.0.0',
    build: '0123ABCD',
    tiles: 6,
    halls: 2,
    sampleHz: 1000,
    capabilities: 0,
    resetCause: 1,
  };
  return encodeUp(frame).trimEnd();
}

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
  SerialPortMock.binding.reset();
});

async function bench() {
  SerialPortMock.binding.createPort(PATH, { record: true });
  const broker = await embedded();
  await broker.start();
  ends.push(() => broker.stop());
  const listener = new Listener();
  const host = await mqtt.open(
    'm',
    mqtt.parse({}, placeOf({ broker: { url: broker.url } })),
    listener,
    realClock,
  );
  ends.push(() => host.close());
  await listener.until('up', (one) => one.isUp);
  const ports: SerialPortMock[] = [];
  const log = collectingLog();
  const bridge = await runBridge(
    {
      port: { path: PATH, baudRate: 500_000, silentMs: 60_000 },
      url: broker.url,
      store: 'demo',
      table: 't1',
    },
    log,
    systemClock,
    {
      serial: serialKind(async (settings) => {
        const port = new SerialPortMock(settings);
        ports.push(port);
        return port;
      }),
    },
  );
  ends.push(() => bridge.close());
  await eventually('port open', () => ports.at(-1)?.isOpen === true);
  const say = (line: string | Buffer): void => {
    ports.at(-1)?.port?.emitData(Buffer.concat([Buffer.from(line as string, 'latin1'), Buffer.from('\n')]));
  };
  /** A board says hello each second; the bridge must be connected by then. */
  const greet = async (device: string): Promise<void> => {
    say(helloOf(device));
    const connected = (): number => log.lines.filter(({ text }) => text === 'Broker connected').length;
    const before = connected();
    await eventually('bridge connected', () => connected() > before);
  };
  return { broker, listener, host, bridge, log, say, greet, ports };
}

describe('bridge of a serial board onto MQTT', () => {
  it('carries the same lines both ways under the id of the board', async () => {
    const on = await bench();
    on.say('Q1,before the first hello');
    await on.greet('7F3A0001');
    const sent = Array.from({ length: 300 }, (_, i) => `E1,0100${i}`);
    for (const line of sent) on.say(line);
    on.say(Buffer.from([0x51, 0xff, 0x80]));
    await on.listener.until('all', (one) => one.lines.length >= 301);
    expect(on.listener.lines).toEqual([
      ...sent,
      `base64 ${Buffer.from([0x51, 0xff, 0x80]).toString('base64')}`,
    ]);
    expect(on.listener.told.findLast(({ told }) => told === 'line')).toMatchObject({
      from: { device: '7F3A0001' },
    });
    expect(on.host.send('P1,07,ABCD', { device: '7F3A0001' })).toBe(true);
    await eventually('the board hears', () => on.ports[0]?.port?.recording.toString() === 'P1,07,ABCD\n');
  });

  it('goes on after the broker was killed and started again', async () => {
    const on = await bench();
    await on.greet('7F3A0001');
    await on.broker.stop();
    on.say('E1,lost');
    await on.broker.start();
    await on.listener.until('up again', (one) => one.ups === 2);
    await eventually(
      'bridge again',
      () => on.log.lines.filter(({ text }) => text === 'Broker connected').length === 2,
    );
    on.say('E1,after');
    await on.listener.until('the line after', (one) => one.lines.includes('E1,after'));
    expect(on.listener.lines).not.toContain('E1,lost');
    on.say(helloOf('7F3A0001', 1));
    await eventually('lost lines are told', () =>
      on.log.lines.some(({ text }) => text.includes('not carried')),
    );
  });

  it('serves another board on the same port under its own id', async () => {
    const on = await bench();
    await on.greet('7F3A0001');
    await on.greet('7F3A0002');
    on.say('E1,two');
    await on.listener.until('line', (one) => one.lines.includes('E1,two'));
    expect(on.listener.told.findLast(({ told }) => told === 'line')).toMatchObject({
      from: { device: '7F3A0002' },
    });
  });

  it('keeps retained orders from the board, and says what an unset board needs', async () => {
    const on = await bench();
    const other = await client(on.broker.url);
    ends.push(() => other.endAsync(true));
    await other.publishAsync('bakucore/v1/demo/t1/line/00000000/down', 'M1,01,1,ABCD', {
      qos: 1,
      retain: true,
    });
    await on.greet('00000000');
    await eventually('refused', () => on.log.lines.some(({ text }) => text.includes('refused')));
    await other.publishAsync('bakucore/v1/demo/t1/line/00000000/down', 'P1,02,ABCD', { qos: 1 });
    await eventually('the board hears', () => (on.ports[0]?.port?.recording.length ?? 0) > 0);
    expect(on.ports[0]?.port?.recording.toString()).toBe('P1,02,ABCD\n');
    expect(on.log.lines.some(({ text }) => text.includes('--assign'))).toBe(true);
  });

  it('refuses a table name that fits no topic', async () => {
    const options = {
      port: { path: PATH, baudRate: 500_000, silentMs: 3000 },
      url: 'mqtt://127.0.0.1:1',
      store: 'demo',
    };
    await expect(
      runBridge({ ...options, table: 'Table 1' }, collectingLog(), systemClock),
    ).rejects.toMatchObject({
      code: 'config/bad-name',
    });
  });
});

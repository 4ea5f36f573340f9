import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialPortMock } from 'serialport';
import { PARTS, partNamed } from '../../host/parts.ts';
import { firmataKind } from '../../host/transports/firmata.ts';
import type { BoardProcessEvents } from '../../host/transports/firmata-fork.ts';
import { serialKind } from '../../host/transports/serial.ts';
import type { LinkPlace, TransportKind } from '../../host/transports/transport.ts';
import { client, embedded } from './brokers.ts';

/** The far side of a transport: what a board, a broker or a file would do. */
export interface FarSide {
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
export const FAR_SIDES: Readonly<Record<string, () => Promise<FarSide>>> = {
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
        const topic = 'bakucore/v1/demo/t1/line/7f3a0001/up';
        await Promise.all(lines.map((line) => board.publishAsync(topic, line, { qos: 1 })));
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

/** The kind of transport that is listed under a name. */
export function named(name: string): TransportKind<unknown> {
  const kind = partNamed(PARTS.transports, name);
  if (kind === undefined) throw new Error(`no transport ${name}`);
  return kind;
}

import type { Duplex } from 'node:stream';
import * as z from 'zod';
import type { LinkId } from '../ids.ts';
import { type DropCount, dropCount } from './drop-count.ts';
import { LineGuard } from './line-guard.ts';
import { isSendable, rawLineOf } from './raw-line.ts';
import { retryDelay } from './retry.ts';
import {
  driverTrouble,
  lostTrouble,
  openTrouble,
  type SerialTrouble,
  silentTrouble,
  stuckTrouble,
} from './serial-faults.ts';
import type { Transport, TransportClock, TransportEvents, TransportKind } from './transport.ts';

/** Bytes that may wait for the wire: 80 ms at 500000 baud. More is refused, so that no stale light piles up. */
const SEND_LIMIT_BYTES = 4096;
/** Longest wait for a port to close, ms; some drivers never answer for a device that was pulled. */
const CLOSE_LIMIT_MS = 1000;
/** After so long without an answer to `open`, ms, the port is told as down; the answer is still waited for. */
const OPEN_LIMIT_MS = 5000;
/** The watchdog looks this many times in `silentMs`: a host that was held up for seconds counts as one look. */
const LOOKS = 6;

const schema = z.strictObject({
  path: z
    .string()
    .min(1)
    .describe('The port: /dev/serial/by-id/… on Linux (stays the same when replugged), COM5 on Windows'),
  baudRate: z.int().min(300).max(4_000_000).default(500_000).describe('The same as in the firmware'),
  silentMs: z
    .int()
    .min(1000)
    .max(60_000)
    .default(3000)
    .describe('A port that is mute for so long is closed and opened again'),
});

export type SerialOptions = z.infer<typeof schema>;

/** What is asked of a port; serialport's own and its mock fit. */
export interface SerialPortLike extends Duplex {
  readonly isOpen: boolean;
  open(then: (error: Error | null) => void): void;
  close(then: (error: Error | null) => void): void;
}

export interface PortSettings {
  readonly path: string;
  readonly baudRate: number;
  readonly autoOpen: false;
  /** False: DTR stays up on close, which spares most boards a reset at the next open. */
  readonly hupcl: false;
}

/** Loads the driver and makes a port that is not open yet. */
export type MakePort = (settings: PortSettings) => Promise<SerialPortLike>;

async function realPort(settings: PortSettings): Promise<SerialPortLike> {
  const { SerialPort } = await import('serialport');
  return new SerialPort(settings);
}

/** The serial transport over any maker of ports: the real one, or a mock in tests. */
export function serialKind(makePort: MakePort = realPort): TransportKind<SerialOptions> {
  return {
    name: 'serial',
    optionsSchema: () => z.toJSONSchema(schema, { io: 'input' }),
    parse: (options) => schema.parse(options),
    open: async (link, options, events, clock) => openSerial(makePort, link, options, events, clock),
  };
}

/** Boards on serial ports. */
export const serial = serialKind();

/** One life of a port, from its making to its close. Nothing of an old life is listened to. */
interface Life {
  readonly port: SerialPortLike;
  readonly guard: LineGuard;
  opening: boolean;
  /** Told when `open` has answered. */
  onOpened: () => void;
}

/**
 * Opens, listens, and opens again for ever. Never trusts an event of the driver to come: a pulled cable may give
 * `close`, `error`, `end` or nothing at all, so silence decides in the end. Never touches DTR or RTS (a pty and some
 * adapters refuse them) and never lists ports (that needs udev).
 */
function openSerial(
  makePort: MakePort,
  link: LinkId,
  options: SerialOptions,
  events: TransportEvents,
  clock: TransportClock,
): Transport {
  const drops: DropCount = dropCount(link, events, clock);
  let closed: Promise<void> | undefined;
  let life: Life | undefined;
  let isUp = false;
  let told: string | undefined;
  let tries = 0;
  let cancelTimer = (): void => {};
  /** After a silent spell `up` waits for the first byte, else a dead board would flap for ever. */
  let waitForVoice = false;
  let looksSinceHeard = 0;

  const later = (ms: number, then: () => void): void => {
    cancelTimer();
    cancelTimer = clock.after(ms, then);
  };
  const tellDown = (trouble: SerialTrouble): void => {
    if (closed !== undefined || (!isUp && told === trouble.reason)) return;
    isUp = false;
    told = trouble.reason;
    events.down(link, trouble.reason, trouble.remedy, trouble.code);
  };
  const tellUp = (): void => {
    if (isUp) return;
    isUp = true;
    told = undefined;
    events.up(link, `${options.path} at ${options.baudRate} baud`);
  };
  const retry = (): void => {
    if (closed === undefined) later(retryDelay(tries++), () => void attempt());
  };

  const attempt = async (): Promise<void> => {
    let port: SerialPortLike;
    try {
      const { ReadlineParser } = await import('@serialport/parser-readline');
      port = await makePort({
        path: options.path,
        baudRate: options.baudRate,
        autoOpen: false,
        hupcl: false,
      });
      if (closed !== undefined) return;
      const guard = new LineGuard((lines) => drops.add('line without an end', lines));
      const mine: Life = { port, guard, opening: true, onOpened: () => {} };
      life = mine;
      // latin1 keeps every byte; UTF-8 would turn noise into U+FFFD, and no checksum would fit any more.
      const parser = new ReadlineParser({ delimiter: '\n', encoding: 'latin1' });
      parser.on('data', (line: string) => {
        if (life === mine && closed === undefined) events.line(link, rawLineOf(line));
      });
      port.on('data', () => heard(mine));
      port.on('error', (error: unknown) => lost(mine, lostTrouble(options.path, error)));
      port.on('close', (error: unknown) => lost(mine, lostTrouble(options.path, error)));
      port.on('end', () => lost(mine, lostTrouble(options.path, undefined)));
      port.pipe(guard).pipe(parser);
      later(OPEN_LIMIT_MS, () => tellDown(stuckTrouble(options.path)));
      port.open((error) => opened(mine, error));
    } catch (error) {
      life = undefined;
      tellDown(driverTrouble(error));
      retry();
    }
  };

  const opened = (mine: Life, error: Error | null): void => {
    mine.opening = false;
    if (life !== mine || closed !== undefined) {
      void closePort(mine).then(mine.onOpened);
      return;
    }
    if (error !== null) {
      life = undefined;
      tellDown(openTrouble(options.path, error));
      retry();
      return;
    }
    looksSinceHeard = 0;
    watch(mine);
    if (!waitForVoice) tellUp();
  };

  const heard = (mine: Life): void => {
    if (life !== mine || closed !== undefined) return;
    looksSinceHeard = 0;
    tries = 0;
    waitForVoice = false;
    tellUp();
  };

  const watch = (mine: Life): void =>
    later(options.silentMs / LOOKS, () => {
      if (life !== mine || closed !== undefined) return;
      looksSinceHeard++;
      if (looksSinceHeard < LOOKS) {
        watch(mine);
        return;
      }
      waitForVoice = true;
      lost(mine, silentTrouble(options.path, options.silentMs));
    });

  const lost = (mine: Life, trouble: SerialTrouble): void => {
    // While it opens, the answer of `open` says why; whatever else is told then comes too early.
    if (life !== mine || mine.opening || closed !== undefined) return;
    life = undefined;
    cancelTimer();
    if (mine.guard.pendingBytes > 0) drops.add('line cut off');
    tellDown(trouble);
    void closePort(mine).then(retry);
  };

  const closePort = ({ port }: Life): Promise<void> =>
    new Promise((resolve) => {
      port.removeAllListeners('data').unpipe();
      // A port that was let go may still complain; nobody must have to hear it.
      port.removeAllListeners('error').on('error', () => {});
      if (!port.isOpen) {
        resolve();
        return;
      }
      const giveUp = clock.after(CLOSE_LIMIT_MS, resolve);
      port.close(() => {
        giveUp();
        resolve();
      });
    });

  const close = async (): Promise<void> => {
    cancelTimer();
    drops.flush();
    const last = life;
    life = undefined;
    if (last === undefined) return;
    if (!last.opening) return closePort(last);
    await new Promise<void>((resolve) => {
      const giveUp = clock.after(CLOSE_LIMIT_MS, resolve);
      last.onOpened = () => {
        giveUp();
        resolve();
      };
    });
  };

  void attempt();
  return {
    link,
    send(line) {
      const port = life?.port;
      if (!isUp || port === undefined || !port.isOpen || port.writableLength > SEND_LIMIT_BYTES) return false;
      if (isSendable(line)) port.write(`${line}\n`, 'latin1', () => {});
      else drops.add('line that cannot be sent');
      return true;
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}

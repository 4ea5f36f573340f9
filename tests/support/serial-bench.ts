import { SerialPortMock } from 'serialport';
import { type PortSettings, serialKind } from '../../host/transports/serial.ts';
import type { Transport } from '../../host/transports/transport.ts';
import { Listener, settle, testClock } from './transports.ts';

/** The path of the port on the bench. */
export const PATH = '/dev/serial/by-id/usb-Arduino_Uno_1234-if00';

/** Where the link stands, for `parse`. */
export const place = { store: 's', table: 't', link: 'a', folder: '/', broker: { url: 'mqtt://x' } };

/** Serialport's own mock behind the transport; `made` are the ports opened so far. */
export function bench(path = PATH) {
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

/** A port whose `open` fails with the words of the driver. */
export function failing(words: string) {
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

let opened: Transport | undefined;

/** Opens the port and lets what hangs on it happen. */
export async function start(on: ReturnType<typeof bench>, options?: object): Promise<Transport> {
  const transport = await on.open(options);
  opened = transport;
  await on.clock.pass(0);
  await settle();
  return transport;
}

/** Takes the port of the test away; for `afterEach`. */
export async function takeAway(): Promise<void> {
  await opened?.close();
  opened = undefined;
  SerialPortMock.binding.reset();
}

/** In-process way in to a simulated board: the same events as a serial port, without one. */
import { z } from 'zod';
import { MAX_UP_BYTES } from '../firmware-protocol/frame.ts';
import type { RawLine } from '../host/record.ts';
import type { TransportKind } from '../host/transports/transport.ts';
import type { SimTable } from './table.ts';

const OPTIONS = z.strictObject({
  /** Link of the simulated table: `sim-a`, `sim-b`, or `sim` with one board. */
  board: z.string(),
});
export type SimTransportOptions = z.infer<typeof OPTIONS>;

/** Bytes without a line feed that are kept before they are dropped as junk. */
const MAX_PENDING = 4 * MAX_UP_BYTES;

/** The kind `sim` for one simulated table. */
export function simTransport(table: SimTable): TransportKind<SimTransportOptions> {
  return {
    name: 'sim',
    parse: (options) => OPTIONS.parse(options),
    async open(link, options, events) {
      let pending: number[] = [];
      const stop = table.listen(options.board, {
        up: () => {
          pending = [];
          events.up(link, `simulated board ${options.board}`);
        },
        down: (reason) => events.down(link, reason, 'Plug the simulated board in again.'),
        chunk: ({ bytes }) => {
          for (const byte of bytes) {
            if (byte === 10) {
              events.line(link, rawLine(pending));
              pending = [];
            } else if (pending.length < MAX_PENDING) pending.push(byte);
            else {
              events.dropped(link, 'bytes without a line end', pending.length);
              pending = [];
            }
          }
        },
      });
      return {
        link,
        send: (line) =>
          table.feed(
            options.board,
            Uint8Array.from(`${line}\n`, (c) => c.charCodeAt(0)),
          ),
        close: async () => stop(),
      };
    },
  };
}

/** The bytes of a line, without line end, as text when that loses nothing. */
export function rawLine(bytes: readonly number[]): RawLine {
  const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
  let text = '';
  for (let i = 0; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x20 || byte > 0x7e) return { b64: Buffer.from(bytes).toString('base64') };
    text += String.fromCharCode(byte);
  }
  return { line: text };
}

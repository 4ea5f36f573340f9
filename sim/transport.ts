/** In-process way in to a simulated board: the same events as a serial port, without one. */
import { z } from 'zod';
import type { TransportKind } from '../host/transports/transport.ts';
import { createLineCutter } from './line-cutter.ts';
import type { SimTable } from './table.ts';

const OPTIONS = z.strictObject({
  /** Link of the simulated table: `sim-a`, `sim-b`, or `sim` with one board. */
  board: z.string(),
});
export type SimTransportOptions = z.infer<typeof OPTIONS>;

/** The kind `sim` for one simulated table. */
export function simTransport(table: SimTable): TransportKind<SimTransportOptions> {
  return {
    name: 'sim',
    parse: (options) => OPTIONS.parse(options),
    async open(link, options, events) {
      const cutter = createLineCutter(
        (raw) => events.line(link, raw),
        (what, count) => events.dropped(link, what, count),
      );
      const stop = table.listen(options.board, {
        up: () => {
          cutter.reset();
          events.up(link, `simulated board ${options.board}`);
        },
        down: (reason) => events.down(link, reason, 'Plug the simulated board in again.'),
        chunk: ({ bytes }) => cutter.take(bytes),
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

/** The boards of a live simulated table as serial ports that any program can open. */
import { join } from 'node:path';
import type { LinkId } from '../host/ids.ts';
import type { LiveTable } from './live.ts';
import { openPty, type PtyEnd } from './pty.ts';

export interface LivePort {
  readonly link: LinkId;
  /** Path of the port. */
  readonly path: string;
  /** The cable comes out. Resolves when the port is gone. */
  unplug(): Promise<void>;
  /** The cable goes in again and the board starts from its boot loader. Resolves when the port can be opened. */
  replug(): Promise<void>;
}

export interface LivePorts {
  readonly ports: readonly LivePort[];
  close(): Promise<void>;
}

/** Serves every board of the table as `<folder>/<link>`. Rejects where socat is missing. */
export async function servePorts(table: LiveTable, folder: string): Promise<LivePorts> {
  const open: { readonly port: LivePort; close(): Promise<void> }[] = [];
  for (const link of table.links) {
    const path = join(folder, link);
    const end: PtyEnd = await openPty({ link: path, received: (bytes) => void table.feed(link, bytes) });
    const stop = table.listen(link, { bytes: (bytes) => end.write(bytes), up() {}, down() {} });
    const player = link.endsWith('b') ? 'B' : 'A';
    open.push({
      port: {
        link,
        path,
        unplug: () => end.unplug(),
        async replug() {
          table.act({ act: 'fault', fault: 'reset', player, on: true });
          await end.replug();
        },
      },
      async close() {
        stop();
        await end.close();
      },
    });
  }
  return {
    ports: open.map(({ port }) => port),
    async close() {
      for (const one of open) await one.close();
    },
  };
}

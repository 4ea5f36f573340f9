/** A simulated table that runs in real time in a thread of its own, so that the host's own work is not delayed by it. */
import { Worker } from 'node:worker_threads';
import type { LinkId } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import type { SimAction } from '../host/sim-action.ts';
import type { Transport, TransportEvents } from '../host/transports/transport.ts';
import { createLineCutter } from './line-cutter.ts';
import type { FromWorld, LiveAsk, ToWorld } from './live-messages.ts';

/** Newest of what lies and happens on the table, for automatic players. */
export type WorldSeen = Omit<Extract<FromWorld, { readonly kind: 'seen' }>, 'kind'>;

export interface LiveTable {
  readonly links: readonly LinkId[];
  /** What calibrating this mat gives. */
  readonly calibration: Calibration;
  seen(): WorldSeen;
  act(action: SimAction): void;
  know(activity: Activity): void;
  /** Opens the way in to one simulated board. */
  open(link: LinkId, board: LinkId, events: TransportEvents): Transport;
  close(): Promise<void>;
}

export interface LiveEvents {
  /** Somebody asked the world for what cannot be done. */
  refused(action: SimAction, why: string): void;
  /** This machine is too slow to run the boards in real time; so much virtual time was given up, ms. */
  late(ms: number): void;
}

/** Starts the world. Rejects when its thread dies before it is ready, as with a damaged image. */
export async function startLiveTable(ask: LiveAsk, events: LiveEvents): Promise<LiveTable> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./live-worker.${extension}`, import.meta.url), { workerData: ask });
  const ears = new Map<LinkId, { hear(message: FromWorld): void }>();
  /** State of each link, told again to whoever opens it later. */
  const links = new Map<LinkId, Extract<FromWorld, { readonly kind: 'link' }>>();
  let seen: WorldSeen = { auto: false, thrown: [], standing: [] };
  const tell = (message: ToWorld): void => worker.postMessage(message);

  const ready = await new Promise<Extract<FromWorld, { readonly kind: 'ready' }>>((resolve, reject) => {
    worker.once('error', reject);
    worker.on('message', (message: FromWorld) => {
      switch (message.kind) {
        case 'ready':
          resolve(message);
          return;
        case 'link':
          links.set(message.link, message);
          ears.get(message.link)?.hear(message);
          return;
        case 'chunk':
          ears.get(message.link)?.hear(message);
          return;
        case 'seen':
          seen = message;
          return;
        case 'refused':
          events.refused(message.action, message.why);
          return;
        case 'late':
          events.late(message.ms);
          return;
        default:
          message satisfies never;
      }
    });
  });

  return {
    links: ready.links,
    calibration: ready.calibration,
    seen: () => seen,
    act: (action) => tell({ kind: 'act', action }),
    know: (activity) => tell({ kind: 'know', activity }),
    open(link, board, heard) {
      const cutter = createLineCutter(
        (raw) => heard.line(link, raw),
        (what, count) => heard.dropped(link, what, count),
      );
      const hear = (message: FromWorld): void => {
        if (message.kind === 'chunk') cutter.take(message.bytes);
        else if (message.kind === 'link') {
          cutter.reset();
          if (message.up) heard.up(link, message.reason);
          else heard.down(link, message.reason, 'Plug the simulated board in again.');
        }
      };
      ears.set(board, { hear });
      const state = links.get(board);
      if (state !== undefined) hear(state);
      return {
        link,
        send(line) {
          if (links.get(board)?.up !== true) return false;
          tell({ kind: 'feed', link: board, bytes: Buffer.from(`${line}\n`, 'latin1') });
          return true;
        },
        async close() {
          ears.delete(board);
        },
      };
    },
    async close() {
      tell({ kind: 'stop' });
      await worker.terminate();
    },
  };
}

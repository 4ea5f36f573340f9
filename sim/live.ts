/** A simulated table that runs in real time in a thread of its own, so that the host's own work is not delayed by it. */
import { Worker } from 'node:worker_threads';
import type { LinkId } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import type { SimAction } from '../host/sim-action.ts';
import type { Transport, TransportEvents } from '../host/transports/transport.ts';
import { createLineCutter } from './line-cutter.ts';
import type { FromWorld, LiveAsk, Told, ToWorld } from './live-messages.ts';

/** Newest of what lies and happens on the table, for automatic players. */
export type WorldSeen = Omit<Extract<FromWorld, { readonly kind: 'seen' }>, 'kind'>;

export interface LiveTable {
  readonly links: readonly LinkId[];
  /** What calibrating this mat gives. */
  readonly calibration: Calibration;
  seen(): WorldSeen;
  act(action: SimAction): void;
  know(activity: Activity): void;
  /** Attaches the one listener of a board's wire, told its state at once; the returned function detaches it. */
  listen(board: LinkId, ear: WireEar): () => void;
  /** Bytes to a board; false while its wire is out. */
  feed(board: LinkId, bytes: Uint8Array): boolean;
  /** Colours that a board's LEDs show, chain order, 0xRRGGBB each; empty before its first write. */
  leds(board: LinkId): Uint32Array;
  /** Opens the way in to one simulated board. */
  open(link: LinkId, board: LinkId, events: TransportEvents): Transport;
  close(): Promise<void>;
}

/** Hears what a board's wire brings. */
export interface WireEar {
  bytes(bytes: Uint8Array): void;
  up(reason: string): void;
  down(reason: string): void;
}

export interface LiveEvents {
  /** The world has come this far, ms since it began; told before anything that happened then. */
  time(worldMs: number): void;
  /** Somebody asked the world for what cannot be done. */
  refused(action: SimAction, why: string): void;
  /** This machine is too slow to run the boards in real time; so much virtual time was given up, ms. */
  late(ms: number): void;
  /** The world has ended by a fault of its own; every board is unplugged for good. */
  died(why: string): void;
}

/** Starts the world. Rejects when its thread dies before it is ready, as with a damaged image. */
export async function startLiveTable(ask: LiveAsk, told: LiveEvents): Promise<LiveTable> {
  const worker = new Worker(workerFile(), { workerData: ask });
  const ears = new Map<LinkId, WireEar>();
  /** State of each link, told again to whoever opens it later. */
  const links = new Map<LinkId, Extract<FromWorld, { readonly kind: 'link' }>>();
  let closing = false;
  const leds = new Map<LinkId, Uint32Array>();
  let seen: WorldSeen = { auto: false, thrown: [], standing: [] };
  const tell = (message: ToWorld): void => worker.postMessage(message);

  const ready = await new Promise<Extract<FromWorld, { readonly kind: 'ready' }>>((resolve, reject) => {
    const ended = (why: string): void => {
      reject(new Error(why));
      if (closing) return;
      closing = true;
      for (const ear of ears.values()) ear.down(`The simulated table ended: ${why}.`);
      told.died(why);
    };
    worker.once('error', (error) => ended(error.message));
    worker.once('exit', (code) => ended(`its thread left with ${code}`));
    worker.on('message', ({ worldMs, message }: Told) => {
      told.time(worldMs);
      switch (message.kind) {
        case 'time':
          return;
        case 'ready':
          resolve(message);
          return;
        case 'link':
          links.set(message.link, message);
          tellWire(ears.get(message.link), message);
          return;
        case 'chunk':
          ears.get(message.link)?.bytes(message.bytes);
          return;
        case 'leds':
          leds.set(message.link, message.rgb);
          return;
        case 'seen':
          seen = message;
          return;
        case 'refused':
          told.refused(message.action, message.why);
          return;
        case 'late':
          told.late(message.ms);
          return;
        default:
          message satisfies never;
      }
    });
  });

  const feed = (board: LinkId, bytes: Uint8Array): boolean => {
    if (links.get(board)?.up !== true) return false;
    tell({ kind: 'feed', link: board, bytes });
    return true;
  };
  const listen = (board: LinkId, ear: WireEar): (() => void) => {
    ears.set(board, ear);
    const state = links.get(board);
    if (state !== undefined) tellWire(ear, state);
    return () => {
      if (ears.get(board) === ear) ears.delete(board);
    };
  };

  return {
    links: ready.links,
    calibration: ready.calibration,
    seen: () => seen,
    act: (action) => tell({ kind: 'act', action }),
    know: (activity) => tell({ kind: 'know', activity }),
    listen,
    feed,
    leds: (board) => leds.get(board) ?? new Uint32Array(),
    open(link, board, events) {
      const cutter = createLineCutter(
        (raw) => events.line(link, raw),
        (what, count) => events.dropped(link, what, count),
      );
      const stop = listen(board, {
        bytes: (bytes) => cutter.take(bytes),
        up(reason) {
          cutter.reset();
          events.up(link, reason);
        },
        down(reason) {
          cutter.reset();
          events.down(link, reason, 'Plug the simulated board in again.');
        },
      });
      return {
        link,
        send: (line) => feed(board, Buffer.from(`${line}\n`, 'latin1')),
        close: async () => stop(),
      };
    },
    async close() {
      closing = true;
      tell({ kind: 'stop' });
      await worker.terminate();
    },
  };
}

/** The thread's file: built, since threads do not read TypeScript on every supported Node. */
function workerFile(): URL {
  const path = import.meta.url.endsWith('.ts') ? '../dist/sim/live-worker.js' : './live-worker.js';
  return new URL(path, import.meta.url);
}

function tellWire(ear: WireEar | undefined, state: Extract<FromWorld, { readonly kind: 'link' }>): void {
  if (state.up) ear?.up(state.reason);
  else ear?.down(state.reason);
}

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Output } from '../advance/input.ts';
import type { Clock } from '../clock.ts';
import type { TableId } from '../ids.ts';
import type { Log } from '../log.ts';
import { archiveRoutes } from './archive-http.ts';
import { hostIsOurs, isLoopback, originIsOurs, urlOf } from './feed-address.ts';
import type { FeedArchive } from './feed-archive.ts';
import { FeedClient } from './feed-client.ts';
import { FeedDesk } from './feed-desk.ts';
import { feedRoutes } from './feed-http.ts';
import { listenOn } from './feed-listen.ts';
import { FEED_PROTOCOL, MAX_CLIENT_BYTES } from './feed-messages.ts';
import type { FeedToken } from './feed-roles.ts';
import type { FeedSim, FeedTable } from './feed-table.ts';
import { readPageFiles } from './page-files.ts';

export type { FeedSim, FeedTable };

export type FeedOptions = {
  /** Address to bind; `127.0.0.1` keeps the feed on this machine. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Secrets of players, judges and operators. None: everyone is operator on loopback, nobody elsewhere. */
  readonly tokens: readonly FeedToken[];
  /** Folder of the built pages. */
  readonly pagesDir: string;
  readonly tables: ReadonlyMap<TableId, FeedTable>;
  /** Present when tables are simulated. */
  readonly sim?: FeedSim;
  /** Recorded matches. */
  readonly archive?: FeedArchive;
  readonly clock: Clock;
  readonly log: Log;
  /** Further names under which browsers reach this host. */
  readonly names?: readonly string[];
  /** Origins of other pages that may connect, as in `https://club.example`. */
  readonly origins?: readonly string[];
};

/** The running feed. */
export interface Feed {
  /** Says that a table's scene may have changed. At most 20 looks a second are taken; call it as often as you like. */
  changed(table: TableId): void;
  /** Passes an output on and sends the scene that goes with it at once. */
  told(table: TableId, output: Output): void;
  /** Closes every connection and the port. */
  close(): Promise<void>;
  /** Address of the live table. */
  readonly url: string;
}

/** Time between pings, ms; a client that answers none between two of them is let go. */
const PING_MS = 10_000;
const MOST_CLIENTS = 300;

/**
 * Opens the HTTP server, the WebSocket feed and the pages. Rejects with a `TableFault` that carries the remedy when
 * the port is taken or may not be bound; after that it never throws, whatever browsers send.
 */
export async function openFeed(options: FeedOptions): Promise<Feed> {
  const { clock, host, log, tables } = options;
  const names = (options.names ?? []).map((name) => name.toLowerCase());
  const origins = options.origins ?? [];
  const [{ getRequestListener }, { WebSocketServer }, pages] = await Promise.all([
    import('@hono/node-server'),
    import('ws'),
    readPageFiles(options.pagesDir),
  ]);
  if (pages.size === 0)
    log.warn('the pages are not built; run "npm run build"', { folder: options.pagesDir });
  const access = { everyone: isLoopback(host) && options.tokens.length === 0, tokens: options.tokens };
  const desk = new FeedDesk({ tables, sim: options.sim, clock, log, access });
  const failed = (error: unknown): void => log.error('a request could not be answered', { error });
  const { archive } = options;

  const app = feedRoutes({
    pages,
    bound: host,
    alsoNamed: names,
    tables: () => desk.tableList(),
    scene: (table) => desk.sceneFor(table, { kind: 'public' }),
    health: () => desk.health(),
    archive:
      archive === undefined
        ? undefined
        : archiveRoutes({ archive, access, origins, nowMs: () => clock.now(), failed }),
    failed,
  });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_CLIENT_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => FEED_PROTOCOL,
  });

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const wrong = refusalOf(request);
    if (wrong !== undefined) {
      desk.count(wrong.count);
      refuseUpgrade(socket, wrong.status, wrong.text);
      return;
    }
    sockets.handleUpgrade(request, socket, head, welcome);
  });

  function refusalOf(
    request: IncomingMessage,
  ): { readonly status: number; readonly count: string; readonly text: string } | undefined {
    const { host: named, origin, 'sec-websocket-protocol': offered } = request.headers;
    if (!hostIsOurs(named, host, names)) {
      return { status: 421, count: 'foreignHost', text: 'This name is not one of this host.' };
    }
    if (!originIsOurs(origin, named, origins)) {
      return { status: 403, count: 'foreignOrigin', text: 'Pages of other sites may not connect.' };
    }
    if (request.url?.split('?')[0] !== '/ws')
      return { status: 404, count: 'badPath', text: 'The feed is at /ws.' };
    if (offered !== undefined && !offered.split(',').some((one) => one.trim() === FEED_PROTOCOL)) {
      return {
        status: 400,
        count: 'badProtocol',
        text: `Only the subprotocol ${FEED_PROTOCOL} is spoken here.`,
      };
    }
    if (desk.streams.clients.size >= MOST_CLIENTS)
      return { status: 503, count: 'full', text: 'Too many screens.' };
    return undefined;
  }

  function welcome(socket: WebSocket): void {
    const client = new FeedClient(randomUUID().slice(0, 8), socket, clock.now());
    desk.streams.clients.add(client);
    // An overlong message ends in an error and a close by the library; both are expected from strangers.
    socket.on('error', () => desk.count('socketError'));
    socket.on('pong', () => {
      client.alive = true;
    });
    socket.on('message', (data, isBinary) => desk.hear(client, isBinary ? undefined : data.toString()));
    socket.on('close', () => desk.forget(client));
  }

  let cancelPing = clock.after(PING_MS, ping);
  function ping(): void {
    cancelPing = clock.after(PING_MS, ping);
    for (const client of desk.streams.clients) {
      if (!client.alive) {
        client.socket.terminate();
        continue;
      }
      client.alive = false;
      client.socket.ping();
      client.answer({ op: 'ping', atMs: clock.now() });
    }
  }

  let port: number;
  try {
    port = await listenOn(server, host, options.port);
  } catch (error) {
    cancelPing();
    throw error;
  }
  server.on('error', (error) => log.error('the HTTP server reported an error', { error }));

  return {
    url: urlOf(host, port),
    changed: (table) => desk.streams.changed(table),
    told: (table, output) => desk.told(table, output),
    async close() {
      cancelPing();
      desk.streams.close();
      for (const client of desk.streams.clients) client.socket.close(1001, 'The host is stopping.');
      sockets.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const cancel = clock.after(500, () => {
        for (const client of desk.streams.clients) client.socket.terminate();
        server.closeAllConnections();
      });
      server.closeIdleConnections();
      await closed;
      cancel();
    },
  };
}

function refuseUpgrade(socket: Duplex, status: number, text: string): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

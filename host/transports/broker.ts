import { timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { systemCodeOf, TableFault, wordsOf } from '../fault.ts';
import type { Log } from '../log.ts';
import { boundedSocket } from './packet-bound.ts';

/** Largest MQTT packet that is taken from a client, in bytes; the broker itself knows no limit. */
export const LARGEST_PACKET_BYTES = 256 * 1024;

export interface BrokerOptions {
  /** Address to listen on; `127.0.0.1` is reached from this machine only. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** When given, every client needs both. */
  readonly login?: { readonly username: string; readonly password: string };
  readonly largestPacketBytes?: number;
}

/** A broker that runs. */
export interface Broker {
  /** Address for clients on this machine. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts the embedded broker (MQTT 3.1.1, QoS 0 to 2, retained messages kept in memory only). Throws a TableFault
 * `broker/port-taken`, `broker/not-permitted` or `broker/failed`. Loads aedes here.
 */
export async function openBroker(options: BrokerOptions, log: Log): Promise<Broker> {
  const { Aedes } = await import('aedes');
  const { createServer } = await import('node:net');
  const aedes = await Aedes.createBroker({
    connectTimeout: 10_000,
    drainTimeout: 10_000,
    maxTopicLevels: 10,
    authenticate(_client, username, password, done) {
      const { login } = options;
      const ok =
        login === undefined ||
        (sameText(username ?? '', login.username) && sameText(password?.toString() ?? '', login.password));
      if (ok) done(null, true);
      else done(Object.assign(new Error('bad user name or password'), { returnCode: 4 }), null);
    },
  });
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    aedes.handle(
      boundedSocket(socket, options.largestPacketBytes ?? LARGEST_PACKET_BYTES, (bytes) =>
        log.warn('MQTT client dropped: its packet is over the limit', { from: socket.remoteAddress, bytes }),
      ),
    );
  });
  aedes.on('clientError', (client, error) =>
    log.debug('MQTT client failed', { client: client.id, why: wordsOf(error) }),
  );
  aedes.on('connectionError', (_client, error) => log.warn('MQTT client refused', { why: wordsOf(error) }));

  const closeAedes = (): Promise<void> => new Promise((resolve) => aedes.close(resolve));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.host, resolve);
    });
  } catch (error) {
    await closeAedes();
    throw listenFault(options, error);
  }
  server.on('error', (error) => log.error('The MQTT broker failed', { why: wordsOf(error) }));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    await closeAedes();
    for (const socket of sockets) socket.destroy();
    await ended;
  };
  return {
    url: `mqtt://${clientHost(options.host)}:${port}`,
    port,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Address under which this very machine reaches a service that listens on `host`. */
export function clientHost(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function listenFault(options: BrokerOptions, error: unknown): TableFault {
  const at = `${options.host}:${options.port}`;
  switch (systemCodeOf(error)) {
    case 'EADDRINUSE':
      return new TableFault(
        'broker/port-taken',
        `Another program listens on ${at} already.`,
        'It may be a broker: use it with "broker: { embedded: false }", or choose another broker.port.',
        { cause: error },
      );
    case 'EACCES':
      return new TableFault(
        'broker/not-permitted',
        `This user may not listen on ${at}.`,
        'Choose a broker.port of 1024 or more.',
        { cause: error },
      );
    default:
      return new TableFault(
        'broker/failed',
        `The broker cannot listen on ${at} (${wordsOf(error)}).`,
        'Check broker.host and broker.port.',
        { cause: error },
      );
  }
}

/** Compares in a time that tells nothing of where two texts differ. */
function sameText(given: string, wanted: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(wanted);
  return timingSafeEqual(a.length === b.length ? a : b, b) && a.length === b.length;
}

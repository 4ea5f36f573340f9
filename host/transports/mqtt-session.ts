import type { IClientOptions } from 'mqtt';
import {
  connectTrouble,
  kickedTrouble,
  lostTrouble,
  type MqttTrouble,
  passwordTrouble,
  shownUrl,
  stalledTrouble,
  subscriptionTrouble,
} from './mqtt-faults.ts';
import { retryDelay } from './retry.ts';
import type { TransportClock } from './transport.ts';

/** Messages that may wait for their acknowledgement; more is refused. */
export const IN_FLIGHT_LIMIT = 32;
/** A connection that breaks so soon after the login, ms, was not broken by the network. */
export const FRESH_MS = 2000;
/** So many such breaks in a row are no accident. */
export const KICKS_TO_NAME = 3;
/** Longest wait for an acknowledgement, ms. */
const ACK_LIMIT_MS = 10_000;
/** Seconds between two signs of life; a dead network is noticed after 1.5 times as much. */
const KEEP_ALIVE_S = 5;
const CONNECT_LIMIT_MS = 5000;
/** Longest wait for the last acknowledgement on close, ms. */
const GOODBYE_LIMIT_MS = 1000;

export interface SessionOptions {
  readonly url: string;
  readonly clientId: string;
  readonly username?: string;
  readonly passwordFile?: string;
  /** Topic filters to hear, at QoS 1. */
  readonly subscribe: readonly string[];
  /** Topic that says `online` while this session lives and `offline` otherwise, retained. */
  readonly statusTopic?: string;
}

export interface SessionEvents {
  message(topic: string, payload: Buffer, retained: boolean): void;
  up(detail: string): void;
  down(trouble: MqttTrouble): void;
}

/** A connection to a broker that is made again for ever. */
export interface MqttSession {
  /** Publishes at QoS 1, never retained. False when down or when too much waits; nothing is kept for later. */
  publish(topic: string, payload: string | Buffer): boolean;
  /** Says `offline`, closes, resolves when nothing more will be told. */
  close(): Promise<void>;
}

/** What is asked of a client of the mqtt package. */
export interface ClientLike {
  readonly connected: boolean;
  on(event: 'connect' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(
    event: 'message',
    listener: (topic: string, payload: Buffer, packet: { readonly retain?: boolean }) => void,
  ): unknown;
  subscribe(
    topics: string[],
    options: { readonly qos: 1 },
    then: (
      error: Error | null,
      granted?: readonly { readonly topic: string; readonly qos: number }[],
    ) => void,
  ): unknown;
  publish(
    topic: string,
    payload: string | Buffer,
    options: { readonly qos: 1; readonly retain: boolean },
    then: (error?: Error | null) => void,
  ): unknown;
  end(force: boolean, then?: () => void): unknown;
}

/** Loads the mqtt package and starts one connection, which never reconnects by itself. */
export type MakeClient = (url: string, options: IClientOptions) => Promise<ClientLike>;

async function realClient(url: string, options: IClientOptions): Promise<ClientLike> {
  const { connect } = await import('mqtt');
  return connect(url, options);
}

async function firstLineOf(path: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return ((await readFile(path, 'utf8')).split(/\r?\n/)[0] ?? '').trim();
}

/**
 * Every connection is a new client: the package's own reconnection would send lines again that waited since before
 * the break, out of order and too late to be true.
 */
export function openSession(
  options: SessionOptions,
  events: SessionEvents,
  clock: TransportClock,
  makeClient: MakeClient = realClient,
): MqttSession {
  let closed: Promise<void> | undefined;
  let client: ClientLike | undefined;
  let isUp = false;
  let told: string | undefined;
  let tries = 0;
  let inFlight = 0;
  let kicks = 0;
  /** The login was accepted a moment ago. */
  let fresh = false;
  let cancelRetry = (): void => {};
  let cancelFresh = (): void => {};
  let cancelAck = (): void => {};

  const attempt = async (): Promise<void> => {
    let password: string | undefined;
    if (options.passwordFile !== undefined) {
      try {
        password = await firstLineOf(options.passwordFile);
      } catch (error) {
        lost(undefined, passwordTrouble(options.passwordFile, error));
        return;
      }
    }
    try {
      const made = await makeClient(options.url, clientOptions(options, password));
      if (closed !== undefined) {
        letGo(made);
        return;
      }
      client = made;
      made.on('connect', () => welcomed(made));
      made.on('message', (topic, payload, packet) => {
        if (client === made && closed === undefined) events.message(topic, payload, packet.retain === true);
      });
      made.on('error', (error) => broke(made, error));
      made.on('close', () => broke(made, undefined));
    } catch (error) {
      lost(undefined, connectTrouble(options.url, error));
    }
  };

  const welcomed = (mine: ClientLike): void => {
    if (client !== mine || closed !== undefined) return;
    fresh = true;
    cancelFresh = clock.after(FRESH_MS, () => {
      fresh = false;
      kicks = 0;
      tries = 0;
    });
    if (options.statusTopic !== undefined) {
      mine.publish(options.statusTopic, 'online', { qos: 1, retain: true }, () => {});
    }
    if (options.subscribe.length === 0) {
      tellUp();
      return;
    }
    mine.subscribe([...options.subscribe], { qos: 1 }, (error, granted) => {
      // An error of a connection that has just broken is told by its close.
      if (client !== mine || closed !== undefined || !mine.connected) return;
      const refused = granted?.find(({ qos }) => qos > 2)?.topic ?? options.subscribe.join(' ');
      if (error === null && granted?.every(({ qos }) => qos <= 2) === true) tellUp();
      else lost(mine, subscriptionTrouble(options.url, refused));
    });
  };

  const tellUp = (): void => {
    isUp = true;
    told = undefined;
    events.up(`${shownUrl(options.url)} as ${options.clientId}`);
  };

  const broke = (mine: ClientLike, error: unknown): void => {
    if (client !== mine || closed !== undefined) return;
    if (fresh) kicks++;
    if (kicks >= KICKS_TO_NAME) {
      lost(mine, kickedTrouble(options.url, options.clientId, kicks - KICKS_TO_NAME));
    } else if (isUp || fresh) {
      lost(mine, lostTrouble(options.url, error));
    } else {
      lost(mine, connectTrouble(options.url, error ?? new Error('it closed the connection')));
    }
  };

  const lost = (mine: ClientLike | undefined, trouble: MqttTrouble): void => {
    if (client !== mine || closed !== undefined) return;
    client = undefined;
    fresh = false;
    inFlight = 0;
    cancelFresh();
    cancelAck();
    if (mine !== undefined) letGo(mine);
    const wasUp = isUp;
    isUp = false;
    if (wasUp || told !== trouble.reason) {
      told = trouble.reason;
      events.down(trouble);
    }
    cancelRetry = clock.after(trouble.waitMs ?? retryDelay(tries++), () => void attempt());
  };

  const awaitAck = (mine: ClientLike): void => {
    cancelAck();
    cancelAck = clock.after(ACK_LIMIT_MS, () => lost(mine, stalledTrouble(options.url)));
  };

  const close = async (): Promise<void> => {
    cancelRetry();
    cancelFresh();
    cancelAck();
    const last = client;
    client = undefined;
    if (last === undefined) return;
    if (!last.connected || !isUp) {
      letGo(last);
      return;
    }
    await new Promise<void>((resolve) => {
      let cancelGiveUp = (): void => {};
      const end = (): void => {
        cancelGiveUp();
        letGo(last, resolve);
      };
      cancelGiveUp = clock.after(GOODBYE_LIMIT_MS, end);
      if (options.statusTopic === undefined) end();
      else last.publish(options.statusTopic, 'offline', { qos: 1, retain: true }, end);
    });
  };

  void attempt();
  return {
    publish(topic, payload) {
      const mine = client;
      if (!isUp || mine === undefined || !mine.connected || inFlight >= IN_FLIGHT_LIMIT) return false;
      inFlight++;
      awaitAck(mine);
      mine.publish(topic, payload, { qos: 1, retain: false }, () => {
        if (client !== mine) return;
        inFlight--;
        if (inFlight === 0) cancelAck();
        else awaitAck(mine);
      });
      return true;
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** Ends a client for good. Its listeners stay, so that a late error has one, and see that it is no longer theirs. */
function letGo(client: ClientLike, then: () => void = () => {}): void {
  client.end(true, then);
}

function clientOptions(options: SessionOptions, password: string | undefined): IClientOptions {
  return {
    protocolVersion: 4,
    clean: true,
    clientId: options.clientId,
    keepalive: KEEP_ALIVE_S,
    connectTimeout: CONNECT_LIMIT_MS,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    ...(options.username === undefined ? {} : { username: options.username }),
    ...(password === undefined ? {} : { password }),
    ...(options.statusTopic === undefined
      ? {}
      : { will: { topic: options.statusTopic, payload: Buffer.from('offline'), qos: 1, retain: true } }),
  };
}

import { decodeLine } from '../../firmware-protocol/line.ts';
import type { Clock } from '../clock.ts';
import { TableFault } from '../fault.ts';
import type { Log } from '../log.ts';
import { LARGEST_MESSAGE_BYTES, linesOf } from './message-lines.ts';
import { type MakeClient, type MqttSession, openSession } from './mqtt-session.ts';
import { bytesOf } from './raw-line.ts';
import { type SerialOptions, serial } from './serial.ts';
import { LEVEL, LEVEL_RULE, tableTopics } from './topics.ts';
import type { TransportKind } from './transport.ts';

/** Device id of a board that nobody has named yet. */
const UNSET_DEVICE = '00000000';
/** Lines that wait for room: two seconds of a busy board. More is dropped: a line that is late is worth nothing. */
const WAITING_LINES = 1000;
/** Lines in one message at most, so that it stays under the limit of the hearer. */
const MESSAGE_LINES = 240;
const WAITING_LOOK_MS = 5;

export interface BridgeOptions {
  /** The board: port and baud rate. */
  readonly port: SerialOptions;
  readonly url: string;
  /** Levels of every topic, `[a-z0-9][a-z0-9_-]{0,31}`. */
  readonly store: string;
  readonly table: string;
  readonly username?: string;
  readonly passwordFile?: string;
  /** Default: made from store, table and the board's device id. */
  readonly clientId?: string;
}

/** What the bridge stands on; the real things unless a test brings its own. */
export interface BridgeParts {
  readonly serial?: TransportKind<SerialOptions>;
  readonly makeClient?: MakeClient;
}

/**
 * Carries one board on a serial port onto MQTT, both ways, for ever: the same lines on
 * `bakucore/v1/{store}/{table}/line/{device}/up` and `…/down`. The device id is learned from the board's hello, so
 * nothing is published before the first hello and another board on the same port gets its own topics. Throws a
 * TableFault `config/bad-name` when store or table fit no topic.
 */
export async function runBridge(
  options: BridgeOptions,
  log: Log,
  clock: Clock,
  parts: BridgeParts = {},
): Promise<{ close(): Promise<void> }> {
  for (const [key, level] of [
    ['store', options.store],
    ['table', options.table],
  ] as const) {
    if (!LEVEL.test(level)) {
      throw new TableFault('config/bad-name', `"${level}" is no name for a ${key}.`, `Use ${LEVEL_RULE}.`);
    }
  }
  const topics = tableTopics(options.store, options.table);
  let device: string | undefined;
  let session: MqttSession | undefined;
  let upTopic = '';
  let waiting: Buffer[] = [];
  let cancelLook: (() => void) | undefined;
  let sessionIsUp = false;
  let lost = 0;

  const carry = (bytes: Buffer): void => {
    if (session === undefined || !sessionIsUp || waiting.length >= WAITING_LINES) {
      lost++;
      return;
    }
    waiting.push(bytes);
    publishWaiting();
  };
  /** One message for each line while the broker keeps up, several lines a message when it does not. */
  const publishWaiting = (): void => {
    cancelLook?.();
    cancelLook = undefined;
    while (waiting.length > 0) {
      if (session?.publish(upTopic, Buffer.concat(waiting.slice(0, MESSAGE_LINES))) !== true) {
        cancelLook = clock.after(WAITING_LOOK_MS, publishWaiting);
        return;
      }
      waiting = waiting.slice(MESSAGE_LINES);
    }
  };
  const tellLost = (): void => {
    if (lost > 0) log.warn('Lines of the board were not carried', { device, lines: lost });
    lost = 0;
  };

  const serve = (id: string): void => {
    const status = topics.boardStatus(id);
    const down = topics.down(id);
    const up = topics.up(id);
    if (status === undefined || down === undefined || up === undefined) return;
    const old = session;
    device = id;
    upTopic = up;
    waiting = [];
    sessionIsUp = false;
    if (id === UNSET_DEVICE) {
      log.warn('The board has no identity yet. Give it one with "bakucore doctor --assign".', { device: id });
    }
    void old?.close();
    const mine = openSession(
      {
        url: options.url,
        clientId: options.clientId ?? `bakucore-bridge-${options.store}-${options.table}-${id.toLowerCase()}`,
        ...(options.username === undefined ? {} : { username: options.username }),
        ...(options.passwordFile === undefined ? {} : { passwordFile: options.passwordFile }),
        subscribe: [down],
        statusTopic: status,
      },
      {
        up(detail) {
          if (session !== mine) return;
          sessionIsUp = true;
          log.info('Broker connected', { device: id, broker: detail });
        },
        down({ code, reason, remedy }) {
          if (session !== mine) return;
          sessionIsUp = false;
          waiting = [];
          log.warn(reason, { device: id, code, remedy });
        },
        message(_topic, payload, retained) {
          // A light or an order of another time must not reach the board.
          if (retained || payload.length > LARGEST_MESSAGE_BYTES) {
            log.warn('Message to the board refused', { device: id, retained, bytes: payload.length });
            return;
          }
          for (const raw of linesOf(payload).lines) {
            if (!('line' in raw) || !port.send(raw.line))
              log.warn('Line to the board not sent', { device: id });
          }
        },
      },
      clock,
      parts.makeClient,
    );
    session = mine;
  };

  const kind = parts.serial ?? serial;
  const port = await kind.open(
    'board',
    options.port,
    {
      line(_link, raw) {
        const decoded = 'line' in raw ? decodeLine(raw.line) : undefined;
        if (decoded?.ok === true && decoded.frame.kind === 'hello') {
          tellLost();
          if (decoded.frame.device !== device) serve(decoded.frame.device);
        }
        carry(Buffer.concat([bytesOf(raw), Buffer.from('\n')]));
      },
      up: (_link, detail) => log.info('Board connected', { port: detail }),
      down: (_link, reason, remedy, code) => log.warn(reason, { code, remedy }),
      dropped: (_link, what, count) => log.warn('Noise on the port', { what, count }),
    },
    clock,
  );
  return {
    async close() {
      cancelLook?.();
      await port.close();
      tellLost();
      await session?.close();
    },
  };
}

import { resolve } from 'node:path';
import * as z from 'zod';
import type { LinkId } from '../ids.ts';
import { dropCount } from './drop-count.ts';
import { LARGEST_MESSAGE_BYTES, linesOf } from './message-lines.ts';
import { type MakeClient, openSession } from './mqtt-session.ts';
import { isSendable } from './raw-line.ts';
import { tableTopics } from './topics.ts';
import type { Transport, TransportClock, TransportEvents, TransportKind } from './transport.ts';

/** Boards remembered for lines that are for all of them. */
const BOARDS_LIMIT = 64;

const schema = z.strictObject({
  url: z
    .url({ protocol: /^(mqtts?|wss?)$/, error: 'must be an address as in mqtt://192.168.1.5:1883' })
    .refine((url) => !/\/\/[^/]*@/.test(url), 'must not carry a login; use username and passwordFile')
    .optional()
    .describe('Another broker than the one of this host'),
  username: z.string().min(1).optional(),
  passwordFile: z.string().min(1).optional().describe('File whose first line is the password'),
  clientId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"')
    .optional()
    .describe(
      'Must differ from every other client of the broker; made from store, table and link by default',
    ),
});

/** Options as `parse` completes them from the place of the link. */
export interface MqttOptions {
  readonly url: string;
  readonly store: string;
  readonly table: string;
  readonly clientId: string;
  readonly username?: string;
  /** Absolute. */
  readonly passwordFile?: string;
}

/** The MQTT transport over any maker of clients: the real one, or a fake in tests. */
export function mqttKind(makeClient?: MakeClient): TransportKind<MqttOptions> {
  return {
    name: 'mqtt',
    optionsSchema: () => z.toJSONSchema(schema, { io: 'input' }),
    parse(given, place) {
      const own = schema.parse(given);
      const username = own.username ?? (own.url === undefined ? place.broker.username : undefined);
      const passwordFile =
        own.passwordFile === undefined
          ? own.url === undefined
            ? place.broker.passwordFile
            : undefined
          : resolve(place.folder, own.passwordFile);
      return {
        url: own.url ?? place.broker.url,
        store: place.store,
        table: place.table,
        clientId: own.clientId ?? `bakucore-${place.store}-${place.table}-${place.link}`,
        ...(username === undefined ? {} : { username }),
        ...(passwordFile === undefined ? {} : { passwordFile }),
      };
    },
    open: async (link, options, events, clock) => openMqtt(link, options, events, clock, makeClient),
  };
}

/** Boards and bridges that speak over a broker. */
export const mqtt = mqttKind();

function openMqtt(
  link: LinkId,
  options: MqttOptions,
  events: TransportEvents,
  clock: TransportClock,
  makeClient: MakeClient | undefined,
): Transport {
  const topics = tableTopics(options.store, options.table);
  const drops = dropCount(link, events, clock);
  /** Boards heard, each with its id as its own topic spells it: it listens to the same. */
  const boards = new Map<string, string>();

  const session = openSession(
    {
      url: options.url,
      clientId: options.clientId,
      ...(options.username === undefined ? {} : { username: options.username }),
      ...(options.passwordFile === undefined ? {} : { passwordFile: options.passwordFile }),
      subscribe: [topics.anyUp],
      statusTopic: topics.status,
    },
    {
      up: (detail) => events.up(link, detail),
      down: ({ code, reason, remedy }) => events.down(link, reason, remedy, code),
      message(topic, payload, retained) {
        const named = topics.deviceOf(topic);
        if (named === undefined) {
          drops.add('message on a topic that names no board');
          return;
        }
        if (payload.length > LARGEST_MESSAGE_BYTES) {
          drops.add('message over the limit');
          return;
        }
        const { lines, tooLong } = linesOf(payload);
        if (tooLong > 0) drops.add('line without an end', tooLong);
        // A retained line is of another time: it is passed on marked, and tells nothing of who is here now.
        const { device, spelled } = named;
        if (!retained && (boards.size < BOARDS_LIMIT || boards.has(device))) boards.set(device, spelled);
        const from = retained ? { device, retained } : { device };
        for (const raw of lines) events.line(link, raw, from);
      },
    },
    clock,
    makeClient,
  );

  return {
    link,
    send(line, to) {
      if (!isSendable(line)) {
        drops.add('line that cannot be sent');
        return true;
      }
      const devices = to?.device === undefined ? [...boards.keys()] : [to.device];
      // A line for every board, and none is known yet: nobody misses it.
      if (devices.length === 0) return true;
      let sent = true;
      for (const device of devices) {
        const topic = topics.down(device, boards.get(device));
        if (topic === undefined) drops.add('line to a board whose name fits no topic');
        else sent = session.publish(topic, `${line}\n`) && sent;
      }
      return sent;
    },
    async close() {
      drops.flush();
      await session.close();
    },
  };
}

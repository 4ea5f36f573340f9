/** Board B of a rig on a broker instead of a cable, in step with the rig's own time. */
import { connect, type MqttClient } from 'mqtt';
import type { TestBroker } from './brokers.ts';
import { hostRig, type Rig, type RigAsk } from './host-rig.ts';

/** Longest real time that a line over the broker is waited for, ms; it may be lost. */
const PATIENCE_MS = 3000;
const BASE = 'bakucore/v1/demo/t1/line/b0000001';

export interface Air {
  readonly rig: Rig;
  /** Publishes as the board does. */
  publish(
    payload: string | Buffer,
    options?: { readonly topic?: string; readonly retain?: boolean },
  ): Promise<void>;
  /** Lines that the board has sent so far. */
  readonly sent: readonly string[];
  close(): ReturnType<Rig['close']>;
}

export async function onAir(
  broker: TestBroker,
  login: object = {},
  more: RigAsk & { readonly link?: object } = {},
): Promise<Air> {
  const sent: string[] = [];
  const { link = {}, ...ask } = more;
  let expected = 0;
  let sinceMs = 0;
  let heard = (): number => 0;
  const board: MqttClient = connect(broker.url, {
    protocolVersion: 4,
    clientId: 'board-b',
    reconnectPeriod: 100,
    queueQoSZero: false,
    ...login,
  });
  board.on('error', () => {});
  const rig = await hostRig({
    ...ask,
    broker: { embedded: false, url: broker.url },
    links: (serial) => ({
      'side-a': (serial as Record<string, object>)['side-a'],
      air: { transport: 'mqtt', side: 'B', ...link },
    }),
    calm: () => {
      if (heard() >= expected || !board.connected) return true;
      if (performance.now() - sinceMs < PATIENCE_MS) return false;
      expected = heard();
      return true;
    },
  });
  let counted = { upTo: 0, air: 0 };
  heard = () => {
    for (; counted.upTo < rig.handed.length; counted = { ...counted, upTo: counted.upTo + 1 }) {
      if (rig.handed[counted.upTo]?.link === 'air') counted = { ...counted, air: counted.air + 1 };
    }
    return counted.air;
  };
  board.on('connect', () => board.subscribe(`${BASE}/down`, { qos: 1 }));
  board.on('message', (_topic, payload) => rig.sim.feed('sim-b', payload));
  rig.cables.b.through = (line) => {
    sent.push(line);
    if (board.connected) {
      board.publish(`${BASE}/up`, line, { qos: 1 });
      if (rig.host.tables.get('t1') !== undefined && rig.link('air').up) {
        expected = Math.max(expected, heard()) + 1;
        sinceMs = performance.now();
      }
    }
    return [];
  };
  // Sockets are made in real time: the host's own stands still until all are.
  const untilMs = performance.now() + 60_000;
  while (!board.connected || (!rig.link('air').up && rig.complaints().length === 0)) {
    if (performance.now() > untilMs) throw new Error('no connection to the broker');
    await new Promise((next) => setTimeout(next, 2));
  }
  return {
    rig,
    sent,
    async publish(payload, { topic = `${BASE}/up`, retain = false } = {}) {
      await board.publishAsync(topic, payload, { qos: 1, retain });
    },
    async close() {
      const kept = await rig.close();
      await board.endAsync(true);
      return kept;
    },
  };
}

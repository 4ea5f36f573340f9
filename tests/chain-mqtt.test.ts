import { afterEach, describe, expect, it } from 'vitest';
import type { Output } from '../host/advance/input.ts';
import { systemClock } from '../host/clock.ts';
import { silentLog } from '../host/log.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { runBridge } from '../host/transports/bridge.ts';
import { serial } from '../host/transports/serial.ts';
import { freePort, mosquitto } from './support/brokers.ts';
import { bothHeard, eventually, type LiveChain, type LiveChainAsk, liveChain } from './support/live-chain.ts';
import { strangeCells } from './support/strip-colours.ts';
import { has } from './support/system.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Serial ports carried onto MQTT by the bridge, as a small computer beside the mat does. */
async function bridged(chain: LiveChain, which: readonly number[], url: string): Promise<void> {
  const place = { store: 'demo', table: 't1', link: 'bridge', folder: '/', broker: { url } };
  for (const i of which) {
    const port = serial.parse({ path: chain.ports.ports[i]?.path }, place);
    const bridge = await runBridge({ port, url, store: 'demo', table: 't1' }, silentLog, systemClock);
    closers.push(() => bridge.close());
  }
}

async function open(ask: LiveChainAsk): Promise<LiveChain> {
  const chain = await liveChain(ask);
  closers.push(() => chain.close());
  return chain;
}

async function plays(chain: LiveChain, turns: number): Promise<void> {
  await eventually('both boards are heard', () => bothHeard(chain));
  chain.play();
  await eventually('a Victor', () => chain.outputs.some(isVictor), 400_000);
  await eventually(`${turns} turns`, () => chain.view().turn > turns, 150_000 * turns);
  const leds = (side: 'A' | 'B'): Uint32Array => chain.world.leds(`sim-${side.toLowerCase()}`);
  await eventually('strips show the scene', () => strangeCells(chain.scene(), FIXED_12, leds).length === 0);
  expect(chain.outputs.filter((output) => output.kind === 'refused')).toEqual([]);
}

function isVictor(output: Output): boolean {
  return output.kind === 'event' && output.event.type === 'victor/declared';
}

/** As many as over cables. */
const TURNS = 3;
const BOTH_ON_MQTT = (): object => ({ air: { transport: 'mqtt' } });

describe.skipIf(!has('socat'))('the same lines over MQTT', () => {
  it.skipIf(!has('mosquitto'))('plays over Debian’s mosquitto', { timeout: 1_200_000 }, async () => {
    const broker = await mosquitto();
    await broker.start();
    closers.push(async () => {
      await broker.stop();
      broker.dispose();
    });
    const chain = await open({
      seed: 5,
      links: BOTH_ON_MQTT,
      broker: { embedded: false, url: broker.url },
    });
    await bridged(chain, [0, 1], broker.url);
    await plays(chain, TURNS);
  });

  it('plays over the embedded broker', { timeout: 1_200_000 }, async () => {
    const port = await freePort();
    const chain = await open({ seed: 5, links: BOTH_ON_MQTT, broker: { port } });
    await bridged(chain, [0, 1], `mqtt://127.0.0.1:${port}`);
    await plays(chain, 1);
  });

  it('plays with one player on serial and one on MQTT', { timeout: 1_200_000 }, async () => {
    const port = await freePort();
    const chain = await open({
      seed: 5,
      broker: { port },
      links: (paths) => ({
        'side-a': { transport: 'serial', path: paths[0] },
        air: { transport: 'mqtt' },
      }),
    });
    await bridged(chain, [1], `mqtt://127.0.0.1:${port}`);
    await plays(chain, 1);
  });
});

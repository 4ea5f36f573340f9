import type { AVRIOPort } from 'avr8js';
import type { BoardCpu } from './cpu.ts';
import type { Pin, PinMap } from './pins.ts';
import type { Ports } from './ports.ts';
import type { Chain } from './ws2812.ts';

/** What the select lines of the multiplexers say. */
export interface MuxSetting {
  /** Channel, 0 to 15. */
  channel: number;
  /** Cycle of its last change. */
  since: number;
}

/** Follows the select lines and LED chains of one processor; the returned setting is kept up to date. */
export function watchOutputs(
  cpu: BoardCpu,
  ports: Ports,
  map: PinMap,
  chains: readonly Chain[],
): Readonly<MuxSetting> {
  const mux: MuxSetting = { channel: 0, since: cpu.cycles };
  const watch = (port: AVRIOPort): void => {
    const here = (pin: Pin): boolean => ports.get(pin.port) === port;
    const select = map.select.flatMap((pin, i) => (here(pin) ? [{ from: pin.bit, to: i }] : []));
    const ends = map.chains.flatMap((pin, i) => {
      const chain = chains[i];
      return here(pin) && chain ? [{ bit: pin.bit, chain }] : [];
    });
    const muxMask = select.reduce((mask, { from }) => mask | (1 << from), 0);
    const { DDR } = port.portConfig;
    let last = 0;
    port.addListener((value) => {
      const out = value & (cpu.data[DDR] ?? 0);
      const turned = out ^ last;
      last = out;
      if (turned & muxMask) {
        mux.since = cpu.cycles;
        mux.channel = 0;
        for (const { from, to } of select) mux.channel |= ((out >> from) & 1) << to;
      }
      for (const { bit, chain } of ends) {
        if ((turned >> bit) & 1) chain.edge(((out >> bit) & 1) === 1, cpu.cycles);
      }
    });
  };
  for (const port of new Set([...map.select, ...map.chains].map((pin) => ports.get(pin.port)))) watch(port);
  // A chip in reset lets go of its pins; pull-downs hold the chains low.
  for (const chain of chains) chain.edge(false, cpu.cycles);
  return mux;
}

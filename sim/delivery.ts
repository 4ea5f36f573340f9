/** When a line that left its board arrives at the host. */
import { createChance, hash32 } from './random.ts';
import type { Chunk } from './wire-faults.ts';

export interface Delivery {
  /** The lines with the moments at which they arrive; those of a serial wire keep their order. */
  pass(lines: readonly Chunk[]): readonly Chunk[];
}

/** A USB read that waits for its chip's timer. */
const TIMER_US = 16_000;

/**
 * `usb`: 1.1 to 1.5 ms and 1 ms of jitter; one line in fifty waits 8.2 ms as on a loaded machine, one in two hundred
 * for the chip's timer. `mqtt`: 2 ms and more, one message in fifty only after 0.2 to 3.1 s, without order.
 */
export function createDelivery(seed: number, kind: 'prompt' | 'usb' | 'mqtt'): Delivery {
  const chance = createChance(hash32(seed, 52, 0));
  let freeUs = 0;
  const delayUs = (): number => {
    if (kind === 'prompt') return 0;
    const draw = chance.unit();
    if (kind === 'usb') {
      const own = chance.between(1100, 1500) + Math.abs(chance.normal(0, 1000));
      return draw < 0.005 ? own + chance.unit() * TIMER_US : draw < 0.025 ? own + 8200 : own;
    }
    return draw < 0.02 ? chance.between(200_000, 3_100_000) : 2000 + chance.exponential(3000);
  };
  return {
    pass(lines) {
      if (kind === 'prompt') return lines;
      return lines.map(({ atUs, bytes }) => {
        let at = Math.round(atUs + delayUs());
        if (kind === 'usb') {
          at = Math.max(at, freeUs);
          freeUs = at;
        }
        return { atUs: at, bytes };
      });
    },
  };
}

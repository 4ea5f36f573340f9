import type { AVRIOPort } from 'avr8js';
import type { BoardWorld } from '../world.ts';
import type { PortLetter } from './chips.ts';
import { alarm, type BoardCpu } from './cpu.ts';
import type { InputPin, PinMap } from './pins.ts';
import type { Ports } from './ports.ts';

/** Something that pulls its pin low, or leaves it to the pull-up. */
interface Driven {
  readonly bit: number;
  /** Contacts and studs pull low when closed or pressed, a gate's receiver while it is lit. */
  readonly lowWhenActive: boolean;
  /** Closed, pressed or blocked. */
  active(atUs: number): boolean;
}

interface DrivenPort {
  readonly port: AVRIOPort;
  readonly pins: readonly Driven[];
  /** Pins with the chip's pull-up on. */
  pullUps: number;
  /** Pins whose input is active. */
  actives: number;
}

/** The digital inputs of a board, driven by the world. */
export interface Inputs {
  /** Asks the world when the next edge falls; called whenever the world may have been changed from outside. */
  look(): void;
}

/**
 * Drives contacts, gates and studs. Levels change only at the world's own edges. A pin that nothing pulls low
 * reads high where the firmware has switched the pull-up on; else it floats, which here reads low so that the mistake
 * shows.
 */
export function createInputs(
  cpu: BoardCpu,
  ports: Ports,
  map: PinMap,
  world: BoardWorld,
  cyclesPerUs: number,
): Inputs {
  const byPort = new Map<PortLetter, Driven[]>();
  const add = (
    pins: readonly InputPin[],
    lowWhenActive: boolean,
    read: (world: number, atUs: number) => boolean,
  ) => {
    for (const pin of pins) {
      const list = byPort.get(pin.port) ?? [];
      list.push({ bit: pin.bit, lowWhenActive, active: (atUs) => read(pin.world, atUs) });
      byPort.set(pin.port, list);
    }
  };
  add(map.contacts, true, (tile, atUs) => world.contact(tile, atUs));
  add(map.gates, false, (gate, atUs) => world.gate(gate, atUs));
  add(map.studs, true, (stud, atUs) => world.stud(stud, atUs));

  const driven: DrivenPort[] = [];
  const drive = (at: DrivenPort): void => {
    for (const { bit, lowWhenActive } of at.pins) {
      const active = ((at.actives >> bit) & 1) === 1;
      at.port.setPin(bit, active !== lowWhenActive && ((at.pullUps >> bit) & 1) === 1);
    }
  };
  for (const [letter, pins] of byPort) {
    const port = ports.get(letter);
    const at: DrivenPort = { port, pins, pullUps: 0, actives: 0 };
    driven.push(at);
    port.addListener(() => {
      const { PORT, DDR } = port.portConfig;
      const pullUps = (cpu.data[PORT] ?? 0) & ~(cpu.data[DDR] ?? 0);
      if (pullUps === at.pullUps) return;
      at.pullUps = pullUps;
      drive(at);
    });
  }

  let appliedUs = 0;
  const apply = (atUs: number): void => {
    appliedUs = atUs;
    for (const at of driven) {
      let actives = 0;
      for (const pin of at.pins) if (pin.active(atUs)) actives |= 1 << pin.bit;
      if (actives === at.actives) continue;
      at.actives = actives;
      drive(at);
    }
  };
  const edge = alarm(() => {
    apply(edge.due / cyclesPerUs);
    look();
  });
  const look = (): void => {
    const nextUs = world.nextEdgeUs(appliedUs);
    if (nextUs === Number.POSITIVE_INFINITY) {
      cpu.cancel(edge);
      return;
    }
    // Rounded up, so that the world is asked at or after its edge; at least a cycle on, so that time always passes.
    const due = Math.max(Math.ceil(nextUs * cyclesPerUs), Math.floor(appliedUs * cyclesPerUs) + 1);
    if (!edge.set || edge.due !== due) cpu.wake(edge, due);
  };
  apply(cpu.cycles / cyclesPerUs);
  for (const at of driven) drive(at);
  look();
  return { look };
}

import { AVRIOPort } from 'avr8js';
import type { ChipTable, PortLetter } from './chips.ts';
import type { BoardCpu, Vector } from './cpu.ts';

/** The ports of one processor. */
export interface Ports {
  /** @throws Error when the chip has no such port */
  get(letter: PortLetter): AVRIOPort;
  /** Level read at a pin, by its input register. */
  level(letter: PortLetter, bit: number): boolean;
}

/**
 * Makes the ports of a chip. avr8js lets a write to a pin-change mask drop a waiting interrupt of another port and does
 * not look at PCICR, so these registers get hooks of our own.
 */
export function createPorts(cpu: BoardCpu, chip: ChipTable): Ports {
  const { data } = cpu;
  const ports = new Map<string, AVRIOPort>();
  const groups = new Map<number, Vector>();
  let control = 0;
  let flags = 0;
  for (const [letter, config] of Object.entries(chip.ports)) {
    ports.set(letter, new AVRIOPort(cpu, config));
    const change = config.pinChange;
    if (!change) continue;
    control = change.PCICR;
    flags = change.PCIFR;
    groups.set(change.PCIE, {
      address: change.pinChangeInterrupt,
      flagRegister: change.PCIFR,
      flagMask: 1 << change.PCIE,
      enableRegister: change.PCICR,
      enableMask: 1 << change.PCIE,
    });
    cpu.writeHooks[change.PCMSK] = () => undefined;
  }
  cpu.writeHooks[control] = (value) => {
    data[control] = value;
    for (const group of groups.values()) cpu.updateInterruptEnable(group, value);
    return true;
  };
  cpu.writeHooks[flags] = (value) => {
    for (const group of groups.values()) if (value & group.flagMask) cpu.clearInterrupt(group);
    return true;
  };
  return {
    get(letter) {
      const port = ports.get(letter);
      if (!port) throw new Error(`The ${chip.name} has no port ${letter}; look at the pin map.`);
      return port;
    },
    level: (letter, bit) => (((data[chip.ports[letter]?.PIN ?? 0] ?? 0) >> bit) & 1) === 1,
  };
}

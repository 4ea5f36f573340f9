import { AVREEPROM, type EEPROMBackend } from 'avr8js';
import type { ChipTable } from './chips.ts';
import type { BoardCpu } from './cpu.ts';

/** The EEPROM of a new chip: every byte 0xFF. */
export function freshEeprom(chip: ChipTable): Uint8Array {
  return new Uint8Array(chip.eepromBytes).fill(0xff);
}

/** Puts the bytes behind the chip's EEPROM registers. They are changed in place and outlive the processor. */
export function attachEeprom(cpu: BoardCpu, chip: ChipTable, bytes: Uint8Array): void {
  // Address bits above the size do not exist.
  const mask = chip.eepromBytes - 1;
  const backend: EEPROMBackend = {
    readMemory: (address) => bytes[address & mask] ?? 0xff,
    writeMemory: (address, value) => {
      bytes[address & mask] = (bytes[address & mask] ?? 0xff) & value;
    },
    eraseMemory: (address) => {
      bytes[address & mask] = 0xff;
    },
  };
  new AVREEPROM(cpu, backend, chip.eeprom);
}

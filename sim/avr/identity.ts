import type { BoardSide } from '../../firmware-protocol/frame.ts';
import { CHIPS, type ChipName } from './chips.ts';
import { freshEeprom } from './eeprom.ts';

const SIDE_CODE: { readonly [side in BoardSide]: number } = { unset: 0, A: 1, B: 2, both: 3 };
const MARK = 0xb5;

/** CRC-16/CCITT-FALSE, as on the wire. */
function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}

/**
 * The EEPROM of a board that a person has assigned: what the firmware's identity.h writes, so that a simulated table
 * need not be assigned anew at each start. The boot counter is that of a new chip.
 * @param device eight hex digits
 */
export function assignedEeprom(chip: ChipName, device: string, side: BoardSide): Uint8Array {
  if (!/^[0-9A-Fa-f]{8}$/.test(device))
    throw new Error(`"${device}" is no device id; give eight hex digits.`);
  const eeprom = freshEeprom(CHIPS[chip]);
  eeprom.set([SIDE_CODE[side], MARK]);
  for (let i = 0; i < 4; i++) eeprom[2 + i] = Number.parseInt(device.slice(2 * i, 2 * i + 2), 16);
  const crc = crc16(eeprom.subarray(0, 6));
  eeprom.set([crc >> 8, crc & 0xff], 6);
  return eeprom;
}

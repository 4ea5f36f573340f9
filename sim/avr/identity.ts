import type { BoardSide } from '../../firmware-protocol/frame.ts';
import { CHIPS, type ChipName } from './chips.ts';
import { freshEeprom } from './eeprom.ts';

const SIDE_CODE: { readonly [side in BoardSide]: number } = { unset: 0, A: 1, B: 2, both: 3 };
const MARK = 0xb5;
/** Where the first of the two boot counts stands. */
const BOOT_ADDRESS = 16;

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
 * need not be assigned anew at each start.
 * @param device eight hex digits
 * @param bootId boots that the chip has counted, 0 to 65535; a new chip without
 */
export function assignedEeprom(chip: ChipName, device: string, side: BoardSide, bootId?: number): Uint8Array {
  if (!/^[0-9A-Fa-f]{8}$/.test(device))
    throw new Error(`"${device}" is no device id; give eight hex digits.`);
  const eeprom = freshEeprom(CHIPS[chip]);
  eeprom.set([SIDE_CODE[side], MARK]);
  for (let i = 0; i < 4; i++) eeprom[2 + i] = Number.parseInt(device.slice(2 * i, 2 * i + 2), 16);
  const crc = crc16(eeprom.subarray(0, 6));
  eeprom.set([crc >> 8, crc & 0xff], 6);
  if (bootId !== undefined) {
    const [high, low] = [(bootId >> 8) & 0xff, bootId & 0xff];
    eeprom.set([high, low, ~high & 0xff, ~low & 0xff], BOOT_ADDRESS);
  }
  return eeprom;
}

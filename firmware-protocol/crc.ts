/**
 * CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected, no final xor; `123456789` gives 0x29B1.
 */

const POLYNOMIAL = 0x1021;

/** Remainder of every byte that `followers` more bytes come after, by byte. */
function remainders(followers: number): Uint16Array {
  const table = new Uint16Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let rest = byte << 8;
    for (let bit = -8; bit < followers * 8; bit++) {
      rest = (rest & 0x8000) !== 0 ? ((rest << 1) ^ POLYNOMIAL) & 0xffff : (rest << 1) & 0xffff;
    }
    table[byte] = rest;
  }
  return table;
}

/**
 * Remainders of a byte by how many bytes follow it within one step: a step over several characters waits for the
 * checksum so far only once. The checksum itself meets the first two characters of a step, and no other.
 */
export const LAST = remainders(0);
export const BEFORE_ONE = remainders(1);
export const BEFORE_TWO = remainders(2);
export const BEFORE_THREE = remainders(3);
export const BEFORE_FOUR = remainders(4);

/** The checksum of no characters. */
export const NO_CHARACTERS = 0xffff;
/** What `checksumOf` gives for text with a character above 127: no checksum, since the wire is ASCII. */
export const NOT_ASCII = -1;

/**
 * Checksum of the characters from `from` to before `to`, 0 to 65535, or NOT_ASCII. `before` is the checksum of what
 * stands before them. `to` must not be greater than the text's length.
 */
export function checksumOf(text: string, to: number, from = 0, before = NO_CHARACTERS): number {
  let crc = before;
  let seen = 0;
  let at = from;
  for (; at + 1 < to; at += 2) {
    const first = text.charCodeAt(at);
    const second = text.charCodeAt(at + 1);
    seen |= first | second;
    crc = (BEFORE_ONE[((crc >> 8) ^ first) & 0xff] ?? 0) ^ (LAST[((crc & 0xff) ^ second) & 0xff] ?? 0);
  }
  if (at < to) {
    const last = text.charCodeAt(at);
    seen |= last;
    crc = ((crc << 8) & 0xffff) ^ (LAST[((crc >> 8) ^ last) & 0xff] ?? 0);
  }
  return seen > 0x7f ? NOT_ASCII : crc;
}

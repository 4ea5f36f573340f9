/**
 * CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected, no final xor; `123456789` gives 0x29B1.
 */

const POLYNOMIAL = 0x1021;
/** Remainder of a byte that is followed by nothing. */
const LAST = new Uint16Array(256);
/** Remainder of a byte that is followed by one more: two characters a step halve the chain of look-ups. */
const BEFORE_LAST = new Uint16Array(256);
for (let byte = 0; byte < 256; byte++) {
  let rest = byte << 8;
  for (let bit = 0; bit < 8; bit++) {
    rest = (rest & 0x8000) !== 0 ? ((rest << 1) ^ POLYNOMIAL) & 0xffff : (rest << 1) & 0xffff;
  }
  LAST[byte] = rest;
}
for (let byte = 0; byte < 256; byte++) {
  const rest = LAST[byte] ?? 0;
  BEFORE_LAST[byte] = ((rest << 8) & 0xffff) ^ (LAST[rest >> 8] ?? 0);
}

/** What `checksumOf` gives for text with a character above 127: no checksum, since the wire is ASCII. */
export const NOT_ASCII = -1;

/**
 * Checksum of the first `length` characters, 0 to 65535, or NOT_ASCII.
 * `length` must not be greater than the text's.
 */
export function checksumOf(text: string, length: number): number {
  let crc = 0xffff;
  let seen = 0;
  const even = length & ~1;
  let at = 0;
  for (; at < even; at += 2) {
    const first = text.charCodeAt(at);
    const second = text.charCodeAt(at + 1);
    seen |= first | second;
    crc = (BEFORE_LAST[((crc >> 8) ^ first) & 0xff] ?? 0) ^ (LAST[((crc & 0xff) ^ second) & 0xff] ?? 0);
  }
  if (at < length) {
    const last = text.charCodeAt(at);
    seen |= last;
    crc = ((crc << 8) & 0xffff) ^ (LAST[((crc >> 8) ^ last) & 0xff] ?? 0);
  }
  return seen > 0x7f ? NOT_ASCII : crc;
}

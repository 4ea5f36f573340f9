/** Bytes of one record after the colon: length, two of address, type, checksum. */
const RECORD_OVERHEAD = 5;

function fault(line: number, what: string): Error {
  return new Error(`Intel HEX line ${line}: ${what}. Build the firmware again or fetch the file anew.`);
}

function bytesOf(text: string, line: number): Uint8Array {
  if (!text.startsWith(':')) throw fault(line, 'does not begin with a colon');
  const digits = text.slice(1);
  if (digits.length % 2 !== 0) throw fault(line, 'has an odd number of digits');
  if (!/^[0-9a-fA-F]*$/.test(digits)) throw fault(line, 'has a character that is no hexadecimal digit');
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  if (bytes.length < RECORD_OVERHEAD) throw fault(line, 'is too short for a record');
  if (bytes.length !== RECORD_OVERHEAD + (bytes[0] ?? 0)) {
    throw fault(line, `says ${bytes[0]} data bytes and holds ${bytes.length - RECORD_OVERHEAD}`);
  }
  let sum = 0;
  for (const byte of bytes) sum += byte;
  if ((sum & 0xff) !== 0) throw fault(line, 'has a wrong checksum');
  return bytes;
}

/**
 * Reads an Intel HEX image (record types 00 data, 01 end, 02 extended segment, 04 extended linear) into flash words.
 * Flash that no record names stays erased (0xFFFF).
 * @param flashBytes size of the chip's flash; an image beyond it is refused
 * @throws Error naming the line: a digit, length or checksum is wrong, the record type is unknown, a byte is written
 *   twice or lies beyond the flash, something follows the end record, or the end record is missing
 */
export function loadHex(text: string, flashBytes: number): Uint16Array {
  const words = new Uint16Array(flashBytes / 2).fill(0xffff);
  const flash = new Uint8Array(words.buffer);
  const written = new Uint8Array(flashBytes);
  let base = 0;
  let ended = false;
  let any = false;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = index + 1;
    const trimmed = raw.trim();
    if (trimmed === '') continue;
    if (ended) throw fault(line, 'follows the end record');
    const bytes = bytesOf(trimmed, line);
    const size = bytes[0] ?? 0;
    const offset = ((bytes[1] ?? 0) << 8) | (bytes[2] ?? 0);
    const word = ((bytes[4] ?? 0) << 8) | (bytes[5] ?? 0);
    const type = bytes[3];
    if (type === 0) {
      for (let i = 0; i < size; i++) {
        // Segment and linear bases both wrap the 16-bit offset inside their 64 KiB (Intel HEX, record type 02).
        const at = base + ((offset + i) & 0xffff);
        if (at >= flashBytes) {
          throw fault(
            line,
            `writes to 0x${at.toString(16)}, beyond the ${flashBytes / 1024} KiB of this chip`,
          );
        }
        if (written[at]) throw fault(line, `writes to 0x${at.toString(16)} a second time`);
        written[at] = 1;
        flash[at] = bytes[4 + i] ?? 0;
      }
      any ||= size > 0;
    } else if (type === 1) {
      if (size !== 0) throw fault(line, 'is an end record with data');
      ended = true;
    } else if (type === 2 || type === 4) {
      if (size !== 2) throw fault(line, `is an address record of ${size} bytes, not 2`);
      base = type === 2 ? word * 16 : word * 65536;
    } else {
      throw fault(line, `has record type ${type}, which an AVR image does not use`);
    }
  }
  if (!ended) throw new Error('Intel HEX: the end record is missing, so the file was cut. Fetch it anew.');
  if (!any) throw new Error('Intel HEX: the file holds no program. Build the firmware again.');
  return words;
}

/**
 * Samples and means packed into unpadded base64 (RFC 4648 section 4), read straight from the line into one typed
 * array. Whatever is left over in the last character must be zero, so that a meaning has one spelling.
 */
import { BEFORE_FOUR, BEFORE_ONE, BEFORE_THREE, BEFORE_TWO, checksumOf, LAST } from './crc.ts';
import { BLOCK_MS, MAX_TILES, SAMPLE_MAX } from './frame.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Six bits of each ASCII character, negative when it is not in the alphabet. */
const SIX_BITS = new Int8Array(128).fill(-1);
for (let value = 0; value < 64; value++) SIX_BITS[ALPHABET.charCodeAt(value)] = value;
/**
 * The same six bits above sixteen of checksum, so that one look-up reads a character for both. A character's share of
 * the checksum depends on how many come after it within the step: none, one or two.
 */
const IN_LAST = withShares(LAST);
const IN_FOURTH = withShares(BEFORE_ONE);
const IN_THIRD = withShares(BEFORE_TWO);

function withShares(shares: Uint16Array): Int32Array {
  return Int32Array.from(SIX_BITS, (value, code) => (value < 0 ? -1 : (value << 16) | (shares[code] ?? 0)));
}

/** A byte with its bits in the other order: the wire sends scan 0 first, a frame keeps scan i in bit i. */
const REVERSED = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  let turned = 0;
  for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) turned |= 0x80 >> bit;
  REVERSED[byte] = turned;
}

/** Most means in a quiet line: twelve tiles of three halls. */
export const MAX_MEANS = MAX_TILES * 3;

/** Characters of one tile's block of 8 ms, by halls: 15, 28 or 42. */
export function blockChars(halls: number): number {
  return halls === 2 ? 28 : halls === 1 ? 15 : 42;
}

/** Halls a tile of a burst whose `tiles` blocks take `chars` characters, or 0 when no number of halls fits. */
export function hallsOf(chars: number, tiles: number): number {
  if (chars === tiles * 28) return 2;
  if (chars === tiles * 15) return 1;
  return chars === tiles * 42 ? 3 : 0;
}

/** What `readBlocks` gives for characters that are no blocks. */
export const NO_BLOCKS = -1;

/**
 * Reads `contacts.length` blocks from `line` at `from` into `samples` and `contacts`, which fit exactly, and sums them
 * up on the way, since looking at a character costs more than what is done with it: the checksum up to their end, given
 * the one `before` them, or NO_BLOCKS when a character is outside the alphabet or padding is not zero.
 */
export function readBlocks(
  line: string,
  from: number,
  halls: number,
  samples: Uint16Array,
  contacts: Uint8Array,
  before: number,
): number {
  // Local, so that a test runner that rewrites module bindings does not slow the loop.
  const six = SIX_BITS;
  const inThird = IN_THIRD;
  const inFourth = IN_FOURTH;
  const inLast = IN_LAST;
  const beforeFour = BEFORE_FOUR;
  const beforeThree = BEFORE_THREE;
  // Thirty bits are five characters and three samples; two bits of padding (one hall) or four (three halls).
  const groups = halls === 2 ? 5 : halls === 1 ? 2 : 8;
  let crc = before;
  let at = from;
  let out = 0;
  let wrong = 0;
  for (let tile = 0; tile < contacts.length; tile++) {
    for (let group = 0; group < groups; group++) {
      const codeA = line.charCodeAt(at);
      const codeB = line.charCodeAt(at + 1);
      const a = six[codeA] ?? -1;
      const b = six[codeB] ?? -1;
      const c = inThird[line.charCodeAt(at + 2)] ?? -1;
      const d = inFourth[line.charCodeAt(at + 3)] ?? -1;
      const e = inLast[line.charCodeAt(at + 4)] ?? -1;
      wrong |= a | b | c | d | e;
      samples[out] = (a << 4) | (b >> 2);
      samples[out + 1] = ((b & 3) << 8) | ((c >> 14) & 0xfc) | (d >> 20);
      samples[out + 2] = ((d >> 10) & 0x3c0) | (e >> 16);
      crc =
        (beforeFour[((crc >> 8) ^ codeA) & 0xff] ?? 0) ^
        (beforeThree[(crc ^ codeB) & 0xff] ?? 0) ^
        ((c ^ d ^ e) & 0xffff);
      at += 5;
      out += 3;
    }
    const tail = at;
    const a = six[line.charCodeAt(at)] ?? -1;
    const b = six[line.charCodeAt(at + 1)] ?? -1;
    wrong |= a | b;
    if (halls === 3) {
      contacts[tile] = REVERSED[((a << 2) | (b >> 4)) & 0xff] ?? 0;
      if ((b & 15) !== 0) wrong = -1;
      at += 2;
    } else {
      const c = six[line.charCodeAt(at + 2)] ?? -1;
      wrong |= c;
      samples[out] = (a << 4) | (b >> 2);
      if (halls === 2) {
        contacts[tile] = REVERSED[((b & 3) << 6) | (c & 63)] ?? 0;
        at += 3;
        out += 1;
      } else {
        const d = six[line.charCodeAt(at + 3)] ?? -1;
        const e = six[line.charCodeAt(at + 4)] ?? -1;
        wrong |= d | e;
        samples[out + 1] = ((b & 3) << 8) | (c << 2) | (d >> 4);
        contacts[tile] = REVERSED[((d & 15) << 4) | ((e >> 2) & 15)] ?? 0;
        if ((e & 3) !== 0) wrong = -1;
        at += 5;
        out += 2;
      }
    }
    crc = checksumOf(line, at, tail, crc);
  }
  return wrong < 0 ? NO_BLOCKS : crc;
}

/** Number of 12-bit means in `chars` characters, or 0 when no whole number of them fits. */
export function meansIn(chars: number): number {
  // An odd count ends in four bits of padding, which take a character more than the bits alone would.
  const count = chars & 1 ? (chars - 1) / 2 : chars / 2;
  return (count & 1) === (chars & 1) && count <= MAX_MEANS ? count : 0;
}

/**
 * Reads `means.length` means from `line` at `from`. The characters must be ASCII. False when one is outside the
 * alphabet or padding is not zero.
 */
export function readMeans(line: string, from: number, means: Uint16Array): boolean {
  const six = SIX_BITS;
  let at = from;
  let wrong = 0;
  for (let i = 0; i < means.length; i++) {
    const a = six[line.charCodeAt(at)] ?? -1;
    const b = six[line.charCodeAt(at + 1)] ?? -1;
    wrong |= a | b;
    means[i] = (a << 6) | b;
    at += 2;
  }
  if (means.length & 1) wrong |= (six[line.charCodeAt(at)] ?? -1) === 0 ? 0 : -1;
  return wrong >= 0;
}

/** Spells `bits` bits of each value, most significant first, then zeros to a whole byte, as base64. */
class Packer {
  text = '';
  private held = 0;
  private count = 0;
  private total = 0;

  put(value: number, bits: number): void {
    this.held = (this.held << bits) | value;
    this.count += bits;
    this.total += bits;
    while (this.count >= 6) {
      this.count -= 6;
      this.text += ALPHABET.charAt((this.held >> this.count) & 63);
      this.held &= (1 << this.count) - 1;
    }
  }

  end(): string {
    this.put(0, (8 - (this.total % 8)) % 8);
    if (this.count > 0) this.text += ALPHABET.charAt((this.held << (6 - this.count)) & 63);
    return this.text;
  }
}

/** Spells the blocks of a burst, one after the other. Throws a RangeError for samples that do not fit. */
export function writeBlocks(halls: number, samples: Uint16Array, contacts: Uint8Array): string {
  const per = BLOCK_MS * halls;
  if (![1, 2, 3].includes(halls) || samples.length !== per * contacts.length) {
    throw new RangeError(`${samples.length} samples for ${contacts.length} tiles of ${halls} halls`);
  }
  if (samples.some((sample) => sample > SAMPLE_MAX)) throw new RangeError('a sample has more than ten bits');
  let text = '';
  for (let tile = 0; tile < contacts.length; tile++) {
    const packer = new Packer();
    for (let i = 0; i < per; i++) packer.put(samples[tile * per + i] ?? 0, 10);
    packer.put(REVERSED[contacts[tile] ?? 0] ?? 0, 8);
    text += packer.end();
  }
  return text;
}

/** Spells means of 12 bits. Throws a RangeError for one that is greater, and for none or too many. */
export function writeMeans(means: Uint16Array): string {
  if (means.length === 0 || means.length > MAX_MEANS) throw new RangeError(`${means.length} means`);
  if (means.some((mean) => mean > 0xfff)) throw new RangeError('a mean has more than twelve bits');
  const packer = new Packer();
  for (const mean of means) packer.put(mean, 12);
  return packer.end();
}

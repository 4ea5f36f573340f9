/**
 * Unpacks gzip (RFC 1952, RFC 1951) up to the first byte that is missing or wrong. Streams of a browser or of Node are
 * quicker, but give up what they had unpacked when they fail. Pure: it works in browsers too.
 */

/** Ends the unpacking: what follows is missing or wrong. */
class Spent extends Error {}

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
/** Order in which the lengths of the code for lengths stand. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;

/** Symbols by their codes: how many have each length, and which, in order. */
type Code = { readonly counts: Uint16Array; readonly symbols: Uint16Array };

function codeOf(lengths: Uint8Array): Code {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const next = new Uint16Array(LONGEST_CODE + 2);
  for (let length = 1; length <= LONGEST_CODE; length += 1)
    next[length + 1] = (next[length] ?? 0) + (counts[length] ?? 0);
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const at = next[length] ?? 0;
    symbols[at] = symbol;
    next[length] = at + 1;
  }
  return { counts, symbols };
}

const FIXED = {
  literals: codeOf(Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
  distances: codeOf(new Uint8Array(30).fill(5)),
};

/** Everything that stands before the first byte that is missing or wrong. Never throws. */
export function inflatedSoFar(packed: Uint8Array): Uint8Array {
  let out: Uint8Array = new Uint8Array(Math.min(1 << 26, Math.max(1024, packed.length * 4)));
  let size = 0;
  let at = 0;
  let held = 0;
  let heldBits = 0;

  const byte = (): number => {
    const found = packed[at];
    if (found === undefined) throw new Spent();
    at += 1;
    return found;
  };
  const bits = (count: number): number => {
    while (heldBits < count) {
      held |= byte() << heldBits;
      heldBits += 8;
    }
    const value = held & ((1 << count) - 1);
    held >>>= count;
    heldBits -= count;
    return value;
  };
  const put = (value: number): void => {
    if (size === out.length) {
      const wider = new Uint8Array(2 * size);
      wider.set(out);
      out = wider;
    }
    out[size] = value;
    size += 1;
  };
  const symbol = ({ counts, symbols }: Code): number => {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= LONGEST_CODE; length += 1) {
      code |= bits(1);
      const count = counts[length] ?? 0;
      if (code - count < first) return symbols[index + code - first] ?? 0;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Spent();
  };
  const codesHere = (): { readonly literals: Code; readonly distances: Code } => {
    const literals = bits(5) + 257;
    const distances = bits(5) + 1;
    const count = bits(4) + 4;
    const own = new Uint8Array(19);
    for (const place of ORDER.slice(0, count)) own[place] = bits(3);
    const code = codeOf(own);
    const lengths = new Uint8Array(literals + distances);
    for (let i = 0; i < lengths.length; ) {
      const found = symbol(code);
      if (found < 16) {
        lengths[i] = found;
        i += 1;
        continue;
      }
      const times = found === 16 ? 3 + bits(2) : found === 17 ? 3 + bits(3) : 11 + bits(7);
      if ((found === 16 && i === 0) || i + times > lengths.length) throw new Spent();
      lengths.fill(found === 16 ? (lengths[i - 1] ?? 0) : 0, i, i + times);
      i += times;
    }
    return { literals: codeOf(lengths.subarray(0, literals)), distances: codeOf(lengths.subarray(literals)) };
  };
  const coded = ({ literals, distances }: { readonly literals: Code; readonly distances: Code }): void => {
    for (let found = symbol(literals); found !== 256; found = symbol(literals)) {
      if (found < 256) {
        put(found);
        continue;
      }
      const base = LENGTH_BASE[found - 257];
      if (base === undefined) throw new Spent();
      const length = base + bits(LENGTH_BITS[found - 257] ?? 0);
      const far = symbol(distances);
      const from = DISTANCE_BASE[far];
      if (from === undefined) throw new Spent();
      const distance = from + bits(far < 2 ? 0 : (far >> 1) - 1);
      if (distance > size) throw new Spent();
      for (let i = 0; i < length; i += 1) put(out[size - distance] ?? 0);
    }
  };
  const stored = (): void => {
    held = 0;
    heldBits = 0;
    const length = byte() | (byte() << 8);
    if ((byte() | (byte() << 8)) !== (length ^ 0xffff)) throw new Spent();
    for (let i = 0; i < length; i += 1) put(byte());
  };
  const member = (): void => {
    if (byte() !== 0x1f || byte() !== 0x8b || byte() !== 8) throw new Spent();
    const flags = byte();
    if (flags > 0x1f) throw new Spent();
    at += 6;
    if (flags & 4) at += byte() | (byte() << 8);
    // A name, then a comment, each up to a zero.
    for (const flag of [8, 16]) if (flags & flag) while (byte() !== 0);
    if (flags & 2) at += 2;
    for (let isLast = false; !isLast; ) {
      isLast = bits(1) === 1;
      const kind = bits(2);
      if (kind === 3) throw new Spent();
      if (kind === 0) stored();
      else coded(kind === 1 ? FIXED : codesHere());
    }
    held = 0;
    heldBits = 0;
    // Its sum and its length: whoever comes here knows already that something is wrong.
    at += 8;
  };

  try {
    while (at < packed.length) member();
  } catch (error) {
    if (!(error instanceof Spent)) throw error;
  }
  return out.subarray(0, size);
}

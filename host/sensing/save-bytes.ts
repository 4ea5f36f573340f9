import type { Json } from '../ids.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BACK = new Uint8Array(128);
for (let i = 0; i < 64; i += 1) BACK[ALPHABET.charCodeAt(i)] = i;

/** Any typed array. */
export type Typed = Float64Array | Float32Array | Int32Array | Int16Array | Uint8Array;

const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
/** A run this long at least is written as its length, bytes. */
export const RUN_BYTES = 12;
/** Letters made into text at a time: so many arguments fit a call. */
const AT_ONCE = 8192;

/** Writes a typed array as text; every one gives what `packBytes` gives. */
export type Pack = (array: Typed) => string;

/** Bytes as base64 without padding; runs of zero bytes become `~n~`, since most of a buffer is empty. */
export function packBytes(array: Typed): string {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const letters = new Uint8Array(AT_ONCE + 4);
  let text = '';
  let n = 0;
  const flush = (): void => {
    text += String.fromCharCode.apply(null, letters.subarray(0, n) as unknown as number[]);
    n = 0;
  };
  let i = 0;
  while (i < bytes.length) {
    if (bytes[i] === 0) {
      let zeros = 1;
      while (i + zeros < bytes.length && bytes[i + zeros] === 0) zeros += 1;
      if (zeros >= RUN_BYTES) {
        const run = zeros - (zeros % 3);
        flush();
        text += `~${run}~`;
        i += run;
        continue;
      }
    }
    const left = Math.min(3, bytes.length - i);
    const word = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    // Letters beyond a short end are written over.
    letters[n] = CODES[word >> 18] ?? 0;
    letters[n + 1] = CODES[(word >> 12) & 63] ?? 0;
    letters[n + 2] = CODES[(word >> 6) & 63] ?? 0;
    letters[n + 3] = CODES[word & 63] ?? 0;
    n += left + 1;
    i += left;
    if (n >= AT_ONCE) flush();
  }
  flush();
  return text;
}

/** Fills an array of the same length with what `packBytes` gave. Text of another length fills what it can. */
export function unpackBytes(text: string, array: Typed): void {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  bytes.fill(0);
  let out = 0;
  let i = 0;
  while (i < text.length && out < bytes.length) {
    if (text.charAt(i) === '~') {
      const end = text.indexOf('~', i + 1);
      if (end < 0) return;
      out += Number(text.slice(i + 1, end)) || 0;
      i = end + 1;
      continue;
    }
    let word = 0;
    let n = 0;
    while (n < 4 && i + n < text.length && text.charAt(i + n) !== '~') {
      word |= (BACK[text.charCodeAt(i + n)] ?? 0) << (18 - 6 * n);
      n += 1;
    }
    for (let k = 0; k < n - 1 && out < bytes.length; k += 1) {
      bytes[out] = (word >> (16 - 8 * k)) & 255;
      out += 1;
    }
    i += n;
  }
}

/** A number as JSON keeps it: what is not finite goes as text. */
export function packNumber(x: number): Json {
  return Number.isFinite(x) ? x : String(x);
}

export function unpackNumber(x: Json | undefined): number {
  return typeof x === 'number' ? x : typeof x === 'string' ? Number(x) : NaN;
}

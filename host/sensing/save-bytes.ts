import type { Json } from '../ids.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BACK = new Uint8Array(128);
for (let i = 0; i < 64; i += 1) BACK[ALPHABET.charCodeAt(i)] = i;

/** Any typed array. */
export type Typed = Float64Array | Float32Array | Int32Array | Int16Array | Uint8Array;

/** Bytes as base64 without padding; runs of zero bytes become `~n~`, since most of a buffer is empty. */
export function packBytes(array: Typed): string {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  let text = '';
  let i = 0;
  while (i < bytes.length) {
    let zeros = 0;
    while (i + zeros < bytes.length && bytes[i + zeros] === 0) zeros += 1;
    if (zeros >= 12) {
      const run = zeros - (zeros % 3);
      text += `~${run}~`;
      i += run;
      continue;
    }
    const left = Math.min(3, bytes.length - i);
    const word = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let k = 0; k <= left; k += 1) text += ALPHABET.charAt((word >> (18 - 6 * k)) & 63);
    i += left;
  }
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

import { RUN_BYTES, type Typed } from './sensing/save-bytes.ts';

/** The text of `packBytes`, letter for letter, by the machine's own base64: several times as quick. */
export function packQuickly(array: Typed): string {
  const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  let text = '';
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const zeros = bytes[at] === 0 ? zerosAt(bytes, at) : 0;
    if (zeros < RUN_BYTES) {
      at += 3;
      continue;
    }
    const run = zeros - (zeros % 3);
    text += `${lettersOf(bytes, from, at)}~${run}~`;
    at += run;
    from = at;
  }
  return text + lettersOf(bytes, from, bytes.length);
}

function zerosAt(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  while (end < bytes.length && bytes[end] === 0) end += 1;
  return end - at;
}

function lettersOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('base64', from, to);
  // Only the last stretch can be of another length than a multiple of three.
  return (to - from) % 3 === 0 ? text : text.replace(/=+$/, '');
}

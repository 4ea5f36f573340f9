import { hash } from 'node:crypto';
import type { Digest, Hashing } from './tree.ts';

const nodeBytes = new Uint8Array(65);
nodeBytes[0] = 1;

/** A zero byte and room for a record behind it; grows with the longest. */
let leafBytes = new Uint8Array(4096);

/** SHA-256 by the machine's own library. */
export const nodeHashing: Hashing = {
  leaf(bytes) {
    if (leafBytes.length <= bytes.length) leafBytes = new Uint8Array(2 * bytes.length);
    leafBytes.set(bytes, 1);
    return hash('sha256', leafBytes.subarray(0, bytes.length + 1), 'buffer');
  },
  node(left, right) {
    nodeBytes.set(left, 1);
    nodeBytes.set(right, 33);
    return hash('sha256', nodeBytes, 'buffer');
  },
  empty: hash('sha256', '', 'buffer'),
};

/** Leaf hash of a record's text: the text as UTF-8 behind 0x00. */
export function leafOfText(text: string): Digest {
  return hash('sha256', `\0${text}`, 'buffer');
}

/** SHA-256 of a text as UTF-8, in hex. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

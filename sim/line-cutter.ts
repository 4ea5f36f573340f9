import { MAX_UP_BYTES } from '../firmware-protocol/frame.ts';
import type { RawLine } from '../host/record.ts';

/** Bytes without a line feed that are kept before they are dropped as junk. */
const MAX_PENDING = 4 * MAX_UP_BYTES;

/** Cuts a board's bytes into lines, as a serial port's reader does. */
export interface LineCutter {
  take(bytes: Uint8Array): void;
  /** Forgets what was begun: the wire was out. */
  reset(): void;
}

export function createLineCutter(
  line: (raw: RawLine) => void,
  dropped: (what: string, count: number) => void,
): LineCutter {
  let pending: number[] = [];
  return {
    take(bytes) {
      for (const byte of bytes) {
        if (byte === 10) {
          line(rawLine(pending));
          pending = [];
        } else if (pending.length < MAX_PENDING) pending.push(byte);
        else {
          dropped('bytes without a line end', pending.length);
          pending = [];
        }
      }
    },
    reset() {
      pending = [];
    },
  };
}

/** The bytes of a line, without line end, as text when that loses nothing. */
export function rawLine(bytes: ArrayLike<number> & Iterable<number>): RawLine {
  const end = bytes[bytes.length - 1] === 13 ? bytes.length - 1 : bytes.length;
  for (let i = 0; i < end; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x20 || byte > 0x7e) return { b64: Buffer.from([...bytes]).toString('base64') };
  }
  const text = bytes instanceof Uint8Array ? bytes : Uint8Array.from(bytes);
  return { line: Buffer.from(text.buffer, text.byteOffset, end).toString('latin1') };
}

/**
 * The serial line from the host to a board: bytes one after the other at the host's baud rate, whether or not anyone
 * receives them.
 */
export interface Wire {
  /** Puts bytes on the line from this cycle on, behind those still under way. Returns how many did not fit. */
  put(bytes: Uint8Array, atCycle: number): number;
  /** Cycle at which the start bit of the next byte falls, or Infinity. */
  nextStart(): number;
  /** Takes the next byte off the line; the caller has seen that there is one. */
  take(): number;
  /** Forgets the bytes that began before this cycle: nobody listened. Returns how many. */
  skipUntil(cycle: number): number;
  /** Bytes not yet taken. */
  waiting(): number;
}

const CAPACITY = 1 << 16;

/** A line that carries one byte in so many cycles and queues up to 65536 of them. */
export function createWire(cyclesPerByte: number): Wire {
  const bytes = new Uint8Array(CAPACITY);
  const starts = new Float64Array(CAPACITY);
  let head = 0;
  let count = 0;
  let freeFrom = 0;
  return {
    put(more, atCycle) {
      let lost = 0;
      for (const byte of more) {
        if (count === CAPACITY) {
          lost += 1;
          continue;
        }
        const start = Math.max(freeFrom, atCycle);
        const at = (head + count) % CAPACITY;
        bytes[at] = byte;
        starts[at] = start;
        freeFrom = start + cyclesPerByte;
        count += 1;
      }
      return lost;
    },
    nextStart: () => (count === 0 ? Number.POSITIVE_INFINITY : (starts[head] ?? Number.POSITIVE_INFINITY)),
    take() {
      const byte = bytes[head] ?? 0;
      head = (head + 1) % CAPACITY;
      count -= 1;
      return byte;
    },
    skipUntil(cycle) {
      let skipped = 0;
      while (count > 0 && (starts[head] ?? 0) < cycle) {
        head = (head + 1) % CAPACITY;
        count -= 1;
        skipped += 1;
      }
      return skipped;
    },
    waiting: () => count,
  };
}

/**
 * What a receiver makes of a byte that was sent with bits of another length: it samples in the middle of its own bits,
 * counted from the falling edge of the start bit. `framed` is false where its stop bit is not high.
 * @param ratio length of the receiver's bit over the sender's; 1 gives the byte back
 */
export function sampled(byte: number, ratio: number): { readonly byte: number; readonly framed: boolean } {
  const level = (bit: number): number => {
    const sent = Math.floor((bit + 0.5) * ratio);
    return sent < 1 ? 0 : sent > 8 ? 1 : (byte >> (sent - 1)) & 1;
  };
  let got = 0;
  for (let bit = 1; bit <= 8; bit++) got |= level(bit) << (bit - 1);
  return { byte: got, framed: level(9) === 1 };
}

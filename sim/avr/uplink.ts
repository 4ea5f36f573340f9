/** Bytes in one go and the moment, µs, at which the last of them had left the board. */
export interface SentRun {
  readonly atUs: number;
  readonly bytes: Uint8Array;
}

/** Collects what a board sends until someone takes it. */
export interface Uplink {
  /** One byte whose stop bit ended at this cycle. */
  sent(byte: number, endCycle: number): void;
  take(): readonly SentRun[];
}

const LINE_FEED = 10;

/** A run ends at a line feed or at a pause, so that every line carries its own time. */
export function createUplink(cyclesPerUs: number, cyclesPerByte: number): Uplink {
  let bytes = new Uint8Array(1024);
  let length = 0;
  let ends: number[] = [];
  let endCycles: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let closed = true;
  return {
    sent(byte, endCycle) {
      if (length === bytes.length) {
        const more = new Uint8Array(2 * length);
        more.set(bytes);
        bytes = more;
      }
      if (closed || endCycle - last > cyclesPerByte) {
        ends.push(length);
        endCycles.push(endCycle);
      }
      bytes[length] = byte;
      length += 1;
      ends[ends.length - 1] = length;
      endCycles[endCycles.length - 1] = endCycle;
      last = endCycle;
      closed = byte === LINE_FEED;
    },
    take() {
      const runs: SentRun[] = [];
      let from = 0;
      for (const [i, to] of ends.entries()) {
        runs.push({ atUs: (endCycles[i] ?? 0) / cyclesPerUs, bytes: bytes.slice(from, to) });
        from = to;
      }
      ends = [];
      endCycles = [];
      length = 0;
      closed = true;
      return runs;
    },
  };
}

/** Longest high pulse that reads as a 0, ns: between T0H at most 550 and T1H at least 650 (WS2812B data sheet). */
const ZERO_AT_MOST_NS = 600;
/** Low time after which older parts may take what they have: such a pause inside a transfer is a fault. */
const PAUSE_NS = 9_000;
/** Low time after which every part latches (WS2812B-V5: 280 µs; older parts latch after 50 µs). */
export const LATCH_NS = 280_000;

/** How the strip writes went. */
export interface ChainFigures {
  /** Latched transfers since power on; the rest counts since `clearFigures`. */
  readonly writes: number;
  /** Cycles from first to last edge, all transfers together, and the longest. */
  readonly cycles: number;
  readonly longestCycles: number;
  /** Transfers with a pause at which some parts latch and others do not, so that colours shift. */
  readonly pauses: number;
  /** High pulses shorter than 200 ns or longer than 1 µs, which some part misreads. */
  readonly oddPulses: number;
}

/** A chain of WS2812 on one pin: pulse widths to colours. */
export interface Chain {
  /** The pin changed to this level at this cycle. */
  edge(high: boolean, atCycle: number): void;
  /** Colours as latched by this cycle, 0xRRGGBB, written into `into` from `offset` on. */
  colours(into: Uint32Array, offset: number, atCycle: number): void;
  figures(atCycle: number): ChainFigures;
  clearFigures(): void;
  /** Power was cut: dark, nothing under way. */
  powerOff(): void;
}

/**
 * Decodes the one-wire code: bytes in the order green, red, blue, highest bit first; each LED keeps the first 24 bits
 * it sees and hands on the rest; a low level of LATCH_NS shows them. LEDs that got fewer than 24 bits keep their
 * colour. Nothing is scheduled: a latch is found when someone looks or the next pulse comes.
 */
export function createChain(leds: number, cyclesPerUs: number): Chain {
  const cyclesOf = (ns: number): number => (ns * cyclesPerUs) / 1000;
  const zeroAtMost = cyclesOf(ZERO_AT_MOST_NS);
  const pause = cyclesOf(PAUSE_NS);
  const latch = cyclesOf(LATCH_NS);
  const shortest = cyclesOf(200);
  const longest = cyclesOf(1000);
  const shown = new Uint32Array(leds);
  const coming = new Uint32Array(leds);
  let bits = 0;
  let word = 0;
  let level = false;
  let roseAt = 0;
  let fellAt = 0;
  let firstAt = 0;
  let paused = false;
  let writes = 0;
  let cycles = 0;
  let longestCycles = 0;
  let pauses = 0;
  let oddPulses = 0;

  const latchBy = (cycle: number): void => {
    if (bits === 0 || level || cycle - fellAt < latch) return;
    shown.set(coming.subarray(0, Math.min(leds, Math.floor(bits / 24))));
    const took = fellAt - firstAt;
    writes += 1;
    cycles += took;
    if (took > longestCycles) longestCycles = took;
    if (paused) pauses += 1;
    bits = 0;
    word = 0;
    paused = false;
  };
  return {
    edge(high, atCycle) {
      if (high === level) return;
      if (high) {
        latchBy(atCycle);
        if (bits === 0) firstAt = atCycle;
        else if (atCycle - fellAt > pause) paused = true;
        level = true;
        roseAt = atCycle;
        return;
      }
      level = false;
      fellAt = atCycle;
      const width = atCycle - roseAt;
      if (width < shortest || width > longest) oddPulses += 1;
      word = ((word << 1) | (width > zeroAtMost ? 1 : 0)) & 0xffffff;
      bits += 1;
      if (bits % 24 === 0) {
        const led = bits / 24 - 1;
        // Green comes first on the wire.
        if (led < leds) coming[led] = ((word & 0x00ff00) << 8) | ((word >> 8) & 0x00ff00) | (word & 0xff);
        word = 0;
      }
    },
    colours(into, offset, atCycle) {
      latchBy(atCycle);
      into.set(shown, offset);
    },
    figures(atCycle) {
      latchBy(atCycle);
      return { writes, cycles, longestCycles, pauses, oddPulses };
    },
    clearFigures() {
      cycles = 0;
      longestCycles = 0;
      pauses = 0;
      oddPulses = 0;
    },
    powerOff() {
      shown.fill(0);
      bits = 0;
      word = 0;
      level = false;
      paused = false;
    },
  };
}

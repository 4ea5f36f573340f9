/**
 * What a board's pins see of the physical table: the one seam between physics and boards. Emulated and scripted
 * boards both read it; scripted rolls, hands and faults write it.
 */
export interface BoardWorld {
  /** Flux density at a hall sensor, mT along its axis, sensor order tile · halls + hall. Noise included. */
  fieldMt(sensor: number, atUs: number): number;
  /** Same for every sensor of the board at one moment, where a world can give that at less cost. */
  fieldsMt?(atUs: number, out: Float64Array): void;
  /** Contact of a tile, chatter included. */
  contact(tile: number, atUs: number): boolean;
  /** Light beam blocked. 0 near own edge, 1 far; 2 and 3 the other player's on a `both` board. */
  gate(gate: number, atUs: number): boolean;
  /** Pass stud pressed. 1 is the other player's on a `both` board. */
  stud(stud: number, atUs: number): boolean;
  /**
   * Next moment after `afterUs` at which any contact, gate or stud may change, or Infinity: lets a board that keeps
   * edge times sleep between changes.
   */
  nextEdgeUs(afterUs: number): number;
}

/** DRV5055A2 at 5 V behind a ten-bit converter: mid-supply at rest, 50 mV/mT, clipped at the rails. */
export function voltsOf(fieldMt: number): number {
  const volts = 2.5 + 0.05 * fieldMt;
  return Math.min(5, Math.max(0, volts));
}

/** What the ten-bit converter reads of such a field, 0 to 1023 counts. */
export function countsOf(fieldMt: number): number {
  return Math.min(1023, Math.floor(voltsOf(fieldMt) * 204.8));
}

/** mT of one converter count: 5 V / 1024 / 50 mV/mT. */
export const MT_PER_COUNT = 5 / 1024 / 0.05;

/** A board as the simulator runs it: lines out, lines in, time pushed from outside. */
export interface SimBoard {
  /** Runs to this moment of the virtual clock, µs since the table was switched on. */
  runTo(atUs: number): void;
  /** Bytes towards the host since the last call, in order, each run with the moment its last byte left. */
  takeBytes(): readonly { readonly atUs: number; readonly bytes: Uint8Array }[];
  /** Bytes from the host; they arrive at the baud rate from now on. */
  feed(bytes: Uint8Array): void;
  /** Colours latched by the tile LEDs, 0xRRGGBB each, chain order, and how many writes there were. */
  leds(): { readonly rgb: Uint32Array; readonly writes: number };
  /** Power cycle or reset button. EEPROM is kept. */
  reset(): void;
}

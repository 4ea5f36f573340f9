import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAvrBoard } from '../sim/avr/board.ts';
import { createChain } from '../sim/avr/ws2812.ts';
import { compileAvr, HAS_AVR_GCC, NEEDS_AVR_GCC, worldOf } from './support/avr-program.ts';

/** Sends bytes as pulses into a chain, 16 cycles a µs, from a cycle on; returns the cycle of the last edge. */
function pulse(chain: ReturnType<typeof createChain>, bytes: readonly number[], from: number): number {
  let at = from;
  let last = from;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      chain.edge(true, at);
      last = at + ((byte >> bit) & 1 ? 12 : 6);
      chain.edge(false, last);
      at += 20;
    }
  }
  return last;
}
const LATCH = 280 * 16;

describe('decoding a WS2812 chain', () => {
  it('gives back any colours, green first on the wire', () => {
    const colour = fc.nat(0xffffff);
    fc.assert(
      fc.property(fc.array(colour, { minLength: 1, maxLength: 12 }), (colours) => {
        const chain = createChain(12, 16);
        const bytes = colours.flatMap((rgb) => [(rgb >> 8) & 255, rgb >> 16, rgb & 255]);
        const last = pulse(chain, bytes, 1000);
        const seen = new Uint32Array(12);
        chain.colours(seen, 0, last + LATCH - 1);
        expect([...seen]).toEqual(new Array(12).fill(0));
        chain.colours(seen, 0, last + LATCH);
        expect([...seen.subarray(0, colours.length)]).toEqual(colours);
        expect(chain.figures(last + LATCH)).toMatchObject({ writes: 1, pauses: 0, oddPulses: 0 });
      }),
    );
  });

  it('keeps the colours of LEDs that a short write does not reach, and of one reached by half', () => {
    const chain = createChain(3, 16);
    let last = pulse(chain, [1, 2, 3, 4, 5, 6, 7, 8, 9], 0);
    last = pulse(chain, [0x10, 0x20, 0x30, 0x40], last + LATCH);
    const seen = new Uint32Array(3);
    chain.colours(seen, 0, last + LATCH);
    expect([...seen]).toEqual([0x201030, 0x050406, 0x080709]);
  });

  it('reports a pause within a transfer, at which older parts latch', () => {
    const chain = createChain(2, 16);
    let last = pulse(chain, [1, 2, 3], 0);
    last = pulse(chain, [4, 5, 6], last + 60 * 16);
    expect(chain.figures(last + LATCH)).toMatchObject({ writes: 1, pauses: 1 });
  });

  it('reports pulses out of tolerance', () => {
    const chain = createChain(1, 16);
    chain.edge(true, 0);
    chain.edge(false, 2);
    chain.edge(true, 40);
    chain.edge(false, 60);
    expect(chain.figures(100).oddPulses).toBe(2);
  });
});

/** Writes three LEDs on a pin of port B, 6 and 12 cycles high. */
const STRIP = (bit: number) => `
static void bits(uint8_t b) {
  for (uint8_t i = 0; i < 8; i++, b <<= 1) {
    if (b & 128) { PORTB |= ${1 << bit}; __builtin_avr_delay_cycles(10); PORTB &= ~${1 << bit}; }
    else { PORTB |= ${1 << bit}; __builtin_avr_delay_cycles(4); PORTB &= ~${1 << bit}; }
  }
}
int main(void) {
  DDRB = ${1 << bit}; cli();
  static const uint8_t grb[] = { 0x20, 0x10, 0x30, 0xff, 0x00, 0x01, 0x80, 0xaa, 0x55 };
  for (uint8_t i = 0; i < sizeof grb; i++) bits(grb[i]);
  for (;;) ;
}`;

describe.skipIf(!HAS_AVR_GCC)(`a strip on a board${NEEDS_AVR_GCC}`, () => {
  it.each([
    ['uno', 4, 0],
    ['mega', 6, 0],
    ['mega', 5, 36],
  ] as const)('shows the colours that the %s writes on PB%i, first LED at %i', (chip, bit, offset) => {
    const board = createAvrBoard({
      chip,
      hex: compileAvr(chip, STRIP(bit)),
      world: worldOf(),
      bootSilenceMs: 0,
    });
    board.runTo(10_000);
    const { rgb, writes } = board.leds();
    expect(rgb.length).toBe(chip === 'uno' ? 36 : 72);
    expect([...rgb.subarray(offset, offset + 4)]).toEqual([0x102030, 0x00ff01, 0xaa8055, 0]);
    expect(writes).toBe(1);
    const figures = board.figures();
    expect(figures).toMatchObject({ ledWrites: 1, ledPauses: 0, ledOddPulses: 0 });
    // 72 bits of 1.1 to 1.7 µs.
    expect(figures.longestLedWriteUs).toBeGreaterThan(72 * 0.9);
    expect(figures.longestLedWriteUs).toBeLessThan(72 * 2);
  });

  it('keeps its colours through a reset, as it has its own supply', () => {
    const board = createAvrBoard({
      chip: 'uno',
      hex: compileAvr('uno', STRIP(4)),
      world: worldOf(),
      bootSilenceMs: 100,
    });
    board.runTo(110_000);
    board.reset();
    board.runTo(150_000);
    expect(board.leds().rgb[0]).toBe(0x102030);
  });
});

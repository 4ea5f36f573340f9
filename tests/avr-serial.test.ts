import { describe, expect, it } from 'vitest';
import { createAvrBoard } from '../sim/avr/board.ts';
import { sampled } from '../sim/avr/wire.ts';
import { bytesFrom, compileAvr, HAS_AVR_GCC, NEEDS_AVR_GCC, worldOf } from './support/avr-program.ts';

const board = (source: string, more: { baud?: number; bootSilenceMs?: number } = {}) =>
  createAvrBoard({
    chip: 'uno',
    hex: compileAvr('uno', source),
    world: worldOf(),
    bootSilenceMs: 0,
    ...more,
  });

/** Sends back every byte with the three error flags that were up when it was read, by interrupt. */
const ECHO = `
ISR(USART_RX_vect) { uint8_t s = UCSR0A & 0x1c; uint8_t c = UDR0; put(s); put(c); }
int main(void) { serial(); UCSR0B |= _BV(RXCIE0); sei(); for (;;) ; }`;

/** Interrupts are off for as long as the first byte says, in steps of 10 µs; then everything waiting is sent back. */
const BLACKOUT = `
int main(void) {
  serial();
  uint8_t steps = get();
  while (steps--) _delay_us(10);
  for (;;) { uint8_t s = UCSR0A & _BV(DOR0); uint8_t c = get(); put(s | (UCSR0A & _BV(DOR0))); put(c); }
}`;

describe.skipIf(!HAS_AVR_GCC)(`the emulated serial port${NEEDS_AVR_GCC}`, () => {
  it('sends bytes back to back at exactly ten bits each', () => {
    const b = board('int main(void) { serial(); for (uint8_t i = 0; ; i++) put(i); }');
    b.runTo(100);
    bytesFrom(b);
    b.runTo(100_100);
    const count = bytesFrom(b).length;
    // 500000 baud, ten bits a byte: 50000 bytes a second.
    expect(count).toBe(5000);
    expect(b.figures().baud).toBe(500_000);
  });

  it('stamps a line with the end of its last stop bit', () => {
    const lastEnd = (program: string) => {
      const b = board(program);
      b.runTo(1000);
      return b.takeBytes().map((run) => ({ atUs: run.atUs, text: String.fromCharCode(...run.bytes) }));
    };
    const lines = lastEnd('int main(void) { serial(); put(65); put(10); put(66); for (;;) ; }');
    expect(lines.map((line) => line.text)).toEqual(['A\n', 'B']);
    // The next line's run is stamped with its own end, one byte of 20 µs later.
    expect((lines[1]?.atUs ?? 0) - (lines[0]?.atUs ?? 0)).toBe(20);
  });

  it('receives a byte 9.5 bits after its start bit and never sooner', () => {
    // An endless loop toggles D13 once the byte is there.
    const b = board('int main(void) { DDRB = 32; serial(); get(); PORTB = 32; for (;;) ; }');
    b.runTo(1000);
    b.feed(Uint8Array.of(1));
    b.runTo(1018);
    expect(b.statusLed()).toBe(false);
    b.runTo(1021);
    expect(b.statusLed()).toBe(true);
  });

  it('loses nothing while bytes are read in time', () => {
    const b = board(ECHO);
    b.runTo(1000);
    const sent = Uint8Array.from({ length: 60 }, (_, i) => i);
    // Two bytes come back for each, so the host sends at half its pace.
    for (const [i, byte] of sent.entries()) {
      b.feed(Uint8Array.of(byte));
      b.runTo(1000 + 45 * (i + 1));
    }
    b.runTo(5000);
    expect(bytesFrom(b)).toEqual([...sent].flatMap((byte) => [0, byte]));
    expect(b.figures().receiveOverruns).toBe(0);
  });

  it('holds three bytes through a blackout: two buffered, one in the shift register', () => {
    const b = board(BLACKOUT);
    b.runTo(1000);
    // Blackout of 70 µs from the end of the first byte: three more bytes of 20 µs come, no fourth start bit does.
    b.feed(Uint8Array.of(7, 11, 12, 13));
    b.runTo(3000);
    expect(bytesFrom(b).filter((_, i) => i % 2 === 1)).toEqual([11, 12, 13]);
    expect(b.figures().receiveOverruns).toBe(0);
  });

  it('drops bytes and raises the overrun flag once the blackout is too long', () => {
    const b = board(BLACKOUT);
    b.runTo(1000);
    b.feed(Uint8Array.of(20, 11, 12, 13, 14, 15, 16));
    b.runTo(3000);
    const got = bytesFrom(b);
    const bytes = got.filter((_, i) => i % 2 === 1);
    // The first two were kept; of the four that followed only the last was still in the shift register.
    expect(bytes).toEqual([11, 12, 16]);
    expect(got[0]).toBe(0x08);
    expect(b.figures().receiveOverruns).toBe(3);
  });

  it('lets bytes that come during the boot silence go unheard', () => {
    const b = board(ECHO, { bootSilenceMs: 1000 });
    b.runTo(500_000);
    b.feed(Uint8Array.of(1, 2, 3));
    b.runTo(1_000_000);
    expect(bytesFrom(b)).toEqual([]);
    b.runTo(1_001_000);
    b.feed(Uint8Array.of(9));
    b.runTo(1_002_000);
    expect(bytesFrom(b)).toEqual([0, 9]);
    expect(b.figures().unheardBytes).toBe(3);
  });

  it('garbles both ways when the rates differ', () => {
    const b = board(ECHO, { baud: 250_000 });
    b.runTo(1000);
    b.feed(Uint8Array.from({ length: 8 }, (_, i) => 0x41 + i));
    b.runTo(5000);
    const got = bytesFrom(b);
    expect(got.length).toBe(16);
    expect(got).not.toEqual([0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48].flatMap((byte) => [0, byte]));
  });

  it('does not clear a waiting receive by a write to UCSRB', () => {
    const b = board(`
      int main(void) { serial(); _delay_us(100); UCSR0B |= _BV(TXCIE0); UCSR0B &= ~_BV(TXCIE0); put(get()); for (;;) ; }`);
    b.feed(Uint8Array.of(77));
    b.runTo(1000);
    expect(bytesFrom(b)).toEqual([77]);
  });

  it('raises data register empty again after its interrupt was entered', () => {
    // The handler only switches itself off; the flag must still be up for the loop to send.
    const b = board(`
      volatile uint8_t n;
      ISR(USART_UDRE_vect) { UCSR0B &= ~_BV(UDRIE0); n++; }
      int main(void) { serial(); UCSR0B |= _BV(UDRIE0); sei(); while (!n) ; put(5); for (;;) ; }`);
    b.runTo(1000);
    expect(bytesFrom(b)).toEqual([5]);
  });
});

describe('sampling a byte at another rate', () => {
  it('is exact at the same rate and within 4 %', () => {
    for (let byte = 0; byte < 256; byte++) {
      for (const ratio of [1, 0.96, 1.04]) expect(sampled(byte, ratio)).toEqual({ byte, framed: true });
    }
  });

  it('is not at 8 %', () => {
    const wrong = Array.from({ length: 256 }, (_, byte) => sampled(byte, 1.08)).filter(
      (got, byte) => got.byte !== byte || !got.framed,
    );
    expect(wrong.length).toBeGreaterThan(0);
  });
});

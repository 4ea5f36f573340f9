import { describe, expect, it } from 'vitest';
import { createAvrBoard } from '../sim/avr/board.ts';
import { MT_PER_COUNT, voltsOf } from '../sim/world.ts';
import {
  bytesFrom,
  compileAvr,
  HAS_AVR_GCC,
  NEEDS_AVR_GCC,
  wordsFrom,
  worldOf,
} from './support/avr-program.ts';

/** Reads sensors 0 to 11 through the multiplexer, then sends the counts. */
const SCAN = (extra: string) => `
static uint16_t read(void) { ADCSRA |= _BV(ADSC); while (ADCSRA & _BV(ADSC)) ; return ADC; }
int main(void) {
  serial();
  ADMUX = _BV(REFS0); ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1);
  ${extra}
  for (;;) ;
}`;
const UNO_SELECT = 'DDRB = 15; for (uint8_t c = 0; c < 12; c++) { PORTB = c; put16(read()); }';
const MEGA_SELECT = `DDRA = 15; for (uint8_t c = 0; c < 24; c++) {
  PORTA = c % 12; ADMUX = _BV(REFS0) | (c / 12); put16(read()); }`;

/** Field that puts a sensor in the middle of a count. */
const fieldOf = (counts: number): number => (counts + 0.5 - 512) * MT_PER_COUNT;

describe.skipIf(!HAS_AVR_GCC)(`the emulated converter${NEEDS_AVR_GCC}`, () => {
  it('reads every sensor of the Uno through its multiplexer', () => {
    const world = worldOf({ fieldMt: (sensor) => fieldOf(100 + 60 * sensor) });
    const hex = compileAvr('uno', SCAN(UNO_SELECT));
    const board = createAvrBoard({ chip: 'uno', hex, world, bootSilenceMs: 0 });
    board.runTo(10_000);
    expect(wordsFrom(board)).toEqual(Array.from({ length: 12 }, (_, sensor) => 100 + 60 * sensor));
  });

  it('reads both sides of the Mega: sensors 0 to 11 on A0, 12 to 23 on A1', () => {
    const world = worldOf({ fieldMt: (sensor) => fieldOf(50 + 40 * sensor) });
    const hex = compileAvr('mega', SCAN(MEGA_SELECT));
    const board = createAvrBoard({ chip: 'mega', hex, world, bootSilenceMs: 0 });
    board.runTo(10_000);
    expect(wordsFrom(board)).toEqual(Array.from({ length: 24 }, (_, sensor) => 50 + 40 * sensor));
  });

  it('gives floor(V / 5 · 1024), clipped at both rails', () => {
    const fields = [-60, -49, -10, -0.01, 0, 0.05, 12.3, 49.95, 60, 1, 2, 3];
    const world = worldOf({ fieldMt: (sensor) => fields[sensor] ?? 0 });
    const hex = compileAvr('uno', SCAN(UNO_SELECT));
    const board = createAvrBoard({ chip: 'uno', hex, world, bootSilenceMs: 0 });
    board.runTo(10_000);
    const expected = fields.map((mT) => Math.min(1023, Math.floor((voltsOf(mT) / 5) * 1024)));
    expect(wordsFrom(board)).toEqual(expected);
    expect(expected.slice(0, 2)).toEqual([0, 10]);
  });

  it('asks the world once a conversion, 1.5 converter clocks after its start', () => {
    const asked: number[] = [];
    const world = worldOf({
      fieldMt(_, atUs) {
        asked.push(atUs);
        return 0;
      },
    });
    // Timer1 counts cycles: when the flag comes up tells the end, 13 clocks of 4 µs after the start.
    const hex = compileAvr(
      'uno',
      SCAN(`read(); TCCR1B = 1;
        for (uint8_t i = 0; i < 20; i++) { read(); uint16_t t = TCNT1; put16(t); _delay_us(7 + 3 * 1); }`),
    );
    const board = createAvrBoard({ chip: 'uno', hex, world, bootSilenceMs: 0 });
    board.runTo(10_000);
    const ends = wordsFrom(board);
    expect(asked.length).toBe(21);
    expect(ends.length).toBe(20);
    const clock = 4;
    for (const [i, sampledAt] of asked.slice(1).entries()) {
      const before = asked[i] ?? 0;
      // Starts lie on the converter's clock grid, so samples are a whole number of its clocks apart; the first
      // conversion after enabling samples at 13.5 clocks, so its distance is a whole number too.
      expect(((sampledAt - before) / clock) % 1).toBe(0);
    }
    // Between the end of a conversion and its sample lie 11.5 clocks, 46 µs; the loop notices within a few cycles.
    const offset = (asked[1] ?? 0) + 46 - (ends[0] ?? 0) / 16;
    for (const [i, end] of ends.entries()) {
      const noticed = end / 16 + offset - ((asked[i + 1] ?? 0) + 46);
      expect(Math.abs(noticed)).toBeLessThan(0.7);
    }
  });

  it('takes 25 clocks for the first conversion and 13 for the next', () => {
    const hex = compileAvr(
      'uno',
      SCAN(
        'uint16_t a, b, c; TCCR1B = 1; a = TCNT1; read(); b = TCNT1; read(); c = TCNT1; put16(b - a); put16(c - b);',
      ),
    );
    const board = createAvrBoard({ chip: 'uno', hex, world: worldOf(), bootSilenceMs: 0 });
    board.runTo(10_000);
    const [first, second] = wordsFrom(board).map((cycles) => cycles / 64);
    expect(first).toBeGreaterThan(24.9);
    expect(first).toBeLessThan(26.3);
    // The next start waits for the next clock edge.
    expect(second).toBeGreaterThan(13.5);
    expect(second).toBeLessThan(14.5);
  });

  it.each(['uno', 'mega'] as const)('measures the supply of the %s against 1.1 V', (chip) => {
    const select = chip === 'uno' ? 'ADMUX = _BV(REFS0) | 14;' : 'ADMUX = _BV(REFS0) | 0x1e;';
    const hex = compileAvr(chip, SCAN(`${select} put16(read());`));
    for (const supplyVolts of [5, 4.5, 4.1]) {
      const board = createAvrBoard({ chip, hex, world: worldOf(), bootSilenceMs: 0, supplyVolts });
      board.runTo(2000);
      expect(wordsFrom(board)).toEqual([Math.floor((1.1 / supplyVolts) * 1024)]);
    }
  });

  it('keeps sensor readings when the supply sags, since the sensors are ratiometric', () => {
    const world = worldOf({ fieldMt: (sensor) => fieldOf(100 + 60 * sensor) });
    const hex = compileAvr('uno', SCAN(UNO_SELECT));
    const board = createAvrBoard({ chip: 'uno', hex, world, bootSilenceMs: 0, supplyVolts: 4.4 });
    board.runTo(10_000);
    expect(wordsFrom(board)).toEqual(Array.from({ length: 12 }, (_, sensor) => 100 + 60 * sensor));
  });

  it('wakes a sleeping core by its interrupt', () => {
    const hex = compileAvr(
      'uno',
      `ISR(ADC_vect) { }
       int main(void) {
         serial(); ADMUX = _BV(REFS0); ADCSRA = _BV(ADEN) | _BV(ADIE) | 7; set_sleep_mode(0); sei();
         for (uint8_t i = 0; i < 3; i++) { ADCSRA |= _BV(ADSC); sleep_enable(); sleep_cpu(); put(ADCL + (ADCH << 8) == 512); }
         for (;;) ;
       }`,
    );
    const board = createAvrBoard({ chip: 'uno', hex, world: worldOf(), bootSilenceMs: 0 });
    board.runTo(10_000);
    expect(bytesFrom(board)).toEqual([1, 1, 1]);
  });
});

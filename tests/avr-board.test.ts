import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAvrBoard } from '../sim/avr/board.ts';
import type { ChipName } from '../sim/avr/chips.ts';
import {
  bytesFrom,
  compileAvr,
  HAS_AVR_GCC,
  hexOfWords,
  NEEDS_AVR_GCC,
  wordsFrom,
  worldOf,
} from './support/avr-program.ts';

const board = (chip: ChipName, source: string, more: Partial<Parameters<typeof createAvrBoard>[0]> = {}) =>
  createAvrBoard({ chip, hex: compileAvr(chip, source), world: worldOf(), bootSilenceMs: 0, ...more });

/** Sends the cause of the reset and a counter kept in EEPROM, then counts it up. */
const BOOTS = `
int main(void) {
  serial(); put(MCUSR); MCUSR = 0;
  uint8_t n = eeprom_read_byte((uint8_t *) 5) + 1;
  eeprom_write_byte((uint8_t *) 5, n); put(n); for (;;) ;
}`;

describe.skipIf(!HAS_AVR_GCC)(`reset and memory of an emulated board${NEEDS_AVR_GCC}`, () => {
  it.each(['uno', 'mega'] as const)(
    'keeps the EEPROM of the %s through resets and tells their cause',
    (chip) => {
      const b = board(chip, BOOTS, { bootSilenceMs: 1000 });
      b.runTo(999_000);
      expect(bytesFrom(b)).toEqual([]);
      b.runTo(1_050_000);
      // Power on is bit 0; a fresh EEPROM holds 255, and one more is 0.
      expect(bytesFrom(b)).toEqual([1, 0]);
      b.reset();
      b.runTo(2_040_000);
      expect(bytesFrom(b)).toEqual([]);
      b.runTo(2_100_000);
      expect(bytesFrom(b)).toEqual([2, 1]);
      expect(b.eeprom[5]).toBe(1);
    },
  );

  it('takes an EEPROM from outside and changes it in place', () => {
    const eeprom = new Uint8Array(1024).fill(41);
    const b = board('uno', BOOTS, { eeprom });
    b.runTo(100_000);
    expect(bytesFrom(b)).toEqual([1, 42]);
    expect(eeprom[5]).toBe(42);
    expect(() => board('mega', BOOTS, { eeprom })).toThrow(/has 4096 bytes, not 1024/);
  });

  it('keeps SRAM through a reset, and fills it with noise at power on', () => {
    const source = `
      uint8_t kept __attribute__((section(".noinit")));
      int main(void) { serial(); put(kept); kept = 99; for (;;) ; }`;
    const b = board('uno', source);
    b.runTo(1000);
    const [first] = bytesFrom(b);
    expect(first).not.toBe(0);
    b.reset();
    b.runTo(2000);
    expect(bytesFrom(b)).toEqual([99]);
  });

  it('is reset by its watchdog', () => {
    const b = board(
      'uno',
      `#include <avr/wdt.h>
       int main(void) { uint8_t why = MCUSR; MCUSR = 0; wdt_disable(); serial(); put(why); wdt_enable(WDTO_60MS);
         for (uint8_t i = 0; i < 10; i++) { _delay_ms(20); wdt_reset(); } put('.'); for (;;) ; }`,
    );
    b.runTo(500_000);
    const got = bytesFrom(b);
    expect(got.slice(0, 4)).toEqual([1, 46, 8, 46]);
  });
});

/** Reports every change of all inputs: contacts, then gates and studs. */
const UNO_INPUTS = `
int main(void) {
  serial(); PORTD = 0xfc; PORTC = 0x0e; _delay_us(10); uint16_t last = 0;
  for (;;) { uint16_t now = (PIND >> 2) << 8 | (PINC >> 1 & 7); if (now != last) { last = now; put16(now); } }
}`;

describe.skipIf(!HAS_AVR_GCC)(`inputs of an emulated board${NEEDS_AVR_GCC}`, () => {
  it('reads contacts and studs low when closed and gates high when blocked', () => {
    let state = 0;
    const at = [2000, 3000, 4000, 5000];
    const world = worldOf({
      contact: (tile, us) => tile === 3 && us >= 2000,
      gate: (gate, us) => (gate === 0 ? us >= 3000 : us >= 4000),
      stud: (_, us) => us >= 5000,
      nextEdgeUs(after) {
        state += 1;
        return at.find((us) => us > after) ?? Number.POSITIVE_INFINITY;
      },
    });
    const b = board('uno', UNO_INPUTS, { world });
    b.runTo(10_000);
    expect(wordsFrom(b)).toEqual([0x3f04, 0x3704, 0x3705, 0x3707, 0x3703]);
    // Asked at the edges only, not at every cycle.
    expect(state).toBeLessThan(10);
  });

  it('shows a missing pull-up as a pin that reads low', () => {
    const b = board(
      'uno',
      'int main(void) { serial(); put(PIND >> 2); PORTD = 4; asm("nop\\nnop"); put(PIND >> 2); for (;;) ; }',
    );
    b.runTo(1000);
    expect(bytesFrom(b)).toEqual([0, 1]);
  });

  it('notices edges that the world thinks of between two runs', () => {
    let pressed = false;
    let changedUs = 0;
    const world = worldOf({
      stud: () => pressed,
      nextEdgeUs: (after) => (changedUs > after ? changedUs : Number.POSITIVE_INFINITY),
    });
    const b = board('uno', UNO_INPUTS, { world });
    b.runTo(5000);
    expect(wordsFrom(b)).toEqual([0x3f04]);
    pressed = true;
    changedUs = 5000;
    b.runTo(6000);
    expect(wordsFrom(b)).toEqual([0x3f00]);
  });

  it('reads both sides of the Mega', () => {
    const world = worldOf({
      contact: (tile) => tile === 1 || tile === 10,
      gate: (gate) => gate === 1 || gate === 2,
      stud: (stud) => stud === 1,
    });
    const b = board(
      'mega',
      'int main(void) { serial(); PORTC = PORTL = PORTK = 63; _delay_us(5); put(PINC & 63); put(PINL & 63); put(PINK & 63); for (;;) ; }',
      { world },
    );
    b.runTo(1000);
    // Gate 1 is PK1, gate 2 is PK3: blocked and high. Stud 0 is PK2, open and high; stud 1 is PK5, pressed and low.
    expect(bytesFrom(b)).toEqual([0b111101, 0b101111, 0b001110]);
  });

  it('wakes the Mega by the pin change of a gate on port K, and by none of an unmasked pin', () => {
    const at = [5000, 6000, 7000, 8000];
    const toggled = (us: number) => at.filter((edge) => us >= edge).length;
    const world = worldOf({
      gate: (gate, us) => gate === 0 && toggled(us) % 2 === 1,
      stud: (stud, us) => stud === 1 && us >= 9000,
      nextEdgeUs: (after) => [...at, 9000].find((us) => us > after) ?? Number.POSITIVE_INFINITY,
    });
    const b = board(
      'mega',
      `volatile uint8_t n;
       ISR(PCINT2_vect) { n++; }
       int main(void) {
         serial(); PORTK = 63; _delay_us(5); PCMSK2 = 1; PCIFR = 4; PCICR = 4; PCMSK0 = 0xff;
         set_sleep_mode(0); sei(); for (;;) { sleep_enable(); sleep_cpu(); put(n); } }`,
      { world },
    );
    b.runTo(20_000);
    const runs = b.takeBytes();
    expect(runs.flatMap((run) => [...run.bytes])).toEqual([1, 2, 3, 4]);
    for (const [i, run] of runs.entries()) {
      // Wake-up, interrupt and one byte of 20 µs.
      expect(run.atUs - (at[i] ?? 0)).toBeGreaterThan(20);
      expect(run.atUs - (at[i] ?? 0)).toBeLessThan(27);
    }
  });
});

describe('the interrupt rules of the core', () => {
  /** sei; sleep with an interrupt already waiting must sleep first and wake by it, not wake before it sleeps. */
  it('runs one more instruction after SEI', () => {
    // Vectors are two words. Timer0 compare A is vector 14; the handler at word 0x40 sets bit 0 of port B.
    const words = new Array<number>(0x60).fill(0);
    const put = (at: number, ...code: number[]) => words.splice(at, code.length, ...code);
    const rjmp = (from: number, to: number) => 0xc000 | ((to - from - 1) & 0xfff);
    put(0, 0x940c, 0x0044);
    put(28, 0x940c, 0x0040);
    // 0x40: sbi PORTB,0; reti
    put(0x40, 0x9a28, 0x9518);
    // 0x44: sbi DDRB,0; sbi DDRB,5; Timer0: OCR0A = 3, TIMSK0 = 2, TCCR0B = 1
    put(0x44, 0x9a20, 0x9a25, 0xe003, 0xbd07, 0xe002, 0x9300, 0x006e, 0xe001, 0xbd05);
    // nops while the flag comes up, then SMCR = 1 (sleep enable), sei, sleep, sbi PORTB,5, loop
    put(0x4d, 0, 0, 0, 0, 0, 0, 0xe001, 0xbf03, 0xbb0f & 0, 0x9478, 0x9588, 0x9a2d, rjmp(0x59, 0x59));
    const b = createAvrBoard({ chip: 'uno', hex: hexOfWords(words), world: worldOf(), bootSilenceMs: 0 });
    b.runTo(1000);
    // D13 is PB5: the core slept, woke by the interrupt that was waiting, and went on.
    expect(b.statusLed()).toBe(true);
    expect(b.figures().erasedWordsRun).toBe(0);
  });

  it('counts erased flash that is run', () => {
    const b = createAvrBoard({ chip: 'uno', hex: hexOfWords([0]), world: worldOf(), bootSilenceMs: 0 });
    b.runTo(100);
    expect(b.figures().erasedWordsRun).toBeGreaterThan(100);
  });
});

describe.skipIf(!HAS_AVR_GCC)(`figures and determinism${NEEDS_AVR_GCC}`, () => {
  it('measures interrupts off and stack depth', () => {
    const b = board(
      'uno',
      `ISR(TIMER1_COMPA_vect) { }
       static uint8_t __attribute__((noinline)) deep(uint8_t n) { volatile uint8_t a[40]; a[n] = n; return a[0] + n; }
       int main(void) { OCR1A = 15999; TCCR1B = _BV(WGM12) | 1; TIMSK1 = 2; set_sleep_mode(0); sei();
         for (uint8_t i = 0; ; i++) { sleep_enable(); sleep_cpu(); if (i == 20) { cli(); _delay_us(300); deep(3); sei(); } } }`,
    );
    b.runTo(5000);
    b.clearFigures();
    b.runTo(15_000);
    expect(b.figures().longestInterruptsOffUs).toBeLessThan(3);
    b.runTo(40_000);
    const figures = b.figures();
    expect(figures.longestInterruptsOffUs).toBeGreaterThan(300);
    expect(figures.longestInterruptsOffUs).toBeLessThan(310);
    // 40 bytes of frame, two return addresses, saved registers; never the 256 of a half-written stack pointer.
    expect(figures.stackBytes).toBeGreaterThan(40);
    expect(figures.stackBytes).toBeLessThan(70);
  });

  it('refuses a sleep mode whose clocks are not modelled', () => {
    const b = board(
      'uno',
      'int main(void) { set_sleep_mode(SLEEP_MODE_PWR_DOWN); sleep_enable(); sleep_cpu(); for (;;) ; }',
    );
    expect(() => b.runTo(1000)).toThrow(/SLEEP_MODE_IDLE/);
  });

  it('gives the same bytes at the same moments, however its time is cut', () => {
    const hex = compileAvr(
      'uno',
      `static uint16_t read(void) { ADCSRA |= _BV(ADSC); while (ADCSRA & _BV(ADSC)) ; return ADC; }
       ISR(USART_RX_vect) { uint8_t c = UDR0; PORTB = c & 15; }
       int main(void) { serial(); UCSR0B |= _BV(RXCIE0); DDRB = 15; PORTD = 0xfc; ADMUX = 64; ADCSRA = 0x86; sei();
         for (;;) { put16(read()); put(PIND); } }`,
    );
    const run = (stepUs: number): string => {
      const world = worldOf({
        fieldMt: (sensor, us) => ((us * 0.013 + sensor) % 50) - 25,
        contact: (tile, us) => Math.floor(us / 700 + tile) % 3 === 0,
        nextEdgeUs: (after) => (Math.floor(after / 100) + 1) * 100,
      });
      const b = createAvrBoard({ chip: 'uno', hex, world, bootSilenceMs: 1 });
      const hash = createHash('sha256');
      let bytes = 0;
      for (let us = 1000; us <= 60_000; us += 1000) {
        b.feed(Uint8Array.of(us / 1000));
        for (let at = us + stepUs; at <= us + 1000; at += stepUs) b.runTo(at);
        for (const part of b.takeBytes()) {
          hash.update(`${part.atUs}:`).update(part.bytes);
          bytes += part.bytes.length;
        }
        if (us === 30_000) b.reset();
      }
      expect(bytes).toBeGreaterThan(1000);
      return hash.digest('hex');
    };
    expect(run(1000)).toBe(run(1000));
  });

  it('counts by its own resonator', () => {
    const source = `ISR(TIMER1_COMPA_vect) { put('x'); }
      int main(void) { serial(); OCR1A = 19999; TCCR1B = _BV(WGM12) | 2; TIMSK1 = 2; set_sleep_mode(0); sei();
        for (;;) { sleep_enable(); sleep_cpu(); } }`;
    const spacing = (clockPpm: number): number => {
      const b = board('uno', source, { clockPpm });
      b.runTo(1_100_000);
      const times = b.takeBytes().map((run) => run.atUs);
      return ((times[100] ?? 0) - (times[0] ?? 0)) / 100;
    };
    expect(spacing(0)).toBe(10_000);
    expect(spacing(200)).toBeCloseTo(10_000 / 1.0002, 2);
  });
});

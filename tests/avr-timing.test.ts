import { describe, expect, it } from 'vitest';
import { createAvrBoard } from '../sim/avr/board.ts';
import { compileAvr, HAS_AVR_GCC, NEEDS_AVR_GCC, wordsFrom, worldOf } from './support/avr-program.ts';

/** One byte every 10 ms by a compare interrupt, asleep in between. */
const FRAMES = `
volatile uint8_t due;
ISR(TIMER1_COMPA_vect) { static uint8_t ms; if (++ms == 10) { ms = 0; due = 1; } }
int main(void) {
  serial();
  OCR1A = 1999; TCCR1B = _BV(WGM12) | _BV(CS11); TIMSK1 = _BV(OCIE1A);
  set_sleep_mode(SLEEP_MODE_IDLE);
  for (;;) {
    cli();
    if (!due) { sleep_enable(); sei(); sleep_cpu(); sleep_disable(); continue; }
    due = 0; sei();
    put('x');
  }
}`;

describe.skipIf(!HAS_AVR_GCC)(`the sleeping run loop${NEEDS_AVR_GCC}`, () => {
  it.each(['uno', 'mega'] as const)('keeps 10 ms over 2000 frames on the %s', (chip) => {
    const board = createAvrBoard({ chip, hex: compileAvr(chip, FRAMES), world: worldOf(), bootSilenceMs: 0 });
    board.runTo(20_100_000);
    const times = board.takeBytes().map((run) => run.atUs);
    expect(times.length).toBeGreaterThan(2000);
    const span = (times[2000] ?? 0) - (times[0] ?? 0);
    expect(Math.abs(span / (2000 * 10_000) - 1)).toBeLessThan(0.00001);
    const steps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    expect(Math.max(...steps)).toBeLessThan(10_001);
    expect(Math.min(...steps)).toBeGreaterThan(9_999);
    // Asleep nearly all the time, else nothing was skipped.
    expect(board.figures().busyShare).toBeLessThan(0.01);
  });
});

/** Runs a program that sends 16-bit words and returns them. */
const wordsOf = (source: string, untilUs = 20_000): number[] => {
  const board = createAvrBoard({
    chip: 'uno',
    hex: compileAvr('uno', source),
    world: worldOf(),
    bootSilenceMs: 0,
  });
  board.runTo(untilUs);
  return wordsFrom(board);
};

describe.skipIf(!HAS_AVR_GCC)(`timers${NEEDS_AVR_GCC}`, () => {
  it('counts cycles: two reads of Timer1 are as far apart as the code between them', () => {
    const [near, far] = wordsOf(`int main(void) { serial(); TCCR1B = 1; uint16_t a, b;
      a = TCNT1; b = TCNT1; put16(b - a);
      a = TCNT1; __builtin_avr_delay_cycles(1000); b = TCNT1; put16(b - a); for (;;) ; }`);
    expect((far ?? 0) - (near ?? 0)).toBe(1000);
  });

  it.each([
    ['divided by 8 the count is an eighth', 'TCCR1B = 2', 8],
    ['divided by 64', 'TCCR1B = 3', 64],
  ])('%s', (_, control, divider) => {
    const [ticks] = wordsOf(
      `int main(void) { serial(); ${control}; uint16_t a = TCNT1; __builtin_avr_delay_cycles(${divider * 500}); put16(TCNT1 - a); for (;;) ; }`,
    );
    expect(ticks).toBeGreaterThanOrEqual(500);
    expect(ticks).toBeLessThanOrEqual(501);
  });

  it('raises compare A every period of a moved compare register, without drift', () => {
    const times = wordsOf(
      `ISR(TIMER1_COMPA_vect) { OCR1A += 2000; }
       int main(void) { serial(); TCCR1B = 2; OCR1A = 2000; TIFR1 = 2; TIMSK1 = 2; set_sleep_mode(0); sei();
         uint16_t last = 0;
         for (;;) { sleep_enable(); sleep_cpu(); uint16_t now = OCR1A; put16(now - last); last = now; } }`,
      50_000,
    );
    expect(times.length).toBe(49);
    expect(times.slice(1).every((step) => step === 2000)).toBe(true);
  });

  it('sets overflow and compare flags without interrupts, once each until they are cleared', () => {
    const [before, after, cleared, again] =
      wordsOf(`int main(void) { serial(); OCR1A = 1000; OCR1B = 3000; TCCR1B = 1;
      __builtin_avr_delay_cycles(500); uint8_t a = TIFR1; __builtin_avr_delay_cycles(1000); uint8_t b = TIFR1;
      TIFR1 = 2; uint8_t c = TIFR1; __builtin_avr_delay_cycles(64000); __builtin_avr_delay_cycles(2000); uint8_t d = TIFR1;
      put16(a); put16(b); put16(c); put16(d); for (;;) ; }`);
    expect([before, after, cleared, again]).toEqual([0, 2, 0, 7]);
  });

  it('counts up and down in phase-correct mode', () => {
    const [period] = wordsOf(
      `ISR(TIMER2_OVF_vect) { static uint16_t last; uint16_t now = TCNT1; put16(now - last); last = now; }
       int main(void) { serial(); TCCR1B = 1; TCCR2A = 1; TCCR2B = 1; TIMSK2 = 1; sei(); for (;;) ; }`,
    ).slice(3);
    // Bottom to bottom of an 8-bit dual slope: 510 counts; the handler is busy for more than one of them.
    expect((period ?? 1) % 510).toBeLessThan(4);
  });

  it('starts timers together after the prescaler was restarted', () => {
    const [apart] =
      wordsOf(`int main(void) { serial(); TCCR0B = 3; TCCR1B = 3; __builtin_avr_delay_cycles(137);
      GTCCR = 1; TCNT1 = 0; TCNT0 = 0; __builtin_avr_delay_cycles(6400); uint8_t a = TCNT0; uint16_t b = TCNT1; put16(b - a); for (;;) ; }`);
    expect(apart).toBe(0);
  });
});

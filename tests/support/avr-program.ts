import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChipName } from '../../sim/avr/chips.ts';
import type { BoardWorld, SimBoard } from '../../sim/world.ts';

/** True where small C programs can be built for the chips. */
export const HAS_AVR_GCC = spawnSync('avr-gcc', ['--version']).status === 0;
/** Said by tests that are skipped without it. */
export const NEEDS_AVR_GCC = HAS_AVR_GCC
  ? ''
  : ' (skipped: needs avr-gcc, Debian packages gcc-avr and avr-libc)';

const PRELUDE = `
#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/eeprom.h>
#include <stdint.h>
#include <util/delay.h>
static void serial(void) { UBRR0 = 1; UCSR0B = _BV(RXEN0) | _BV(TXEN0); }
static void put(uint8_t c) { while (!(UCSR0A & _BV(UDRE0))) ; UDR0 = c; }
static uint8_t get(void) { while (!(UCSR0A & _BV(RXC0))) ; return UDR0; }
static void put16(uint16_t v) { put(v >> 8); put(v); }
`;

/**
 * Builds a C program for a chip and returns its Intel HEX text. 500000 baud helpers `serial`, `put`, `put16` and `get`
 * are there.
 */
export function compileAvr(chip: ChipName, source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'avr-'));
  try {
    const [c, elf, hex] = ['p.c', 'p.elf', 'p.hex'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(c, PRELUDE + source);
    const mcu = chip === 'uno' ? 'atmega328p' : 'atmega2560';
    execFileSync('avr-gcc', [
      ...[`-mmcu=${mcu}`, '-DF_CPU=16000000UL', '-Os', '-std=gnu99', '-w', c, '-o', elf],
    ]);
    execFileSync('avr-objcopy', ['-O', 'ihex', '-R', '.eeprom', elf, hex]);
    return readFileSync(hex, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Intel HEX of program words from address 0: for programs written as opcodes. */
export function hexOfWords(words: readonly number[]): string {
  const lines: string[] = [];
  for (let at = 0; at < words.length; at += 8) {
    const bytes = words.slice(at, at + 8).flatMap((word) => [word & 0xff, word >> 8]);
    const record = [bytes.length, (2 * at) >> 8, (2 * at) & 0xff, 0, ...bytes];
    const sum = -record.reduce((total, byte) => total + byte, 0) & 0xff;
    lines.push(`:${[...record, sum].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);
  }
  return `${lines.join('\n')}\n:00000001FF\n`;
}

/** A table on which nothing lies and nothing moves, save what is given. */
export function worldOf(parts: Partial<BoardWorld> = {}): BoardWorld {
  return {
    fieldMt: () => 0,
    contact: () => false,
    gate: () => false,
    stud: () => false,
    nextEdgeUs: () => Number.POSITIVE_INFINITY,
    ...parts,
  };
}

/** Everything a board has sent since the last look, as one array of bytes. */
export function bytesFrom(board: SimBoard): number[] {
  return board.takeBytes().flatMap((run) => [...run.bytes]);
}

/** The same as big-endian 16-bit words. */
export function wordsFrom(board: SimBoard): number[] {
  const bytes = bytesFrom(board);
  return bytes.flatMap((high, i) => (i % 2 === 0 ? [(high << 8) | (bytes[i + 1] ?? 0)] : []));
}

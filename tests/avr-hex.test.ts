import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadHex } from '../sim/avr/hex.ts';

/** One record with a right checksum, from its bytes without it. */
function record(...bytes: number[]): string {
  const sum = -bytes.reduce((total, byte) => total + byte, 0) & 0xff;
  return `:${[...bytes, sum].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('')}`;
}
const END = ':00000001FF';
const DATA = record(2, 0, 0, 0, 0x0c, 0x94);
const load = (...lines: string[]) => loadHex(lines.join('\n'), 0x40000);

describe('the Intel HEX loader', () => {
  it('reads little-endian words and leaves the rest erased', () => {
    const words = load(record(4, 0, 2, 0, 0x0c, 0x94, 0x34, 0x12), END);
    expect([...words.subarray(0, 4)]).toEqual([0xffff, 0x940c, 0x1234, 0xffff]);
  });

  it('adds the base of a linear address record, shifted 16 bits', () => {
    expect(load(record(2, 0, 0, 4, 0, 2), record(2, 0, 4, 0, 0xcd, 0xab), END)[0x20004 / 2]).toBe(0xabcd);
  });

  it('adds the base of a segment address record, shifted 4 bits', () => {
    expect(load(record(2, 0, 0, 2, 0x10, 0), record(2, 0, 4, 0, 0xcd, 0xab), END)[0x10004 / 2]).toBe(0xabcd);
  });

  it('takes carriage returns, lower case and blank lines', () => {
    expect(load(`${DATA.toLowerCase()}\r`, '', `${END}\r`, '')[0]).toBe(0x940c);
  });

  it.each<[string, string[], RegExp]>([
    ['a wrong checksum', [':020000000C9400', END], /line 1: has a wrong checksum/],
    ['a length that is not true', [':030000000C945D', END], /line 1: says 3 data bytes and holds 2/],
    ['a missing colon', ['020000000C945E', END], /line 1: does not begin with a colon/],
    ['a letter that is no digit', [':02000000XC945E', END], /line 1: has a character/],
    ['half a byte', [':020000000C945', END], /line 1: has an odd number of digits/],
    ['a stump', [':0000', END], /line 1: is too short/],
    ['an unknown type', [DATA, record(4, 0, 0, 5, 0, 0, 0, 0), END], /line 2: has record type 5/],
    ['a short address record', [record(1, 0, 0, 4, 0), END], /line 1: is an address record of 1 bytes/],
    ['an end record with data', [DATA, record(1, 0, 0, 1, 0)], /line 2: is an end record with data/],
    ['something after the end', [DATA, END, DATA], /line 3: follows the end record/],
    ['a byte written twice', [DATA, DATA, END], /line 2: writes to 0x0 a second time/],
    ['no end record', [DATA], /end record is missing/],
    ['no program', [END], /holds no program/],
  ])('refuses %s', (_, lines, message) => {
    expect(() => load(...lines)).toThrow(message);
  });

  it('refuses an image larger than the flash', () => {
    const beyond = [record(2, 0x7f, 0xff, 0, 1, 2), END].join('\n');
    expect(() => loadHex(beyond, 0x8000)).toThrow(/line 1: writes to 0x8000, beyond the 32 KiB/);
  });

  it('finds every single changed digit', () => {
    const text = [record(8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8), END].join('\n');
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0123456789ABCDEF'), (at, digit) => {
        const changed = text.slice(0, at) + digit + text.slice(at + 1);
        if (changed === text) return;
        expect(() => loadHex(changed, 0x8000)).toThrow();
      }),
    );
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checksumOf } from '../firmware-protocol/crc.ts';
import { decodeDownLine, decodeLine, encodeDown, encodeUp } from '../firmware-protocol/line.ts';

type Fields = { readonly [name: string]: unknown };
type Golden = { readonly name: string; readonly line: string; readonly frame: Fields };
type Directed = { readonly direction: 'up' | 'down' };
const vectors: {
  readonly up: readonly Golden[];
  readonly down: readonly Golden[];
  readonly tolerated: readonly (Golden & Directed)[];
  readonly bad: readonly ({
    readonly name: string;
    readonly line: string;
    readonly fault: string;
  } & Directed)[];
} = JSON.parse(readFileSync(new URL('../firmware-protocol/vectors.json', import.meta.url), 'utf8'));

/** Typed arrays as lists, so that a decoded frame can be compared with one from JSON. */
function plain(frame: object): Fields {
  return Object.fromEntries(
    Object.entries(frame).map(([name, value]) => [
      name,
      ArrayBuffer.isView(value) ? [...(value as Uint8Array)] : value,
    ]),
  );
}

describe('golden lines', () => {
  test.each(vectors.up)('up: $name', ({ line, frame }) => {
    const got = decodeLine(line);
    expect(got.ok && plain(got.frame)).toEqual(frame);
    if (got.ok) expect(encodeUp(got.frame)).toBe(line);
  });
  test.each(vectors.down)('down: $name', ({ line, frame }) => {
    const got = decodeDownLine(line);
    expect(got.ok && plain(got.frame)).toEqual(frame);
    if (got.ok) expect(encodeDown(got.frame)).toBe(line);
  });
  test.each(vectors.tolerated)('tolerated $direction: $name', ({ direction, line, frame }) => {
    const got = direction === 'up' ? decodeLine(line) : decodeDownLine(line);
    expect(got.ok && plain(got.frame)).toEqual(frame);
  });
  test.each(vectors.bad)('bad $direction: $name', ({ direction, line, fault }) => {
    const got = direction === 'up' ? decodeLine(line) : decodeDownLine(line);
    expect(got.ok ? got.frame : got.fault).toBe(fault);
  });

  test('every kind, every answer and every fault has a line', () => {
    const kinds = ['hello', 'quiet', 'burst', 'edge', 'health', 'answer', 'fault', 'adjacency'];
    expect(new Set(vectors.up.map((v) => v.frame.kind))).toEqual(new Set(kinds));
    const down = ['led', 'arm', 'ping', 'greet', 'identify', 'selftest', 'configure', 'assign'];
    expect(new Set(vectors.down.map((v) => v.frame.kind))).toEqual(new Set(down));
    const faults = [
      'empty',
      'too-long',
      'not-ascii',
      'no-checksum',
      'bad-checksum',
      'wrong-version',
      'unknown-kind',
    ];
    expect(new Set(vectors.bad.map((v) => v.fault))).toEqual(new Set([...faults, 'bad-field']));
  });

  test('six tiles of two halls fill a line to 200 bytes with its line feed', () => {
    const longest = vectors.up.find((v) => v.name.startsWith('burst of all six tiles'));
    expect(`${longest?.line}\n`).toHaveLength(200);
  });

  test('the plain-text twin says the same (renew it with vitest -u)', async () => {
    const row = (direction: string, line: string, dump: string) => `${direction}\t${escaped(line)}\t${dump}`;
    const rows = [
      '# direction TAB line without its end (bytes outside 20..7E and the backslash as \\xNN) TAB kind and fields, or the fault',
      ...vectors.up.map((v) => row('up', v.line, dumpOf(v.frame))),
      ...vectors.down.map((v) => row('down', v.line, dumpOf(v.frame))),
      ...vectors.tolerated.map((v) => row(v.direction, v.line, dumpOf(v.frame))),
      ...vectors.bad.map((v) => row(v.direction, v.line, `fault=${v.fault}`)),
    ];
    await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot('../firmware-protocol/vectors.tsv');
  });
});

function escaped(line: string): string {
  return line.replace(
    /[^\x20-\x5b\x5d-\x7e]/g,
    (char) => `\\x${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function dumpOf(frame: Fields): string {
  return Object.entries(frame)
    .map(
      ([name, value]) =>
        `${name}=${Array.isArray(value) ? value.join(',') : value === true ? 1 : value === false ? 0 : value}`,
    )
    .join(';');
}

describe('checksum', () => {
  test('is CRC-16/CCITT-FALSE: its catalogue check value', () => {
    expect(checksumOf('123456789', 9)).toBe(0x29b1);
  });
  test('of the first characters alone, odd and even, is the bitwise definition', () => {
    const text = vectors.up.map((v) => v.line).join('');
    for (const length of [0, 1, 2, 3, 57, 58, 199, 1000]) {
      let crc = 0xffff;
      for (let i = 0; i < length; i++) {
        crc ^= text.charCodeAt(i) << 8;
        for (let bit = 0; bit < 8; bit++)
          crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
      }
      expect(checksumOf(text, length)).toBe(crc);
    }
  });
});

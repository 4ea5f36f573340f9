import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DownlinkFrame, UplinkFrame } from '../firmware-protocol/frame.ts';
import { INPUT } from '../firmware-protocol/frame.ts';
import { decodeDownLine, decodeLine, encodeDown, encodeUp } from '../firmware-protocol/line.ts';

const u = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 });
const id8 = fc.stringMatching(/^[0-9A-F]{8}$/);
const side = fc.constantFrom('A' as const, 'B' as const, 'both' as const, 'unset' as const);
const stamp = { boot: u(8), seq: u(16), deviceUs: u(32) };
const list = (bits: number, length: number) => fc.array(u(bits), { minLength: length, maxLength: length });
const count = u(16);

const burst = fc.constantFrom([1, 11], [2, 6], [3, 4]).chain(([halls = 2, most = 6]) =>
  fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: most }).chain((tiles) =>
    fc.record({
      kind: fc.constant('burst' as const),
      ...stamp,
      tileMask: fc.constant(tiles.reduce((mask, tile) => mask | (1 << tile), 0)),
      gapMask: u(8),
      halls: fc.constant(halls),
      samples: list(10, tiles.length * 8 * halls).map((all) => Uint16Array.from(all)),
      contacts: list(8, tiles.length).map((all) => Uint8Array.from(all)),
    }),
  ),
);
const up: fc.Arbitrary<UplinkFrame> = fc.oneof(
  fc
    .record({
      kind: fc.constant('hello' as const),
      seq: u(16),
      deviceUs: u(32),
      bootId: u(16),
      device: id8,
      side,
      protocol: fc.constant(1),
      firmware: fc.tuple(u(8), u(8), u(8)).map((parts) => parts.join('.')),
      build: id8,
      tiles: fc.integer({ min: 1, max: 12 }),
      halls: fc.integer({ min: 1, max: 3 }),
      sampleHz: fc.integer({ min: 1, max: 65535 }),
      capabilities: u(16),
      resetCause: u(8),
    })
    .map((frame) => ({ ...frame, boot: frame.bootId & 255 })),
  fc.record({
    kind: fc.constant('quiet' as const),
    ...stamp,
    inputs: u(24),
    means: fc.integer({ min: 1, max: 36 }).chain((n) => list(12, n).map((all) => Uint16Array.from(all))),
  }),
  burst,
  fc.record({
    kind: fc.constant('edge' as const),
    ...stamp,
    input: fc.constantFrom(0, 5, 11, ...Object.values(INPUT)),
    closed: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('health' as const),
    ...stamp,
    uptimeS: u(32),
    supplyMv: count,
    rxOverruns: count,
    rxFaults: count,
    txDrops: count,
    edgeDrops: count,
    stackFreeBytes: count,
    lostScans: count,
    slipUs: count,
  }),
  fc.record({
    kind: fc.constant('answer' as const),
    ...stamp,
    tag: u(8),
    status: fc.constantFrom('ok' as const, 'held' as const, 'refused' as const, 'unknown' as const),
  }),
  fc.record({ kind: fc.constant('fault' as const), ...stamp, code: u(8), detail: u(16) }),
  fc.record({
    kind: fc.constant('adjacency' as const),
    ...stamp,
    tile: fc.integer({ min: 0, max: 11 }),
    neighbours: fc.array(id8, { minLength: 6, maxLength: 6 }),
  }),
);
const tileMask = fc.integer({ min: 1, max: 4095 });
const down: fc.Arbitrary<DownlinkFrame> = fc.oneof(
  fc.record({
    kind: fc.constant('led' as const),
    tag: u(8),
    tileMask,
    rgb: u(24),
    level: u(8),
    animation: fc.integer({ min: 0, max: 4 }),
  }),
  fc.record({ kind: fc.constant('arm' as const), tag: u(8), armed: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('ping' as const, 'greet' as const, 'selftest' as const), tag: u(8) }),
  fc.record({ kind: fc.constant('identify' as const), tag: u(8), tileMask }),
  fc.record({ kind: fc.constant('configure' as const), tag: u(8), key: u(8), value: u(16) }),
  fc.record({ kind: fc.constant('assign' as const), tag: u(8), device: id8, side }),
);

describe('there and back', () => {
  test('every frame up', () => {
    fc.assert(
      fc.property(up, (frame) => {
        const line = encodeUp(frame);
        expect(line.length).toBeLessThanOrEqual(199);
        expect(decodeLine(line)).toEqual({ ok: true, frame });
      }),
      { numRuns: 800 },
    );
  });
  test('every frame down', () => {
    fc.assert(
      fc.property(down, (frame) => {
        const line = encodeDown(frame);
        expect(line.length).toBeLessThanOrEqual(59);
        expect(decodeDownLine(line)).toEqual({ ok: true, frame });
      }),
      { numRuns: 500 },
    );
  });
  test('what no line can carry is refused while it is spelled', () => {
    const edge = { kind: 'edge', boot: 0, seq: 0, deviceUs: 0, input: 0, closed: true } as const;
    expect(() => encodeUp({ ...edge, seq: 65536 })).toThrow(RangeError);
    expect(() => encodeUp({ ...edge, input: 12 })).toThrow(RangeError);
    expect(() => encodeUp({ ...edge, deviceUs: 1.5 })).toThrow(RangeError);
    expect(() => encodeDown({ kind: 'identify', tag: 1, tileMask: 0 })).toThrow(RangeError);
    const seven = { ...edge, kind: 'burst', tileMask: 127, gapMask: 0, halls: 2 } as const;
    expect(() => encodeUp({ ...seven, samples: new Uint16Array(112), contacts: new Uint8Array(7) })).toThrow(
      RangeError,
    );
  });
});

type Line = { readonly line: string };
const vectors: { readonly up: readonly Line[]; readonly down: readonly Line[] } = JSON.parse(
  readFileSync(new URL('../firmware-protocol/vectors.json', import.meta.url), 'utf8'),
);
const good = vectors.up.map((v) => v.line);
const goodDown = vectors.down.map((v) => v.line);

describe('cut in every place', () => {
  const one = good[8] ?? '';
  const two = good[20] ?? '';
  test('a part of a line is no frame', () => {
    for (const line of good) {
      for (let cut = 0; cut < line.length; cut++) {
        expect(decodeLine(line.slice(0, cut)).ok, line.slice(0, cut)).toBe(false);
        if (cut > 0) expect(decodeLine(line.slice(cut)).ok, line.slice(cut)).toBe(false);
      }
    }
    for (const line of goodDown) {
      for (let cut = 0; cut < line.length; cut++) expect(decodeDownLine(line.slice(0, cut)).ok).toBe(false);
    }
  });
  test('a line that lost a piece from its middle is no frame', () => {
    for (let from = 1; from < one.length; from++) {
      for (let to = from + 1; to <= one.length; to++) {
        expect(decodeLine(one.slice(0, from) + one.slice(to)).ok).toBe(false);
      }
    }
  });
  test('two lines without the line feed between, whole or in halves, are no frame', () => {
    for (const first of good) {
      for (const second of good) expect(decodeLine(first + second).ok, first + second).toBe(false);
    }
    for (let cut = 1; cut < one.length; cut++) expect(decodeLine(one.slice(0, cut) + two).ok).toBe(false);
  });
  test('a good line with anything in front is no frame', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60 }), fc.constantFrom(...good), (noise, line) => {
        expect(decodeLine(noise + line).ok).toBe(false);
      }),
      { numRuns: 800 },
    );
  });
  test('a checksum alone is no frame', () => {
    for (const line of good) {
      expect(decodeLine(line.slice(-4)).ok).toBe(false);
      expect(decodeLine(line.slice(-5)).ok).toBe(false);
    }
  });
  test('one character wrong in any place is a fault', () => {
    for (const line of good) {
      for (let at = 0; at < line.length; at++) {
        for (const char of ['0', 'A', '\u0000', 'é', ',']) {
          if (line.charAt(at) === char) continue;
          expect(decodeLine(line.slice(0, at) + char + line.slice(at + 1)).ok, `${line} ${at} ${char}`).toBe(
            false,
          );
        }
      }
    }
  });
});

describe('noise', () => {
  test('never throws and is never a frame', () => {
    const noise = fc.oneof(
      fc.string({ maxLength: 250, unit: 'binary' }),
      fc.string({ maxLength: 250 }),
      fc.uint8Array({ maxLength: 250 }).map((bytes) => String.fromCharCode(...bytes)),
    );
    fc.assert(
      fc.property(noise, (line) => {
        expect(decodeLine(line).ok).toBe(false);
        expect(decodeDownLine(line).ok).toBe(false);
      }),
      { numRuns: 1200 },
    );
  });
  test('a thousand runs of a wrong baud rate that end in a valid-looking tail', () => {
    let state = 1;
    const next = () => {
      state = Math.imul(state, 1103515245) + 12345;
      return (state >>> 16) & 0xff;
    };
    for (let run = 0; run < 1000; run++) {
      let line = '';
      for (let i = 0; i < 20 + (next() % 150); i++) line += String.fromCharCode(next());
      const got = decodeLine(line + (good[run % good.length] ?? ''));
      expect(got.ok).toBe(false);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineGuard } from '../host/transports/line-guard.ts';
import { LONGEST_LINE_BYTES } from '../host/transports/raw-line.ts';

describe('line guard', () => {
  /** What must come out: lines of at most `limit` bytes, in order; the rest counted. */
  function expected(text: string, limit: number) {
    const parts = text.split('\n');
    const tail = parts.pop() ?? '';
    const kept = parts.filter((part) => part.length <= limit);
    const tooLong = parts.length - kept.length + (tail.length > limit ? 1 : 0);
    return {
      kept: kept.map((part) => `${part}\n`).join(''),
      tooLong,
      pending: tail.length > limit ? 0 : tail.length,
    };
  }

  it('keeps whole lines and counts long ones, wherever the bytes are cut', () => {
    const piece = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '\n', 'b'), maxLength: 40 }),
      fc.nat({ max: 30 }).map((n) => 'x'.repeat(n)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let tooLong = 0;
        const guard = new LineGuard((lines) => {
          tooLong += lines;
        }, 16);
        const out: Buffer[] = [];
        guard.on('data', (chunk: Buffer) => out.push(chunk));
        for (const one of pieces) guard._transform(Buffer.from(one), 'latin1', () => {});
        let chunk: unknown = guard.read();
        while (chunk !== null) {
          out.push(chunk as Buffer);
          chunk = guard.read();
        }
        const want = expected(pieces.join(''), 16);
        expect(Buffer.concat(out).toString()).toBe(want.kept);
        expect(tooLong).toBe(want.tooLong);
        expect(guard.pendingBytes).toBe(want.pending);
      }),
    );
  });

  it('holds nothing and hands on nothing of 64 MiB without a line feed: the parser behind it would join them all', () => {
    let tooLong = 0;
    const guard = new LineGuard((lines) => {
      tooLong += lines;
    });
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let most = 0;
    for (let i = 0; i < 1024; i++) {
      guard._transform(chunk, 'latin1', () => {});
      most = Math.max(most, guard.pendingBytes + guard.readableLength);
    }
    expect(most).toBe(0);
    expect(tooLong).toBe(1);
  });

  it('holds no more than the longest line of one that comes byte by byte', () => {
    let tooLong = 0;
    const guard = new LineGuard((lines) => {
      tooLong += lines;
    });
    const byte = Buffer.from('x');
    let most = 0;
    for (let i = 0; i < 10 * LONGEST_LINE_BYTES; i++) {
      guard._transform(byte, 'latin1', () => {});
      most = Math.max(most, guard.pendingBytes + guard.readableLength);
    }
    expect(most).toBe(LONGEST_LINE_BYTES);
    expect(tooLong).toBe(1);
  });
});

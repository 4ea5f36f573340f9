import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packQuickly } from '../host/pack-quickly.ts';
import { packBytes, unpackBytes } from '../host/sensing/save-bytes.ts';

describe('saved bytes', () => {
  it('come back bit for bit, runs of zeros and all', () => {
    const array = new Float64Array(300);
    array[0] = NaN;
    array[7] = -Infinity;
    array[150] = Math.PI;
    array[299] = -0;
    const back = new Float64Array(300).fill(3);
    unpackBytes(packBytes(array), back);
    expect(new Uint8Array(back.buffer)).toEqual(new Uint8Array(array.buffer));
    for (const length of [1, 2, 3, 4, 5, 13, 25]) {
      const bytes = new Uint8Array(length).map((_, i) => (i * 37 + 1) & 255);
      const copy = new Uint8Array(length);
      unpackBytes(packBytes(bytes), copy);
      expect(copy).toEqual(bytes);
    }
  });

  it("are the same text from the machine's own base64", () => {
    const stretch = fc.oneof(
      fc.nat(40).map((zeros) => new Uint8Array(zeros)),
      fc.uint8Array({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 12 }), (stretches) => {
        const bytes = Uint8Array.from(stretches.flatMap((one) => [...one]));
        expect(packQuickly(bytes)).toBe(packBytes(bytes));
      }),
      { numRuns: 2000 },
    );
    const halls = Int16Array.from({ length: 3000 }, (_, i) => (i % 7 === 0 ? i * 11 - 9000 : 0));
    expect(packQuickly(halls.subarray(5, 2901))).toBe(packBytes(halls.subarray(5, 2901)));
  });
});

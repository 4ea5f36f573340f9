import { describe, expect, it } from 'vitest';
import { createRings, holesIn, readHall, writeDense, writeMean } from '../host/sensing/rings.ts';

describe('sample rings', () => {
  it('prefers dense samples to quiet means, leaves holes as holes and forgets after two seconds', () => {
    const rings = createRings(1, 2);
    writeMean(rings, 0, 100, 120, Uint16Array.of(2048, 2052), 0, 2);
    const samples = new Uint16Array(16).map((_, i) => (i % 2 === 0 ? 600 + i / 2 : 400));
    writeDense(rings, 0, 104, samples, 0, 2, 8);
    writeMean(rings, 0, 100, 120, Uint16Array.of(2048, 2052), 0, 2);
    const into = new Float64Array(64);
    expect(readHall(rings, 0, 0, 102, 114, into)).toBe(12);
    expect([...into.subarray(0, 12)]).toEqual([512, 512, 600, 601, 602, 603, 604, 605, 606, 607, 512, 512]);
    expect(readHall(rings, 0, 1, 104, 106, into)).toBe(2);
    expect([...into.subarray(0, 2)]).toEqual([400, 400]);
    expect(holesIn(rings, 0, 90, 130)).toBe(20);
    expect(readHall(rings, 0, 0, 2048 + 100, 2048 + 120, into)).toBe(0);
  });
});

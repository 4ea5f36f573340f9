import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { atan2, cos, exp, log, log10, PI, sin, tanh } from '../host/exact.ts';

function grid(from: number, to: number, steps: number): number[] {
  return Array.from({ length: steps + 1 }, (_, i) => from + ((to - from) * i) / steps);
}

/** Largest error against a reference, relative where the reference is over 1. */
function worst(xs: readonly number[], ours: (x: number) => number, theirs: (x: number) => number): number {
  let most = 0;
  for (const x of xs) {
    const expected = theirs(x);
    most = Math.max(most, Math.abs(ours(x) - expected) / Math.max(1, Math.abs(expected)));
  }
  return most;
}

describe('functions that do not differ between engines', () => {
  it('exp agrees with Math.exp, also relative to small values', () => {
    expect(worst(grid(-40, 700, 7411), exp, Math.exp)).toBeLessThan(1e-12);
    for (const x of grid(-700, 0, 701)) expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-12);
    expect(exp(0)).toBe(1);
    expect(exp(1000)).toBe(Infinity);
    expect(exp(-1000)).toBe(0);
    expect(exp(Number.NaN)).toBeNaN();
    expect(exp(-745)).toBeGreaterThan(0);
  });

  it('log agrees with Math.log from the smallest to the largest double', () => {
    expect(worst(grid(1e-6, 1e3, 9973), log, Math.log)).toBeLessThan(1e-12);
    for (const x of [5e-324, 2.3e-308, 1e-300, 1e-10, 0.5, 1, 2, 4, 1e10, 1.7976931348623157e308]) {
      expect(Math.abs(log(x) - Math.log(x))).toBeLessThan(1e-12);
    }
    expect(log(1)).toBe(0);
    expect(log(0)).toBe(-Infinity);
    expect(log(-1)).toBeNaN();
    expect(Math.abs(log10(1000) - 3)).toBeLessThan(1e-14);
  });

  it('sin and cos agree with Math over thousands of turns and refuse what they cannot reduce', () => {
    expect(worst(grid(-20, 20, 9973), sin, Math.sin)).toBeLessThan(1e-14);
    expect(worst(grid(-20, 20, 9973), cos, Math.cos)).toBeLessThan(1e-14);
    expect(worst(grid(-1e6, 1e6, 9973), sin, Math.sin)).toBeLessThan(1e-12);
    expect(worst(grid(-1e6, 1e6, 9973), cos, Math.cos)).toBeLessThan(1e-12);
    expect(sin(2e6)).toBeNaN();
    expect(cos(Infinity)).toBeNaN();
  });

  it('atan2 agrees with Math.atan2 in every quadrant', () => {
    for (const a of grid(-3, 3, 61)) {
      for (const b of grid(-3, 3, 61)) {
        if (a === 0 && b === 0) continue;
        expect(Math.abs(atan2(a, b) - Math.atan2(a, b))).toBeLessThan(1e-14);
      }
    }
    expect(atan2(0, 0)).toBe(0);
    expect(PI).toBe(Math.PI);
  });

  it('tanh agrees with Math.tanh', () => {
    expect(worst(grid(-25, 25, 9973), tanh, Math.tanh)).toBeLessThan(1e-14);
    for (const x of [1e-300, 1e-9, 0.001, 0.2499, 0.25]) {
      expect(Math.abs(tanh(x) / Math.tanh(x) - 1)).toBeLessThan(1e-12);
    }
  });

  it('gives the bits of this grid on every engine', () => {
    const out: number[] = [];
    for (const x of grid(-30, 30, 4001)) {
      out.push(exp(x), sin(x * 17), cos(x * 17), tanh(x / 9), atan2(x, 3 - x));
      out.push(log(x + 30.001), log10(x * x + 1e-9));
    }
    const hash = createHash('sha256')
      .update(new Uint8Array(Float64Array.from(out).buffer))
      .digest('hex');
    expect(hash).toBe('51c2953f85aa1134e4b2e3bd23d1b89e384fee6eb2a389c7e516d4f62a2b87e3');
  });
});

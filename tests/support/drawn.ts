/** What was drawn, held against the shares and ranges asked for. */
import { expect } from 'vitest';
import type { Track } from '../../sim/ball.ts';
import { playRoll, type SampleOptions } from '../../sim/played.ts';
import type { RollTruth } from '../../sim/truth.ts';

export interface Drawn {
  readonly truth: RollTruth;
  /** Of the balls in the truth's order. */
  readonly tracks: readonly Track[];
  /** Cells left without a core. */
  readonly vacant: number;
}

/** Rolls that share a mat and its balls, as in a match. */
export const ROLLS_A_MAT = 20;

/** So many rolls from seed `first` on. */
export function drawRolls(first: number, count: number, options: SampleOptions): readonly Drawn[] {
  return Array.from({ length: count }, (_, i) => {
    const { mat, truth } = playRoll(first + i, { ...options, matSeed: 1 + Math.floor(i / ROLLS_A_MAT) });
    const tracks = truth.balls.flatMap((ball) => mat.track(ball.bakugan) ?? []);
    return { truth, tracks, vacant: mat.tiles.length - truth.cores.length };
  });
}

/**
 * Within three standard deviations of a share of `of` draws, and `room` besides: a simulator that is kinder, or harder,
 * than asked is not.
 */
export function expectShare(hits: number, of: number, share: number, what: string, room = 0): void {
  const half = 3 * Math.sqrt((share * (1 - share)) / of) + room;
  expect(of, `draws of ${what}`).toBeGreaterThan(0);
  expect(hits / of, what).toBeGreaterThanOrEqual(share - half);
  expect(hits / of, what).toBeLessThanOrEqual(share + half);
}

/** Nothing lies beyond the ends, and both ends come up: the outer parts of the range, a twentieth by default. */
export function expectRange(
  values: readonly number[],
  least: number,
  most: number,
  what: string,
  outer = 0.05,
): void {
  const lowest = values.reduce((a, b) => Math.min(a, b), Infinity);
  const greatest = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const room = 1e-9 + outer * (most - least);
  expect(lowest, `least ${what}`).toBeGreaterThanOrEqual(least - 1e-9);
  expect(greatest, `greatest ${what}`).toBeLessThanOrEqual(most + 1e-9);
  expect(lowest, `${what} near its lower end`).toBeLessThanOrEqual(least + room);
  expect(greatest, `${what} near its upper end`).toBeGreaterThanOrEqual(most - room);
}

/** Of a draw that does not always come out, what comes out most easily may have so much more than its share. */
const TRIED_AGAIN = 0.01;

/** Even over the range on a logarithmic scale: each sixth of it holds a sixth of the values. */
export function expectLogEven(values: readonly number[], least: number, most: number, what: string): void {
  const parts = 6;
  for (let i = 0; i < parts; i += 1) {
    const from = least * (most / least) ** (i / parts);
    const to = least * (most / least) ** ((i + 1) / parts);
    const hits = values.filter((v) => v >= from && (v < to || i === parts - 1)).length;
    const part = `${what} from ${from.toFixed(3)} to ${to.toFixed(3)}`;
    expectShare(hits, values.length, 1 / parts, part, TRIED_AGAIN);
  }
}

/** Mean and standard deviation. */
export function momentsOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((sum, v) => sum + (v - mean) * (v - mean), 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

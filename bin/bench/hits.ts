/** Counts of right, invented and missed answers, and the scores made of them. */
import { wilson } from './rolls.ts';

/** True positives, false positives, misses. */
export type Hits = [right: number, invented: number, missed: number];

export function hit(of: Hits, truth: boolean, said: boolean): void {
  if (truth && said) of[0] += 1;
  else if (said) of[1] += 1;
  else if (truth) of[2] += 1;
}

/** 1 where there was nothing to find and nothing was said. */
export function f1([right, invented, missed]: Hits): number {
  return right + invented + missed === 0 ? 1 : (2 * right) / (2 * right + invented + missed);
}

/**
 * 95 % interval of an F1. With J the share of right ones among right, invented and missed, F1 = 2J / (1 + J), which grows
 * with J: the ends of Wilson's interval of J give those of F1.
 */
export function f1Interval([right, invented, missed]: Hits): readonly [least: number, most: number] {
  const of = right + invented + missed;
  if (of === 0) return [0, 1];
  const [least, most] = wilson(right, of);
  return [(2 * least) / (1 + least), (2 * most) / (1 + most)];
}

const three = (x: number): string => x.toFixed(3);

/** F1, its 95 % interval, precision and recall as text. */
export function prf(hits: Hits): string {
  const [right, invented, missed] = hits;
  if (right + missed + invented === 0) return '-';
  const part = (of: number): string => (right + of === 0 ? '-' : three(right / (right + of)));
  const [least, most] = f1Interval(hits);
  return `${three(f1(hits))} (${three(least)} to ${three(most)}; ${part(invented)}/${part(missed)})`;
}

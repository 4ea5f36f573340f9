/** Counts of right, invented and missed answers, and the scores made of them. */
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

/** 95 % interval of a share (Wilson), 0 to 1. */
export function wilson(hits: number, of: number): readonly [least: number, most: number] {
  const z = 1.96;
  const p = hits / of;
  const middle = (p + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
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

import { chanceOfT, tOf95 } from './student.ts';

/** A share with its 95 % interval. */
export interface Share {
  readonly of: number;
  readonly hits: number;
  /** NaN when there is nothing to take a share of. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

const Z = 1.959964;

/** A share with the interval of Wilson (1927), which holds for few cases and for shares near 0 and 1. */
export function shareOf(hits: number, of: number): Share {
  if (of === 0) return { of, hits, share: Number.NaN, low: 0, high: 1 };
  const p = hits / of;
  const middle = p + (Z * Z) / (2 * of);
  const half = Z * Math.sqrt((p * (1 - p)) / of + (Z * Z) / (4 * of * of));
  const whole = 1 + (Z * Z) / of;
  return {
    of,
    hits,
    share: p,
    low: Math.max(0, (middle - half) / whole),
    high: Math.min(1, (middle + half) / whole),
  };
}

/** A mean with its standard deviation and its 95 % interval by Student's t; NaN where there are too few values. */
export interface Mean {
  readonly of: number;
  readonly mean: number;
  readonly deviation: number;
  readonly low: number;
  readonly high: number;
}

export function meanOf(values: readonly number[]): Mean {
  const of = values.length;
  if (of === 0) return { of, mean: Number.NaN, deviation: Number.NaN, low: Number.NaN, high: Number.NaN };
  const mean = values.reduce((sum, value) => sum + value, 0) / of;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = of > 1 ? Math.sqrt(squares / (of - 1)) : Number.NaN;
  const half = of > 1 ? (tOf95(of - 1) * deviation) / Math.sqrt(of) : Number.NaN;
  return { of, mean, deviation, low: mean - half, high: mean + half };
}

const logFactorials: number[] = [0];

function logFactorial(n: number): number {
  for (let i = logFactorials.length; i <= n; i += 1)
    logFactorials[i] = (logFactorials[i - 1] ?? 0) + Math.log(i);
  return logFactorials[n] ?? 0;
}

/**
 * Chance of a difference at least this large between two groups that are alike: Fisher's exact test, two-sided. 1 when
 * a group is empty.
 */
export function chanceOfDifference(hitsA: number, ofA: number, hitsB: number, ofB: number): number {
  if (ofA === 0 || ofB === 0) return 1;
  const hits = hitsA + hitsB;
  const of = ofA + ofB;
  const fixed =
    logFactorial(ofA) + logFactorial(ofB) + logFactorial(hits) + logFactorial(of - hits) - logFactorial(of);
  const logChance = (a: number): number =>
    fixed - logFactorial(a) - logFactorial(ofA - a) - logFactorial(hits - a) - logFactorial(ofB - hits + a);
  const own = logChance(hitsA);
  let sum = 0;
  for (let a = Math.max(0, hits - ofB); a <= Math.min(ofA, hits); a += 1) {
    const one = logChance(a);
    if (one <= own + 1e-9) sum += Math.exp(one);
  }
  return Math.min(1, sum);
}

/**
 * Chance of means at least this far apart if both groups were alike: Welch's t. Without any spread it is what shuffling
 * the values could show at best. 1 when a group has fewer than two values.
 */
export function chanceOfMeans(a: Mean, b: Mean): number {
  if (a.of < 2 || b.of < 2) return 1;
  const [shareA, shareB] = [a.deviation ** 2 / a.of, b.deviation ** 2 / b.of];
  const apart = a.mean - b.mean;
  if (shareA + shareB === 0) return apart === 0 ? 1 : leastByShuffling(a.of, b.of);
  const freedom = (shareA + shareB) ** 2 / (shareA ** 2 / (a.of - 1) + shareB ** 2 / (b.of - 1));
  return chanceOfT(apart / Math.sqrt(shareA + shareB), freedom);
}

function leastByShuffling(ofA: number, ofB: number): number {
  const ways = Math.exp(logFactorial(ofA + ofB) - logFactorial(ofA) - logFactorial(ofB));
  return Math.min(1, 2 / ways);
}

/** Chance of a mean at least this far from what is expected: Student's t. 1 for fewer than two values or no spread. */
export function chanceOfMean(seen: Mean, expected: number): number {
  if (seen.of < 2 || seen.deviation === 0) return 1;
  return chanceOfT(((seen.mean - expected) * Math.sqrt(seen.of)) / seen.deviation, seen.of - 1);
}

/**
 * Chance of a count no likelier than this one when every case counts with a chance of its own: the exact distribution of
 * the sum, two-sided.
 */
export function chanceOfCount(seen: number, chances: readonly number[]): number {
  let sums = [1];
  for (const chance of chances) {
    sums = Array.from(
      { length: sums.length + 1 },
      (_, k) => (sums[k] ?? 0) * (1 - chance) + (sums[k - 1] ?? 0) * chance,
    );
  }
  const own = (sums[seen] ?? 0) * (1 + 1e-9);
  return Math.min(
    1,
    sums.reduce((sum, one) => (one <= own ? sum + one : sum), 0),
  );
}

import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { exp, log } from '../host/exact.ts';

/** Seeded chance: the same seed gives the same numbers on every engine. */
export interface Chance {
  /** 0 (included) to 1 (excluded). */
  unit(): number;
  between(low: number, high: number): number;
  /** Even on a logarithmic scale; both ends over 0. */
  logBetween(low: number, high: number): number;
  /** As `between` and `logBetween` for a property of things, which a world outside the usual ranges stretches. */
  range(low: number, high: number): number;
  logRange(low: number, high: number): number;
  /** The ends of such a range alone. */
  least(low: number): number;
  most(high: number): number;
  normal(mean: number, deviation: number): number;
  /** Whole number from 0 to below `count`. */
  below(count: number): number;
  /** True with this chance. */
  happens(share: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(of: readonly T[]): T;
  /** A key of a record of weights. */
  pickKey<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
  poisson(mean: number): number;
  /** Sum of two exponential times: Gamma of shape 2. */
  gamma2(scale: number): number;
  exponential(mean: number): number;
}

/** `stretch` widens every `range` at both ends by this share: 0.2 draws a fifth beyond. */
export function createChance(seed: number, stretch = 0): Chance {
  // Neighbouring seeds give unrelated streams: the state is hashed, not counted.
  const generator = xoroshiro128plusFromState([1, 2, 3, 4].map((word) => hash32(seed, 0x5eed, word)));
  const unit = (): number =>
    (generator.next() & 0x3ffffff) / 0x4000000 + (generator.next() & 0x7ffffff) / 0x20000000000000;
  const positive = (): number => 1 - unit();
  const exponential = (mean: number): number => -mean * log(positive());
  const between = (low: number, high: number): number => low + (high - low) * unit();
  const logBetween = (low: number, high: number): number => exp(log(low) + (log(high) - log(low)) * unit());
  const lower = (low: number): number => (low < 0 ? low * (1 + stretch) : low * (1 - stretch));
  const upper = (high: number): number => (high < 0 ? high * (1 - stretch) : high * (1 + stretch));
  return {
    unit,
    between,
    logBetween,
    range: (low, high) => between(lower(low), upper(high)),
    logRange: (low, high) => logBetween(lower(low), upper(high)),
    least: lower,
    most: upper,
    normal: (mean, deviation) => mean + deviation * normalQuantile(Math.max(positive(), 1e-300)),
    below: (count) => Math.floor(unit() * count),
    happens: (share) => unit() < share,
    pick(of) {
      const one = of[Math.floor(unit() * of.length)];
      if (one === undefined) throw new RangeError('nothing to pick from: give at least one');
      return one;
    },
    pickKey<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
      const entries = Object.entries<number>(weights) as [Key, number][];
      let left = unit() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      const last = entries.findLast(([, weight]) => weight > 0);
      if (last === undefined) throw new RangeError('no weight over 0: give at least one');
      return last[0];
    },
    poisson(mean) {
      const floor = exp(-mean);
      let count = 0;
      for (let product = unit(); product > floor; product *= unit()) count += 1;
      return count;
    },
    gamma2: (scale) => exponential(scale) + exponential(scale),
    exponential,
  };
}

function mix(h: number): number {
  let x = h ^ (h >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** 32 bits that depend on three whole numbers only, so that the order of questions does not matter. */
export function hash32(seed: number, a: number, b: number): number {
  return hashOf(streamOf(seed, a), b);
}

/** Key of one stream of hashes, to be kept where many are drawn from it. */
export function streamOf(seed: number, a: number): number {
  return mix((mix((seed + 0x165667b1) | 0) ^ Math.imul(a, 0x9e3779b1)) | 0);
}

/** The stream's 32 bits for this whole number, 0 to 2^53. */
export function hashOf(stream: number, b: number): number {
  if (b < 4294967296) return mix(Math.imul(b | 0, 0x27d4eb2f) ^ stream);
  const high = Math.floor(b / 4294967296);
  return mix(Math.imul((b - high * 4294967296) | 0, 0x27d4eb2f) ^ mix((stream + high) | 0));
}

/** The same hash as a number from 0 (included) to 1 (excluded). */
export function unitOf(stream: number, b: number): number {
  return (hashOf(stream, b) >>> 0) / 4294967296;
}

/** Quantiles of the standard normal distribution at every 4096th part. */
const STEPS = 4096;
const QUANTILES = Float64Array.from({ length: STEPS }, (_, i) => (i === 0 ? 0 : normalQuantile(i / STEPS)));

/** Standard normal deviate from the same hash, tails to 6.2 deviations. */
export function normalOf(stream: number, b: number): number {
  return normalFrom(hashOf(stream, b));
}

/** Adds so much of `normalOf`, for one number, of the streams with these indices to `out`, in their order. */
export function addNormals(
  out: Float64Array,
  streams: Int32Array,
  indices: Int32Array,
  b: number,
  deviation: number,
): void {
  const high = Math.floor(b / 4294967296);
  const low = Math.imul((b - high * 4294967296) | 0, 0x27d4eb2f);
  for (let i = 0; i < indices.length; i += 1) {
    const stream = streams[indices[i] ?? 0] ?? 0;
    const hash = mix(low ^ (high === 0 ? stream : mix((stream + high) | 0)));
    out[i] = (out[i] ?? 0) + deviation * normalFrom(hash);
  }
}

/** The deviate that a hash stands for. */
function normalFrom(hash: number): number {
  const h = hash >>> 0;
  const index = h >>> 20;
  // Straight lines between the steps, but for the outermost, where the curve is steep.
  if (index < 8 || index >= STEPS - 8) return normalQuantile((h + 0.5) / 4294967296);
  const low = QUANTILES[index] ?? 0;
  return low + (((QUANTILES[index + 1] ?? 0) - low) * (h & 0xfffff)) / 0x100000;
}

/**
 * Quantile of the standard normal distribution for 0 < p < 1, relative error 1.2e-9 (P. J. Acklam's rational
 * approximation).
 */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * log(p));
    const above =
      ((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q -
        2.549732539343734) *
        q +
        4.374664141464968) *
        q +
      2.938163982698783;
    const below =
      (((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) *
        q +
      1;
    return above / below;
  }
  const q = p - 0.5;
  const r = q * q;
  const above =
    (((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
      2.506628277459239) *
    q;
  const below =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
    1;
  return above / below;
}

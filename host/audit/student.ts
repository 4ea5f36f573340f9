/** Student's t, by arithmetic alone: chances to about 1e-10. */

/** Logarithm of the gamma function for x > 0: Stirling's series, its argument raised to 10 first. */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 10; at += 1) shift += Math.log(at);
  const square = 1 / (at * at);
  const series = 1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)));
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series / at - shift;
}

const TINY = 1e-300;

/**
 * Regularised incomplete beta function I_x(a, b), 0 ≤ x ≤ 1: the continued fraction of DLMF 8.17.22, evaluated by Lentz'
 * method, on the side where it converges fast.
 */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  let fraction = 1;
  let above = 1;
  let below = 0;
  for (let step = 1; step < 1000; step += 1) {
    const m = Math.floor(step / 2);
    const term =
      step % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    below = 1 / (1 + term * below || TINY);
    above = 1 + term / above || TINY;
    const change = above * below;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-14) break;
  }
  return front / (a * fraction);
}

/** Chance that t with so many degrees of freedom (> 0, fractions too) lies at least so far from 0, to either side. */
export function chanceOfT(t: number, freedom: number): number {
  if (!Number.isFinite(t)) return 0;
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

const found = new Map<number, number>();

/** The t that 5 % of chance lie beyond, to either side: half the width of a 95 % interval in standard errors. */
export function tOf95(freedom: number): number {
  const known = found.get(freedom);
  if (known !== undefined) return known;
  let [low, high] = [1.9, 13];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (chanceOfT(middle, freedom) > 0.05) low = middle;
    else high = middle;
  }
  found.set(freedom, high);
  return high;
}

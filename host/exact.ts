/**
 * Elementary functions from + - * / and the square root alone. The engines' own `Math.exp`, `Math.sin` and so on may
 * differ in the last bit from one version to the next, and a replay must give the same bits everywhere. IEEE 754
 * fixes the result of the four operations and of the square root, so these do not differ.
 *
 * Relative error is under 1e-14, except near zeros of sin, cos and log, where the absolute error is under 1e-15.
 */

/** ln 2 in two parts: the first has 32 bits, so that its product with an exponent is exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** π/2 in three parts of 33, 33 and 53 bits: subtracting a multiple stays exact up to 2^20 multiples. */
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;
/** Ratio of a circle's circumference to its diameter, nearest double. */
export const PI = 2 * (HALF_PI_1 + HALF_PI_2);
/** Largest argument of sin and cos for which the reduction above holds. */
const MAX_ANGLE = 1e6;

/** 2^1, 2^2, 2^4 … 2^512. */
const POWERS: readonly number[] = (() => {
  const out = [2];
  for (let i = 1; i < 10; i += 1) {
    const last = out[i - 1] ?? 1;
    out.push(last * last);
  }
  return out;
})();

/** Every power of two that is a normal number, from 2^-1022 on. */
const LEAST_POWER = -1022;
const ALL_POWERS = Float64Array.from({ length: 1023 - LEAST_POWER + 1 }, (_, i) => made(i + LEAST_POWER));

/** 2^k for whole k from -1022 to 1023, exact. */
function powerOfTwo(k: number): number {
  return ALL_POWERS[k - LEAST_POWER] ?? 0;
}

/** 2^k by doubling. */
function made(k: number): number {
  let bits = Math.abs(k);
  let value = 1;
  for (let i = 0; bits > 0; i += 1) {
    if (bits % 2 === 1) value *= POWERS[i] ?? 1;
    bits = Math.floor(bits / 2);
  }
  return k < 0 ? 1 / value : value;
}

/** e^x. Infinity above 709.78, 0 below -745.13; NaN stays NaN. */
export function exp(x: number): number {
  if (!(x <= 709.782712893384)) return x > 0 ? Infinity : NaN;
  if (x < -745.1332191019412) return 0;
  const k = Math.round(x / (LN2_HIGH + LN2_LOW));
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  // Taylor to the 14th power: |r| is at most 0.35, the next term is under 1e-18.
  let sum = 1;
  for (let n = 14; n >= 1; n -= 1) sum = 1 + (sum * r) / n;
  // Two factors, so that neither leaves the range of a double when the product does not.
  const half = Math.trunc(k / 2);
  return sum * powerOfTwo(half) * powerOfTwo(k - half);
}

const LEAST_NORMAL = powerOfTwo(LEAST_POWER);
const TWO_TO_54 = powerOfTwo(54);
/** The upper half of 1's bits: sign, exponent and the first of its mantissa. */
const ONE_HIGH = 0x3ff00000;
const bits = new DataView(new ArrayBuffer(8));

/** Natural logarithm. -Infinity at 0, NaN below. */
export function log(x: number): number {
  if (x === 0) return -Infinity;
  if (!(x > 0)) return NaN;
  if (x === Infinity) return Infinity;
  // Subnormal numbers are made normal first; both steps are exact.
  const small = x < LEAST_NORMAL;
  bits.setFloat64(0, small ? x * TWO_TO_54 : x);
  const high = bits.getUint32(0);
  let exponent = (high >>> 20) - 1023 - (small ? 54 : 0);
  bits.setUint32(0, (high & 0xfffff) | ONE_HIGH);
  let mantissa = bits.getFloat64(0);
  if (mantissa > 1.4143) {
    mantissa /= 2;
    exponent += 1;
  }
  // log m = 2·artanh s with |s| at most 0.172; eleven odd terms leave 1e-18.
  const s = (mantissa - 1) / (mantissa + 1);
  const ss = s * s;
  let sum = 0;
  for (let n = 23; n >= 3; n -= 2) sum = (sum + 1 / n) * ss;
  return exponent * LN2_HIGH + (exponent * LN2_LOW + 2 * s * (1 + sum));
}

/** Natural logarithm of 10. */
const LN10 = log(10);

/** Logarithm to base 10. */
export function log10(x: number): number {
  return log(x) / LN10;
}

function sineSeries(r: number): number {
  const rr = r * r;
  let sum = 1;
  for (let n = 18; n >= 2; n -= 2) sum = 1 - (sum * rr) / (n * (n + 1));
  return r * sum;
}

function cosineSeries(r: number): number {
  const rr = r * r;
  let sum = 1;
  for (let n = 19; n >= 1; n -= 2) sum = 1 - (sum * rr) / (n * (n + 1));
  return sum;
}

/** sin and cos share the reduction to a quarter turn; `shift` is 0 or 1 quarter turns. */
function circular(x: number, shift: number): number {
  if (!(Math.abs(x) <= MAX_ANGLE)) return NaN;
  const turns = Math.round(x / (PI / 2));
  const r = x - turns * HALF_PI_1 - turns * HALF_PI_2 - turns * HALF_PI_3;
  const quarter = turns + shift - 4 * Math.floor((turns + shift) / 4);
  if (quarter === 0) return sineSeries(r);
  if (quarter === 1) return cosineSeries(r);
  return quarter === 2 ? -sineSeries(r) : -cosineSeries(r);
}

/** Sine of an angle in radians. NaN beyond ±1e6, where the reduction to a quarter turn would lose digits. */
export function sin(x: number): number {
  return circular(x, 0);
}

/** Cosine of an angle in radians. NaN beyond ±1e6. */
export function cos(x: number): number {
  return circular(x, 1);
}

/** Arc tangent of 0 to 1. */
function arcTangentOfUnit(t: number): number {
  // Two half-angle steps bring the argument under 0.199; thirteen odd terms leave 1e-18.
  const half = t / (1 + Math.sqrt(1 + t * t));
  const quarter = half / (1 + Math.sqrt(1 + half * half));
  const qq = quarter * quarter;
  let sum = 0;
  for (let n = 27; n >= 3; n -= 2) sum = (1 / n - sum) * qq;
  return 4 * quarter * (1 - sum);
}

/** Angle of the point (x, y) from the x axis, -π to π, radians. 0 at the origin. */
export function atan2(y: number, x: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  if (ax === 0 && ay === 0) return 0;
  const first = ay <= ax ? arcTangentOfUnit(ay / ax) : PI / 2 - arcTangentOfUnit(ax / ay);
  const upper = x < 0 ? PI - first : first;
  return y < 0 ? -upper : upper;
}

/** Hyperbolic tangent. */
export function tanh(x: number): number {
  const a = Math.abs(x);
  if (a < 0.25) {
    // Continued fraction: 1 - e^(-2x) would cancel here.
    const aa = x * x;
    return x / (1 + aa / (3 + aa / (5 + aa / (7 + aa / (9 + aa / 11)))));
  }
  const e = exp(-2 * a);
  const value = (1 - e) / (1 + e);
  return x < 0 ? -value : value;
}

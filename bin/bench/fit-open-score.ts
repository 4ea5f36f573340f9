/**
 * Fits the weights of `host/sensing/open-weights.ts` on simulated rolls: logistic regression with a ridge, one for
 * each evidence horizon and for each way a tile can be judged. Prints the new file to standard output, the fit report to
 * standard error.
 *
 *     node dist/bin/bench/fit-open-score.js ROLLS FIRST_SEED > host/sensing/open-weights.ts
 *
 * Seeds from 1 to 999,999 belong to fitting, mats and parameter draws with them; benches and tests use others.
 */
import { FEATURES, type FeatureName } from '../../host/sensing/features.ts';
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import type { Judged } from '../../host/sensing/weights.ts';
import type { Effects } from '../../sim/effects.ts';
import { type RollRun, type RollSetting, runRoll } from './roll-runs.ts';

/** One arrival: its features and whether a latch let go there. */
interface Example {
  readonly features: Float64Array;
  readonly opened: boolean;
}

/** What a quarter of the rolls each is rolled under. */
const CONDITIONS: readonly Effects[] = [
  [],
  ['contacts', 'leds', 'spikes', 'shift', 'drift', 'lost-lines'],
  ['contacts', 'noise'],
  ['contacts', 'leds', 'spikes', 'shift', 'drift', 'noise', 'coupled'],
];
/** How the rolls of each way of judging are made. */
const SETTINGS: Readonly<Record<Judged, Omit<RollSetting, 'seed' | 'effects'>>> = {
  axis: { sensors: 'axis' },
  collector: { sensors: 'collector' },
  'collector+offset': { sensors: 'collector+offset' },
  offset: { sensors: 'collector+offset', deadHalls: [0] },
  contact: { sensors: 'collector+offset', deadHalls: [0, 1] },
};
/** Rolls that are not fitted on but counted on: whole mats, every fifth. */
const HELD_OUT = 5;
const ROLLS_A_MAT = 20;
/** Ridge on standardised weights: keeps a nearly separable fit readable and its chances modest. */
const RIDGE: number = 0.05;
const STEPS = 40;
const HORIZONS = { at96: 2, at250: 3, at450: 4, at700: 5 } as const;
const WINDOWED = /^(?:level|spread|touch)([1-5])$/;

function examplesOf(run: RollRun): Example[] {
  const out: Example[] = [];
  const { live, tiles } = run.sensing;
  for (const stand of live.stands.slice(0, live.count)) {
    const cell = tiles.cells[stand.visit.cell]?.cell;
    const arrivals = stand.arrivals.slice(0, stand.arrived).filter((a) => a.windows >= 2);
    const latches = run.truth.balls.filter((b) => b.latchCell === cell && b.latchMs !== undefined);
    // The second tile of a ball between two cores is neither the one nor the other.
    if (
      run.truth.balls.some(
        (b) => b.ending === 'two-cores' && b.latchCell !== cell && b.path.some((v) => v.cell === cell),
      )
    )
      continue;
    const taken = new Set<number>();
    for (const ball of latches) {
      let best = -1;
      for (const [i, a] of arrivals.entries()) {
        const off = Math.abs(a.anchorMs - (ball.latchMs ?? 0));
        if (off < 80 && (best < 0 || off < Math.abs((arrivals[best]?.anchorMs ?? 0) - (ball.latchMs ?? 0))))
          best = i;
      }
      if (best >= 0) taken.add(best);
    }
    for (const [i, a] of arrivals.entries()) out.push({ features: a.features.slice(), opened: taken.has(i) });
  }
  return out;
}

/** Features that are there after so many windows and that say anything at all. */
function usedAt(windows: number, examples: readonly Example[]): readonly number[] {
  return FEATURES.flatMap((name, i) => {
    const window = WINDOWED.exec(name)?.[1];
    const there = window === undefined || Number(window) <= windows;
    const first = examples[0]?.features[i];
    return there && examples.some((e) => e.features[i] !== first) ? [i] : [];
  });
}

/** Newton's method on standardised features; returns plain weights and the constant. */
function regress(examples: readonly Example[], used: readonly number[]) {
  const n = used.length;
  const mean = used.map((f) => examples.reduce((s, e) => s + (e.features[f] ?? 0), 0) / examples.length);
  const sd = used.map((f, k) => {
    const v =
      examples.reduce((s, e) => s + ((e.features[f] ?? 0) - (mean[k] ?? 0)) ** 2, 0) / examples.length;
    return Math.sqrt(v) || 1;
  });
  const rows = examples.map((e) => [
    1,
    ...used.map((f, k) => ((e.features[f] ?? 0) - (mean[k] ?? 0)) / (sd[k] ?? 1)),
  ]);
  let w = new Array<number>(n + 1).fill(0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = w.map((v, k) => (k === 0 ? 0 : -RIDGE * v));
    const hessian = w.map((_, a) => w.map((__, b) => (a === b ? (a === 0 ? 1e-6 : RIDGE) : 0)));
    rows.forEach((row, r) => {
      const z = row.reduce((s, x, k) => s + x * (w[k] ?? 0), 0);
      const p = 1 / (1 + Math.exp(-z));
      const error = (examples[r]?.opened === true ? 1 : 0) - p;
      const weight = Math.max(p * (1 - p), 1e-9);
      for (let a = 0; a <= n; a += 1) {
        gradient[a] = (gradient[a] ?? 0) + error * (row[a] ?? 0);
        const line = hessian[a];
        if (line === undefined) continue;
        for (let b = 0; b <= n; b += 1) line[b] = (line[b] ?? 0) + weight * (row[a] ?? 0) * (row[b] ?? 0);
      }
    });
    const move = solve(hessian, gradient);
    w = w.map((v, k) => v + (move[k] ?? 0));
    if (Math.max(...move.map(Math.abs)) < 1e-6) break;
  }
  const weights: Partial<Record<FeatureName, number>> = {};
  let constant = w[0] ?? 0;
  used.forEach((f, k) => {
    const plain = (w[k + 1] ?? 0) / (sd[k] ?? 1);
    constant -= plain * (mean[k] ?? 0);
    const name = FEATURES[f];
    if (name !== undefined) weights[name] = Math.round(plain * 1000) / 1000;
  });
  return { constant: Math.round(constant * 1000) / 1000, weights };
}

function solve(a: number[][], b: number[]): number[] {
  const n = b.length;
  const m = a.map((row, i) => [...row, b[i] ?? 0]);
  for (let i = 0; i < n; i += 1) {
    let pivot = i;
    for (let r = i + 1; r < n; r += 1) if (Math.abs(m[r]?.[i] ?? 0) > Math.abs(m[pivot]?.[i] ?? 0)) pivot = r;
    [m[i], m[pivot]] = [m[pivot] ?? [], m[i] ?? []];
    for (let r = 0; r < n; r += 1) {
      if (r === i) continue;
      const factor = (m[r]?.[i] ?? 0) / (m[i]?.[i] ?? 1);
      for (let c = i; c <= n; c += 1) {
        const row = m[r];
        if (row !== undefined) row[c] = (row[c] ?? 0) - factor * (m[i]?.[c] ?? 0);
      }
    }
  }
  return m.map((row, i) => (row[n] ?? 0) / (row[i] ?? 1));
}

/** How a fit does on these arrivals at the limits of the detector. */
function counted(
  examples: readonly Example[],
  fitted: { readonly constant: number; readonly weights: Partial<Record<FeatureName, number>> },
) {
  let wrong = 0;
  let doubtful = 0;
  for (const e of examples) {
    let z = fitted.constant;
    for (const [f, name] of FEATURES.entries()) z += (e.features[f] ?? 0) * (fitted.weights[name] ?? 0);
    const p = 1 / (1 + Math.exp(-z));
    if (p > openNo && p < openYes) doubtful += 1;
    else if (p >= openYes !== e.opened) wrong += 1;
  }
  const opens = examples.filter((e) => e.opened).length;
  return `${examples.length} arrivals, ${opens} opens, wrong ${wrong}, doubtful ${doubtful}`;
}

const { openYes, openNo } = DEFAULT_LIMITS;
const rolls = Number(process.argv[2] ?? 400);
const firstSeed = Number(process.argv[3] ?? 1);
const file: Record<string, unknown> = {};
process.stderr.write(
  `Fit of host/sensing/open-weights.ts: fit-open-score.js ${rolls} ${firstSeed}. Doubtful: a chance between ${openNo} and\n` +
    `${openYes}. Each line counts on the arrivals that were fitted on; then on those of every fifth mat, which were not.\n`,
);
for (const [judged, setting] of Object.entries(SETTINGS)) {
  const examples: Example[] = [];
  const others: Example[] = [];
  for (let i = 0; i < rolls; i += 1) {
    const seed = firstSeed + i;
    const effects = CONDITIONS[i % CONDITIONS.length] ?? [];
    const heldOut = Math.floor(seed / ROLLS_A_MAT) % HELD_OUT === 0;
    (heldOut ? others : examples).push(...examplesOf(runRoll({ ...setting, seed, effects })));
  }
  const constant: number[] = [];
  const weights: Partial<Record<FeatureName, number[]>> = {};
  for (const [horizon, [name, windows]] of Object.entries(HORIZONS).entries()) {
    const fitted = regress(examples, usedAt(windows, examples));
    constant.push(fitted.constant);
    for (const feature of FEATURES) {
      const weight = fitted.weights[feature];
      if (weight === undefined) continue;
      weights[feature] ??= [0, 0, 0, 0];
      weights[feature][horizon] = weight;
    }
    process.stderr.write(
      `${judged} ${name}: ${counted(examples, fitted)}; held out: ${counted(others, fitted)}\n`,
    );
  }
  file[judged] = { constant, weights };
}
process.stdout.write(`import type { Judged, ScoreWeights } from './weights.ts';

/**
 * Weights of the open score, fitted by \`bin/bench/fit-open-score.ts\` on simulated rolls from seed ${firstSeed} on. The fits behind
 * each line, and which of two was kept, stand in \`open-weights.report.txt\`. Not edited by hand.
 */
export const OPEN_WEIGHTS: Readonly<Record<Judged, ScoreWeights>> = ${JSON.stringify(file, null, 2)};
`);

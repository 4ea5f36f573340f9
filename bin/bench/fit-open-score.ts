/**
 * Fits the weights of `host/sensing/open-weights.ts` on simulated rolls: logistic regression with a ridge, one for
 * each evidence horizon and sensor layout. Prints the new file to standard output, the fit report to standard error.
 *
 *     node dist/bin/bench/fit-open-score.js ROLLS FIRST_SEED > host/sensing/open-weights.ts
 *
 * Seeds from 1 to 999,999 belong to fitting; benches use others.
 */
import { FEATURES, type FeatureName } from '../../host/sensing/features.ts';
import type { SensorLayout } from '../../host/sensing/layout.ts';
import { type RollRun, runRoll } from './roll-runs.ts';

/** One arrival: its features and whether a latch let go there. */
interface Example {
  readonly features: Float64Array;
  readonly opened: boolean;
}

const CONDITIONS = ['clean', 'impaired', 'worn', 'impaired'] as const;
/** Ridge on standardised weights: keeps a nearly separable fit readable and its chances modest. */
const RIDGE: number = 0.05;
const STEPS = 40;
const HORIZONS = { at110: 2, at250: 3, at450: 4, at700: 5 } as const;
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

function usedAt(windows: number): readonly number[] {
  return FEATURES.flatMap((name, i) => {
    const window = WINDOWED.exec(name)?.[1];
    return window === undefined || Number(window) <= windows ? [i] : [];
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

const rolls = Number(process.argv[2] ?? 400);
const firstSeed = Number(process.argv[3] ?? 1);
const file: Record<string, unknown> = {};
for (const sensors of ['axis', 'collector', 'collector+offset'] satisfies SensorLayout[]) {
  const examples: Example[] = [];
  for (let i = 0; i < rolls; i += 1) {
    const seed = firstSeed + i;
    const run = runRoll({ seed, sensors, conditions: CONDITIONS[i % CONDITIONS.length] ?? 'clean' });
    examples.push(...examplesOf(run));
  }
  const own: Record<string, unknown> = {};
  for (const [name, windows] of Object.entries(HORIZONS)) {
    const used = usedAt(windows);
    const fitted = regress(examples, used);
    own[name] = fitted;
    let wrong = 0;
    let doubtful = 0;
    for (const e of examples) {
      const z = used.reduce(
        (s, f) => s + (e.features[f] ?? 0) * (fitted.weights[FEATURES[f] ?? 'peak'] ?? 0),
        fitted.constant,
      );
      const p = 1 / (1 + Math.exp(-z));
      if (p > 0.15 && p < 0.9) doubtful += 1;
      else if (p >= 0.9 !== e.opened) wrong += 1;
    }
    const opens = examples.filter((e) => e.opened).length;
    process.stderr.write(
      `${sensors} ${name}: ${examples.length} arrivals, ${opens} opens, wrong ${wrong}, doubtful ${doubtful}\n`,
    );
  }
  file[sensors] = own;
}
process.stdout.write(`import type { SensorLayout } from './layout.ts';
import type { LayoutWeights } from './weights.ts';

/**
 * Weights of the open score, fitted by \`bin/bench/fit-open-score.ts\` on ${rolls} simulated rolls a layout from seed
 * ${firstSeed} on, a quarter of them clean, a quarter with worn contacts, half impaired. Not edited by hand.
 */
export const OPEN_WEIGHTS: Readonly<Record<SensorLayout, LayoutWeights>> = ${JSON.stringify(file, null, 2)};
`);

import { log } from '../exact.ts';
import { hallFor } from './blind.ts';
import { closedMs, edgesIn } from './contact.ts';
import { medianOf, thirdLargest } from './medians.ts';
import { readHall } from './rings.ts';
import { seatedCounts, type TraceSource, type Visit } from './visits.ts';

/** Windows after an arrival, ms: landing, ringing, standing, staying, staying long. */
export const WINDOWS: readonly (readonly [number, number])[] = [
  [0, 40],
  [40, 96],
  [96, 250],
  [250, 450],
  [450, 700],
];

/**
 * What a score may look at, in this order. Levels are in seated reference balls, logarithms to the base 10 with a
 * floor of 0.003; a window that is not over yet reads 0. `before` is the level just before the anchor, `pair` the
 * level together with what a neighbour rose by at the same time: a ball between two tiles shows half of itself on each.
 * The hall off the centre has features only where it is the only one that sees: `level` is its then. Fits that used both
 * halls did no better (`open-weights.report.txt`).
 */
export const FEATURES = [
  'level1',
  'level2',
  'level3',
  'level4',
  'level5',
  'spread1',
  'spread2',
  'spread3',
  'spread4',
  'spread5',
  'touch1',
  'touch2',
  'touch3',
  'touch4',
  'touch5',
  'peak',
  'edges',
  'anyContact',
  'timeAbove',
  'rise',
  'before',
  'pair',
] as const;
export type FeatureName = (typeof FEATURES)[number];

const FLOOR = 0.003;
const LN10 = log(10);
const CAPACITY = 512;
const values = new Float64Array(CAPACITY);
const sorted = new Float64Array(CAPACITY);

function log10(x: number): number {
  return log(Math.max(x, FLOOR)) / LN10;
}

const at = (name: FeatureName): number => FEATURES.indexOf(name);
const LEVEL = at('level1');
const SPREAD = at('spread1');
const TOUCH = at('touch1');
const PEAK = at('peak');
const EDGES = at('edges');
const ANY = at('anyContact');
const ABOVE = at('timeAbove');
const RISE = at('rise');
const BEFORE = at('before');
const PAIR = at('pair');
/** The level before an anchor is taken from this stretch, ms. */
const BEFORE_MS: readonly [number, number] = [-60, -16];

/** Levels of one window of the hall that shows this cell's balls into `values`; returns how many. */
function levelsOf(source: TraceSource, cell: number, base: number, fromMs: number, toMs: number): number {
  const hall = hallFor(source.sees[cell] ?? 0);
  if (hall >= source.tiles.halls) return 0;
  const n = readHall(source.rings, cell, hall, fromMs, toMs, values);
  const zero = source.base.zero[cell * source.tiles.halls + hall] ?? 0;
  const seated = seatedCounts(source, cell, hall);
  for (let k = 0; k < n; k += 1) values[k] = ((values[k] ?? 0) - zero) / seated - base;
  return n;
}

/** Spread of the first `n` values, and their sizes into `sorted`. */
function spreadOf(n: number): number {
  let sum = 0;
  let squares = 0;
  for (let k = 0; k < n; k += 1) {
    const v = values[k] ?? 0;
    sum += v;
    squares += v * v;
    sorted[k] = Math.abs(v);
  }
  const mean = n > 0 ? sum / n : 0;
  return n > 1 ? Math.sqrt(Math.max(0, squares / n - mean * mean)) : 0;
}

/** Largest change within 10 ms, both ends taken as means of three samples so that a spike is no step. */
function steepest(n: number): number {
  let most = 0;
  for (let k = 11; k < n - 1; k += 1) {
    const after = (values[k - 1] ?? 0) + (values[k] ?? 0) + (values[k + 1] ?? 0);
    const before = (values[k - 11] ?? 0) + (values[k - 10] ?? 0) + (values[k - 9] ?? 0);
    const change = Math.abs(after - before) / 3;
    if (change > most) most = change;
  }
  return most;
}

/**
 * Fills one window's share of the features of an arrival at `atMs` over the level `base` that was there before it.
 * The first two windows also settle the features that describe the landing.
 */
export function fillWindow(
  source: TraceSource,
  visit: Visit,
  atMs: number,
  base: number,
  window: number,
  features: Float64Array,
): void {
  const [from, to] = WINDOWS[window] ?? [0, 0];
  const { cell } = visit;
  const { contacts } = source;
  const n = levelsOf(source, cell, base, atMs + from, atMs + to);
  const spread = spreadOf(n);
  features[LEVEL + window] = log10(n > 0 ? medianOf(sorted, n) : 0);
  features[SPREAD + window] = log10(spread);
  features[TOUCH + window] = closedMs(contacts, cell, atMs + from, atMs + to) / (to - from);
  if (window > 1) return;
  const own = n === 0 ? 0 : Math.abs(medianOf(values, n));
  const m = levelsOf(source, cell, base, atMs - 12, atMs + to);
  for (let k = 0; k < m; k += 1) sorted[k] = Math.abs(values[k] ?? 0);
  const rise = steepest(m);
  // Two spikes in a window make no peak.
  const peak = thirdLargest(sorted, m);
  let above = 0;
  for (let k = 0; k < m; k += 1) if ((sorted[k] ?? 0) > 0.3) above += 1;
  features[PEAK] = log10(peak);
  features[EDGES] = log(1 + edgesIn(contacts, cell, atMs, atMs + Math.min(to, 120))) / LN10;
  features[ANY] = closedMs(contacts, cell, atMs - 5, atMs + to) >= 1 ? 1 : 0;
  features[ABOVE] = above / (to + 12);
  features[RISE] = log10(rise);
  features[BEFORE] = log10(
    Math.abs(medianLevel(source, cell, base, atMs + BEFORE_MS[0], atMs + BEFORE_MS[1])),
  );
  let most = 0;
  for (const other of source.tiles.near[cell] ?? []) {
    const before = medianLevel(source, other, 0, atMs + BEFORE_MS[0], atMs + BEFORE_MS[1]);
    const risen = Math.abs(medianLevel(source, other, 0, atMs + from, atMs + to)) - Math.abs(before);
    if (risen > most) most = risen;
  }
  features[PAIR] = log10(own + most);
}

/** Median level of a stretch, 0 when nothing is known of it. */
function medianLevel(source: TraceSource, cell: number, base: number, fromMs: number, toMs: number): number {
  const n = levelsOf(source, cell, base, fromMs, toMs);
  return n === 0 ? 0 : medianOf(values, n);
}

/** Samples in each 20 ms mean: a sample spreads by the root of it more. */
export const SAMPLES_OF_MEAN = 20;

/** Sums over a window of quiet lines for every hall; a line counts once all halls have been heard since the last. */
export interface Gather {
  lines: number;
  readonly got: Uint8Array;
  readonly now: Float64Array;
  readonly sum: Float64Array;
  readonly squares: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** Standard deviation of one sample, counts, as far as white noise goes. */
  spread(at: number): number;
}

export function createGather(cells: number, halls: number): Gather {
  const n = cells * halls;
  const made: Gather = {
    lines: 0,
    got: new Uint8Array(n),
    now: new Float64Array(n),
    sum: new Float64Array(n),
    squares: new Float64Array(n),
    least: new Float64Array(n).fill(Infinity),
    most: new Float64Array(n).fill(-Infinity),
    spread(at) {
      const mean = meanOf(made, at);
      const variance = (made.squares[at] ?? 0) / Math.max(1, made.lines) - mean * mean;
      return Math.sqrt(Math.max(0, variance) * SAMPLES_OF_MEAN);
    },
  };
  return made;
}

/** One hall's mean of one quiet line, counts. */
export function gather(g: Gather, at: number, counts: number): void {
  g.now[at] = counts;
  g.got[at] = 1;
}

/** Whether every hall has been heard since the last time; if so the line is added to the window. */
export function closeGather(g: Gather): boolean {
  for (const heard of g.got) if (heard === 0) return false;
  g.got.fill(0);
  g.lines += 1;
  for (let at = 0; at < g.now.length; at += 1) {
    const v = g.now[at] ?? 0;
    g.sum[at] = (g.sum[at] ?? 0) + v;
    g.squares[at] = (g.squares[at] ?? 0) + v * v;
    g.least[at] = Math.min(g.least[at] ?? v, v);
    g.most[at] = Math.max(g.most[at] ?? v, v);
  }
  return true;
}

/** Begins a new window. */
export function restart(g: Gather): void {
  g.lines = 0;
  g.sum.fill(0);
  g.squares.fill(0);
  g.least.fill(Infinity);
  g.most.fill(-Infinity);
}

export function meanOf(g: Gather, at: number): number {
  return (g.sum[at] ?? 0) / Math.max(1, g.lines);
}

export function rangeOf(g: Gather, at: number): number {
  return g.lines === 0 ? 0 : (g.most[at] ?? 0) - (g.least[at] ?? 0);
}

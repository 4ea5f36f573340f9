/** Times in which something is closed, blocked or pressed: sorted, apart from each other, µs. */
export interface Span {
  readonly fromUs: number;
  /** Infinity while it lasts. */
  readonly toUs: number;
}

/** Everything that is in at least one of the spans given, in any order. */
export function union(spans: readonly Span[]): readonly Span[] {
  const sorted = spans.filter((s) => s.toUs > s.fromUs).sort((a, b) => a.fromUs - b.fromUs);
  const out: Span[] = [];
  for (const span of sorted) {
    const last = out.at(-1);
    if (last === undefined || span.fromUs > last.toUs) out.push(span);
    else if (span.toUs > last.toUs) out[out.length - 1] = { fromUs: last.fromUs, toUs: span.toUs };
  }
  return out;
}

/** The spans with these gaps cut out; gaps in any order. */
export function without(spans: readonly Span[], gaps: readonly Span[]): readonly Span[] {
  const cuts = union(gaps);
  if (cuts.length === 0) return spans;
  const out: Span[] = [];
  for (const span of spans) {
    let from = span.fromUs;
    for (const cut of cuts) {
      if (cut.toUs <= from) continue;
      if (cut.fromUs >= span.toUs) break;
      if (cut.fromUs > from) out.push({ fromUs: from, toUs: cut.fromUs });
      from = cut.toUs;
    }
    if (from < span.toUs) out.push({ fromUs: from, toUs: span.toUs });
  }
  return out;
}

/**
 * When `test` holds between two moments, looked at every `stepUs` and then halved to the microsecond. What holds at
 * `toUs` holds for ever.
 */
export function spansWhere(
  test: (atUs: number) => boolean,
  fromUs: number,
  toUs: number,
  stepUs: number,
): readonly Span[] {
  const out: Span[] = [];
  let since = test(fromUs) ? fromUs : -1;
  let before = since >= 0;
  for (let at = fromUs; at < toUs; ) {
    const next = Math.min(at + stepUs, toUs);
    const now = test(next);
    if (now !== before) {
      const edge = edgeBetween(test, at, next, before);
      if (now) since = edge;
      else out.push({ fromUs: since, toUs: edge });
      before = now;
    }
    at = next;
  }
  if (before) out.push({ fromUs: since, toUs: Infinity });
  return out;
}

/** First moment in (fromUs, toUs] at which `test` no longer says `before`, to the microsecond. */
export function edgeBetween(
  test: (atUs: number) => boolean,
  fromUs: number,
  toUs: number,
  before: boolean,
): number {
  let low = fromUs;
  let high = toUs;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (test(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** A line that changes at given moments: open before the first, then closed, open, closed … */
export interface Line {
  /** Closed at this moment; a change counts from its own moment on. */
  at(atUs: number): boolean;
  /** Moments of change, sorted. */
  readonly changes: Float64Array;
}

export function lineOf(spans: readonly Span[]): Line {
  const flat: number[] = [];
  for (const span of spans) {
    flat.push(span.fromUs);
    if (span.toUs !== Infinity) flat.push(span.toUs);
  }
  const changes = Float64Array.from(flat);
  return { changes, at: (atUs) => (countUpTo(changes, atUs) & 1) === 1 };
}

/** How many of the sorted values are at most `value`. */
export function countUpTo(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

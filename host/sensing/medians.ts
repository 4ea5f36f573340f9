/** Up to so many values are put in order whole: that is quicker than any search. */
const FEW = 16;

/** Median of the first `n` values, NaN of none. Changes their order. */
export function medianOf(values: Float64Array, n: number): number {
  if (n === 0) return NaN;
  const mid = n >> 1;
  if (n <= FEW) sort(values, n);
  else part(values, n, mid);
  const upper = values[mid] ?? 0;
  if (n % 2 === 1) return upper;
  // In order or parted, nothing before the middle is greater than it.
  let lower = values[mid - 1] ?? 0;
  if (n > FEW) {
    for (let i = 0; i < mid - 1; i += 1) {
      const v = values[i] ?? 0;
      if (v > lower) lower = v;
    }
  }
  return (lower + upper) / 2;
}

function sort(values: Float64Array, n: number): void {
  for (let i = 1; i < n; i += 1) {
    const v = values[i] ?? 0;
    let j = i - 1;
    while (j >= 0 && (values[j] ?? 0) > v) {
      values[j + 1] = values[j] ?? 0;
      j -= 1;
    }
    values[j + 1] = v;
  }
}

/** Brings the value of this rank to its place, smaller ones before it and greater ones behind it (Hoare's search). */
function part(values: Float64Array, n: number, rank: number): void {
  let left = 0;
  let right = n - 1;
  while (left < right) {
    const pivot = values[rank] ?? 0;
    let i = left;
    let j = right;
    while (i <= j) {
      while ((values[i] ?? 0) < pivot) i += 1;
      while (pivot < (values[j] ?? 0)) j -= 1;
      if (i > j) break;
      const v = values[i] ?? 0;
      values[i] = values[j] ?? 0;
      values[j] = v;
      i += 1;
      j -= 1;
    }
    if (j < rank) left = i;
    if (rank < i) right = j;
  }
}

/** Third largest of the first `n` values, which are not negative; 0 when there are fewer than three. */
export function thirdLargest(values: Float64Array, n: number): number {
  if (n < 3) return 0;
  let first = 0;
  let second = 0;
  let third = 0;
  for (let i = 0; i < n; i += 1) {
    const v = values[i] ?? 0;
    if (v <= third) continue;
    if (v <= second) third = v;
    else if (v <= first) {
      third = second;
      second = v;
    } else {
      third = second;
      second = first;
      first = v;
    }
  }
  return third;
}

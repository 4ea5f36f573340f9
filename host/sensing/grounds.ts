/**
 * The numbers that a finding was made from. While they are the same, bit for bit, the finding stands and need not be made
 * again. They follow from what a detector knows and are not saved: without them everything is found anew.
 */
export interface Grounds {
  readonly numbers: Float64Array;
  /** Numbers kept from the last time, those compared so far, and whether they agreed. */
  kept: number;
  at: number;
  same: boolean;
}

/** Room for so many numbers; a finding that rests on more is made every time. */
export function createGrounds(room: number): Grounds {
  return { numbers: new Float64Array(room), kept: -1, at: 0, same: false };
}

/** Begins to compare. */
export function begin(grounds: Grounds): void {
  grounds.at = 0;
  grounds.same = grounds.kept >= 0;
}

/** The next number, which takes the place of the one before. */
export function compare(grounds: Grounds, value: number): void {
  const { numbers, at } = grounds;
  grounds.at = at + 1;
  if (at >= numbers.length) return;
  const before = numbers[at] ?? 0;
  if (Object.is(before, value)) return;
  numbers[at] = value;
  grounds.same = false;
}

/** Ends the comparison: whether all numbers are those of the last time. */
export function agree(grounds: Grounds): boolean {
  const { at, kept, numbers } = grounds;
  grounds.kept = at <= numbers.length ? at : -1;
  return grounds.same && at === kept;
}

import type { FaultCode } from '../fault.ts';

/** One thing wrong with a config, at its place. */
export interface ConfigProblem {
  readonly code: FaultCode;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Dotted, as in `tables.t1.links.a.path`; empty when the whole file is meant. */
  readonly key: string;
  /** One sentence; with a key it goes on from the key, as in `must be at most 65535.` */
  readonly text: string;
  readonly remedy: string;
}

export function problem(
  code: FaultCode,
  file: string,
  line: number,
  key: string,
  text: string,
  remedy: string,
): ConfigProblem {
  return { code, file, line, key, text, remedy };
}

/** `file:line: key: sentence remedy`, which editors and terminals make a link of. */
export function problemLine({ file, line, key, text, remedy }: ConfigProblem): string {
  return [`${file}:${line}:`, key === '' ? '' : `${key}:`, text, remedy]
    .filter((part) => part !== '')
    .join(' ');
}

/** The candidate that was most likely meant, or undefined when none is near: at most 2 slips, and not half the word. */
export function nearest(given: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.min(2, Math.floor(given.length / 2)) + 1;
  for (const candidate of candidates) {
    const slips = distance(given.toLowerCase(), candidate.toLowerCase());
    if (slips < least) {
      best = candidate;
      least = slips;
    }
  }
  return best;
}

/** Letters to add, drop or change, or neighbours to swap, to make one word of the other (Damerau's, restricted). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

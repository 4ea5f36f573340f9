/** The figures of the detection bench as they are committed: read by people as text, by tests as JSON. */
import { readFileSync } from 'node:fs';
import type { AuditScore } from './detection-audit.ts';
import type { RollRow } from './detection-corpora.ts';
import type { IdleResult } from './detection-idle.ts';
import type { Noticed } from './detection-noticed.ts';
import type { RecoveryResult } from './detection-recovery.ts';
import type { RunResult } from './detection-run.ts';
import type { Score } from './detection-score.ts';
import { quantile } from './rolls.ts';

/** A list of times, ms, as it is kept; null where it was empty. */
export interface Times {
  readonly count: number;
  readonly p50: number | null;
  readonly p99: number | null;
}

/** Something with lists of times, their names ending in `Ms`, as it is kept. */
export type Kept<T> = {
  readonly [K in keyof T]: K extends `${string}Ms` ? (T[K] extends readonly number[] ? Times : T[K]) : T[K];
};

export interface RowFigures {
  readonly group: string;
  readonly what: string;
  readonly firstSeed: number;
  readonly own: Kept<Score>;
  readonly naive: Kept<Score>;
  readonly plain: Kept<Score>;
  readonly audit: Kept<AuditScore>;
  readonly noticed?: Noticed;
}

export interface CurvePoint {
  /** Share of balls that are asked about, per cent. */
  readonly undetermined: number;
  /** Wrong rulings in a thousand balls that are not asked about. */
  readonly wrongInThousand: number;
  readonly wrong: number;
  readonly balls: number;
}

export type IdleFigures = IdleResult & { readonly what: string; readonly barPerHour: number };

export interface Figures {
  /** Of this form; other forms are not read. */
  readonly version: typeof VERSION;
  /** Share of the full corpora asked for. */
  readonly share: number;
  readonly rows: Readonly<Record<string, RowFigures>>;
  readonly curves: Readonly<Record<string, readonly CurvePoint[]>>;
  readonly recovery: Readonly<
    Record<string, RecoveryResult & { readonly backMs: number; readonly what: string }>
  >;
  readonly idle: Readonly<Record<string, IdleFigures>>;
  /** Wrong rulings, a line each, that begins with the name of its row. */
  readonly wrong: readonly string[];
}

export const VERSION = 2;
export const TABLE_JSON = 'bin/bench/detection.table.json';
export const TABLE_TEXT = 'bin/bench/detection.table.md';

export const CURVE_AT = [0, 1, 3, 5, 10] as const;

/** Wrong rulings left when so many of the least sure balls are asked about. */
export function curveOf(forced: readonly number[]): CurvePoint[] {
  const balls: { sure: number; wrong: number }[] = [];
  for (let i = 0; i + 1 < forced.length; i += 2)
    balls.push({ sure: forced[i] ?? 0, wrong: forced[i + 1] ?? 0 });
  balls.sort((a, b) => a.sure - b.sure || b.wrong - a.wrong);
  return CURVE_AT.map((undetermined) => {
    const kept = balls.slice(Math.round((undetermined / 100) * balls.length));
    const wrong = kept.reduce((n, ball) => n + ball.wrong, 0);
    const share = kept.length === 0 ? 0 : wrong / kept.length;
    return { undetermined, wrongInThousand: Math.round(share * 10_000) / 10, wrong, balls: kept.length };
  });
}

export function timesOf(values: readonly number[]): Times {
  const at = (share: number): number | null => (values.length === 0 ? null : quantile(values, share));
  return { count: values.length, p50: at(0.5), p99: at(0.99) };
}

/** Lists of times become their count and quantiles. */
export function kept<T extends object>(of: T): Kept<T> {
  const entries = Object.entries(of).map(([key, value]: [string, unknown]) =>
    key.endsWith('Ms') && Array.isArray(value) ? [key, timesOf(value.map(Number))] : [key, value],
  );
  return Object.fromEntries(entries) as Kept<T>;
}

export function rowOf(
  { group, what, ask }: Pick<RollRow, 'group' | 'what' | 'ask'>,
  { own, naive, plain, audit, noticed }: RunResult,
): RowFigures {
  return {
    group,
    what,
    firstSeed: ask.firstSeed,
    own: kept(own),
    naive: kept(naive),
    plain: kept(plain),
    audit: kept(audit),
    ...(noticed === undefined ? {} : { noticed }),
  };
}

/** The row that a line of a wrong ruling is of. */
export const rowOfMiss = (line: string): string => line.slice(0, line.indexOf(': '));

/**
 * The committed figures.
 *
 * @throws Error when they are of another form: then the whole bench has to be run
 */
export function readFigures(file = TABLE_JSON): Figures {
  const read = JSON.parse(readFileSync(file, 'utf8')) as { readonly version?: number };
  if (read.version !== VERSION) {
    throw new Error(
      `${file} has form ${read.version ?? 1}, this bench reads ${VERSION}: run it whole, with --write and without --only`,
    );
  }
  return read as Figures;
}

/** What was run now takes the place of what was kept under the same name; all else stays as it was, in the order of `names`. */
export function mergedInto(before: Figures, now: Figures, names: readonly string[]): Figures {
  const merged = <V>(a: Readonly<Record<string, V>>, b: Readonly<Record<string, V>>): Record<string, V> => {
    const both = { ...a, ...b };
    return Object.fromEntries(
      names.flatMap((name) => (both[name] === undefined ? [] : [[name, both[name]]])),
    );
  };
  const again = new Set(Object.keys(now.rows));
  return {
    ...before,
    rows: merged(before.rows, now.rows),
    curves: merged(before.curves, now.curves),
    recovery: merged(before.recovery, now.recovery),
    idle: merged(before.idle, now.idle),
    wrong: [...before.wrong.filter((line) => !again.has(rowOfMiss(line))), ...now.wrong].sort(),
  };
}

/** JSON as the project's formatter leaves it: lists of numbers on one line. */
export function laidOut(figures: Figures): string {
  const text = JSON.stringify(figures, null, 2).replaceAll(
    /\[\s+(-?\d[^[\]{}"]*?)\s+\]/g,
    (_, inner: string) => {
      return `[${inner.replaceAll(/\s+/g, ' ')}]`;
    },
  );
  return `${text}\n`;
}

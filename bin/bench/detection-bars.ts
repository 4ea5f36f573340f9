/** What is asked of the figures, and whether it is held. */
import type { Figures, IdleFigures, RowFigures, Times } from './detection-figures.ts';
import { FINAL_WITHIN_MS } from './detection-times.ts';

export interface Bar {
  /** As in `undetermined ≤ 5 %`. */
  readonly what: string;
  readonly held: boolean;
}

/** Of a fixed threshold's wrong rulings on the same kind of rolls, at most this share; and most doubt, per cent. */
const CLEAN_BAR = { share: 1 / 10, words: '1/10', undetermined: 5 };
const IMPAIRED_BAR = { share: 1 / 5, words: '1/5', undetermined: 8 };

/** First word of an open after the contact, ms. */
const OPEN_P50_MS = 130;
const OPEN_P99_MS = 300;
/** Idle hours from which on a class can hold its bar: below them even no false open at all proves too little. */
export const LEAST_HOURS = 30;

/** Groups whose rows are held against a bar; hard cases and troubles are what may be in doubt, and have none of their own. */
function rulingBar(name: string, { group }: RowFigures): typeof CLEAN_BAR | undefined {
  if (name === 'clean') return CLEAN_BAR;
  if (group === 'impairment' || group === 'unseen') return IMPAIRED_BAR;
  return ['impaired', 'impaired, frames', 'everything'].includes(name) ? IMPAIRED_BAR : undefined;
}

/** Bars of the rulings of one corpus; none where none is set. */
export function rulingBars(name: string, row: RowFigures, all: Figures['rows']): Bar[] {
  const { own, plain } = row;
  if (row.group === 'layout') {
    const clean = all.clean?.own;
    if (clean === undefined) return [];
    // A weaker layout may doubt more, never err more: beyond what chance gives at the rate of the reference layout.
    const expected = (clean.wrong.any / Math.max(1, clean.balls)) * own.balls;
    const most = Math.floor(mostBy(expected));
    return [
      {
        what: `wrong ≤ ${most} of ${own.balls}, by chance at clean's rate`,
        held: own.wrong.any <= most,
      },
    ];
  }
  const bar = rulingBar(name, row);
  if (bar === undefined) return [];
  const fields = (['player', 'opened', 'attached'] as const).map((field): Bar => {
    const limit = (bar.share * plain.wrong[field] * own.balls) / Math.max(1, plain.balls);
    return {
      what: `${field} ≤ ${bar.words} of threshold`,
      held: own.wrong[field] <= limit,
    };
  });
  const share = (100 * own.doubtful) / Math.max(1, own.balls);
  return [...fields, { what: `undetermined ≤ ${bar.undetermined} %`, held: share <= bar.undetermined }];
}

/** Bars of how soon things are said, where a corpus is of rolls of every kind. */
export function latencyBars(row: RowFigures): Bar[] {
  if (row.group !== 'main' && row.group !== 'impairment' && row.group !== 'unseen') return [];
  const { openMs, finalMs } = row.own;
  const within = (what: string, value: Times['p50'], most: number): Bar => ({
    what: `${what} ≤ ${most}`,
    held: value === null || value <= most,
  });
  return [
    within('open p50', openMs.p50, OPEN_P50_MS),
    within('open p99', openMs.p99, OPEN_P99_MS),
    within('final p99', finalMs.p99, FINAL_WITHIN_MS),
  ];
}

/** z of a one-sided bound of 95 %. */
const ONE_SIDED = 1.645;

/** Upper bound of a count at 95 %, one-sided (Byar's approximation; exact for none: -ln 0.05). */
export function upperBound(count: number): number {
  if (count === 0) return 2.9957;
  return byar(count + 1, ONE_SIDED);
}

function byar(n: number, z: number): number {
  const root = 1 - 1 / (9 * n) + z / (3 * Math.sqrt(n));
  return n * root * root * root;
}

/** Largest count that chance gives 95 times in 100 where so many are expected. */
function mostBy(expected: number): number {
  let most = 0;
  let term = Math.exp(-expected);
  for (let sum = term; sum < 0.95; sum += term) {
    most += 1;
    term *= expected / most;
  }
  return most;
}

export function idleBars({ hours, falseOpens, barPerHour }: IdleFigures): Bar[] {
  if (barPerHour === 0) return [{ what: 'none', held: falseOpens === 0 }];
  const rate = upperBound(falseOpens) / hours;
  return [
    {
      what: `≤ ${barPerHour} an hour at the 95 % bound, over ${LEAST_HOURS} h`,
      held: hours >= LEAST_HOURS - 0.001 && Math.round(rate * 1000) / 1000 <= barPerHour,
    },
  ];
}

/** Every bar as words: what is missed is named. */
export function barWords(bars: readonly Bar[]): string {
  if (bars.length === 0) return 'none set';
  const missed = bars.filter(({ held }) => !held);
  const list = (of: readonly Bar[]): string => of.map(({ what }) => what).join(', ');
  return missed.length === 0 ? `held: ${list(bars)}` : `**missed**: ${list(missed)}`;
}

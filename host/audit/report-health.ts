import { num } from './html.ts';
import { byChance, type Comparison, seenOf } from './report-marks.ts';
import type { LevelTrend, LinkTrend, ShareTrend, TileTrend } from './report-trends.ts';
import { chanceOfDifference, chanceOfMeans } from './statistics.ts';

/** Changes below these do not touch a ruling and are not marked, however certain they are, counts. */
const LEAST_NOISE_COUNTS = 0.3;
const LEAST_DRIFT_COUNTS = 3;

/** The second half of the record against the first, for every tile: doubts, contact, noise and baseline. */
export function tileComparisons(trends: readonly TileTrend[]): readonly Comparison[] {
  return trends.flatMap(({ tile, doubts, closed, noise, offRest }) => [
    ...shareChange(
      `tile ${tile}`,
      'doubts',
      doubts,
      (more) => `balls over it were ${more} often in doubt`,
      'Look at its sensors and its calibration.',
    ),
    ...shareChange(
      `tile ${tile}`,
      'contact',
      closed,
      (more) => `its contact closed ${more} often when a ball came to its core`,
      'Clean the contact and look at its plug.',
    ),
    ...levelChange(
      `tile ${tile}`,
      'noise',
      noise,
      LEAST_NOISE_COUNTS,
      (more) => `its hall sensor was ${more} noisy`,
      'Look at its plug, its cable and the supply.',
    ),
    ...levelChange(
      `tile ${tile}`,
      'baseline',
      offRest,
      LEAST_DRIFT_COUNTS,
      (more) => `its hall sensor rested ${more === 'more' ? 'higher' : 'lower'} against its calibration`,
      'Warmth does that, and a magnet nearby; calibrate when it stays.',
    ),
  ]);
}

/** The same for every way in: lines lost and lines damaged. */
export function linkComparisons(links: readonly LinkTrend[]): readonly Comparison[] {
  return links.flatMap(({ link, lost, damaged }) => [
    ...shareChange(
      `link ${link}`,
      'lines lost',
      lost,
      (more) => `rolls lost lines ${more} often`,
      'Look at the cable, the hub and the network.',
    ),
    ...shareChange(
      `link ${link}`,
      'lines damaged',
      damaged,
      (more) => `rolls had damaged lines ${more} often`,
      'Look at the cable and its plugs.',
    ),
  ]);
}

function shareChange(
  name: string,
  what: string,
  { early, late }: ShareTrend,
  said: (more: 'more' | 'less') => string,
  remedy: string,
): readonly Comparison[] {
  if (early.of === 0 || late.of === 0) return [];
  const chance = chanceOfDifference(late.hits, late.of, early.hits, early.of);
  const more = late.share > early.share ? 'more' : 'less';
  const text = `${capital(name)}: ${said(more)} in the second half of the record than in the first. ${seenOf(late, early.share)} The first half: ${early.hits} of ${early.of}. ${byChance(chance, `${late.of} and ${early.of}`)} ${remedy}`;
  const { low, high } = late;
  return [
    { name, what, text, chance, expected: early.share, seen: late.share, low, high, n: late.of, unit: '' },
  ];
}

function levelChange(
  name: string,
  what: string,
  { early, late }: LevelTrend,
  leastCounts: number,
  said: (more: 'more' | 'less') => string,
  remedy: string,
): readonly Comparison[] {
  if (early.of < 2 || late.of < 2) return [];
  const isLarge = Math.abs(late.mean - early.mean) >= leastCounts;
  const chance = isLarge ? chanceOfMeans(late, early) : 1;
  const more = late.mean > early.mean ? 'more' : 'less';
  const text = `${capital(name)}: ${said(more)} in the second half of the record than in the first. Expected ${num(early.mean, 2)} counts, seen ${num(late.mean, 2)} (95 % from ${num(late.low, 2)} to ${num(late.high, 2)}). ${byChance(chance, `${late.of} and ${early.of} stretches`)} Changes below ${leastCounts} counts are not marked. ${remedy}`;
  const { low, high } = late;
  return [
    {
      name,
      what,
      text,
      chance,
      expected: early.mean,
      seen: late.mean,
      low,
      high,
      n: late.of,
      unit: 'counts',
    },
  ];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

import { type SeenRoll, tileName } from './report-balls.ts';
import { type Mean, meanOf, type Share, shareOf } from './statistics.ts';

/** A share in the first and the second half of the record, and in up to eight stretches of equally many cases. */
export interface ShareTrend {
  readonly early: Share;
  readonly late: Share;
  readonly stretches: readonly Share[];
}

/**
 * A level in the course of the record: means of up to eight stretches, and of their halves. Neighbouring values of a
 * level resemble one another, so stretches count as the cases, not single values.
 */
export interface LevelTrend {
  readonly early: Mean;
  readonly late: Mean;
  readonly stretches: readonly number[];
}

/** What the record shows of one tile's health, in order of time. */
export interface TileTrend {
  readonly tile: string;
  readonly table: string;
  readonly cell: string;
  /** Balls that came over it. */
  readonly touches: number;
  /** Balls over it whose ruling carried a doubt. */
  readonly doubts: ShareTrend;
  /** Visits of a ball to a core on it in which the contact closed. */
  readonly closed: ShareTrend;
  /** Noise of the main hall before rolls, counts. */
  readonly noise: LevelTrend;
  /** Baseline of the main hall before rolls less its calibrated rest, counts. */
  readonly offRest: LevelTrend;
}

/** What the record shows of one way in. */
export interface LinkTrend {
  readonly link: string;
  readonly rolls: number;
  /** Rolls in which lines were lost for good, or the board was not heard. */
  readonly lost: ShareTrend;
  /** Rolls in which lines came damaged. */
  readonly damaged: ShareTrend;
}

/** The health of every tile that was rolled over or heard, tables apart; rolls in order of time. */
export function tileTrends(rolls: readonly SeenRoll[]): readonly TileTrend[] {
  const tables = [...new Set(rolls.map(({ table }) => table))].sort();
  return tables.flatMap((table) => {
    const own = rolls.filter((roll) => roll.table === table);
    const balls = own.flatMap((roll) => roll.balls);
    const cells = new Set([
      ...balls.flatMap(({ row }) => row.path.split('>')),
      ...balls.flatMap(({ visits }) => visits.map(({ cell }) => cell)),
    ]);
    return [...cells]
      .filter((cell) => cell !== '')
      .sort()
      .map((cell) => {
        const over = balls.filter(({ row }) => row.path.split('>').includes(cell));
        const quiet = own.flatMap((roll) => roll.quiet.filter((tile) => tile.cell === cell));
        return {
          tile: tileName(table, cell, tables.length),
          table,
          cell,
          touches: over.length,
          doubts: shareTrend(over.map(({ row }) => row.doubts !== '')),
          closed: shareTrend(
            balls.flatMap(({ visits }) =>
              visits.filter((visit) => visit.cell === cell).map(({ closed }) => closed),
            ),
          ),
          noise: levelTrend(quiet.flatMap(({ noiseCounts }) => noiseCounts ?? [])),
          offRest: levelTrend(quiet.map(({ offRestCounts }) => offRestCounts)),
        };
      });
  });
}

/** Lines lost and damaged on every way in, tables apart; rolls in order of time. */
export function linkTrends(rolls: readonly SeenRoll[]): readonly LinkTrend[] {
  const tables = new Set(rolls.map(({ table }) => table));
  const links = new Map<string, { lost: boolean; damaged: boolean }[]>();
  for (const { table, links: seen } of rolls) {
    for (const name of new Set(seen.map(({ link }) => link))) {
      const counts = seen.filter(({ link }) => link === name).flatMap((one) => Object.entries(one.counts));
      const counted = (wanted: (count: string) => boolean): boolean =>
        counts.some(([count, value]) => wanted(count) && value > 0);
      const key = tileName(table, name, tables.size);
      const roll = {
        lost: counted((count) => ['lost', 'stalls', 'downs'].includes(count)),
        damaged: counted((count) => count.startsWith('fault.')),
      };
      links.set(key, [...(links.get(key) ?? []), roll]);
    }
  }
  return [...links]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([link, own]) => ({
      link,
      rolls: own.length,
      lost: shareTrend(own.map(({ lost }) => lost)),
      damaged: shareTrend(own.map(({ damaged }) => damaged)),
    }));
}

function shareTrend(cases: readonly boolean[]): ShareTrend {
  const half = Math.ceil(cases.length / 2);
  const shareIn = (part: readonly boolean[]): Share => shareOf(part.filter(Boolean).length, part.length);
  return {
    early: shareIn(cases.slice(0, half)),
    late: shareIn(cases.slice(half)),
    stretches: stretchesOf(cases).map(shareIn),
  };
}

function levelTrend(levels: readonly number[]): LevelTrend {
  const stretches = levels.length === 0 ? [] : stretchesOf(levels).map((part) => meanOf(part).mean);
  const half = Math.ceil(stretches.length / 2);
  return { early: meanOf(stretches.slice(0, half)), late: meanOf(stretches.slice(half)), stretches };
}

/** Cases cut into up to eight stretches of at least four. */
function stretchesOf<Case>(cases: readonly Case[]): readonly (readonly Case[])[] {
  const count = Math.max(1, Math.min(8, Math.floor(cases.length / 4)));
  return Array.from({ length: count }, (_, i) =>
    cases.slice(Math.floor((i * cases.length) / count), Math.floor(((i + 1) * cases.length) / count)),
  );
}

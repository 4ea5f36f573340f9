import { type SeenRoll, tileName } from './report-balls.ts';
import { linkComparisons, tileComparisons } from './report-health.ts';
import {
  type Comparison,
  coreComparisons,
  LANDED_ON,
  landingComparisons,
  MARK_CHANCE,
  marksAmong,
  offenceComparisons,
  rateComparisons,
  skewComparisons,
  speedComparisons,
} from './report-marks.ts';
import { ballsBy, type Rates, ratesBy, ratesOf } from './report-rates.ts';
import { type LinkTrend, linkTrends, type TileTrend, tileTrends } from './report-trends.ts';

/** Rates, trends and what stands out among them. */
export interface Summary {
  readonly players: readonly Rates[];
  readonly bakugan: readonly Rates[];
  /** By the core that a ball came to. */
  readonly cores: readonly Rates[];
  readonly tiles: readonly Rates[];
  readonly trends: readonly TileTrend[];
  readonly links: readonly LinkTrend[];
  /** How often balls came to each core, beside the mean core of the field. */
  readonly landings: readonly Comparison[];
  readonly unusual: readonly Comparison[];
  /** How many comparisons were made to find them. */
  readonly comparisons: number;
  /** How the marks were made. */
  readonly method: string;
}

/** Sums up rolls that stand in order of time. */
export function summaryOf(rolls: readonly SeenRoll[]): Summary {
  const balls = rolls.flatMap((roll) => roll.balls);
  const tables = new Set(rolls.map(({ table }) => table)).size;
  const players = ratesBy(balls, ({ row }) => row.player);
  const bakuganOf = ({ row }: (typeof balls)[number]): string => `${row.player} ${row.bakugan}`;
  const bakugan = ratesBy(balls, bakuganOf);
  const tied = balls.filter(({ row }) => row.tile !== '');
  const tiles = [...ballsBy(tied, ({ table, row }) => tileName(table, row.tile, tables))].map(
    ([name, own]) => {
      const [{ table, row } = { table: '', row: { tile: '' } }] = own;
      return { ...ratesOf(name, own), at: { table, cell: row.tile } };
    },
  );
  const trends = tileTrends(rolls);
  const links = linkTrends(rolls);
  const cores = coreComparisons(balls);
  const comparisons = [
    ...[players, bakugan, tiles].flatMap(rateComparisons),
    ...landingComparisons(players),
    ...cores,
    ...speedComparisons(balls, ({ row }) => row.player),
    ...speedComparisons(balls, bakuganOf),
    ...skewComparisons(balls),
    ...offenceComparisons(balls),
    ...tileComparisons(trends),
    ...linkComparisons(links),
  ];
  return {
    players,
    bakugan,
    cores: ratesBy(balls, ({ landed }) => landed),
    tiles,
    trends,
    links,
    landings: cores.filter(({ what }) => what === LANDED_ON),
    unusual: marksAmong(comparisons),
    comparisons: comparisons.length,
    method: `Intervals are 95 %: Wilson's for shares, Student's t for means. A value is marked when chance alone would make so large a difference in fewer than ${MARK_CHANCE} of such reports: its own chance is below ${MARK_CHANCE} divided by the ${comparisons.length} comparisons made here (Bonferroni). Shares are compared by Fisher's exact test, means by Welch's t, cores by the exact distribution of balls that come to any core alike.`,
  };
}

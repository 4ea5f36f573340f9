import { num } from './html.ts';
import type { SeenBall } from './report-balls.ts';
import { ballsBy, type Rates } from './report-rates.ts';
import {
  chanceOfCount,
  chanceOfDifference,
  chanceOfMean,
  chanceOfMeans,
  meanOf,
  type Share,
  shareOf,
} from './statistics.ts';

/** One value compared with what the others, or chance, let expect; in words that accuse nobody. */
export interface Comparison {
  readonly name: string;
  /** What was compared, as in `opened`. */
  readonly what: string;
  readonly text: string;
  /** Chance of a difference this large if there were no reason for one. */
  readonly chance: number;
  /** In `unit`; a share where that is empty. */
  readonly expected: number;
  readonly seen: number;
  /** 95 % interval of what was seen. */
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly unit: '' | 'm/s' | 'ms' | 'counts';
}

/** A difference is marked when it would come by chance in fewer than this share of all such reports. */
export const MARK_CHANCE = 0.01;

/** The comparisons that are marked: their chance is below MARK_CHANCE divided by their number (Bonferroni). */
export function marksAmong(comparisons: readonly Comparison[]): readonly Comparison[] {
  return comparisons.filter(({ chance }) => chance < MARK_CHANCE / comparisons.length);
}

const CAUSES =
  'Practice, the Bakugan, the core and the mat can all make such a difference; the figures do not say which.';

/** The sentence on chance that ends every mark. */
export function byChance(chance: number, n: string): string {
  return `Were there no reason, so large a difference would come with a chance of ${chance.toPrecision(2)} (n = ${n}).`;
}

/** A share beside what is expected of it, as words. */
export function seenOf({ hits, of, share, low, high }: Share, expected: number): string {
  const percent = (value: number): string => `${num(100 * value)} %`;
  return `Expected ${num(expected * of)} of ${of} (${percent(expected)}), seen ${hits} (${percent(share)}, 95 % from ${percent(low)} to ${percent(high)}).`;
}

/** A share of every name of a group against the others of it: Fisher's exact test. */
export function againstOthers(
  group: readonly { readonly name: string; readonly share: Share }[],
  what: string,
  words: { readonly more: string; readonly less: string },
  causes = CAUSES,
): readonly Comparison[] {
  const all = group.reduce((sum, { share }) => ({ hits: sum.hits + share.hits, of: sum.of + share.of }), {
    hits: 0,
    of: 0,
  });
  return group.flatMap(({ name, share }) => {
    const others = shareOf(all.hits - share.hits, all.of - share.of);
    if (share.of === 0 || others.of === 0) return [];
    const chance = chanceOfDifference(share.hits, share.of, others.hits, others.of);
    const said = share.share > others.share ? words.more : words.less;
    const text = `${name}: ${said} than the others here. ${seenOf(share, others.share)} The others: ${others.hits} of ${others.of}. ${byChance(chance, `${share.of} and ${others.of}`)} ${causes}`;
    const { low, high } = share;
    return [
      {
        name,
        what,
        text,
        chance,
        expected: others.share,
        seen: share.share,
        low,
        high,
        n: share.of,
        unit: '',
      },
    ];
  });
}

/** Open, attach and landing rates of a group. */
export function rateComparisons(group: readonly Rates[]): readonly Comparison[] {
  const of = (pick: (rates: Rates) => Share) => group.map((one) => ({ name: one.name, share: pick(one) }));
  return [
    ...againstOthers(
      of(({ opens }) => opens),
      'opened',
      {
        more: 'opened more often',
        less: 'opened less often',
      },
    ),
    ...againstOthers(
      of(({ attached }) => attached),
      'stayed attached',
      {
        more: 'open balls stayed attached more often',
        less: 'open balls stayed attached less often',
      },
    ),
  ];
}

/** Balls that came to any core at all, by player. */
export function landingComparisons(players: readonly Rates[]): readonly Comparison[] {
  return againstOthers(
    players.map(({ name, landed }) => ({ name, share: landed })),
    'came to a core',
    { more: 'balls came to a core more often', less: 'balls came to a core less often' },
  );
}

/** Names the comparisons of a core with the mean core. */
export const LANDED_ON = 'landed on';

const WHERE = 'Where a core lies, what stands beside it and the throw all make a difference.';

/**
 * Which core balls come to: each core against the mean of all that lay on the field beside it, and each player on it
 * against the others who had it before them.
 */
export function coreComparisons(balls: readonly SeenBall[]): readonly Comparison[] {
  const rolled = balls.filter(({ row }) => row.side !== 'undetermined');
  const cores = [...new Set(rolled.flatMap(({ standing }) => standing))].sort();
  return cores.flatMap((core) => {
    const had = rolled.filter(({ standing }) => standing.includes(core));
    const landed = had.filter((ball) => ball.standing.includes(ball.landed));
    const chances = landed.map(({ standing }) => 1 / standing.length);
    const share = shareOf(landed.filter((ball) => ball.landed === core).length, landed.length);
    const byPlayer = [...ballsBy(had, ({ row }) => row.player)].map(([player, own]) => ({
      name: `${player} on core ${core}`,
      share: shareOf(own.filter((ball) => ball.landed === core).length, own.length),
    }));
    const words = { more: 'balls came to it more often', less: 'balls came to it less often' };
    const players = againstOthers(byPlayer, 'came to this core', words, WHERE);
    if (landed.length === 0) return players;
    const chance = chanceOfCount(share.hits, chances);
    const expected = chances.reduce((sum, one) => sum + one, 0) / landed.length;
    const said = share.share > expected ? 'more' : 'less';
    const name = `core ${core}`;
    const text = `Core ${core}: balls came to it ${said} often than to the mean core that lay on the field. ${seenOf(share, expected)} ${byChance(chance, `${share.of}`)} ${WHERE}`;
    const { low, high } = share;
    const n = share.of;
    return [
      { name, what: LANDED_ON, text, chance, expected, seen: share.share, low, high, n, unit: '' as const },
      ...players,
    ];
  });
}

/** Speed at release of every name of a group against the others of it: Welch's t. */
export function speedComparisons(
  balls: readonly SeenBall[],
  nameOf: (ball: SeenBall) => string,
): readonly Comparison[] {
  const measured = balls.filter(({ row }) => row.speedMPerS !== null);
  const speeds = (some: readonly SeenBall[]) => meanOf(some.map(({ row }) => row.speedMPerS ?? Number.NaN));
  return [...ballsBy(measured, nameOf)].flatMap(([name, own]) => {
    const others = speeds(
      measured.filter((ball) => ball.row.side !== 'undetermined' && nameOf(ball).trim() !== name),
    );
    const seen = speeds(own);
    if (seen.of < 2 || others.of < 2) return [];
    const chance = chanceOfMeans(seen, others);
    const said = seen.mean > others.mean ? 'faster' : 'slower';
    const text = `${name}: balls were ${said} at release than those of the others here. Expected ${num(others.mean, 2)} m/s as the others, seen ${num(seen.mean, 2)} m/s (95 % from ${num(seen.low, 2)} to ${num(seen.high, 2)}). ${byChance(chance, `${seen.of} and ${others.of}`)} Both are legal; habit and seat make such a difference.`;
    const { low, high } = seen;
    return [
      {
        name,
        what: 'speed',
        text,
        chance,
        expected: others.mean,
        seen: seen.mean,
        low,
        high,
        n: seen.of,
        unit: 'm/s',
      },
    ];
  });
}

/** Whether a player's balls tend to be released before or after those of the others: Student's t against 0. */
export function skewComparisons(balls: readonly SeenBall[]): readonly Comparison[] {
  const measured = balls.filter(({ row }) => row.releaseSkewMs !== null);
  return [...ballsBy(measured, ({ row }) => row.player)].flatMap(([name, own]) => {
    const seen = meanOf(own.map(({ row }) => row.releaseSkewMs ?? Number.NaN));
    if (seen.of < 2) return [];
    const chance = chanceOfMean(seen, 0);
    const said = seen.mean < 0 ? 'before' : 'after';
    const text = `${name}: released ${said} the other ball on average. Expected 0 ms, seen ${num(seen.mean, 0)} ms (95 % from ${num(seen.low, 0)} to ${num(seen.high, 0)}). ${byChance(chance, `${seen.of}`)} Who calls, and habit, make such a difference; the rolls may all be legal.`;
    const { low, high } = seen;
    return [
      {
        name,
        what: 'release',
        text,
        chance,
        expected: 0,
        seen: seen.mean,
        low,
        high,
        n: seen.of,
        unit: 'ms',
      },
    ];
  });
}

/** Roll rules that one ball breaks by itself, by code of the reason, and of which balls that can be told. */
const OWN_OFFENCES: readonly {
  readonly code: string;
  readonly said: string;
  readonly told: (ball: SeenBall) => boolean;
}[] = [
  {
    code: 'illegal/beyond-zone',
    said: 'balls were found to be released beyond two card lengths',
    told: ({ row }) => row.releaseZoneMm !== null,
  },
  { code: 'illegal/early', said: 'balls were found to be released before the call', told: () => true },
  { code: 'illegal/bounced', said: 'balls were found to drop or bounce', told: () => true },
];

/** Balls against a roll rule, by player. */
export function offenceComparisons(balls: readonly SeenBall[]): readonly Comparison[] {
  return OWN_OFFENCES.flatMap(({ code, said, told }) => {
    const group = [
      ...ballsBy(
        balls.filter((ball) => told(ball) || ball.offences.includes(code)),
        ({ row }) => row.player,
      ),
    ];
    const shares = group.map(([name, own]) => ({
      name,
      share: shareOf(own.filter(({ offences }) => offences.includes(code)).length, own.length),
    }));
    return againstOthers(
      shares,
      code,
      { more: `${said} more often`, less: `${said} less often` },
      'Seat, reach and habit make such a difference, and so does a gate that stands askew.',
    );
  });
}

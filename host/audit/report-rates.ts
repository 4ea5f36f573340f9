import type { SeenBall } from './report-balls.ts';
import { type Mean, meanOf, type Share, shareOf } from './statistics.ts';

/** Rates of one player, Bakugan, core or tile. */
export interface Rates {
  readonly name: string;
  /** Table and cell of a tile. */
  readonly at?: { readonly table: string; readonly cell: string };
  /** Balls. */
  readonly rolls: number;
  /** By what stands: of the balls whose result stands and is none of doubt. */
  readonly opens: Share;
  /** Of the balls that opened. */
  readonly attached: Share;
  /** Balls that the sensors left to a judge. */
  readonly undetermined: Share;
  /** Balls of which the sensors were sure and a judge ruled otherwise. */
  readonly overridden: Share;
  /** Balls that came to a core. */
  readonly landed: Share;
  readonly speed: Mean;
  /** Balls that rolled, of those whose part could be told. */
  readonly rolled: Share;
}

/** Rates by name, in order of the names; balls without one, or of nobody, are left out. */
export function ratesBy(balls: readonly SeenBall[], nameOf: (ball: SeenBall) => string): readonly Rates[] {
  return [...ballsBy(balls, nameOf)].map(([name, own]) => ratesOf(name, own));
}

/** Balls by name, in order of the names; balls without one, or of nobody, are left out. */
export function ballsBy(
  balls: readonly SeenBall[],
  nameOf: (ball: SeenBall) => string,
): ReadonlyMap<string, readonly SeenBall[]> {
  const groups = new Map<string, SeenBall[]>();
  for (const ball of balls) {
    const name = nameOf(ball).trim();
    if (name === '' || ball.row.side === 'undetermined') continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [ball]);
    else group.push(ball);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Rates of some balls. */
export function ratesOf(name: string, balls: readonly SeenBall[]): Rates {
  const rows = balls.map(({ row }) => row);
  const standing = rows.filter(({ stands }) => stands === 'yes' || stands === 'no');
  const opened = standing.filter(({ stands }) => stands === 'yes');
  const doubtful = rows.filter((row) => row.opened === 'undetermined');
  const overridden = rows.filter(({ judged }) => judged === 'overridden');
  const told = rows.filter(({ turning }) => turning !== '');
  return {
    name,
    rolls: rows.length,
    opens: shareOf(opened.length, standing.length),
    attached: shareOf(opened.filter(({ standsCores }) => standsCores !== '').length, opened.length),
    undetermined: shareOf(doubtful.length, rows.length),
    overridden: shareOf(overridden.length, rows.length - doubtful.length),
    landed: shareOf(balls.filter(({ landed }) => landed !== '').length, balls.length),
    speed: meanOf(rows.flatMap(({ speedMPerS }) => (speedMPerS === null ? [] : [speedMPerS]))),
    rolled: shareOf(told.filter(({ turning }) => turning === 'rolled').length, told.length),
  };
}

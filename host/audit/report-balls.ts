import type { LinkSeen } from '../sensing/seen.ts';
import type { QuietTile } from './quiet-tiles.ts';
import type { ReportRow } from './report-rows.ts';
import type { RollCase } from './rolls.ts';

/** What the statistics of a report read of the row of a ball. */
export type BallRow = Pick<
  ReportRow,
  | 'wallTime'
  | 'player'
  | 'side'
  | 'bakugan'
  | 'opened'
  | 'cores'
  | 'stands'
  | 'standsCores'
  | 'judged'
  | 'tile'
  | 'touched'
  | 'releaseSkewMs'
  | 'releaseZoneMm'
  | 'speedMPerS'
  | 'turning'
  | 'path'
  | 'doubts'
>;

/** One ball as the statistics of a report look at it. */
export interface SeenBall {
  readonly row: BallRow;
  /** Table it was rolled on; tiles of two tables are never one. */
  readonly table: string;
  /** Core it came to: the last one touched, else the one it is attached to; empty when none. */
  readonly landed: string;
  /** Cores that lay on the field. */
  readonly standing: readonly string[];
  /** Cells with a core that it came over, and whether the contact of each closed. */
  readonly visits: readonly { readonly cell: string; readonly closed: boolean }[];
  /** Codes of the roll rules that it broke itself. */
  readonly offences: readonly string[];
}

/** One roll with its balls. */
export interface SeenRoll<Row extends BallRow = BallRow> {
  readonly table: string;
  readonly source: string;
  readonly wallTime: string;
  readonly balls: readonly (SeenBall & { readonly row: Row })[];
  readonly quiet: readonly QuietTile[];
  readonly links: readonly LinkSeen[];
}

/** A roll as statistics see it, from what was recorded and the rows made of it, one a ball of the final ruling. */
export function seenRoll<Row extends BallRow>(
  one: RollCase,
  rows: readonly Row[],
  where: { readonly table: string; readonly source: string },
): SeenRoll<Row> {
  const { cores } = one.activity;
  const cellOf = new Map(cores.map(({ core, cell }) => [core, cell]));
  const balls = rows.map((row, i) => {
    const ball = one.final?.balls[i];
    const closed = [...(ball?.contact.sure ?? []), ...(ball?.contact.possible ?? [])].map((core) =>
      cellOf.get(core),
    );
    const path = new Set(ball?.audit.path.cells);
    return {
      row,
      table: where.table,
      landed: row.touched.split('+').at(-1) || row.cores.split('+')[0] || '',
      standing: cores.map(({ core }) => core),
      visits: cores
        .filter(({ cell }) => path.has(cell) || closed.includes(cell))
        .map(({ cell }) => ({ cell, closed: closed.includes(cell) })),
      offences: (one.final?.illegal ?? [])
        .filter(({ player }) => player !== undefined && player === ball?.player)
        .map(({ code }) => code),
    };
  });
  return { ...where, wallTime: one.wallTime ?? '', balls, quiet: one.quiet, links: one.links };
}

/**
 * The rolls in order of the wall clock, whatever the order of their files; those of one file keep theirs among equals.
 * What has no time of day (an old capture) comes last.
 */
export function inOrderOfTime<Roll extends SeenRoll>(rolls: readonly Roll[]): readonly Roll[] {
  const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const timeOf = ({ wallTime }: SeenRoll): string => wallTime || '~';
  return [...rolls].sort((a, b) => compared(timeOf(a), timeOf(b)) || compared(a.source, b.source));
}

/** Name of a tile in a report: with its table where there are several. */
export function tileName(table: string, cell: string, tables: number): string {
  return tables > 1 ? `${table} ${cell}` : cell;
}

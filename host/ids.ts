import type { Side } from '../firmware-protocol/frame.ts';

export type { Side };

/** Names a table on this host and in every topic, route and record: `[a-z0-9][a-z0-9_-]{0,31}`. */
export type TableId = string;
/** A place of the field, `q<Q>r<R>` in axial coordinates, as in `q0r-1`. */
export type CellId = string;
/** One BakuCore print on this table: owner and number, `A1` to `A6`, `B1` to `B6`. */
export type CoreId = string;
/** One Bakugan of a team: owner and place in the team, `A/1` to `B/3`. */
export type BakuganId = string;
/** One way in to a table, by its name in the config: `serial-a`, `mqtt`, `sim`. */
export type LinkId = string;
/** One roll attempt: `t<turn>.<attempt>`, re-rolls after the first attempt carry `r<n>`, as in `t3.1r1`. */
export type RollId = string;

/** The player opposite. */
export function opponentOf(side: Side): Side {
  return side === 'A' ? 'B' : 'A';
}

export const SIDES: readonly Side[] = ['A', 'B'];

/** Milliseconds of the host's monotonic clock at microsecond resolution; only differences mean anything. */
export type AtMs = number;

/** A value JSON can hold and give back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

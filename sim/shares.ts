/** How often what happens in drawn rolls. */
import type { Mode } from './approach.ts';

/** Endings that one ball can have alone. */
export type LoneEnding = 'attach' | 'two-cores' | 'off' | 'vacant' | 'pass' | 'rest' | 'miss' | 'shut';

export interface RollShares {
  /** Weights of a ball's endings. */
  readonly endings: Readonly<Record<LoneEnding, number>>;
  /** Share of rolls in which the second ball joins the first on its core, and in which it strikes it. */
  readonly join: number;
  readonly strike: number;
  readonly modes: Readonly<Record<Mode, number>>;
  /** Time between the two openings of a join, ms. */
  readonly joinGapMs: readonly [least: number, most: number];
  /** How long a ball that opens and leaves stays on its core, ms. */
  readonly dwellMs: readonly [least: number, most: number];
  /** Share of balls dropped or bounced, released too early or late, and released beyond two card lengths. */
  readonly bounced: number;
  readonly apart: number;
  readonly beyond: number;
  /** All releases lie within this of the limit of two card lengths, either side, mm. */
  readonly nearLimitMm: number;
  /** Share of hands that go on 10 to 80 mm past the place where they let go. */
  readonly follow: number;
  /** Time between releases that are not together, ms. */
  readonly apartMs: readonly [least: number, most: number];
  /** Share of rolls in which both are released 20 to 250 ms before the call. */
  readonly early: number;
  /** Share of rolls in which a sleeve touches a tile. */
  readonly hand: number;
  /** Shares of rolls in which the contact of a touched tile lies. */
  readonly deadContact: number;
  readonly dirtyContact: number;
  readonly stuckContact: number;
  /** Which tile's contact lies: any that was touched, or one on which a ball opens or stands. */
  readonly faultAt: 'touched' | 'held';
  /** Draws what balls and things do beyond the usual ranges by this share. */
  readonly stretch: number;
  /** Share of balls whose worn latch opens 5 to 40 ms late, and of those that rock after the stop. */
  readonly late: number;
  readonly wobble: number;
}

/** Sound hardware; rolls of every kind. */
export const CLEAN: RollShares = {
  endings: { attach: 36, 'two-cores': 4, off: 14, vacant: 6, pass: 22, rest: 10, miss: 8, shut: 0 },
  join: 0.06,
  strike: 0.04,
  joinGapMs: [20, 2000],
  dwellMs: [30, 600],
  modes: { rolled: 75, slid: 10, spun: 15 },
  bounced: 0.05,
  apart: 0.05,
  beyond: 0.04,
  nearLimitMm: 200,
  follow: 0.4,
  apartMs: [270, 600],
  early: 0.01,
  hand: 0.04,
  deadContact: 0,
  dirtyContact: 0,
  stuckContact: 0,
  faultAt: 'touched',
  stretch: 0,
  late: 0,
  wobble: 0,
};

/** Worn contacts besides: one in eight dirty, one in twenty dead, one in a hundred stuck. */
export const WORN: RollShares = { ...CLEAN, deadContact: 0.05, dirtyContact: 0.12, stuckContact: 0.01 };

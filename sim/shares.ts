/** How often what happens in drawn rolls. */
import type { Mode } from './approach.ts';

/** Endings that one ball can have alone. */
export type LoneEnding = 'attach' | 'two-cores' | 'off' | 'vacant' | 'pass' | 'rest' | 'miss';

export interface RollShares {
  /** Weights of a ball's endings. */
  readonly endings: Readonly<Record<LoneEnding, number>>;
  /** Share of rolls in which the second ball joins the first on its core, and in which it strikes it. */
  readonly join: number;
  readonly strike: number;
  readonly modes: Readonly<Record<Mode, number>>;
  /** Share of balls dropped or bounced, released too early or late, and released beyond two card lengths. */
  readonly bounced: number;
  readonly apart: number;
  readonly beyond: number;
  /** Share of rolls in which a sleeve touches a tile. */
  readonly hand: number;
  /** Shares of rolls in which the contact of a touched tile lies. */
  readonly deadContact: number;
  readonly dirtyContact: number;
  readonly stuckContact: number;
}

/** Sound hardware; rolls of every kind. */
export const CLEAN: RollShares = {
  endings: { attach: 36, 'two-cores': 4, off: 14, vacant: 6, pass: 22, rest: 10, miss: 8 },
  join: 0.06,
  strike: 0.04,
  modes: { rolled: 75, slid: 10, spun: 15 },
  bounced: 0.05,
  apart: 0.05,
  beyond: 0.04,
  hand: 0.04,
  deadContact: 0,
  dirtyContact: 0,
  stuckContact: 0,
};

/** Worn contacts besides: one in eight dirty, one in twenty dead, one in a hundred stuck. */
export const WORN: RollShares = { ...CLEAN, deadContact: 0.05, dirtyContact: 0.12, stuckContact: 0.01 };

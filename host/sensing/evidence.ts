import type { CoreId } from '../ids.ts';
import type { Arrival } from './arrivals.ts';
import type { SensingLimits } from './limits.ts';
import type { LiveRoll } from './live-roll.ts';
import type { Attribution } from './owners.ts';
import type { CoreSet, Reason, Verdict } from './ruling.ts';
import type { Visit } from './visits.ts';

/** One arrival with its visit, as a verdict sees it. */
export interface Seen {
  readonly visit: Visit;
  readonly arrival: Arrival;
  readonly nth: number;
}

/**
 * `free`: something passed a gate as quickly as a ball; `hand`: only what stayed in it longer, as a hand does; `none`:
 * nothing; `unknown`: no gates are fitted.
 */
export type Launched = 'free' | 'hand' | 'none' | 'unknown';

/** What is known when a ball is judged. */
export interface Evidence {
  readonly live: LiveRoll;
  readonly limits: SensingLimits;
  readonly seen: readonly Seen[];
  readonly shared: Attribution;
  readonly final: boolean;
  /** Time up to which the samples go. */
  readonly toMs: number;
  /** What a ball's gates saw before this time. */
  readonly launchBefore: (ball: number, atMs: number) => Launched;
  /**
   * By place in `seen`: level in what this ball alone makes on a tile it stands on, NaN where the layout or company on the
   * tile does not let it tell.
   */
  readonly shareAt: readonly number[];
  /** Cells that share a side with each. */
  readonly near: readonly (readonly number[])[];
  /** Cells whose contact is closed now. */
  readonly touching: readonly boolean[];
  /** Latches show as chatter of their contact: not where boards stamp on arrival. */
  readonly chatters: boolean;
}

export const NO_CORES: CoreSet = { sure: [], possible: [] };

/** Places in `seen` that belong to a ball, in order of time. */
export function own(evidence: Evidence, ball: number): readonly number[] {
  return evidence.seen.map((_, i) => i).filter((i) => evidence.shared.owner[i] === ball);
}

export function coreOf(evidence: Evidence, i: number): CoreId | undefined {
  const seen = evidence.seen[i];
  return seen === undefined ? undefined : evidence.live.cores[seen.visit.cell];
}

/** Whether an arrival still stands on its tile. */
export function stands(seen: Seen): boolean {
  return seen.visit.endMs === Infinity && seen.arrival.leftMs === Infinity;
}

/** What was said of a ball's open: `at` is its place in `seen`, -1 for none. */
export interface Open {
  readonly verdict: Verdict;
  readonly at: number;
  readonly chance: number;
  readonly reasons: readonly Reason[];
}

import type { AtMs, CoreId, RollId, Side } from '../ids.ts';

/** Doubt is a value of its own; it never becomes a result by itself. */
export type Verdict = 'yes' | 'no' | 'undetermined';

/** Cores that certainly belong to the answer, and cores that may. Sure cores are not repeated in possible. */
export interface CoreSet {
  readonly sure: readonly CoreId[];
  readonly possible: readonly CoreId[];
}

/** Why a field of a ruling reads as it does. `code` is stable and namespaced; `rules` cites the rulebook. */
export interface Reason {
  /** As in `open/contact-before-open`, `doubt/link-lost`. */
  readonly code: string;
  /** Rule numbers applied, as in `5.7.1.4`. */
  readonly rules: readonly string[];
  /** One plain sentence for a person. */
  readonly text: string;
}

/** Why a roll breaks a roll rule, and who broke it where that can be said (AM-09). */
export type RollOffence = Reason & { readonly player?: Side };

/** A measure of the roll: a value with its uncertainty, or why there is none. */
export type Measure =
  | {
      readonly measured: true;
      readonly value: number;
      /** Half of the interval that holds the truth in 95 of 100 rolls. */
      readonly plusMinus: number;
      readonly unit: string;
      /** What it rests on. Absent in older records. */
      readonly how?: string;
    }
  | { readonly measured: false; readonly why: string };

/** Whether a ball rolled or slid (both legal, 5.7.1.1), with the share of such answers that are right. */
export type Turning =
  | {
      readonly measured: true;
      readonly said: 'rolled' | 'slid or spun';
      readonly sure: number;
      readonly how: string;
    }
  | { readonly measured: false; readonly why: string };

/** Measures for the roll report of one ball. */
export interface BallAudit {
  /** Release minus the other player's, ms (5.7.1). */
  readonly releaseSkew: Measure;
  /** First break of the far gates, own minus other, ms: exact, and not the release. Absent in older records. */
  readonly crossingSkew?: Measure;
  /** How far from the own table edge the release was seen to be at most, mm (5.7.1.2). */
  readonly releaseZone: Measure;
  /** Flights counted over single tiles (5.7.1.3). */
  readonly bounces: Measure;
  /** Speed past the far gate, else over the first tiles, m/s. */
  readonly speed: Measure;
  /** Absent in older records. */
  readonly turning?: Turning;
  /** Cells in the order they were touched, with the share of the way that was seen, 0 to 1. */
  readonly path: { readonly cells: readonly string[]; readonly coverage: number };
}

/** What sensing says of one ball in one roll. */
export interface BallRuling {
  readonly player: Side | 'undetermined';
  readonly opened: Verdict;
  /** None, one or two cores; two balls on one core count for both (5.7.2.2). */
  readonly contact: CoreSet;
  /** Empty unless opened is yes (5.7.2.3). */
  readonly attached: CoreSet;
  /** 0 to 1 for each field: the chance that it is right, in this system's own opinion. */
  readonly confidence: {
    readonly player: number;
    readonly opened: number;
    readonly contact: number;
    readonly attached: number;
  };
  /** Best open score of its arrivals on cores, 0 to 1: what thresholds are proposed from. Absent in older records. */
  readonly openScore?: number;
  readonly reasons: readonly Reason[];
  readonly audit: BallAudit;
}

/** What sensing says of a roll. A later ruling of the same roll with a higher revision replaces this one. */
export interface RollRuling {
  readonly roll: RollId;
  /** Rises by one with each ruling of the same roll, from 1. */
  readonly revision: number;
  readonly stage: 'provisional' | 'final';
  /** One entry a player who rolls (two, or one in a reroll). Order: A before B, undetermined last. */
  readonly balls: readonly BallRuling[];
  /** When it became true, not when it was noticed. */
  readonly atMs: AtMs;
  /** The samples it rests on. */
  readonly window: { readonly fromMs: AtMs; readonly toMs: AtMs };
  /** The roll breaks a roll rule: release too far apart, outside the zone, before the call (AM-09). */
  readonly illegal: readonly RollOffence[];
}

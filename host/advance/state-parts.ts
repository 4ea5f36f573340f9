import type { Actor } from '../game/ruleset.ts';
import type { AtMs } from '../ids.ts';
import type { Calibrator } from '../sensing/calibrate.ts';

/** A calibration that a person is led through. */
export type Calibrating = {
  readonly calibrator: Calibrator;
  readonly by: Actor;
  readonly sinceMs: AtMs;
  /** Handed out to be kept; in force once the file is written. */
  saving: boolean;
  /** Why it could not be kept; empty while nothing went wrong. */
  trouble: string;
};

/** Whether the match has begun, and who let it begin though something spoke against it. */
export type MatchStart = {
  readonly begun: boolean;
  readonly overrode: {
    readonly by: Actor;
    readonly why: string;
    /** What spoke against it, in words. */
    readonly blocks: readonly string[];
  } | null;
};

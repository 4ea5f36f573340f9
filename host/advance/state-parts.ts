import type { Match } from '../game/event.ts';
import type { Actor } from '../game/ruleset.ts';
import type { AtMs, Side } from '../ids.ts';
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

/** How a match ended before it was decided: conceded by a player, or ended by a judge or operator who says why. */
export type MatchEnd = {
  readonly winner: Side | 'draw';
  readonly by: Actor;
  /** Empty where a player concedes. */
  readonly why: string;
};

/** Games of a match that are over, without the one that is on, and how it was ended early. */
export type TableMatch = Match<Side> & { readonly ended?: MatchEnd };

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

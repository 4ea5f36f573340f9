import type { BakuganId, CellId, CoreId, RollId, Side } from '../ids.ts';

/** A ball that play expects to roll. Field strength and polarity come from calibration, by Bakugan. */
export interface BallExpected {
  readonly player: Side;
  readonly bakugan: BakuganId;
}

/**
 * What play says is going on, so that sensing knows what a magnet means. Emitted by a ruleset, handed to sensing
 * inside the step as plain data. Opens are judged in a roll only.
 */
export type Activity =
  | { readonly kind: 'idle' }
  /** People handle cores and balls: nothing is judged, baselines are frozen. */
  | { readonly kind: 'hands'; readonly why: 'set-up' | 'retract' | 'selection' | 'calibration' }
  | {
      readonly kind: 'roll';
      readonly roll: RollId;
      readonly balls: readonly BallExpected[];
      /** Cells that hold a core now. A cell that is missing here is vacant: touching it is table contact. */
      readonly cores: readonly { readonly cell: CellId; readonly core: CoreId }[];
    };

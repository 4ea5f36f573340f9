/** Every limit of the detector, in one place, with its unit in the name. Config may replace any of them. */
export interface SensingLimits {
  /** How long a ball must lie still before its roll is judged finally (AM-07). */
  readonly restMs: number;
  /**
   * Stillness after which a ball that nobody sees any more counts as rolled out (5.7.2.1); sooner where its speed at the
   * gate tells that it can come to no tile any more.
   */
  readonly rollTimeoutMs: number;
  /** After this long without any sign of a ball its result is `undetermined`. */
  readonly unseenLimitMs: number;
  /** Releases further apart make the roll void (AM-10). */
  readonly syncMs: number;
  /** Releases further apart than this are marked in the report, and nothing else (5.7.1 names no tolerance). */
  readonly syncMarkMs: number;
  /** Allowance for lines on their way: data of a moment is looked at this much later. */
  readonly lateMs: number;
  /** Field that starts a visit: the largest of this, `onsetSigmas` times the noise and three times the crosstalk. */
  readonly onsetMt: number;
  readonly onsetSigmas: number;
  /** Share of the onset threshold below which the field counts as gone. */
  readonly offShare: number;
  /** Samples in a row above the threshold. */
  readonly onsetHoldMs: number;
  /** Contacts closed for less in all are glitches, not touches. */
  readonly contactHoldMs: number;
  /** Electrical bounce ends by then; flights of a ball start at `flightFromMs` (data sheets, free fall). */
  readonly bounceMs: number;
  readonly flightFromMs: number;
  readonly flightToMs: number;
  /** A flight over a tile of at least this length makes the roll void (5.7.1.3, AM-09); 64 ms is 5 mm high. */
  readonly flightVoidMs: number;
  /** A tile is left when contact is open and field gone for this long: longer than the longest flight. */
  readonly leaveMs: number;
  /** Contact that comes again after a longer pause, with no field between, begins a new visit. */
  readonly pauseMs: number;
  /** Probability of an open at or above which it is called, and at or below which it is denied. */
  readonly openYes: number;
  readonly openNo: number;
  /** Chance below which a ball's owner is `undetermined`. */
  readonly ownerSure: number;
  /** Same where both magnets have one polarity: tracks alone are less sure than they look. */
  readonly ownerSureBlind: number;
  /** Missing samples around a decision that make it doubtful. */
  readonly missingMs: number;
  /** Silence of a board that counts as loss. */
  readonly staleMs: number;
  /** How long a ruling waits for a board that fell silent: one that was reset is back within it. */
  readonly backMs: number;
  /** Clock error above which times of that board decide nothing. */
  readonly clockDoubtMs: number;
  /** mT of one count of the ten-bit converter: 5 V / 1024 / 50 mV/mT (DRV5055A2 at 5 V). */
  readonly mtPerCount: number;
}

/** Defaults; the reasons stand with each field above. */
export const DEFAULT_LIMITS: SensingLimits = {
  restMs: 700,
  rollTimeoutMs: 3000,
  unseenLimitMs: 20_000,
  syncMs: 1000,
  syncMarkMs: 250,
  lateMs: 15,
  onsetMt: 0.4,
  onsetSigmas: 8,
  offShare: 0.6,
  onsetHoldMs: 3,
  contactHoldMs: 1,
  bounceMs: 3,
  flightFromMs: 10,
  flightToMs: 80,
  flightVoidMs: 64,
  leaveMs: 120,
  pauseMs: 40,
  openYes: 0.9,
  openNo: 0.05,
  ownerSure: 0.9,
  ownerSureBlind: 0.95,
  missingMs: 30,
  staleMs: 100,
  backMs: 2000,
  clockDoubtMs: 25,
  mtPerCount: 5 / 1024 / 0.05,
};

/** What is asked of an open and an owner where boards stamp times on arrival: more, so that doubt shows as doubt. */
export function coarseLimits(limits: SensingLimits): SensingLimits {
  return {
    ...limits,
    openYes: Math.max(limits.openYes, 0.97),
    openNo: Math.min(limits.openNo, 0.03),
    ownerSure: Math.max(limits.ownerSure, 0.95),
    ownerSureBlind: Math.max(limits.ownerSureBlind, 0.97),
  };
}

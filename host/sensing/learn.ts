import type { RollId, Side } from '../ids.ts';
import type { SensingLimits } from './limits.ts';

/** One ball of a past roll: the best open score the detector gave it, and what people confirmed. */
export interface ConfirmedBall {
  readonly roll: RollId;
  readonly player: Side;
  /** 0 to 1; 0 where nothing looked like an open. */
  readonly score: number;
  readonly opened: 'yes' | 'no';
}

export type OpenLimits = Pick<SensingLimits, 'openYes' | 'openNo'>;
export type Said = 'yes' | 'no' | 'undetermined';

/** A past ruling that would read otherwise. */
export interface Flip {
  readonly roll: RollId;
  readonly player: Side;
  readonly before: Said;
  readonly after: Said;
  readonly confirmed: 'yes' | 'no';
}

/** How limits would have done on the confirmed rolls. */
export interface Tally {
  readonly wrong: number;
  readonly undetermined: number;
  readonly of: number;
}

/** What is proposed. Nothing changes until a person writes it into the config. */
export interface Proposal {
  readonly now: OpenLimits;
  readonly proposed: OpenLimits;
  readonly before: Tally;
  readonly after: Tally;
  readonly flips: readonly Flip[];
  /** Why nothing is proposed, or a word of care; empty when there is none. */
  readonly note: string;
}

/** Confirmed balls below which a proposal would be chance: of each answer. */
const LEAST = 20;
/** Limits are never proposed outside these, whatever a few rolls say. */
const YES_RANGE: readonly [number, number] = [0.7, 0.99];
const NO_RANGE: readonly [number, number] = [0.005, 0.3];
/** A wrong ruling costs as much as so many that ask a judge. */
const WRONG_COSTS = 20;
const CANDIDATES = 40;

/** What limits say of a score. */
export function saidOf(limits: OpenLimits, score: number): Said {
  if (score >= limits.openYes) return 'yes';
  return score > limits.openNo ? 'undetermined' : 'no';
}

export function tallyOf(limits: OpenLimits, balls: readonly ConfirmedBall[]): Tally {
  let wrong = 0;
  let undetermined = 0;
  for (const ball of balls) {
    const said = saidOf(limits, ball.score);
    if (said === 'undetermined') undetermined += 1;
    else if (said !== ball.opened) wrong += 1;
  }
  return { wrong, undetermined, of: balls.length };
}

/** Past rulings that read otherwise under the second limits than under the first. */
export function flipsOf(now: OpenLimits, then: OpenLimits, balls: readonly ConfirmedBall[]): readonly Flip[] {
  return balls.flatMap(({ roll, player, score, opened }) => {
    const before = saidOf(now, score);
    const after = saidOf(then, score);
    return before === after ? [] : [{ roll, player, before, after, confirmed: opened }];
  });
}

/**
 * Open limits that would have served the confirmed rolls best: fewest wrong rulings, then fewest that ask; between
 * equals the ones nearest to those in force, since a few rolls must not move what nothing speaks against.
 */
export function proposeLimits(now: OpenLimits, balls: readonly ConfirmedBall[]): Proposal {
  const before = tallyOf(now, balls);
  const opens = balls.filter((ball) => ball.opened === 'yes').length;
  const rest = balls.length - opens;
  if (opens < LEAST || rest < LEAST) {
    const note = `Too few confirmed balls: ${opens} opened and ${rest} not, ${LEAST} of each are needed.`;
    return { now, proposed: now, before, after: before, flips: [], note };
  }
  let best = now;
  let least = costOf(before) - 0.001;
  let away = 0;
  for (let y = 0; y <= CANDIDATES; y += 1) {
    const openYes = between(YES_RANGE, y);
    for (let n = 0; n <= CANDIDATES; n += 1) {
      const limits = { openYes, openNo: between(NO_RANGE, n) };
      const cost = costOf(tallyOf(limits, balls));
      const far = Math.abs(openYes - now.openYes) + Math.abs(limits.openNo - now.openNo);
      if (cost > least || (cost === least && (best === now || far >= away))) continue;
      best = limits;
      least = cost;
      away = far;
    }
  }
  const flips = flipsOf(now, best, balls);
  const note = best === now ? 'The limits in force serve these rolls as well as any.' : '';
  return { now, proposed: best, before, after: tallyOf(best, balls), flips, note };
}

function costOf(tally: Tally): number {
  return tally.wrong * WRONG_COSTS + tally.undetermined;
}

function between([from, to]: readonly [number, number], step: number): number {
  return Math.round((from + ((to - from) * step) / CANDIDATES) * 1000) / 1000;
}

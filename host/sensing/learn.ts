import type { RollId, Side } from '../ids.ts';
import type { SensingLimits } from './limits.ts';

/**
 * How a ball's result is known: a judge ruled as the host did, a judge ruled otherwise (also where the host asked), or
 * nobody looked and it is the host's own word.
 */
export type Looked = 'confirmed' | 'corrected' | 'unseen';

/** One ball of a past roll: the best open score the detector gave it, what came of it, and who says so. */
export interface ConfirmedBall {
  readonly roll: RollId;
  readonly player: Side;
  /** 0 to 1; 0 where nothing looked like an open. */
  readonly score: number;
  readonly opened: 'yes' | 'no';
  readonly looked: Looked;
}

export type OpenLimits = Pick<SensingLimits, 'openYes' | 'openNo'>;
export type Said = 'yes' | 'no' | 'undetermined';

/** A past ruling that would read otherwise. */
export interface Flip {
  readonly roll: RollId;
  readonly player: Side;
  readonly before: Said;
  readonly after: Said;
  /** What stands of it, and who says so. */
  readonly opened: 'yes' | 'no';
  readonly looked: Looked;
}

/** How limits would have done on these balls. */
export interface Tally {
  readonly wrong: number;
  readonly undetermined: number;
  readonly of: number;
}

/** What is proposed. Nothing changes until a person writes it into the config. */
export interface Proposal {
  readonly now: OpenLimits;
  readonly proposed: OpenLimits;
  /** On the balls that a judge looked at. */
  readonly before: Tally;
  readonly after: Tally;
  /** On those that nobody looked at, held against the host's own word. */
  readonly unseenBefore: Tally;
  readonly unseenAfter: Tally;
  readonly balls: Readonly<Record<Looked, number>>;
  readonly flips: readonly Flip[];
  /** Why nothing is proposed, or a word of care; empty when there is none. */
  readonly note: string;
}

/** Judged balls below which a proposal would be chance: of each answer. */
const LEAST = 20;
/** Limits are never proposed outside these, whatever a few rolls say. */
const YES_RANGE: readonly [number, number] = [0.7, 0.99];
const NO_RANGE: readonly [number, number] = [0.005, 0.3];
/** A wrong ruling costs as much as so many that ask a judge. */
const WRONG_COSTS = 20;
/**
 * What a ball that nobody looked at counts for, beside one that a judge ruled: it is the host's own word under the
 * limits of then, so that it holds limits where they are and proves nothing.
 */
export const UNSEEN_WEIGHT = 0.1;
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
  return balls.flatMap(({ roll, player, score, opened, looked }) => {
    const before = saidOf(now, score);
    const after = saidOf(then, score);
    return before === after ? [] : [{ roll, player, before, after, opened, looked }];
  });
}

/**
 * Open limits that would have served these rolls best: fewest wrong rulings, then fewest that ask; between equals the
 * ones nearest to those in force, since a few rolls must not move what nothing speaks against. Only balls that a judge
 * looked at make a proposal; the others weigh a tenth (`UNSEEN_WEIGHT`).
 */
export function proposeLimits(now: OpenLimits, balls: readonly ConfirmedBall[]): Proposal {
  const judged = balls.filter(({ looked }) => looked !== 'unseen');
  const unseen = balls.filter(({ looked }) => looked === 'unseen');
  const before = tallyOf(now, judged);
  const unseenBefore = tallyOf(now, unseen);
  const counts = {
    confirmed: judged.filter(({ looked }) => looked === 'confirmed').length,
    corrected: judged.filter(({ looked }) => looked === 'corrected').length,
    unseen: unseen.length,
  };
  const opens = judged.filter((ball) => ball.opened === 'yes').length;
  const rest = judged.length - opens;
  const same = { now, proposed: now, before, after: before, unseenBefore, unseenAfter: unseenBefore };
  if (opens < LEAST || rest < LEAST) {
    const note = `Too few balls that a judge looked at: ${opens} opened and ${rest} not, ${LEAST} of each are needed.`;
    return { ...same, balls: counts, flips: [], note };
  }
  const costUnder = (limits: OpenLimits): number =>
    costOf(tallyOf(limits, judged)) + UNSEEN_WEIGHT * costOf(tallyOf(limits, unseen));
  let best = now;
  let least = costUnder(now) - 0.001;
  let away = 0;
  for (let y = 0; y <= CANDIDATES; y += 1) {
    const openYes = between(YES_RANGE, y);
    for (let n = 0; n <= CANDIDATES; n += 1) {
      const limits = { openYes, openNo: between(NO_RANGE, n) };
      const cost = costUnder(limits);
      const far = Math.abs(openYes - now.openYes) + Math.abs(limits.openNo - now.openNo);
      if (cost > least || (cost === least && (best === now || far >= away))) continue;
      best = limits;
      least = cost;
      away = far;
    }
  }
  const flips = flipsOf(now, best, balls);
  const note = best === now ? 'The limits in force serve these rolls as well as any.' : '';
  const after = tallyOf(best, judged);
  return {
    ...same,
    proposed: best,
    after,
    unseenAfter: tallyOf(best, unseen),
    balls: counts,
    flips,
    note,
  };
}

function costOf(tally: Tally): number {
  return tally.wrong * WRONG_COSTS + tally.undetermined;
}

function between([from, to]: readonly [number, number], step: number): number {
  return Math.round((from + ((to - from) * step) / CANDIDATES) * 1000) / 1000;
}

/** When things were said, against when they were true: windows of time and latencies. */

import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import type { BallTruth, RollTruth } from '../../sim/truth.ts';
import type { Claims } from './detection-claims.ts';
import { type Hits, hit } from './hits.ts';

/** How far a moment that is said may lie from the true one, ms, either way. */
export const CONTACT_WITHIN_MS = 50;
export const OPEN_WITHIN_MS = 150;
export const ATTACH_WITHIN_MS = 300;
/** Hearing and saying a final ruling may take so long after it is due, ms. */
const SAYING_MS = 150;
/** A final ruling is said within this of both balls at rest on tiles (AM-07). */
export const FINAL_WITHIN_MS = DEFAULT_LIMITS.restMs + SAYING_MS;
/** The same where a ball left the tiles: it is waited for until nobody has seen anything move for so long (5.7.2.1). */
export const OUT_WITHIN_MS = DEFAULT_LIMITS.rollTimeoutMs + SAYING_MS;

export interface TimeScore {
  /** As the counts of the same names, where the moment must fit too. */
  contactInTime: Hits;
  openInTime: Hits;
  attachInTime: Hits;
  /** ms from the first touch of a core to the first word of a touch. */
  contactMs: number[];
  /** ms from the touch of the core that opened it to the first word of it. */
  openMs: number[];
  /** ms from the latch to the first word of the core that it holds, be it only as possible. */
  attachMs: number[];
  /** ms from both at rest on tiles to the final ruling, and how many of these were in time. */
  finalMs: number[];
  finalInTime: [inside: number, of: number];
  /** ms from the last touch, stop or launch of a roll in which a ball left the tiles or came to none, to the final ruling. */
  outMs: number[];
  outInTime: [inside: number, of: number];
}

export function freshTimes(): TimeScore {
  return {
    contactInTime: [0, 0, 0],
    openInTime: [0, 0, 0],
    attachInTime: [0, 0, 0],
    contactMs: [],
    openMs: [],
    attachMs: [],
    finalMs: [],
    finalInTime: [0, 0],
    outMs: [],
    outInTime: [0, 0],
  };
}

/** Matches each true moment with at most one that was said, the nearest pairs first. */
export function matched(
  hits: Hits,
  truths: readonly number[],
  said: readonly number[],
  withinMs: number,
): void {
  const pairs = truths
    .flatMap((t, i) => said.map((s, k) => ({ i, k, apart: Math.abs(t - s) })))
    .filter(({ apart }) => apart <= withinMs)
    .sort((a, b) => a.apart - b.apart);
  const taken = new Set<string>();
  let right = 0;
  for (const { i, k } of pairs) {
    if (taken.has(`t${i}`) || taken.has(`s${k}`)) continue;
    taken.add(`t${i}`).add(`s${k}`);
    right += 1;
  }
  hits[0] += right;
  hits[1] += said.length - right;
  hits[2] += truths.length - right;
}

/** First touch of a core by a ball, ms. */
const touchOf = (ball: BallTruth, core: string): number =>
  Math.min(...ball.path.filter((visit) => visit.core === core).map(({ fromMs }) => fromMs));

const standsOf = (ball: BallTruth): boolean => ball.path.some((visit) => visit.toMs === undefined);

/** Last moment at which tiles or gates showed a ball move: its stop, its last touch, else its launch. */
function lastSeenMs(ball: BallTruth): number {
  if (standsOf(ball)) return ball.restMs;
  const touches = ball.path.map(({ toMs }) => toMs ?? ball.restMs);
  return touches.length > 0 ? Math.max(...touches) : (ball.farGateMs ?? ball.releaseMs);
}

/** When the final ruling of a roll is due. */
interface Due {
  /** Both balls stand on tiles at the end. */
  readonly standing: boolean;
  /** Last moment at which a ball was seen to move. */
  readonly quietMs: number;
  /** Earliest and latest: a ball that opened and left its core is not waited for, whatever it does after. */
  readonly fromMs: number;
  readonly toMs: number;
}

function dueOf({ balls }: RollTruth): Due {
  const standing = balls.every(standsOf);
  const quietMs = Math.max(...balls.map(lastSeenMs));
  const neededMs = Math.max(...balls.map((ball) => ball.offMs ?? lastSeenMs(ball)));
  const { restMs, rollTimeoutMs } = DEFAULT_LIMITS;
  return {
    standing,
    quietMs,
    fromMs: neededMs + restMs,
    toMs: quietMs + (standing ? restMs : rollTimeoutMs),
  };
}

export function scoreTimes(score: TimeScore, truth: RollTruth, claims: Claims): void {
  const due = dueOf(truth);
  const { finalMs } = claims;
  for (const { core } of truth.cores) {
    const truly = truth.balls.filter((b) => b.contact.includes(core)).map((b) => touchOf(b, core));
    const said = claims.balls.flatMap((c) =>
      c.contact.includes(core) ? (c.touchedMs.get(core) ?? NaN) : [],
    );
    matched(score.contactInTime, truly, said, CONTACT_WITHIN_MS);
  }
  for (const [i, ball] of truth.balls.entries()) {
    const claim = claims.balls[i];
    if (claim === undefined) continue;
    const opened = ball.opened ? [ball.latchMs ?? NaN] : [];
    matched(score.openInTime, opened, claim.opened === 'yes' ? [claim.openedMs ?? NaN] : [], OPEN_WITHIN_MS);
    const inTime =
      finalMs !== undefined &&
      finalMs >= due.fromMs - ATTACH_WITHIN_MS &&
      finalMs <= due.toMs + ATTACH_WITHIN_MS;
    for (const core of new Set([...ball.attached, ...claim.attached])) {
      const [truly, said] = [ball.attached.includes(core), claim.attached.includes(core)];
      if (truly && said && !inTime) {
        score.attachInTime[1] += 1;
        score.attachInTime[2] += 1;
      } else hit(score.attachInTime, truly, said);
    }
    latencies(score, ball, claim);
  }
  if (finalMs === undefined) return;
  const late = Math.round(finalMs - due.quietMs);
  const [list, within, limit] = due.standing
    ? [score.finalMs, score.finalInTime, FINAL_WITHIN_MS]
    : [score.outMs, score.outInTime, OUT_WITHIN_MS];
  list.push(late);
  within[1] += 1;
  if (late <= limit) within[0] += 1;
}

function latencies(score: TimeScore, ball: BallTruth, claim: Claims['balls'][number]): void {
  const [first] = ball.contact;
  if (first !== undefined && claim.touchSaidMs !== undefined) {
    score.contactMs.push(Math.round(claim.touchSaidMs - touchOf(ball, first)));
  }
  const onto = ball.path.find(
    (v) => v.cell === ball.latchCell && (v.toMs ?? Infinity) >= (ball.latchMs ?? 0),
  );
  if (ball.opened && onto !== undefined && claim.openSaidMs !== undefined) {
    score.openMs.push(Math.round(claim.openSaidMs - onto.fromMs));
  }
  for (const core of ball.attached) {
    const said = claim.attachSaidMs.get(core);
    if (said !== undefined && ball.latchMs !== undefined)
      score.attachMs.push(Math.round(said - ball.latchMs));
  }
}

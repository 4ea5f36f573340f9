import { exp, log } from '../exact.ts';
import type { CoreId, Side } from '../ids.ts';
import { type Arrival, LANDING_WINDOWS } from './arrivals.ts';
import { attachedOf } from './attached.ts';
import { coreOf, type Evidence, NO_CORES, type Open, own, type Seen } from './evidence.ts';
import { FEATURES } from './features.ts';
import { latchUnheard } from './latch.ts';
import { bestOpen, doubtOpens } from './open-once.ts';
import { REASONS } from './reasons.ts';
import type { BallAudit, BallRuling, CoreSet, Reason } from './ruling.ts';

/** Least chance that makes an owner known against the polarity of his magnet. */
const TURNED_SURE = 0.98;

/** Chance from which on an owner counts as known. */
export function sureEnough({ shared, limits }: Pick<Evidence, 'shared' | 'limits'>): number {
  // A magnet that reads the other way round is rare: more often it is the other ball whose way was seen badly.
  if (shared.turned) return Math.max(limits.ownerSureBlind, TURNED_SURE);
  return shared.byPolarity ? limits.ownerSure : limits.ownerSureBlind;
}

/** Cores that a ball touched; those whose owner is doubtful are possible only. */
function touched(evidence: Evidence, mine: readonly number[], until: number): CoreSet {
  const sure: CoreId[] = [];
  const possible: CoreId[] = [];
  for (const i of mine) {
    const core = coreOf(evidence, i);
    const seen = evidence.seen[i];
    if (core === undefined || seen === undefined || seen.arrival.atMs > until) continue;
    const list = (evidence.shared.sure[i] ?? 0) >= sureEnough(evidence) ? sure : possible;
    if (!list.includes(core)) list.push(core);
  }
  return { sure, possible: possible.filter((core) => !sure.includes(core)) };
}

/** Best score of this ball's arrivals where a core lies, 0 when none looked like an open. */
function scoreOnCore(evidence: Evidence, mine: readonly number[]): number {
  let most = 0;
  for (const i of mine) {
    const score = evidence.seen[i]?.arrival.score ?? 0;
    if (score > most && coreOf(evidence, i) !== undefined) most = score;
  }
  return most;
}

/** Error of a launch against an opening, ms: a lost edge is noticed at the next quiet line, and clocks differ. */
const LAUNCH_ERROR_MS = 40;
/** An opening shakes its contact more often than this; a magnet that is laid down does not. */
const SHAKES = 6;
const LN10 = log(10);
const EDGES = FEATURES.indexOf('edges');

/** Whether the contact of an arrival changed more seldom than under a latch. */
export function shookLittle({ features }: Arrival): boolean {
  return exp(LN10 * (features[EDGES] ?? 0)) - 1 < SHAKES;
}

/**
 * Why an open that was seen may not be this ball's: a magnet in a hand or on a key case reads like a ball, but was never
 * launched. Without gates, or where only a hand was in them, the shaking of the latch has to tell.
 */
function notBall(evidence: Evidence, ball: number, seen: Seen): Reason | undefined {
  const { launchBefore, chatters } = evidence;
  const { arrival } = seen;
  const launched = launchBefore(ball, arrival.anchorMs + LAUNCH_ERROR_MS);
  if (launched === 'none') return REASONS.notLaunched;
  if (!chatters) return undefined;
  if (latchUnheard(evidence, seen)) return REASONS.laidDown;
  if (launched === 'free') return undefined;
  return shookLittle(arrival) ? REASONS.notShaken : undefined;
}

/** Whether a magnet that lay on a core at the call and then left may be this ball's: only one launched before it. */
function openedBefore({ live, launchBefore }: Evidence, ball: number): boolean {
  if (!live.cores.some((core, cell) => core !== undefined && live.magnets[cell] === 2)) return false;
  const launched = launchBefore(ball, live.fromMs);
  return launched === 'free' || launched === 'unknown';
}

/** What came onto a tile within this of the call has spoilt the level that it is held against. */
const WITH_CALL_MS = 16;

function cameWithCall({ seen, live }: Evidence, { visit }: Seen): boolean {
  const by = live.fromMs + WITH_CALL_MS;
  return visit.startMs < by && seen.some((one) => one.visit === visit && one.arrival.anchorMs < by);
}

function openOf(evidence: Evidence, ball: number, mine: readonly number[]): Open {
  const { live, limits, final } = evidence;
  const at = bestOpen(evidence, mine);
  const seen = evidence.seen[at];
  const score = seen?.arrival.score ?? 0;
  if (seen !== undefined && score > limits.openNo && live.magnets[seen.visit.cell] === 1) {
    return { verdict: 'undetermined', at, chance: 0.5, reasons: [REASONS.magnetBefore] };
  }
  if (seen !== undefined && score > limits.openNo && cameWithCall(evidence, seen)) {
    return { verdict: 'undetermined', at, chance: 0.5, reasons: [REASONS.atTheCall] };
  }
  const alien = seen !== undefined && score > limits.openNo ? notBall(evidence, ball, seen) : undefined;
  if (alien !== undefined) {
    return { verdict: 'undetermined', at, chance: 0.5, reasons: [alien] };
  }
  if (seen !== undefined && score >= limits.openYes) {
    const onCore = coreOf(evidence, at) !== undefined;
    if (onCore) return { verdict: 'yes', at, chance: score, reasons: [REASONS.openSeen] };
    // The latch let go over bare steel: what was touched on the way is said, and does not count (5.7.1.4.1).
    const before = mine.some(
      (i) =>
        coreOf(evidence, i) !== undefined &&
        (evidence.seen[i]?.arrival.atMs ?? Infinity) < seen.arrival.anchorMs,
    );
    const reasons = before ? [REASONS.openNoCore, REASONS.coreBefore] : [REASONS.openNoCore];
    return { verdict: 'no', at, chance: score, reasons };
  }
  if (score > limits.openNo) {
    const doubt = final ? [REASONS.openDoubtful] : [];
    return { verdict: 'undetermined', at, chance: Math.max(score, 1 - score), reasons: doubt };
  }
  // A landing of which half the samples are missing was not seen.
  if (final && mine.some((i) => (evidence.seen[i]?.arrival.windows ?? 0) < LANDING_WINDOWS)) {
    return { verdict: 'undetermined', at: -1, chance: 0.5, reasons: [REASONS.openDoubtful] };
  }
  if (final && live.cores.some((core, cell) => core !== undefined && live.leftover[cell] !== 0)) {
    // An open on a core under a ball that was never taken away would not have been seen.
    return { verdict: 'undetermined', at: -1, chance: 0.5, reasons: [REASONS.magnetBefore] };
  }
  if (final && openedBefore(evidence, ball)) {
    return { verdict: 'undetermined', at: -1, chance: 0.5, reasons: [REASONS.openedBefore] };
  }
  return final
    ? { verdict: 'no', at: -1, chance: 1 - score, reasons: [REASONS.openNotSeen] }
    : { verdict: 'undetermined', at: -1, chance: 0.5, reasons: [] };
}

/** Judges one ball from the arrivals that are its own. */
export function judgeBall(evidence: Evidence, ball: number, audit: BallAudit, launched: boolean): BallRuling {
  const { live, shared, final } = evidence;
  const expected = live.balls[ball];
  const mine = own(evidence, ball);
  const open = openOf(evidence, ball, mine);
  const attached = attachedOf(evidence, mine, open);
  const reasons: Reason[] = [...open.reasons];
  let opened = open.verdict;
  if (final && opened === 'no' && mine.length === 0 && !launched) {
    opened = 'undetermined';
    reasons.splice(0, reasons.length, REASONS.neverSeen);
  } else if (final && opened === 'no' && open.at < 0) reasons.push(REASONS.rolledOut);
  const decisive = open.at >= 0 ? [open.at] : mine;
  const sure = decisive.reduce((least, i) => Math.min(least, shared.sure[i] ?? 1), 1);
  let player: Side | 'undetermined' = expected?.player ?? 'undetermined';
  if (live.balls.length === 1) reasons.push(REASONS.onlyBall);
  else if (mine.length > 0) {
    const sign = shared.turned ? REASONS.polarityTurned : REASONS.polarityOff;
    reasons.push(REASONS.byTrack, shared.byPolarity ? REASONS.byPolarity : sign);
  }
  if (opened !== 'no' && open.at >= 0 && sure < sureEnough(evidence)) {
    player = 'undetermined';
    reasons.push(REASONS.ownerDoubtful);
  }
  if (decisive.some((i) => live.stuck[evidence.seen[i]?.visit.cell ?? -1] === 1))
    reasons.push(REASONS.stuckContact);
  if (opened === 'yes' && final) {
    if (attached.set.sure.length === 0) reasons.push(REASONS.left);
    else reasons.push(attached.set.sure.length > 1 ? REASONS.attachedTwo : REASONS.attached);
  }
  return {
    player,
    opened,
    contact: touched(evidence, mine, Infinity),
    attached: opened === 'yes' ? attached.set : NO_CORES,
    confidence: {
      player: round(sure),
      opened: round(opened === 'undetermined' ? Math.min(open.chance, 0.9) : open.chance),
      contact: round(sure),
      attached: round(attached.chance * sure),
    },
    openScore: round(scoreOnCore(evidence, mine)),
    reasons,
    audit,
  };
}

function round(x: number): number {
  return Math.round(x * 1000) / 1000;
}

/**
 * Two balls of which one opened and nobody knows which: then nobody knows which of them did not, either. Where the other
 * one opened for certain, the doubtful one is what is left.
 */
export function shareDoubt(evidence: Evidence, judged: readonly BallRuling[]): readonly BallRuling[] {
  const balls = doubtOpens(evidence, judged);
  const doubtful = balls.findIndex((b) => b.player === 'undetermined');
  const other = balls[1 - doubtful];
  if (doubtful < 0 || other === undefined || other.player === 'undetermined') return balls;
  return balls.map((ball, i) => {
    if (other.opened === 'yes') {
      return i === doubtful ? { ...ball, player: evidence.live.balls[i]?.player ?? ball.player } : ball;
    }
    if (i === doubtful) return ball;
    const confidence = {
      ...ball.confidence,
      player: Math.min(ball.confidence.player, balls[doubtful]?.confidence.player ?? 0),
    };
    return { ...ball, player: 'undetermined', confidence, reasons: [...ball.reasons, REASONS.ownerDoubtful] };
  });
}

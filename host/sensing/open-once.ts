import { type Evidence, own, type Seen, stands } from './evidence.ts';
import { latchHeard, latchUnheard, WITH_OPENING_MS } from './latch.ts';
import { REASONS } from './reasons.ts';
import type { BallRuling, Reason } from './ruling.ts';
import { ONE_OPENING_MS } from './tracks.ts';

/** The arrival of this ball that looks most like an open: one whose latch was heard goes before one that shook nothing. */
export function bestOpen(evidence: Evidence, mine: readonly number[]): number {
  const score = (i: number): number => {
    const seen = evidence.seen[i];
    if (seen === undefined) return 0;
    const open = seen.arrival.score;
    return open >= evidence.limits.openYes && latchUnheard(evidence, seen) ? evidence.limits.openYes : open;
  };
  let best = -1;
  for (const i of mine) if (score(i) > (best < 0 ? 0 : score(best))) best = i;
  return best;
}

/**
 * Whether an open cannot be the same ball's as the one it is held against. A latch lets go once: what reads as an open
 * on another tile is no second core of this ball when that tile is no neighbour, came long after, or shook by itself at
 * another moment.
 */
function isAnother(evidence: Evidence, opened: Seen, other: Seen): boolean {
  if (other.visit === opened.visit || !(other.arrival.score >= evidence.limits.openYes)) return false;
  if (evidence.near[opened.visit.cell]?.includes(other.visit.cell) !== true) return true;
  if (other.arrival.atMs - opened.arrival.anchorMs > WITH_OPENING_MS) return true;
  const apart = Math.abs(other.arrival.anchorMs - opened.arrival.anchorMs);
  return apart > ONE_OPENING_MS && latchHeard(evidence, opened) && latchHeard(evidence, other);
}

/** Opens among a ball's arrivals that cannot be its own, besides the one at `open`: places in `seen`. */
export function othersOpens(evidence: Evidence, mine: readonly number[], open: number): readonly number[] {
  const opened = evidence.seen[open];
  if (opened === undefined) return [];
  return mine.filter((i) => {
    const other = evidence.seen[i];
    return i !== open && other !== undefined && isAnother(evidence, opened, other);
  });
}

/** Whether an open beside a ball's own one was a magnet that somebody laid down: it shook nothing. */
function wasLaidDown(evidence: Evidence, opened: Seen, other: Seen): boolean {
  return latchHeard(evidence, opened) && latchUnheard(evidence, other);
}

/** What a ball was given besides its own open. */
interface Given {
  /** Cannot be its own and were no magnet laid down: each may be the other ball's. */
  readonly strange: readonly Seen[];
  /** Shook nothing: laid down, and no ball's but where the shaking was missed. */
  readonly laid: readonly Seen[];
}

const NOTHING: Given = { strange: [], laid: [] };

function givenTo(evidence: Evidence, ball: number): Given {
  const mine = own(evidence, ball);
  const open = bestOpen(evidence, mine);
  const opened = evidence.seen[open];
  if (opened === undefined || !isOpen(evidence, opened)) return NOTHING;
  const others = othersOpens(evidence, mine, open).flatMap((i) => evidence.seen[i] ?? []);
  return {
    strange: others.filter((other) => !wasLaidDown(evidence, opened, other)),
    // Of the polarity of this ball's own magnet it is not the other one's, where theirs differ.
    laid: others.filter(
      (other) =>
        wasLaidDown(evidence, opened, other) &&
        !(evidence.shared.byPolarity && other.arrival.peak * opened.arrival.peak > 0),
    ),
  };
}

function isOpen({ limits }: Evidence, { arrival }: Seen): boolean {
  return arrival.score >= limits.openYes;
}

/**
 * Final rulings where one ball was given opens that cannot all be its own. Which of those that stand is the ball's nobody
 * knows; one that shook as under a latch, or stands, may be the open of the other ball, of which none was seen; and what
 * stands on the tile of another's open may be that one.
 */
export function doubtOpens(evidence: Evidence, balls: readonly BallRuling[]): readonly BallRuling[] {
  if (!evidence.final) return balls;
  const given = balls.map((_, ball) => givenTo(evidence, ball));
  if (given.every(({ strange, laid }) => strange.length + laid.length === 0)) return balls;
  return balls.map((said, ball) => {
    const mine = own(evidence, ball);
    const its = (given[ball]?.strange ?? []).filter(stands);
    const { strange, laid } = given[1 - ball] ?? NOTHING;
    const opened = evidence.seen[bestOpen(evidence, mine)];
    if (said.opened === 'no' && !(opened !== undefined && isOpen(evidence, opened))) {
      if (strange.some((open) => stands(open) || latchHeard(evidence, open))) {
        return withReason({ ...said, opened: 'undetermined' }, REASONS.openedTwice);
      }
      return laid.length > 0 ? withReason({ ...said, opened: 'undetermined' }, REASONS.laidDown) : said;
    }
    const shared = mine.some((i) => {
      const seen = evidence.seen[i];
      return seen !== undefined && stands(seen) && strange.some(({ visit }) => visit === seen.visit);
    });
    if (said.opened !== 'yes' || !(shared || its.length > 0)) return said;
    const found = its.flatMap(({ visit }) => evidence.live.cores[visit.cell] ?? []);
    const possible = [...new Set([...said.attached.sure, ...said.attached.possible, ...found])];
    return withReason({ ...said, attached: { sure: [], possible } }, REASONS.openedTwice);
  });
}

function withReason(said: BallRuling, why: Reason): BallRuling {
  const { confidence } = said;
  const opened = said.opened === 'undetermined' ? 0.5 : confidence.opened;
  return {
    ...said,
    confidence: { ...confidence, opened, attached: Math.min(confidence.attached, 0.5) },
    reasons: [why, ...said.reasons],
  };
}

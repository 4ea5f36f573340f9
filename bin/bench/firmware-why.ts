/** Why a roll is ruled otherwise through the firmware than from its samples, in a sentence. */
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import type { BallRuling } from '../../host/sensing/ruling.ts';
import { type Effects, onTheWire } from '../../sim/effects.ts';

const { openYes, openNo, ownerSure } = DEFAULT_LIMITS;

function apart(a: number | undefined, b: number | undefined, limit: number): boolean {
  return a !== undefined && b !== undefined && a >= limit !== b >= limit;
}

/** `one` as the firmware's lines have it, `other` as the samples have it; undefined where a ball has no entry. */
export function whyOf(
  effects: Effects,
  one: BallRuling | undefined,
  other: BallRuling | undefined,
  onlyTouched: boolean,
): string {
  const scores = [one?.openScore, other?.openScore] as const;
  const owners = [one?.confidence.player, other?.confidence.player] as const;
  const limit = [openYes, openNo].find((at) => apart(scores[0], scores[1], at));
  const lost = onTheWire(effects)
    ? ' The wire loses lines by their number, and the two number theirs otherwise.'
    : '';
  const unsure = (ball: BallRuling | undefined): boolean =>
    ball === undefined || ball.contact.possible.length > 0;
  if (!onlyTouched && limit !== undefined) {
    return `Its open score comes to lie on the other side of ${limit}: ${scores.join(' and ')}.${lost}`;
  }
  if (one === undefined || other === undefined || apart(owners[0], owners[1], ownerSure)) {
    return `Whose ball it is comes to lie on the other side of ${ownerSure}: ${owners.map((x) => x ?? 'not told').join(' and ')}.${lost}`;
  }
  if (onlyTouched && unsure(one) !== unsure(other)) {
    return `The owner of a touch comes to lie on the other side of ${ownerSure}, so that it is possible for one and sure for the other.${lost}`;
  }
  if (onlyTouched)
    return `A short touch joins the stay before it in one, and is a stay of its own in the other.${lost}`;
  return `${lost === '' ? 'Not explained.' : lost.trim()}`;
}

import { WHOLE } from './attached.ts';
import { type Seen, stands } from './evidence.ts';
import type { Attribution } from './owners.ts';
import { movedMs } from './rest.ts';
import { canHaveCome } from './rolling.ts';
import { type Sensing, stampsOnArrival } from './state.ts';
import type { Runner, Token } from './tracks.ts';

/** Where a ball stands that has opened, and whether its level there says that it stands on no second tile. */
export interface Berth extends Seen {
  readonly alone: boolean;
}

/** By ball; undefined where a ball is not known to stand where it opened. */
export type Berths = readonly (Berth | undefined)[];

/** Level of an arrival in what its ball alone makes when seated: NaN on the axis layout, or with company. */
export function shareOf(sensing: Sensing, runner: Runner | undefined, seen: Seen): number {
  if (sensing.setting.layout.sensors === 'axis') return Number.NaN;
  const stand = sensing.live.stands.find((one) => one.visit === seen.visit);
  if (stand === undefined || stand.arrived > 1) return Number.NaN;
  return seen.arrival.level / (runner?.strength ?? 1);
}

/**
 * Where each ball stands. What shook as under no latch may be a magnet that somebody laid down, and a ball that was not
 * launched is none: neither counts. Times of arrival are too coarse to tell.
 */
export function berthsOf(
  sensing: Sensing,
  runners: readonly Runner[],
  seen: readonly Seen[],
  tokens: readonly Token[],
  shared: Attribution,
  launched: readonly boolean[],
): Berths {
  const { live, limits } = sensing;
  const coarse = stampsOnArrival(sensing);
  return live.balls.map((_, ball) => {
    if (coarse || launched[ball] !== true) return undefined;
    let best: Seen | undefined;
    for (const [i, one] of seen.entries()) {
      if (shared.owner[i] !== ball || tokens[i]?.laid !== 0) continue;
      if (!stands(one) || !(one.arrival.score >= limits.openYes)) continue;
      if (best === undefined || one.arrival.score > best.arrival.score) best = one;
    }
    return best && { ...best, alone: Math.abs(shareOf(sensing, runners[ball], best)) > WHOLE };
  });
}

/**
 * Whether what a stay shows at a moment cannot be the doing of the ball that stands at this berth: it is in one place, so
 * that it touches no tile but the neighbours of its own, those only until it has come to rest, and none when it stands
 * whole on its own.
 */
function isNotOf(
  sensing: Sensing,
  berth: Berth | undefined,
  { visit }: Seen,
  atMs: number,
  toMs: number,
): boolean {
  if (berth === undefined || visit === berth.visit) return false;
  const beside = !berth.alone && sensing.tiles.near[berth.visit.cell]?.includes(visit.cell) === true;
  return beside
    ? visit.startMs > movedMs(berth.visit, sensing.contacts, toMs)
    : atMs > berth.arrival.anchorMs;
}

/** Whether no ball of the roll can have made what a stay shows at a moment, since all stand elsewhere: then a hand did. */
export function isNobodys(sensing: Sensing, berths: Berths, one: Seen, atMs: number, toMs: number): boolean {
  return berths.length > 0 && berths.every((berth) => isNotOf(sensing, berth, one, atMs, toMs));
}

/** Whether a stay that lasts can only be this ball's: the other one stands elsewhere, whosever way seemed to lead there. */
export function isOnlyHis(sensing: Sensing, berths: Berths, ball: number, one: Seen, toMs: number): boolean {
  const player = sensing.live.balls[ball]?.player;
  if (player === undefined || one.nth > 0 || !stands(one) || berths[ball] !== undefined) return false;
  if (berths.length < 2 || !canHaveCome(sensing, player, one.visit.cell, one.visit.startMs)) return false;
  return berths.every((berth, other) => other === ball || isNotOf(sensing, berth, one, toMs, toMs));
}

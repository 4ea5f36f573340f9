import { type Berths, isNobodys } from './berths.ts';
import type { Seen } from './evidence.ts';
import type { Beam } from './gates.ts';
import type { Attribution } from './owners.ts';
import { movedMs } from './rest.ts';
import type { Sensing } from './state.ts';

/** Last change of a beam in this roll up to `toMs`, of its first block. */
function lastAt({ blockedMs, freeMs }: Beam, toMs: number): number {
  return freeMs <= toMs ? freeMs : blockedMs <= toMs ? blockedMs : -Infinity;
}

/**
 * The visit that goes on with the stay of this one, -1 where none does: the ball touched no other tile in between, nobody
 * touched this one, and it opened in neither.
 */
function nextPiece({ limits }: Sensing, seen: readonly Seen[], { owner }: Attribution, at: number): number {
  const one = seen[at];
  for (let i = at + 1; i < seen.length; i += 1) {
    const next = seen[i];
    if (one === undefined || next === undefined) continue;
    const here = next.visit.cell === one.visit.cell;
    const its = owner[i] === owner[at];
    if (!here && !its) continue;
    const shut = !(one.arrival.score > limits.openNo) && !(next.arrival.score > limits.openNo);
    return here && its && shut && next.nth === 0 ? i : -1;
  }
  return -1;
}

/**
 * Last motion of one stay. A dirty contact drops out for so long that the stay of a closed ball comes apart: such a ball
 * came with the first piece, and has not left with any.
 */
function stayMovedMs(
  sensing: Sensing,
  seen: readonly Seen[],
  shared: Attribution,
  at: number,
  toMs: number,
): number {
  const first = seen[at];
  if (first === undefined) return -Infinity;
  let last = first;
  let moved = movedMs(first.visit, sensing.contacts, toMs);
  for (let i = nextPiece(sensing, seen, shared, at); i >= 0; i = nextPiece(sensing, seen, shared, i)) {
    last = seen[i] ?? last;
    moved = Math.max(moved, movedMs(last.visit, sensing.contacts, toMs));
  }
  if (last === first) return moved;
  const still = movedMs(last.visit, sensing.contacts, toMs, first.visit.startMs);
  return still < last.visit.startMs ? still : moved;
}

/**
 * Last motion of a ball of this roll up to `toMs`: at the gates of the balls that roll, and where balls were seen. A ball
 * that stands where it opened has gone through its gates, and what touches a tile while all stand elsewhere is no ball.
 */
export function lastMotionMs(
  sensing: Sensing,
  seen: readonly Seen[],
  shared: Attribution,
  berths: Berths,
  toMs: number,
): number {
  const { gates, live } = sensing;
  const allStand = berths.every((berth) => berth !== undefined);
  let last = -Infinity;
  for (const [ball, { player }] of live.balls.entries()) {
    // Through a far gate the other ball may roll out; nothing that goes through the near one comes to a tile.
    const { near, far } = gates[player];
    if (berths[ball] === undefined) last = Math.max(last, lastAt(near, toMs));
    if (!allStand) last = Math.max(last, lastAt(far, toMs));
  }
  const pieces = new Set<number>();
  for (const [i, one] of seen.entries()) {
    const next = nextPiece(sensing, seen, shared, i);
    if (next >= 0) pieces.add(next);
    if (one.nth > 0 || pieces.has(i)) continue;
    const moved = stayMovedMs(sensing, seen, shared, i, toMs);
    if (moved > last && !isNobodys(sensing, berths, one, moved, toMs)) last = moved;
  }
  return last;
}

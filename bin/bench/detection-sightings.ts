/** What the detector had seen on the tiles when it gave its final word: the ground on which a miss is explained. */
import type { CellId, CoreId, Side } from '../../host/ids.ts';
import { seenOf } from '../../host/sensing/sightings.ts';
import type { Sensing } from '../../host/sensing/state.ts';

/** Something that came to a tile, as the detector saw it. Times in ms of the host. */
export interface Sighting {
  readonly cell: CellId;
  /** Core lying there, if any. */
  readonly core?: CoreId;
  /** False: the detector took it for no ball of the roll. */
  readonly ball: boolean;
  /** Whose ball it was taken for. */
  readonly player?: Side;
  /** Chance that the owner is right, 0 to 1. */
  readonly sure: number;
  /** First closing of the contact in this stay, NaN when it never closed. */
  readonly contactMs: number;
  /** First sign of this ball: contact or field. */
  readonly atMs: number;
  /** Where its field rose most, or its contact shook. */
  readonly anchorMs: number;
  /** Open score, 0 to 1; 0 before the first. */
  readonly score: number;
  /** When it was gone, Infinity while it stays. */
  readonly leftMs: number;
}

/** All that came to tiles in the roll under way, in order of time. */
export function sightingsIn(sensing: Sensing): readonly Sighting[] {
  const { live, tiles, sharing } = sensing;
  const seen = seenOf(sensing);
  const found: Sighting[] = [];
  for (const { visit, arrivals, arrived } of live.stands.slice(0, live.count)) {
    for (const arrival of arrivals.slice(0, arrived)) {
      const at = seen.findIndex((one) => one.arrival === arrival);
      const owner = at < 0 ? undefined : live.balls[sharing.shared?.owner[at] ?? -1]?.player;
      const core = live.cores[visit.cell];
      found.push({
        cell: tiles.cells[visit.cell]?.cell ?? '',
        ...(core === undefined ? {} : { core }),
        ball: at >= 0,
        ...(owner === undefined ? {} : { player: owner }),
        sure: sharing.shared?.sure[at] ?? 0,
        contactMs: visit.contactMs,
        atMs: arrival.atMs,
        anchorMs: arrival.anchorMs,
        score: Number.isNaN(arrival.score) ? 0 : arrival.score,
        leftMs: Math.min(arrival.leftMs, visit.endMs),
      });
    }
  }
  return found.sort((a, b) => a.atMs - b.atMs);
}

/** First sign of each core that a player's ball was taken to have touched: contact where it closed, else field. */
export function touchesOf(sightings: readonly Sighting[], player: Side): ReadonlyMap<CoreId, number> {
  const first = new Map<CoreId, number>();
  for (const { ball, core, player: owner, contactMs, atMs } of sightings) {
    if (!ball || core === undefined || owner !== player || first.has(core)) continue;
    first.set(core, contactMs >= atMs - FIRST_FIELD_MS ? contactMs : atMs);
  }
  return first;
}

/** A field may show this long before the contact closes, ms. */
const FIRST_FIELD_MS = 50;

/** When a player's ball was taken to have opened: the best open score among its sightings on cores. */
export function openedAt(sightings: readonly Sighting[], player: Side): number | undefined {
  return bestOf(sightings, player)?.anchorMs;
}

/** The sighting of a player's ball that looks most like an open on a core. */
export function bestOf(sightings: readonly Sighting[], player: Side): Sighting | undefined {
  let best: Sighting | undefined;
  for (const one of sightings) {
    if (!one.ball || one.player !== player || one.core === undefined) continue;
    if (one.score > (best?.score ?? 0)) best = one;
  }
  return best;
}

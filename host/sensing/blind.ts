import type { Baseline } from './baseline.ts';
import type { HealthWatch } from './health-watch.ts';
import { NO_HALL } from './onset.ts';
import type { Tiles } from './tiles.ts';

/** Counts from a rail that are the rail. */
const RAIL_COUNTS = 8;
const FULL_COUNTS = 1023;
/** Quiet lines without any change after which a hall is dead: five seconds; noise moves a live one. */
const SAME_LINES = 250;

/** Whether a level, counts, is an end of what the converter can say. */
export function atRail(counts: number): boolean {
  return counts < RAIL_COUNTS || counts > FULL_COUNTS - RAIL_COUNTS;
}

/** Whether a hall, by cell · halls + hall, has not moved for so long that it is dead. */
export function hasStopped(health: HealthWatch, at: number): boolean {
  return (health.same[at] ?? 0) >= SAME_LINES;
}

/** What a tile is judged by: no hall, its first, its second, or both. A bit a hall. */
export const SEES = { none: 0, first: 1, second: 2, both: 3 } as const;

/** The halls of a cell that can see as a roll is called: one that lies at a rail or never moves cannot. */
export function seesAt(base: Baseline, tiles: Tiles, health: HealthWatch, cell: number): number {
  let sees = 0;
  for (let h = 0; h < tiles.halls && h < 2; h += 1) {
    const at = cell * tiles.halls + h;
    const dead = base.heard[cell] !== 0 && (atRail(base.zero[at] ?? 0) || hasStopped(health, at));
    if (!dead) sees |= 1 << h;
  }
  return sees;
}

/** The hall that shows a ball where these see. */
export function hallFor(sees: number): number {
  return (sees & SEES.first) !== 0 ? 0 : (sees & SEES.second) !== 0 ? 1 : NO_HALL;
}

import type { AtMs, CoreId, RollId, Side } from '../ids.ts';
import type { Activity, BallExpected } from './activity.ts';
import { type Arrival, createArrival, MAX_ARRIVALS } from './arrivals.ts';
import type { LayoutCell } from './layout.ts';
import type { RollRuling } from './ruling.ts';
import { beginVisit, createVisit, MAX_VISITS, type Visit } from './visits.ts';

/** One visit with the balls that came to it. */
export interface Stand {
  readonly visit: Visit;
  readonly arrivals: readonly Arrival[];
  arrived: number;
  /** Bin up to which the trace was searched for further arrivals. */
  searched: number;
  /** First sign after which a second ball close behind was looked for; NaN before that is settled. */
  closeFor: number;
  /** When that second ball came, NaN when none did, and the level before it. */
  closeMs: number;
  closeBase: number;
}

/** The roll under way. The stands are a pool: `count` of them are in use, in order of their start. */
export interface LiveRoll {
  roll: RollId;
  fromMs: AtMs;
  balls: readonly BallExpected[];
  /** Core in each cell, by cell number; undefined where the cell is vacant. */
  cores: readonly (CoreId | undefined)[];
  readonly stands: Stand[];
  count: number;
  /** First sign of a ball anywhere, NaN before. */
  firstSignMs: number;
  nextReviewMs: number;
  finalDueMs: number;
  revision: number;
  last: RollRuling | undefined;
  /** What of the last ruling would have to change for a new one to be said. */
  said: string;
  /**
   * Contacts that were closed before the roll, and magnets that lay on tiles, by cell. 2: a magnet that lay on a core and
   * has gone since.
   */
  readonly stuck: Uint8Array;
  readonly magnets: Uint8Array;
  /**
   * Cells on which something still lies from before the roll was called; nothing there is of this roll. 1: a magnet,
   * 2: what stood there in the roll that was called straight before.
   */
  readonly leftover: Uint8Array;
  /** Halls of each cell that can see, a bit a hall. */
  readonly sees: Uint8Array;
}

export function createLiveRoll(cells: number): LiveRoll {
  return {
    roll: '',
    fromMs: 0,
    balls: [],
    cores: [],
    stands: Array.from({ length: MAX_VISITS }, () => ({
      visit: createVisit(),
      arrivals: Array.from({ length: MAX_ARRIVALS }, createArrival),
      arrived: 0,
      searched: 0,
      closeFor: NaN,
      closeMs: NaN,
      closeBase: 0,
    })),
    count: 0,
    firstSignMs: NaN,
    nextReviewMs: Infinity,
    finalDueMs: Infinity,
    revision: 0,
    last: undefined,
    said: '',
    stuck: new Uint8Array(cells),
    magnets: new Uint8Array(cells),
    leftover: new Uint8Array(cells),
    sees: new Uint8Array(cells).fill(255),
  };
}

/** A roll is called after another: what stood on a tile at the end of that one, and lies there still, is of that one. */
export function keepLeftovers(live: LiveRoll, lies: (cell: number) => boolean): void {
  for (let i = 0; i < live.count; i += 1) {
    const visit = live.stands[i]?.visit;
    if (visit !== undefined && visit.endMs === Infinity && lies(visit.cell)) live.leftover[visit.cell] = 2;
  }
}

/** Whether balls of the roll straight before still lie about: hands fetch them before they throw. */
export function isCleared(live: LiveRoll): boolean {
  return !live.leftover.includes(2);
}

/** Makes it the roll of this activity, from now. */
export function beginRoll(
  live: LiveRoll,
  activity: Extract<Activity, { kind: 'roll' }>,
  cells: readonly LayoutCell[],
  atMs: AtMs,
): void {
  const lying = new Map(activity.cores.map(({ cell, core }) => [cell, core]));
  live.roll = activity.roll;
  live.fromMs = atMs;
  live.balls = activity.balls;
  live.cores = cells.map((cell) => lying.get(cell.cell));
  live.count = 0;
  live.firstSignMs = NaN;
  live.nextReviewMs = Infinity;
  live.finalDueMs = Infinity;
  live.revision = 0;
  live.last = undefined;
  live.said = '';
  live.stuck.fill(0);
  live.magnets.fill(0);
}

/** The stand that is going on at a cell, if any. */
export function standAt(live: LiveRoll, cell: number): Stand | undefined {
  for (let i = live.count - 1; i >= 0; i -= 1) {
    const stand = live.stands[i];
    if (stand !== undefined && stand.visit.cell === cell && stand.visit.endMs === Infinity) return stand;
  }
  return undefined;
}

/** Takes a stand from the pool, undefined when all are in use. */
export function beginStand(live: LiveRoll, cell: number, atMs: AtMs): Stand | undefined {
  const stand = live.stands[live.count];
  if (stand === undefined) return undefined;
  live.count += 1;
  beginVisit(stand.visit, cell, atMs);
  stand.arrived = 0;
  stand.searched = 0;
  stand.closeFor = NaN;
  stand.closeMs = NaN;
  return stand;
}

/** Gives a stand back that turned out to be a glitch. */
export function dropStand(live: LiveRoll, index: number): void {
  const [gone] = live.stands.splice(index, 1);
  if (gone !== undefined) live.stands.push(gone);
  live.count -= 1;
}

/** The players that roll. */
export function rollers(live: LiveRoll): readonly Side[] {
  return live.balls.map((ball) => ball.player);
}

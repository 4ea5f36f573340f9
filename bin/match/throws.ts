import type { CellId, RollId, Side } from '../../host/ids.ts';
import type { Activity } from '../../host/sensing/activity.ts';
import type { SimAction } from '../../host/sim-action.ts';
import type { SimTable } from '../../sim/table.ts';

/** How a roll is to go. */
export type RollKind =
  /** B's ball runs over the field and off the table. */
  | 'fall'
  /** Both open on one core. */
  | 'share'
  /** As usual, but the cable of A's board is out for its end. */
  | 'cable'
  /** A opens; B's ball passes. */
  | 'lead'
  /** A opens; of B's ball the latch decides. */
  | 'plain';

type Roll = Extract<Activity, { readonly kind: 'roll' }>;

/** B lets go this much after A where both go for one core, ms; well within the time that 5.7.1 leaves. */
const BEHIND_MS = 160;
const LATE_MS = 500;
/** Cable out after the balls were let go, and in again once a judge was asked, ms. */
const CABLE_OUT_MS = 420;

/** Hands that roll: asked at every look while a roll is on, they do what is due. */
export interface Throwers {
  look(atMs: number, activity: Roll, kind: RollKind): void;
  /** How the roll that is on, or was last, was meant. */
  readonly last: { readonly roll: RollId; readonly kind: RollKind } | undefined;
}

/** Cells with cores, those nearest to a player's edge first, so that the balls of both do not meet. */
export function nearest(side: Side, activity: Roll): readonly CellId[] {
  const height = (cell: CellId): number => {
    const [, q = '0', r = '0'] = /^q(-?\d+)r(-?\d+)$/.exec(cell) ?? [];
    return (2 * Number(r) + Number(q)) * (side === 'A' ? -1 : 1);
  };
  return activity.cores.map(({ cell }) => cell).sort((a, b) => height(a) - height(b));
}

/** @param prized cells of the cores that A would like to hold, the best first */
export function throwersAt(sim: SimTable, prized: (activity: Roll) => readonly CellId[]): Throwers {
  let last: { readonly roll: RollId; readonly kind: RollKind } | undefined;
  let dueMs: Readonly<Record<Side, number>> = { A: 0, B: 0 };
  let aim: CellId | undefined;
  let firstMs = Number.POSITIVE_INFINITY;
  let cableMs = Number.POSITIVE_INFINITY;

  const act = (action: SimAction): boolean => sim.act(action).ok;

  /** The first of these cells to which a way is free. */
  const throwAt = (
    cells: readonly CellId[],
    how: Omit<Extract<SimAction, { readonly act: 'throw' }>, 'act' | 'aim'>,
  ): CellId | undefined => cells.find((cell) => act({ act: 'throw', aim: cell, ...how }));

  const toss = (player: Side, activity: Roll, kind: RollKind): boolean => {
    const near = nearest(player, activity);
    const opens = { player, speedMPerS: 0.7, open: 'yes', stays: 'yes' } as const;
    if (kind === 'share') {
      // The middle of the field is as far from either; whoever throws second follows the first.
      const middle = aim === undefined ? [...prized(activity).slice(0, 2), ...near.slice(2, -2)] : [aim];
      aim = throwAt(middle, { ...opens, beside: true }) ?? aim;
      return sim.thrown().includes(player);
    }
    if (player === 'B') {
      const passes = { player, stays: 'physics' } as const;
      if (kind === 'fall') return throwAt(near, { ...passes, speedMPerS: 1.8, open: 'no' }) !== undefined;
      const open = kind === 'plain' ? 'physics' : 'no';
      return throwAt(near, { ...passes, speedMPerS: 0.8, open }) !== undefined;
    }
    return throwAt([...prized(activity), ...near], opens) !== undefined;
  };

  return {
    get last() {
      return last;
    },
    look(atMs, activity, kind) {
      if (last?.roll !== activity.roll) {
        last = { roll: activity.roll, kind };
        aim = undefined;
        dueMs = { A: atMs + 600, B: atMs + 600 + (kind === 'share' ? BEHIND_MS : 0) };
        cableMs = Number.POSITIVE_INFINITY;
        firstMs = Number.POSITIVE_INFINITY;
      }
      for (const { player } of activity.balls) {
        if (sim.thrown().includes(player) || atMs < dueMs[player]) continue;
        if (toss(player, activity, last.kind) && player === 'A') {
          firstMs = atMs;
          if (last.kind === 'cable') cableMs = atMs + CABLE_OUT_MS;
        }
        dueMs = { ...dueMs, [player]: atMs + 50 };
        // No room beside the first ball: the second one takes another way, before it counts as late (AM-10).
        if (last.kind === 'share' && player === 'B' && atMs > firstMs + LATE_MS)
          last = { ...last, kind: 'lead' };
      }
      if (atMs < cableMs) return;
      cableMs = Number.POSITIVE_INFINITY;
      act({ act: 'fault', fault: 'unplug', player: 'A', on: true });
    },
  };
}

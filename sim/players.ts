/** Hands of the players at a simulated table: they throw, lift and clear away, and know what lies where. */
import type { BakuganId, CellId, RollId, Side } from '../host/ids.ts';
import type { Activity } from '../host/sensing/activity.ts';
import { standOf, type ThrowAction, throwAsAsked } from './asked-throw.ts';
import type { Body } from './ball.ts';
import { hexDistance, OPEN_FOOT_MM, PLATE_MM } from './contacts.ts';
import type { Thrown } from './endings.ts';
import type { Mat } from './mat.ts';
import { letGo, truthOf } from './perform.ts';
import { createChance, hash32 } from './random.ts';
import { lifted, standing as standingTrack } from './tracks.ts';
import type { RollTruth } from './truth.ts';

/** A ball that stands open on the table. */
export interface StandingBall {
  readonly player: Side;
  readonly bakugan: BakuganId;
  /** Cell it stands on, the first of two. */
  readonly cell: CellId;
  readonly xMm: number;
  readonly yMm: number;
}

export interface Players {
  know(activity: Activity, atUs: number): void;
  /** Throws, once what lies on the table from before is picked up. */
  toss(action: ThrowAction, atUs: number): ActResult;
  lift(player: Side, cell: CellId, atUs: number): ActResult;
  /** Takes everything off the field that lies still. */
  clear(atUs: number): void;
  /** Clears the field and stands a ball, open, on a cell. */
  seat(bakugan: BakuganId, cell: CellId, atUs: number): ActResult;
  /** Pushes a ball through both launch gates of a player and takes it away. */
  reach(player: Side, atUs: number): void;
  /** Hands do what is due by now. */
  turn(atUs: number): void;
  truth(): readonly RollTruth[];
  /** Players who have thrown in the roll going on. */
  thrown(): readonly Side[];
  standing(atUs: number): readonly StandingBall[];
}

/** Whether it was done, or why it cannot be. */
export type ActResult = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** A roll that has begun. */
interface LiveRoll {
  readonly roll: RollId;
  readonly startUs: number;
  readonly cores: readonly { readonly cell: CellId; readonly core: string }[];
  thrown: Thrown[];
}

/** Balls that did not stay open are picked up this long after the roll is over, µs. */
const CLEAR_AFTER_US = 600_000;
/** A throw asked for now leaves the hand this much later, µs. */
const SWING_US = 250_000;
/** A hand is there after this long, and puts a ball down when all else has gone, within this of the tile's middle. */
const REACH_US = 60_000;
const SEAT_AFTER_US = 900_000;
const PLACED_MM = 1;
/** Boards look ahead: what a hand does begins a little later. */
const SOON_US = 10_000;
const KEPT_TRUTHS = 200;

export function createPlayers(mat: Mat, bodies: readonly Body[], seed: number): Players {
  let live: LiveRoll | undefined;
  let past: RollTruth[] = [];
  let balls: readonly { readonly player: Side; readonly bakugan: BakuganId }[] = [];
  let throws = 0;
  /** Balls to be picked up: when they lie still, and when hands get to it. */
  let chores: { readonly bakugan: BakuganId; readonly stillUs: number; readonly atUs: number }[] = [];
  /** Balls that a hand is about to stand on a cell. */
  let seats: readonly { readonly body: Body; readonly cell: CellId; readonly atUs: number }[] = [];
  /** Throws that wait until what lies on the table from before is picked up. */
  let waiting: readonly ThrowAction[] = [];

  const truthNow = (): RollTruth | undefined =>
    live === undefined || live.thrown.length === 0
      ? undefined
      : truthOf(mat, { roll: live.roll, seed, startUs: live.startUs, cores: live.cores }, live.thrown);

  const close = (atUs: number): void => {
    const truth = truthNow();
    if (truth === undefined || live === undefined) return;
    past = [...past, truth].slice(-KEPT_TRUTHS);
    for (const ball of truth.balls) {
      if (ball.attached.length > 0) continue;
      // Nobody reaches for a ball that still rolls.
      const stillUs = Math.round(ball.restMs * 1000) + 200_000;
      chores.push({ bakugan: ball.bakugan, stillUs, atUs: Math.max(atUs + CLEAR_AFTER_US, stillUs) });
    }
    live = undefined;
  };

  const bodyOf = (player: Side): Body | undefined => {
    const bakugan = balls.find((ball) => ball.player === player)?.bakugan;
    return bodies.find((b) => b.bakugan === bakugan) ?? bodies.find((b) => b.player === player);
  };

  /** Nobody throws a ball that lies on the table, nor among balls of a roll that is over. True when all is clear. */
  const cleared = (body: Body, atUs: number): boolean => {
    const own = mat.track(body.bakugan);
    const lies = own !== undefined && own.goneUs > atUs;
    if (lies && own.goneUs === Infinity && !chores.some((chore) => chore.bakugan === body.bakugan)) {
      chores.push({ bakugan: body.bakugan, stillUs: own.restUs, atUs });
    }
    chores = chores.map((chore) => ({ ...chore, atUs: Math.min(chore.atUs, Math.max(atUs, chore.stillUs)) }));
    return !lies && chores.length === 0;
  };

  const release = (action: ThrowAction, body: Body, atUs: number): ActResult => {
    throws += 1;
    const cored = new Set(live?.cores.map((c) => c.cell) ?? mat.tiles.map((tile) => tile.cell));
    const one = throwAsAsked({
      mat,
      seed: hash32(seed, 72, throws),
      body,
      atUs: atUs + SWING_US,
      action,
      cored,
    });
    if (one === undefined) return { ok: false, why: `no way to ${action.aim}: another ball stands in it` };
    letGo(mat, createChance(hash32(seed, 73, throws)), one);
    if (live === undefined) {
      const stillUs = one.track.restUs + 2_000_000;
      if (one.ending !== 'attach') chores.push({ bakugan: body.bakugan, stillUs, atUs: stillUs });
    } else live.thrown = [...live.thrown, one];
    return { ok: true };
  };

  const pickUp = (bakugan: BakuganId, atUs: number): boolean => {
    const track = mat.track(bakugan);
    if (track === undefined || track.goneUs !== Infinity) return false;
    const chance = createChance(hash32(seed, 71, atUs));
    const stand = standOf(track);
    mat.put(lifted(track, atUs, chance.between(100, 500)));
    if (stand === undefined) return true;
    for (const tile of mat.tiles) {
      if (hexDistance(stand.x - tile.x, stand.y - tile.y) > PLATE_MM + OPEN_FOOT_MM) continue;
      // Fingers press the plate a little before and after.
      mat.hand(tile.cell, {
        fromUs: atUs - 40_000,
        toUs: atUs + Math.floor(chance.between(20_000, 120_000)),
      });
      mat.magnetise(tile.cell, atUs + 500_000);
    }
    return true;
  };

  const clear = (atUs: number): void => {
    seats = [];
    for (const { body, goneUs, restUs } of mat.tracks()) {
      if (goneUs !== Infinity || chores.some((chore) => chore.bakugan === body.bakugan)) continue;
      chores.push({ bakugan: body.bakugan, stillUs: restUs, atUs: Math.max(atUs + REACH_US, restUs) });
    }
  };

  /** A person stands a ball near the middle of a tile. */
  const putDown = (body: Body, cell: CellId, atUs: number): void => {
    const tile = mat.tiles.find((one) => one.cell === cell);
    if (tile === undefined) return;
    const chance = createChance(hash32(seed, 74, atUs));
    const off = (): number => chance.between(-PLACED_MM, PLACED_MM);
    mat.put(standingTrack(body, atUs + SOON_US, tile.x + off(), tile.y + off()));
  };

  const standing = (atUs: number): readonly StandingBall[] =>
    mat.tracks().flatMap((track) => {
      const stand = atUs >= track.restUs ? standOf(track) : undefined;
      if (stand === undefined || track.stretches.at(-1)?.open !== true) return [];
      const under = mat.tiles.find(
        (tile) => hexDistance(stand.x - tile.x, stand.y - tile.y) <= PLATE_MM + OPEN_FOOT_MM,
      );
      if (under === undefined) return [];
      const { player, bakugan } = track.body;
      return [{ player, bakugan, cell: under.cell, xMm: stand.x, yMm: stand.y }];
    });

  return {
    standing,
    know(activity, atUs) {
      if (activity.kind !== 'roll') {
        close(atUs);
        return;
      }
      balls = activity.balls;
      if (live?.roll === activity.roll) return;
      close(atUs);
      waiting = [];
      live = { roll: activity.roll, startUs: atUs, cores: activity.cores, thrown: [] };
    },
    toss(action, atUs) {
      const { player } = action;
      const body = bodyOf(player);
      if (body === undefined) return { ok: false, why: `player ${player} has no ball` };
      if (live?.thrown.some((one) => one.track.body.player === player)) {
        return { ok: false, why: `player ${player} has thrown in this roll already` };
      }
      if (!mat.tiles.some((tile) => tile.cell === action.aim)) {
        return { ok: false, why: `the mat has no cell ${action.aim}` };
      }
      waiting = waiting.filter((other) => other.player !== player);
      if (cleared(body, atUs)) return release(action, body, atUs);
      waiting = [...waiting, action];
      return { ok: true };
    },
    lift(player, cell, atUs) {
      const ball = standing(atUs).find((b) => b.player === player && b.cell === cell);
      if (ball === undefined) return { ok: false, why: `no ball of player ${player} stands on ${cell}` };
      pickUp(ball.bakugan, atUs + 60_000);
      return { ok: true };
    },
    clear,
    seat(bakugan, cell, atUs) {
      const body = bodies.find((one) => one.bakugan === bakugan);
      if (body === undefined) return { ok: false, why: `there is no ball ${bakugan} at this table` };
      if (!mat.tiles.some((tile) => tile.cell === cell)) {
        return { ok: false, why: `the mat has no cell ${cell}` };
      }
      clear(atUs);
      seats = [{ body, cell, atUs: atUs + SEAT_AFTER_US }];
      return { ok: true };
    },
    reach(player, atUs) {
      mat.handInGate(player, 'near', { fromUs: atUs + 200_000, toUs: atUs + 500_000 });
      mat.handInGate(player, 'far', { fromUs: atUs + 600_000, toUs: atUs + 900_000 });
    },
    turn(atUs) {
      for (const { body, cell, atUs: dueUs } of seats) if (dueUs <= atUs) putDown(body, cell, atUs);
      seats = seats.filter(({ atUs: dueUs }) => dueUs > atUs);
      for (const chore of chores) if (chore.atUs <= atUs) pickUp(chore.bakugan, atUs);
      chores = chores.filter((chore) => chore.atUs > atUs);
      for (const action of waiting) {
        const body = bodyOf(action.player);
        if (body === undefined || !cleared(body, atUs)) continue;
        waiting = waiting.filter((other) => other !== action);
        release(action, body, atUs);
      }
      for (const track of mat.tracks()) {
        const rolling = live?.thrown.some((one) => one.track.body.bakugan === track.body.bakugan) ?? false;
        if (!rolling && track.goneUs + 1_000_000 <= atUs) mat.take(track.body.bakugan);
      }
    },
    thrown: () => live?.thrown.map((one) => one.track.body.player) ?? [],
    truth() {
      const now = truthNow();
      return now === undefined ? past : [...past, now];
    },
  };
}

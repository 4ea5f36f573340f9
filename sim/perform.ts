/** Puts a drawn roll on the mat and writes down what really happens in it. */
import type { CoreId } from '../host/ids.ts';
import { createPose, poseAt, type Stretch } from './ball.ts';
import { openedUs } from './encounters.ts';
import type { Thrown } from './endings.ts';
import { gateY } from './gates.ts';
import { handAtFar } from './hands.ts';
import type { Mat } from './mat.ts';
import { type Chance, createChance, hash32 } from './random.ts';
import type { RollAsk, RollPlan } from './roll.ts';
import { CLEAN, type RollShares } from './shares.ts';
import type { BallTruth, CellVisit, RollTruth } from './truth.ts';
import type { TileFault } from './wires.ts';

/** A settled ball stands still after this, µs: five time constants of the stop. */
const STILL_US = 60_000;
/** Samples that belong to a roll go on this long after the last ball rests, µs. */
const AFTER_US = 1_200_000;
/** A contact that fails in a roll does not mend before that is ruled: the longest wait for a ball, µs. */
const FAILS_ON_US = 5_000_000;

/** The roll happens: balls, hands and contact faults are on the mat from here on. */
export function perform(mat: Mat, plan: RollPlan): RollTruth {
  const { ask } = plan;
  const chance = createChance(hash32(ask.seed, 79, 0));
  const sorted = [...plan.thrown].sort((a, b) => (a.track.body.player < b.track.body.player ? -1 : 1));
  for (const one of sorted) letGo(mat, chance, one, ask.shares.follow);
  const truth = truthOf(mat, ask, plan.thrown);
  const toUs = truth.toMs * 1000;
  return {
    ...truth,
    contactFaults: spoilContacts(mat, chance, ask.shares, truth.balls, ask.startUs, toUs + FAILS_ON_US),
    hands: waveHands(mat, chance, ask.shares, ask.startUs, toUs - AFTER_US),
  };
}

/** One ball comes onto the mat, with the hand that lets it go. */
export function letGo(mat: Mat, chance: Chance, one: Thrown, follow = CLEAN.follow): void {
  mat.put(one.track);
  launch(mat, chance, one, follow);
  leaveRemanence(mat, one);
}

/** What happens, or will happen, to the balls of a roll that are on the mat. */
export function truthOf(
  mat: Mat,
  ask: Pick<RollAsk, 'roll' | 'seed' | 'startUs' | 'cores'>,
  thrown: readonly Thrown[],
): RollTruth {
  const sorted = [...thrown].sort((a, b) => (a.track.body.player < b.track.body.player ? -1 : 1));
  const cores = new Map(ask.cores.map((c) => [c.cell, c.core]));
  const balls = sorted.map((one) => ballTruth(mat, one, cores));
  const restUs = Math.max(ask.startUs, ...thrown.map((one) => stillUs(one)));
  const [a, b] = balls;
  const both = a?.attached.find((core) => b?.attached.includes(core));
  return {
    roll: ask.roll,
    seed: ask.seed,
    layout: mat.layout.name,
    fromMs: ask.startUs / 1000,
    toMs: (restUs + AFTER_US) / 1000,
    cores: ask.cores,
    balls,
    ...(both === undefined ? {} : { both }),
    ...(a === undefined || b === undefined ? {} : { skewMs: b.releaseMs - a.releaseMs }),
    contactFaults: [],
    hands: [],
  };
}

/** The hand that lets go breaks the beams it reaches over; an arm in the far one is in the near one too. */
function launch(mat: Mat, chance: Chance, one: Thrown, follow: number): void {
  const first = one.track.stretches[0];
  const atUs = first?.fromUs ?? 0;
  const { player, radiusMm } = one.track.body;
  const fromUs = atUs - Math.floor(chance.between(60_000, 220_000));
  const toUs = atUs + Math.floor(chance.between(80_000, 300_000));
  const ball = { atUs, releaseMm: one.releaseMm, radiusMm, speed: first?.speed ?? 0 };
  // Chance of its own: what happens else in the roll is the same however the hand goes on.
  const own = createChance(hash32(atUs, 83, player === 'A' ? 0 : 1));
  const far = handAtFar(own, ball, mat.layout.gatesMm.far, follow);
  const reachUs = Math.floor(own.between(40_000, 150_000));
  mat.handInGate(player, 'near', {
    fromUs: Math.min(fromUs, (far?.fromUs ?? atUs) - reachUs),
    toUs: Math.max(toUs, (far?.toUs ?? atUs) + reachUs),
  });
  if (far !== undefined) mat.handInGate(player, 'far', far);
}

function stillUs(one: Thrown): number {
  const last = one.track.stretches.at(-1);
  return last?.going === 'stop' ? last.fromUs + STILL_US : one.track.restUs;
}

/** Where an opened ball was when it left its core: the stretch after the latch that rolls. */
function leftStretch(one: Thrown): Stretch | undefined {
  const opened = openedUs(one.track);
  return one.track.stretches.find((s) => s.fromUs > opened && s.going === 'loss');
}

function ballTruth(mat: Mat, one: Thrown, cores: ReadonlyMap<string, CoreId>): BallTruth {
  const { track } = one;
  const { body } = track;
  const visits: CellVisit[] = [];
  mat.wires.touches(body.bakugan).forEach((spans, i) => {
    const tile = mat.tiles[i];
    if (tile === undefined) return;
    const core = cores.get(tile.cell);
    for (const span of spans) {
      visits.push({
        cell: tile.cell,
        ...(core === undefined ? {} : { core }),
        fromMs: span.fromUs / 1000,
        ...(span.toUs === Infinity ? {} : { toMs: span.toUs / 1000 }),
      });
    }
  });
  visits.sort((x, y) => x.fromMs - y.fromMs);
  const contact = [...new Set(visits.flatMap((v) => (v.core === undefined ? [] : [v.core])))];
  const latched = openedUs(track);
  const latchCell = one.tile === undefined ? undefined : mat.tiles[one.tile]?.cell;
  const left = leftStretch(one);
  const opened = latchCell !== undefined && (cores.has(latchCell) || one.ending === 'two-cores');
  const held = visits.flatMap((v) => (v.toMs === undefined && v.core !== undefined ? [v.core] : []));
  const pose = createPose();
  const stays = poseAt(track, track.restUs + 400_000, pose);
  const near = firstBreak(mat, one, 'near');
  const far = firstBreak(mat, one, 'far');
  const first = track.stretches[0];
  return {
    player: body.player,
    bakugan: body.bakugan,
    polarity: body.polarity,
    strength: body.strength,
    radiusMm: body.radiusMm,
    mode: one.mode,
    ending: one.ending,
    releaseMs: (first?.fromUs ?? 0) / 1000,
    releaseMm: one.releaseMm,
    releaseMPerS: first?.speed ?? 0,
    lossMPerS2: 1000 * (first?.loss ?? 0),
    ...(near === undefined ? {} : { nearGateMs: near }),
    ...(far === undefined ? {} : { farGateMs: far }),
    path: visits,
    contact,
    ...(latched === Infinity ? {} : { latchMs: latched / 1000 }),
    ...(latchCell === undefined ? {} : { latchCell }),
    opened,
    attached: opened && left === undefined ? [...new Set(held)] : [],
    ...(opened && left !== undefined ? { offMs: left.fromUs / 1000 } : {}),
    restMs: stillUs(one) / 1000,
    ...(stays ? { restXMm: pose.ballX, restYMm: pose.ballY } : {}),
    bounces: track.hops.length,
  };
}

/** A hand is over a gate for no longer before it lets go, µs. */
const LONGEST_HOLD_US = 1_500_000;

/** First break of an own gate around this release, by hand or ball, ms. */
function firstBreak(mat: Mat, one: Thrown, gate: 'near' | 'far'): number | undefined {
  const { player, bakugan } = one.track.body;
  const releaseUs = one.track.stretches[0]?.fromUs ?? 0;
  const hand = mat.wires
    .handSpans(player, gate)
    .filter((span) => span.fromUs > releaseUs - LONGEST_HOLD_US && span.fromUs < releaseUs + 400_000);
  const ball = mat.wires.beam(bakugan, player, gate);
  const first = Math.min(...[...hand, ...ball].map((span) => span.fromUs));
  // A ball that comes back over its own gate much later is not launched by that.
  return first === Infinity || !inFront(mat, one, gate) ? undefined : first / 1000;
}

/** The gate lies in the ball's way or under the hand, not behind the release. */
function inFront(mat: Mat, one: Thrown, gate: 'near' | 'far'): boolean {
  const first = one.track.stretches[0];
  if (first === undefined) return false;
  const y = gateY(mat.layout, one.track.body.player, gate);
  return gate === 'near' || Math.abs(first.y) >= Math.abs(y) - one.track.body.radiusMm - 60;
}

function spoilContacts(
  mat: Mat,
  chance: Chance,
  shares: RollShares,
  balls: readonly BallTruth[],
  fromUs: number,
  toUs: number,
): RollTruth['contactFaults'] {
  const draw = chance.unit();
  const { deadContact, dirtyContact, stuckContact } = shares;
  const fault: TileFault | undefined =
    draw < deadContact
      ? 'dead'
      : draw < deadContact + dirtyContact
        ? 'dirty'
        : draw < deadContact + dirtyContact + stuckContact
          ? 'stuck'
          : undefined;
  const touched =
    shares.faultAt === 'touched'
      ? [...new Set(balls.flatMap((ball) => ball.path.map((visit) => visit.cell)))]
      : [...new Set(balls.flatMap((ball) => standsOn(ball)))];
  if (fault === undefined || touched.length === 0) return [];
  const cell = chance.pick(touched);
  mat.spoil(cell, fault, { fromUs, toUs });
  return [{ cell, fault }];
}

/** Cells a ball stands on in the end, or opened on. */
function standsOn(ball: BallTruth): string[] {
  const held = ball.path.filter((visit) => visit.toMs === undefined).map((visit) => visit.cell);
  return held.length > 0 || ball.latchCell === undefined ? held : [ball.latchCell];
}

function waveHands(mat: Mat, chance: Chance, shares: RollShares, fromUs: number, toUs: number): string[] {
  if (!chance.happens(shares.hand)) return [];
  const tile = chance.pick(mat.tiles);
  const startUs = Math.floor(chance.between(fromUs, toUs));
  mat.hand(tile.cell, { fromUs: startUs, toUs: startUs + Math.floor(chance.between(100_000, 600_000)) });
  return [tile.cell];
}

function leaveRemanence(mat: Mat, one: Thrown): void {
  const left = leftStretch(one);
  const cell = one.tile === undefined ? undefined : mat.tiles[one.tile]?.cell;
  if (left !== undefined && cell !== undefined) mat.magnetise(cell, left.fromUs + 200_000);
}

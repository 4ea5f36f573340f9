/**
 * Poses of one ball over time: a list of stretches, each with a closed formula, so that any moment can be asked for
 * without stepping. Lengths mm, times ms inside a stretch and µs outside, speeds mm/ms (which is m/s).
 */
import { cos, exp, sin } from '../host/exact.ts';
import type { BakuganId, Side } from '../host/ids.ts';
import { BALL_DISC, type Magnet } from './field.ts';

/** The thing itself. */
export interface Body {
  readonly player: Side;
  readonly bakugan: BakuganId;
  /** 17.5 to 22. */
  readonly radiusMm: number;
  /** Which way the magnet's north points when it stands at the bottom: +1 down. */
  readonly polarity: 1 | -1;
  /** Moment against the default disc. */
  readonly strength: number;
  /** Height of the magnet over steel at which the latch lets go, 6 to 8 mm. */
  readonly latchMm: number;
  /**
   * The magnet sits crooked: its axis in parts along the radius, in the plane of rolling and across it, together of
   * length 1. Straight along the radius when left out.
   */
  readonly crooked?: { readonly straight: number; readonly along: number; readonly across: number };
}

/** The magnet sits this far under the ball's skin, mm. */
export const MAGNET_INSET_MM = 4;
/** Time constants of the stop, of turning upright and of the latch's jump, ms. */
export const STOP_MS = 12;
export const UPRIGHT_MS = 10;
export const JUMP_MS = 3;
const RING_MS = 30;
const WOBBLE_MS = 100;

/** One piece of a track; it lasts until the next one begins. */
export interface Stretch {
  readonly fromUs: number;
  /** Ball's centre over the mat at the beginning. */
  readonly x: number;
  readonly y: number;
  /** Unit vector of travel. */
  readonly headX: number;
  readonly headY: number;
  /** `loss`: constant deceleration to a stand. `stop`: exponential stop after `way`. */
  readonly going: 'loss' | 'stop';
  readonly speed: number;
  readonly loss: number;
  readonly way: number;
  /** Angle φ of the magnet from straight down at the beginning, rad. */
  readonly tilt: number;
  /** `roll`: φ grows with the way. `fixed`: slides or spins. `upright`: φ falls to 0. */
  readonly turning: 'roll' | 'fixed' | 'upright';
  /** Direction of the plane in which the magnet tilts, rad, and how fast it turns, rad/ms. */
  readonly azimuth: number;
  readonly spin: number;
  /** The magnet's way out through the shell: at the beginning and added by the latch, mm. */
  readonly jumped: number;
  readonly jump: number;
  /** Ringing of the field after the latch: share and Hz. */
  readonly ring: number;
  readonly ringHz: number;
  /** Rocking to and fro along the heading that dies away, mm and Hz. */
  readonly wobbleMm: number;
  readonly wobbleHz: number;
  /** A hand holds it this high from the beginning, mm. */
  readonly heldMm: number;
  /** A hand lifts the ball this high within `liftMs`; 0 when nobody lifts. */
  readonly liftMm: number;
  readonly liftMs: number;
  /** The shell stands open: its foot is wider. */
  readonly open: boolean;
}

/** One flight of a thrown or dropped ball. */
export interface Hop {
  readonly fromUs: number;
  readonly toUs: number;
}

export interface Track {
  readonly body: Body;
  /** Sorted by time, at least one. */
  readonly stretches: readonly Stretch[];
  readonly hops: readonly Hop[];
  /** Nothing changes after this: the pose may be kept. */
  readonly restUs: number;
  /** The ball is gone from the table from here on; Infinity while it stays. */
  readonly goneUs: number;
}

/** Where a ball is; filled anew by `poseAt`. */
export interface Pose extends Magnet {
  /** Ball's centre over the mat. */
  ballX: number;
  ballY: number;
  /** Underside above the tile tops, mm. */
  lift: number;
  /** Angle φ of the magnet from straight down, rad. */
  tilt: number;
  open: boolean;
}

export function createPose(): Pose {
  return {
    k: 0,
    x: 0,
    y: 0,
    z: 0,
    axisX: 0,
    axisY: 0,
    axisZ: 0,
    ballX: 0,
    ballY: 0,
    lift: 0,
    tilt: 0,
    open: false,
  };
}

/** A stretch in which the ball rests, to be spread and changed. */
export const AT_REST: Omit<Stretch, 'fromUs' | 'x' | 'y'> = {
  headX: 0,
  headY: 1,
  going: 'loss',
  speed: 0,
  loss: 0,
  way: 0,
  tilt: 0,
  turning: 'fixed',
  azimuth: 0,
  spin: 0,
  jumped: 0,
  jump: 0,
  ring: 0,
  ringHz: 0,
  wobbleMm: 0,
  wobbleHz: 0,
  heldMm: 0,
  liftMm: 0,
  liftMs: 0,
  open: false,
};

/** Way covered within a stretch after `ms`. */
export function wayAfter(stretch: Stretch, ms: number): number {
  if (stretch.going === 'stop') {
    const stopped = stretch.way * (1 - exp(-ms / STOP_MS));
    if (stretch.wobbleMm === 0) return stopped;
    return (
      stopped + stretch.wobbleMm * exp(-ms / WOBBLE_MS) * sin(0.006283185307179586 * stretch.wobbleHz * ms)
    );
  }
  const until = stretch.loss > 0 ? Math.min(ms, stretch.speed / stretch.loss) : ms;
  return stretch.speed * until - (stretch.loss * until * until) / 2;
}

const GRAVITY_MM_PER_MS2 = 9.81e-3;

function hopHeight(hops: readonly Hop[], atUs: number): number {
  for (const hop of hops) {
    if (atUs <= hop.fromUs || atUs >= hop.toUs) continue;
    const up = (atUs - hop.fromUs) / 1000;
    return (GRAVITY_MM_PER_MS2 / 2) * up * ((hop.toUs - hop.fromUs) / 1000 - up);
  }
  return 0;
}

/** Height of the underside over the tiles: flight and hand. */
function liftAfter(track: Track, stretch: Stretch, atUs: number, ms: number): number {
  const flight = stretch.heldMm + (track.hops.length === 0 ? 0 : hopHeight(track.hops, atUs));
  if (stretch.liftMs === 0) return flight;
  const part = Math.min(1, ms / stretch.liftMs);
  return flight + stretch.liftMm * part * part * (3 - 2 * part);
}

/** The stretch that goes on at a moment; undefined before the first. */
export function stretchAt(track: Track, atUs: number): Stretch | undefined {
  for (let i = track.stretches.length - 1; i >= 0; i -= 1) {
    const stretch = track.stretches[i];
    if (stretch !== undefined && stretch.fromUs <= atUs) return stretch;
  }
  return undefined;
}

/** Fills `pose` with the ball at this moment; false when it is not on the table. */
export function poseAt(track: Track, atUs: number, pose: Pose): boolean {
  if (atUs >= track.goneUs) return false;
  const stretch = stretchAt(track, atUs);
  if (stretch === undefined) return false;
  const ms = (atUs - stretch.fromUs) / 1000;
  const way = wayAfter(stretch, ms);
  let tilt = stretch.tilt;
  if (stretch.turning === 'roll') tilt += way / track.body.radiusMm;
  else if (stretch.turning === 'upright') {
    tilt *= exp(-ms / UPRIGHT_MS);
    // Rocking is rolling: the magnet tilts with the way.
    if (stretch.wobbleMm !== 0) {
      tilt += (way - stretch.way * (1 - exp(-ms / STOP_MS))) / track.body.radiusMm;
    }
  }
  const azimuth = stretch.azimuth + stretch.spin * ms;
  const jump = stretch.jump === 0 ? 0 : stretch.jump * (1 - exp(-ms / JUMP_MS));
  const arm = track.body.radiusMm - MAGNET_INSET_MM + stretch.jumped + jump;
  const sine = sin(tilt);
  const cosine = cos(tilt);
  const east = cos(azimuth);
  const south = sin(azimuth);
  pose.lift = liftAfter(track, stretch, atUs, ms);
  pose.ballX = stretch.x + stretch.headX * way;
  pose.ballY = stretch.y + stretch.headY * way;
  pose.tilt = tilt;
  pose.open = stretch.open;
  pose.x = pose.ballX - arm * sine * east;
  pose.y = pose.ballY - arm * sine * south;
  pose.z = pose.lift + track.body.radiusMm - arm * cosine;
  const polarity = track.body.polarity;
  pose.axisX = -sine * east * polarity;
  pose.axisY = -sine * south * polarity;
  pose.axisZ = -cosine * polarity;
  const { crooked } = track.body;
  if (crooked !== undefined) {
    const { straight, along, across } = crooked;
    pose.axisX = polarity * (-sine * east * straight - cosine * east * along - south * across);
    pose.axisY = polarity * (-sine * south * straight - cosine * south * along + east * across);
    pose.axisZ = polarity * (-cosine * straight + sine * along);
  }
  pose.k = BALL_DISC.k * track.body.strength;
  if (stretch.ring > 0 && ms < 8 * RING_MS) {
    pose.k *= 1 + stretch.ring * exp(-ms / RING_MS) * sin(0.006283185307179586 * stretch.ringHz * ms);
  }
  return true;
}

/** Where a ball stands on the mat, without its magnet; filled anew by `groundAt`. */
export interface Ground {
  x: number;
  y: number;
  lift: number;
  open: boolean;
  /** Stands or is coming to a stand where it opened; not on its way. */
  settled: boolean;
}

export function createGround(): Ground {
  return { x: 0, y: 0, lift: 0, open: false, settled: false };
}

/** Same as `poseAt` for contacts, gates and collisions, without the magnet and much cheaper. */
export function groundAt(track: Track, atUs: number, ground: Ground): boolean {
  if (atUs >= track.goneUs) return false;
  const stretch = stretchAt(track, atUs);
  if (stretch === undefined) return false;
  const ms = (atUs - stretch.fromUs) / 1000;
  const way = wayAfter(stretch, ms);
  ground.x = stretch.x + stretch.headX * way;
  ground.y = stretch.y + stretch.headY * way;
  ground.lift = liftAfter(track, stretch, atUs, ms);
  ground.open = stretch.open;
  ground.settled = stretch.going === 'stop' || stretch.speed === 0;
  return true;
}

/** Speed over the mat at a moment, mm/ms; 0 when the ball is away. */
export function speedAt(track: Track, atUs: number): number {
  if (atUs >= track.goneUs) return 0;
  const stretch = stretchAt(track, atUs);
  if (stretch === undefined) return 0;
  const ms = (atUs - stretch.fromUs) / 1000;
  if (stretch.going === 'stop') return (stretch.way / STOP_MS) * exp(-ms / STOP_MS);
  return Math.max(0, stretch.speed - stretch.loss * ms);
}

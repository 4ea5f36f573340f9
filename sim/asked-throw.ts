/** A throw that a person or automatic play asks for: aimed, with a speed, opened or not as asked or by physics. */
import type { SimAction } from '../host/sim-action.ts';
import { type Point, pointAt } from './approach.ts';
import { type Body, createPose, poseAt, type Track } from './ball.ts';
import { clearOf, type DrawnRelease, drawRelease, seatedOn, spotOn, type Thrown } from './endings.ts';
import type { Mat } from './mat.ts';
import { type Chance, createChance, hash32 } from './random.ts';
import { CLEAN } from './shares.ts';
import { leaving, openAt, passOver, restOn, rollOut } from './throws.ts';
import type { Ending } from './truth.ts';

export type ThrowAction = Extract<SimAction, { readonly act: 'throw' }>;

export interface AskedThrow {
  readonly mat: Mat;
  readonly seed: number;
  readonly body: Body;
  /** Moment of release, µs. */
  readonly atUs: number;
  readonly action: ThrowAction;
  /** Cells that hold a core now. */
  readonly cored: ReadonlySet<string>;
}

const TRIES = 300;
/** Two on one core stand in a narrow place. */
const BESIDE_TRIES = 600;
/** Open shells fold flat, so that two may stand on one core nearer than two closed balls could. */
const BESIDE_YIELD_MM = 9;
/** How often a ball that opened by itself stays. */
const STAYS = 0.85;

/** Nothing when no way could be found: the aim is not on the mat, or other balls are in the way. */
export function throwAsAsked(ask: AskedThrow): Thrown | undefined {
  const { mat, body, action } = ask;
  const tile = mat.tiles.findIndex((t) => t.cell === action.aim);
  if (tile < 0) return undefined;
  const others = mat.tracks().filter((track) => track.body.bakugan !== body.bakugan);
  const drawn = { ...CLEAN, beyond: 0 };
  const core = mat.tiles[tile];
  /** Another ball that opens on the same core: both stand on it, each on its own half. */
  const shares = (other: Track): boolean =>
    action.beside === true &&
    core !== undefined &&
    other.goneUs === Infinity &&
    other.stretches.at(-1)?.open === true &&
    seatedOn(other, core);
  const chance = createChance(hash32(ask.seed, 81, 0));
  const stays = action.stays === 'physics' ? chance.happens(STAYS) : action.stays === 'yes';
  const tries = action.beside === true ? BESIDE_TRIES : TRIES;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const here = createChance(hash32(ask.seed, 82, attempt));
    const ground = { mat, chance: here, cored: [], vacant: [] };
    const release = drawRelease(ground, body, ask.atUs, drawn);
    const one = tried(ask, here, release, tile, stays);
    if (one === undefined) continue;
    if (others.every((other) => clearOf(one.track, other, shares(other) ? BESIDE_YIELD_MM : 0))) {
      return others.some(shares) ? { ...one, ending: 'join' } : one;
    }
  }
  return undefined;
}

function tried(
  ask: AskedThrow,
  chance: Chance,
  release: DrawnRelease,
  index: number,
  stays: boolean,
): Thrown | undefined {
  const { mat, body, action, cored } = ask;
  const { tiles } = mat;
  const tile = tiles[index];
  if (tile === undefined) return undefined;
  const spot = action.beside === true ? ownHalf(chance, tile, body) : spotOn(chance, tile, 5.5, 14);
  const dx = spot.x - release.from.x;
  const dy = spot.y - release.from.y;
  const way = Math.sqrt(dx * dx + dy * dy);
  const left = action.speedMPerS * action.speedMPerS - 2 * release.loss * way;
  const done = (track: Track | undefined, ending: Ending, at?: number): Thrown | undefined =>
    track && { track, ending, mode: release.mode, tile: at, releaseMm: release.releaseMm };
  const opened = (track: Track, at: number): Thrown | undefined => {
    if (!stays) {
      return done(leaving(chance, track, tiles, at, chance.logBetween(30, 600)), 'off', at);
    }
    const place = tiles[at];
    if (place === undefined || !seatedOn(track, place)) return undefined;
    return done(track, cored.has(place.cell) ? 'attach' : 'vacant', at);
  };
  switch (action.open) {
    case 'yes': {
      // Slower than the loss on the way allows: the ball comes just in.
      // To stop on the near half of a core it has to come slowly.
      const slow = action.beside === true ? chance.between(0.14, 0.3) : undefined;
      const arrive = slow ?? Math.sqrt(Math.max(0.12 * 0.12, left));
      const track = openAt(chance, release, index, spot, Math.min(2, arrive));
      return track && opened(track, index);
    }
    case 'no': {
      const pass = left > 0.22 * 0.22;
      if (pass) return done(passOver(chance, release, spot, Math.sqrt(left)), 'pass');
      return done(restOn(chance, release, spot), 'rest');
    }
    case 'physics': {
      const speed = Math.sqrt(Math.max(0.1 * 0.1, left) + 2 * release.loss * way);
      const rolled = rollOut(chance, release, spot, speed);
      if (rolled.tile !== undefined) return opened(rolled.track, rolled.tile);
      return done(rolled.track, restsOnTile(mat, rolled.track) ? 'rest' : 'pass');
    }
    default:
      return action.open satisfies never;
  }
}

/** A spot on the own player's half of a core. */
function ownHalf(chance: Chance, tile: Point, body: Body): Point {
  const rho = chance.between(14.5, 17.5);
  const x = chance.between(-0.3, 0.3) * rho;
  const y = Math.sqrt(rho * rho - x * x) * (body.player === 'A' ? 1 : -1);
  return { x: tile.x + x, y: tile.y + y };
}

function restsOnTile(mat: Mat, track: Track): boolean {
  const pose = createPose();
  if (!poseAt(track, track.restUs, pose)) return false;
  return mat.tiles.some((tile) => {
    const dx = pose.ballX - tile.x;
    const dy = pose.ballY - tile.y;
    return dx * dx + dy * dy < 18 * 18;
  });
}

/** Where a track comes to stand. */
export function standOf(track: Track): { readonly x: number; readonly y: number } | undefined {
  const last = track.stretches.at(-1);
  if (last === undefined || track.goneUs !== Infinity) return undefined;
  if (last.going === 'stop') return pointAt(last, last.way);
  const way = last.loss > 0 ? (last.speed * last.speed) / (2 * last.loss) : 0;
  return pointAt(last, way);
}

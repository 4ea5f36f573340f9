/** One throw from hand to rest: each function tries one way it may end and gives nothing when it does not come out. */
import {
  type Approach,
  approachFrom,
  atWay,
  entryWay,
  firstLatch,
  latchAngle,
  type Mode,
  type Point,
  pointAt,
  tileUnder,
  tiltAt,
} from './approach.ts';
import {
  AT_REST,
  type Body,
  createPose,
  type Hop,
  poseAt,
  STOP_MS,
  type Stretch,
  type Track,
} from './ball.ts';
import { hexDistance, OPEN_FOOT_MM, PLATE_MM, type TilePlace } from './contacts.ts';
import type { Chance } from './random.ts';
import { extended } from './tracks.ts';

/** Where and how a ball is let go. */
export interface Release {
  readonly body: Body;
  readonly atUs: number;
  readonly from: Point;
  readonly mode: Mode;
  /** Rolling loss, mm/ms² (0.2 to 0.6 m/s² is 0.0002 to 0.0006). */
  readonly loss: number;
  /** The worn latch lets go this much too late, ms. */
  readonly lateMs: number;
  /** The ball rocks by this much after its stop, mm. */
  readonly wobbleMm: number;
  readonly tiles: readonly TilePlace[];
  /** Half the table's length and width: a ball that leaves it is caught, mm. */
  readonly halfLengthMm: number;
  readonly halfWidthMm: number;
}

/** Until ringing and settling are over, µs. */
const SETTLE_US = 250_000;

const drawTilt = (chance: Chance): number => chance.between(-Math.PI, Math.PI);
const closedTilt = (chance: Chance): number => (chance.happens(0.5) ? 1 : -1) * chance.between(1.1, Math.PI);

function start(chance: Chance, release: Release, to: Point, speed: number, tilt: number): Approach {
  return approachFrom({
    ...release,
    to,
    speed,
    tilt,
    spin: (chance.happens(0.5) ? 1 : -1) * chance.range(0.005, 0.025),
  });
}

function plain(release: Release, stretch: Stretch, restUs: number, goneUs: number): Track {
  return { body: release.body, stretches: [stretch], hops: [], restUs, goneUs };
}

/** The stretch that follows when the latch lets go after `way` mm. */
export function settling(
  chance: Chance,
  body: Body,
  before: Stretch,
  way: number,
  stopWay: number,
  spinOn: boolean,
): Stretch {
  const atUs = atWay(before, way);
  const point = pointAt(before, way);
  return {
    ...AT_REST,
    fromUs: atUs,
    ...point,
    headX: before.headX,
    headY: before.headY,
    going: 'stop',
    way: stopWay,
    tilt: tiltAt(before, way, body.radiusMm),
    turning: 'upright',
    azimuth: before.azimuth + (spinOn ? (before.spin * (atUs - before.fromUs)) / 1000 : 0),
    jump: chance.range(0.5, 2),
    ring: chance.range(0.03, 0.2),
    ringHz: chance.range(60, 150),
    open: true,
  };
}

/** Opens on `tile` and comes to stand near `seat`; `arrive` is the speed when the latch lets go, mm/ms. */
export function openAt(
  chance: Chance,
  release: Release,
  tile: number,
  seat: Point,
  arrive: number,
): Track | undefined {
  const { body, tiles, loss, from, mode } = release;
  const target = tiles[tile];
  if (target === undefined) return undefined;
  const stopWay = Math.max(2, Math.min(14, arrive * STOP_MS));
  const straight = start(chance, release, seat, 1, 0).stretch;
  const toSeat = Math.sqrt((seat.x - from.x) * (seat.x - from.x) + (seat.y - from.y) * (seat.y - from.y));
  const entry = entryWay(straight, target, toSeat + 2 * PLATE_MM);
  if (entry === undefined) return undefined;
  // Over the plate already, the latch goes as φ comes within reach; else as the ball comes onto the plate.
  const inside = toSeat - stopWay > entry + 0.5;
  const limit = latchAngle(body);
  const way =
    inside && mode === 'rolled'
      ? toSeat - stopWay
      : entry + (mode === 'rolled' ? 0.5 : chance.between(0.5, 4));
  const tilt =
    mode === 'rolled' && inside ? -limit : chance.between(-limit, mode === 'rolled' ? limit * 0.5 : limit);
  const speed = Math.sqrt(arrive * arrive + 2 * loss * way);
  const rolled = mode === 'rolled' ? way / body.radiusMm : 0;
  const { stretch } = start(chance, release, seat, speed, tilt - rolled + (inside ? 1e-9 : 0));
  const latch = firstLatch(stretch, body, tiles, 0, way + 3);
  if (latch === undefined || latch.tile !== tile || Math.abs(latch.way - way) > 5) return undefined;
  const lateWay = release.lateMs === 0 ? way : Math.min(way + arrive * release.lateMs, toSeat + 12);
  const settle = wobbling(chance, release, settling(chance, body, stretch, lateWay, stopWay, true));
  return extended(plain(release, stretch, 0, Infinity), settle, settle.fromUs + SETTLE_US);
}

function wobbling(chance: Chance, release: Release, settle: Stretch): Stretch {
  if (release.wobbleMm === 0) return settle;
  return { ...settle, wobbleMm: release.wobbleMm, wobbleHz: chance.range(4, 12) };
}

/** Rolls closed over a core with its magnet down: the worn latch does not let go. */
export function shutOver(chance: Chance, release: Release, point: Point, arrive: number): Track | undefined {
  const { loss, from, body, tiles } = release;
  const dx = point.x - from.x;
  const dy = point.y - from.y;
  const way = Math.sqrt(dx * dx + dy * dy);
  const speed = Math.sqrt(arrive * arrive + 2 * loss * way);
  const turned = release.mode === 'rolled' ? way / body.radiusMm : 0;
  const tilt = chance.between(-0.5, 0.5) * latchAngle(body) - turned;
  const { stretch, wholeWay } = start(chance, release, point, speed, tilt);
  const end = pointAt(stretch, wholeWay);
  if (tileUnder(end, tiles, PLATE_MM + OPEN_FOOT_MM) >= 0) return undefined;
  if (firstLatch(stretch, body, tiles, 0, wholeWay) === undefined) return undefined;
  return caught(release, plain(release, stretch, atWay(stretch, wholeWay), Infinity), wholeWay);
}

/** The open ball leaves after `dwellMs`, along `turn` rad from its heading. */
export function leaving(
  chance: Chance,
  track: Track,
  tiles: readonly TilePlace[],
  tile: number,
  dwellMs: number,
  heading?: Point,
): Track | undefined {
  const settle = track.stretches.at(-1);
  const target = tiles[tile];
  if (settle === undefined || target === undefined) return undefined;
  const fromUs = settle.fromUs + Math.round(dwellMs * 1000);
  const pose = createPose();
  if (!poseAt(track, fromUs, pose)) return undefined;
  const side = chance.between(-0.9, 0.9);
  const along = heading ?? { x: settle.headX, y: settle.headY };
  // A turn by the tangent of half the angle: no need for sine and cosine.
  const c = (1 - side * side) / (1 + side * side);
  const s = (2 * side) / (1 + side * side);
  const headX = along.x * c - along.y * s;
  const headY = along.x * s + along.y * c;
  const speed = chance.logRange(0.06, 0.5);
  const way = chance.happens(0.55) ? chance.range(24, 80) : chance.between(90, 260);
  const loss = (speed * speed) / (2 * way);
  const stretch: Stretch = {
    ...AT_REST,
    fromUs,
    x: pose.ballX,
    y: pose.ballY,
    headX,
    headY,
    speed,
    loss,
    tilt: pose.tilt,
    turning: 'roll',
    azimuth: settle.azimuth,
    jumped: settle.jumped + settle.jump,
    open: true,
  };
  const end = pointAt(stretch, way);
  if (hexDistance(end.x - target.x, end.y - target.y) < PLATE_MM + 1) return undefined;
  if (firstLatch(stretch, track.body, tiles, 40, way) !== undefined) return undefined;
  const restUs = fromUs + Math.round((speed / loss) * 1000);
  return extended(track, stretch, restUs);
}

/** Rolls over `point` at `speed`, closed, and out of the field. */
export function passOver(chance: Chance, release: Release, point: Point, arrive: number): Track | undefined {
  const { loss, from, body, tiles } = release;
  const dx = point.x - from.x;
  const dy = point.y - from.y;
  const way = Math.sqrt(dx * dx + dy * dy);
  const speed = Math.sqrt(arrive * arrive + 2 * loss * way);
  const tilt = release.mode === 'rolled' ? drawTilt(chance) : closedTilt(chance);
  const { stretch, wholeWay } = start(chance, release, point, speed, tilt);
  const end = pointAt(stretch, wholeWay);
  if (tileUnder(end, tiles, PLATE_MM + OPEN_FOOT_MM) >= 0) return undefined;
  if (firstLatch(stretch, body, tiles, 0, wholeWay) !== undefined) return undefined;
  return caught(release, plain(release, stretch, atWay(stretch, wholeWay), Infinity), wholeWay);
}

/** Comes to a stand closed on `point`. */
export function restOn(chance: Chance, release: Release, point: Point): Track | undefined {
  const { loss, from, body, tiles } = release;
  const dx = point.x - from.x;
  const dy = point.y - from.y;
  const way = Math.sqrt(dx * dx + dy * dy);
  const speed = Math.sqrt(2 * loss * way);
  const tilt = release.mode === 'rolled' ? drawTilt(chance) : closedTilt(chance);
  const { stretch } = start(chance, release, point, speed, tilt);
  // Not within a good margin of upright at the end either: the steel would draw it over.
  if (Math.abs(tiltAt(stretch, way, body.radiusMm)) < 0.95) return undefined;
  if (firstLatch(stretch, body, tiles, 0, way) !== undefined) return undefined;
  return plain(release, stretch, atWay(stretch, way), Infinity);
}

/** Touches no tile: past the field or short of it. */
export function missBy(chance: Chance, release: Release, point: Point, arrive: number): Track | undefined {
  const { loss, from, tiles } = release;
  const dx = point.x - from.x;
  const dy = point.y - from.y;
  const way = Math.sqrt(dx * dx + dy * dy);
  const speed = Math.sqrt(arrive * arrive + 2 * loss * way);
  const { stretch, wholeWay } = start(chance, release, point, speed, drawTilt(chance));
  for (let s = 0; s <= wholeWay; s += 1) {
    if (tileUnder(pointAt(stretch, s), tiles, PLATE_MM + 2) >= 0) return undefined;
  }
  return caught(release, plain(release, stretch, atWay(stretch, wholeWay), Infinity), wholeWay);
}

/** As the physics of this throw has it: opens at the first place where the latch lets go, else rolls to its end. */
export function rollOut(
  chance: Chance,
  release: Release,
  to: Point,
  speed: number,
): { readonly track: Track; readonly tile: number | undefined } {
  const { body, tiles } = release;
  const { stretch, wholeWay } = start(chance, release, to, speed, drawTilt(chance));
  const latch = firstLatch(stretch, body, tiles, 0, wholeWay);
  const rolled = plain(release, stretch, atWay(stretch, wholeWay), Infinity);
  if (latch === undefined) return { track: caught(release, rolled, wholeWay), tile: undefined };
  const arrive = Math.sqrt(Math.max(0.0025, stretch.speed * stretch.speed - 2 * stretch.loss * latch.way));
  const stopWay = Math.max(2, Math.min(14, arrive * STOP_MS));
  const settle = settling(chance, body, stretch, latch.way, stopWay, true);
  return { track: extended(rolled, settle, settle.fromUs + SETTLE_US), tile: latch.tile };
}

/** The track ends where the ball leaves the table. */
function caught(release: Release, track: Track, wholeWay: number): Track {
  const stretch = track.stretches[0];
  if (stretch === undefined) return track;
  for (let way = 0; way <= wholeWay; way += 5) {
    const point = pointAt(stretch, way);
    if (Math.abs(point.y) > release.halfLengthMm + 30 || Math.abs(point.x) > release.halfWidthMm) {
      const atUs = atWay(stretch, way);
      return { ...track, restUs: atUs, goneUs: atUs };
    }
  }
  return track;
}

/** The same throw bounced: flights of falling length that end before `beforeUs`. */
export function bounced(chance: Chance, track: Track, beforeUs: number): Track {
  const stretch = track.stretches[0];
  if (stretch === undefined) return track;
  const hops: Hop[] = [];
  const share = chance.range(0.3, 0.6);
  let length = chance.range(20_000, 77_000);
  const whole = length / (1 - share);
  const latest = beforeUs - whole;
  if (latest <= stretch.fromUs) return track;
  let at = stretch.fromUs + Math.floor((latest - stretch.fromUs) * chance.between(0.5, 1));
  // Shorter flights do not lift the ball off a floating plate.
  while (length > 8000) {
    hops.push({ fromUs: at, toUs: at + Math.floor(length) });
    at += Math.floor(length);
    length *= share;
  }
  return { ...track, hops };
}

/** Ways a throw can end, tried with drawn geometry; nothing comes back when a try does not come out. */
import { type Mode, type Point, pointAt } from './approach.ts';
import { type Body, createGround, groundAt, type Track } from './ball.ts';
import { hexDistance, OPEN_FOOT_MM, PLATE_MM } from './contacts.ts';
import type { Mat } from './mat.ts';
import type { Chance } from './random.ts';
import type { LoneEnding, RollShares } from './shares.ts';
import { leaving, missBy, openAt, passOver, type Release, restOn, shutOver } from './throws.ts';
import type { Ending } from './truth.ts';

/** One ball's part in a roll. */
export interface Thrown {
  readonly track: Track;
  readonly ending: Ending;
  readonly mode: Mode;
  /** Tile on which the latch let go. */
  readonly tile: number | undefined;
  readonly releaseMm: number;
}

/** Everything a throw is drawn from. */
export interface Ground {
  readonly mat: Mat;
  readonly chance: Chance;
  /** Indices of tiles that hold a core, and of those that hold none. */
  readonly cored: readonly number[];
  readonly vacant: readonly number[];
}

/** How the hand lets go; the mode and loss of the ball's way. */
export interface DrawnRelease extends Release {
  /** Of the ball's middle from the own table edge, mm. */
  readonly releaseMm: number;
  readonly dwellMs: readonly [least: number, most: number];
}

/** Nearest release to the own table edge, and how far over the limit the farthest one brings the ball's front, mm. */
const NEAREST_MM = 25;
const MOST_BEYOND_MM = 78;

export function drawRelease(ground: Ground, body: Body, atUs: number, shares: RollShares): DrawnRelease {
  const { chance, mat } = ground;
  const { edgeToCentreMm, gatesMm } = mat.layout;
  // The front of the ball counts at the limit (5.7.1.2): it is what the beam over that line sees first.
  const limitMm = gatesMm.far - body.radiusMm;
  const releaseMm = chance.happens(shares.beyond)
    ? limitMm + chance.between(0, Math.min(shares.nearLimitMm, MOST_BEYOND_MM))
    : chance.between(Math.max(NEAREST_MM, limitMm - shares.nearLimitMm), limitMm);
  const xs = mat.tiles.map((tile) => tile.x);
  const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
  const y = edgeToCentreMm - releaseMm;
  return {
    body,
    atUs,
    from: { x: middle + chance.normal(0, 60), y: body.player === 'A' ? y : -y },
    mode: chance.pickKey(shares.modes),
    loss: chance.range(0.0002, 0.0006),
    lateMs: shares.late > 0 && chance.happens(shares.late) ? chance.between(5, 40) : 0,
    wobbleMm: shares.wobble > 0 && chance.happens(shares.wobble) ? chance.between(1, 3) : 0,
    tiles: mat.tiles,
    halfLengthMm: edgeToCentreMm,
    halfWidthMm: 450,
    releaseMm,
    dwellMs: shares.dwellMs,
  };
}

/** A spot on a tile: as near its middle as the steel's pull brings a ball. */
export function spotOn(chance: Chance, tile: Point, spreadMm: number, mostMm: number): Point {
  for (;;) {
    const x = chance.normal(0, spreadMm);
    const y = chance.normal(0, spreadMm);
    if (x * x + y * y <= mostMm * mostMm) return { x: tile.x + x, y: tile.y + y };
  }
}

/** Tries to end one throw as asked. */
export function endAs(ground: Ground, release: DrawnRelease, ending: LoneEnding): Thrown | undefined {
  const { chance, mat, cored, vacant } = ground;
  const tiles = mat.tiles;
  const arrive = chance.logRange(0.12, 2);
  const done = (track: Track | undefined, tile?: number): Thrown | undefined =>
    track && { track, ending, mode: release.mode, tile, releaseMm: release.releaseMm };
  switch (ending) {
    case 'attach':
    case 'vacant':
    case 'off': {
      const index = chance.pick(ending === 'vacant' ? vacant : cored);
      const tile = tiles[index];
      if (tile === undefined) return undefined;
      const track = openAt(chance, release, index, spotOn(chance, tile, 5.5, 15), arrive);
      if (track === undefined || !seatedOn(track, tile)) return undefined;
      if (ending !== 'off') return done(track, index);
      return done(leaving(chance, track, tiles, index, chance.logRange(...release.dwellMs)), index);
    }
    case 'two-cores': {
      const index = chance.pick(cored);
      const tile = tiles[index];
      const other = tiles[chance.pick(cored)];
      if (tile === undefined || other === undefined) return undefined;
      const gap = hexDistance(tile.x - other.x, tile.y - other.y);
      if (gap < 1 || gap > mat.layout.pitchMm * 1.01) return undefined;
      const middle = { x: (tile.x + other.x) / 2, y: (tile.y + other.y) / 2 };
      const track = openAt(chance, release, index, spotOn(chance, middle, 1.2, 3), chance.between(0.35, 1.2));
      const reach = PLATE_MM + OPEN_FOOT_MM;
      const onBoth = track !== undefined && seatedOn(track, tile, reach) && seatedOn(track, other, reach);
      return onBoth ? done(track, index) : undefined;
    }
    case 'pass': {
      const tile = tiles[chance.pick(cored.length > 0 ? cored : vacant)];
      if (tile === undefined) return undefined;
      return done(passOver(chance, release, spotOn(chance, tile, 8, 15), Math.max(arrive, 0.22)));
    }
    case 'shut': {
      const tile = tiles[chance.pick(cored.length > 0 ? cored : vacant)];
      if (tile === undefined) return undefined;
      return done(shutOver(chance, release, spotOn(chance, tile, 5.5, 15), Math.max(arrive, 0.3)));
    }
    case 'rest': {
      const tile = tiles[chance.pick(cored.length > 0 ? cored : vacant)];
      if (tile === undefined) return undefined;
      return done(restOn(chance, release, spotOn(chance, tile, 8, 15)));
    }
    case 'miss': {
      const xs = tiles.map((tile) => tile.x);
      const left = chance.happens(0.5);
      const x = left ? Math.min(...xs) - chance.between(50, 150) : Math.max(...xs) + chance.between(50, 150);
      const beside = { ...release, from: { x: x + chance.normal(0, 20), y: release.from.y } };
      return done(missBy(chance, beside, { x, y: 0 }, arrive));
    }
    default:
      return ending satisfies never;
  }
}

/** The ball comes to stand within this hexagon around a tile's middle, half its size across flats: on the plate. */
export function seatedOn(track: Track, tile: Point, reachMm = PLATE_MM): boolean {
  const settle = track.stretches.at(-1);
  if (settle === undefined) return false;
  const seat = pointAt(settle, settle.way);
  return hexDistance(seat.x - tile.x, seat.y - tile.y) <= reachMm - 1;
}

/** Two tracks keep their distance; `yieldMm` of it may be given up. */
export function clearOf(a: Track, b: Track, yieldMm: number, sinceUs = 0, untilUs = Infinity): boolean {
  const least = a.body.radiusMm + b.body.radiusMm - yieldMm;
  const groundA = createGround();
  const groundB = createGround();
  const fromUs = Math.max(sinceUs, a.stretches[0]?.fromUs ?? 0, b.stretches[0]?.fromUs ?? 0);
  const toUs = Math.min(untilUs, Math.max(a.restUs, b.restUs));
  for (let at = fromUs; at <= toUs; at += 2000) {
    if (!groundAt(a, at, groundA) || !groundAt(b, at, groundB)) continue;
    const dx = groundA.x - groundB.x;
    const dy = groundA.y - groundB.y;
    if (dx * dx + dy * dy < least * least) return false;
  }
  return true;
}

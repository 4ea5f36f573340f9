/** The way of a thrown ball before anything happens to it, and where on it the latch would let go. */
import { atan2 } from '../host/exact.ts';
import { AT_REST, type Body, MAGNET_INSET_MM, type Stretch } from './ball.ts';
import { hexDistance, PLATE_MM, type TilePlace } from './contacts.ts';

export type Mode = 'rolled' | 'slid' | 'spun';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The magnet must be within this angle of straight down for the latch to let go, rad (40°). */
export const UPRIGHT_RAD = 0.6981317007977318;

/** Largest angle φ at which this ball's latch lets go over steel, rad. */
export function latchAngle(body: Body): number {
  const arm = body.radiusMm - MAGNET_INSET_MM;
  const cosine = Math.max(-1, Math.min(1, (body.radiusMm - body.latchMm) / arm));
  return Math.min(UPRIGHT_RAD, atan2(Math.sqrt(1 - cosine * cosine), cosine));
}

/** An angle brought to -π to π. */
export function wrapped(angle: number): number {
  const turn = 6.283185307179586;
  return angle - turn * Math.round(angle / turn);
}

/** Straight way of a ball from its release to a stand, one stretch. */
export interface Approach {
  readonly stretch: Stretch;
  /** To the stand, mm. */
  readonly wholeWay: number;
}

/** A ball leaves `from` towards `to` at `speed` and loses `loss` mm/ms a ms; `tilt` is φ at the release. */
export function approachFrom(ask: {
  readonly atUs: number;
  readonly from: Point;
  readonly to: Point;
  readonly speed: number;
  readonly loss: number;
  readonly tilt: number;
  readonly mode: Mode;
  /** Turns of a spun ball, rad/ms. */
  readonly spin: number;
}): Approach {
  const dx = ask.to.x - ask.from.x;
  const dy = ask.to.y - ask.from.y;
  const length = Math.sqrt(dx * dx + dy * dy);
  return {
    wholeWay: (ask.speed * ask.speed) / (2 * ask.loss),
    stretch: {
      ...AT_REST,
      fromUs: ask.atUs,
      x: ask.from.x,
      y: ask.from.y,
      headX: dx / length,
      headY: dy / length,
      speed: ask.speed,
      loss: ask.loss,
      tilt: ask.tilt,
      turning: ask.mode === 'rolled' ? 'roll' : 'fixed',
      azimuth: atan2(dy, dx),
      spin: ask.mode === 'spun' ? ask.spin : 0,
    },
  };
}

/** Moment at which a stretch has covered `way` mm, µs. The way must lie before the stand. */
export function atWay(stretch: Stretch, way: number): number {
  const left = Math.max(0, stretch.speed * stretch.speed - 2 * stretch.loss * way);
  return stretch.fromUs + Math.round(((stretch.speed - Math.sqrt(left)) / stretch.loss) * 1000);
}

export function pointAt(stretch: Stretch, way: number): Point {
  return { x: stretch.x + stretch.headX * way, y: stretch.y + stretch.headY * way };
}

/** Angle φ after `way` mm, -π to π. */
export function tiltAt(stretch: Stretch, way: number, radiusMm: number): number {
  return wrapped(stretch.tilt + (stretch.turning === 'roll' ? way / radiusMm : 0));
}

/** First place on a stretch at which the latch would let go: magnet down, near enough, over a tile's steel. */
export function firstLatch(
  stretch: Stretch,
  body: Body,
  tiles: readonly TilePlace[],
  fromWay: number,
  toWay: number,
): { readonly way: number; readonly tile: number } | undefined {
  const limit = latchAngle(body);
  for (let way = fromWay; way <= toWay; way += 1) {
    if (Math.abs(tiltAt(stretch, way, body.radiusMm)) > limit) continue;
    const tile = tileUnder(pointAt(stretch, way), tiles, PLATE_MM);
    if (tile >= 0) return { way, tile };
  }
  return undefined;
}

/** Index of the tile whose plate, of this half size, is under a point, or -1. */
export function tileUnder(point: Point, tiles: readonly TilePlace[], plateMm: number): number {
  return tiles.findIndex((tile) => hexDistance(point.x - tile.x, point.y - tile.y) <= plateMm);
}

/** First way at which a stretch is over this tile's plate, or undefined. */
export function entryWay(stretch: Stretch, tile: TilePlace, toWay: number): number | undefined {
  for (let way = 0; way <= toWay; way += 0.5) {
    const point = pointAt(stretch, way);
    if (hexDistance(point.x - tile.x, point.y - tile.y) <= PLATE_MM) return way;
  }
  return undefined;
}

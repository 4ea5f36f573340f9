import type { CellId } from '../../ids.ts';
import type { Scene } from '../../scene/scene.ts';

/** Distance of neighbouring cell centres in the picture, in its own millimetres. */
export const PITCH = 45;
/** Space beside the field for what the players throw from. */
const RAIL = 31;
const SIDE = 14;

export type Point = { readonly x: number; readonly y: number };
export type Spot = Point & { readonly cell: CellId };

/** Centre of a cell by its id; flat-top axial layout, x to the right, y towards player A. */
export function spotOf(cell: CellId): Spot | undefined {
  const match = /^q(-?\d+)r(-?\d+)$/.exec(cell);
  if (match === null) return undefined;
  const [q, r] = [Number(match[1]), Number(match[2])];
  return { cell, x: PITCH * (Math.sqrt(3) / 2) * q, y: PITCH * (r + q / 2) };
}

/** Every cell the scene speaks of. */
export function spotsOf(scene: Scene): readonly Spot[] {
  const cells = new Set<CellId>([
    ...scene.lights.map((one) => one.cell),
    ...scene.levels.map((one) => one.cell),
  ]);
  return [...cells].flatMap((cell) => spotOf(cell) ?? []).sort((a, b) => a.y - b.y || a.x - b.x);
}

export type Frame = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

/** The picture around the cells, with a rail for each player. */
export function frameOf(spots: readonly Spot[]): Frame {
  const half = PITCH / Math.sqrt(3);
  const xs = spots.map((spot) => spot.x);
  const ys = spots.map((spot) => spot.y);
  const left = Math.min(...xs) - half - SIDE;
  const top = Math.min(...ys) - PITCH / 2 - RAIL;
  return {
    left,
    top,
    width: Math.max(...xs) + half + SIDE - left,
    height: Math.max(...ys) + PITCH / 2 + RAIL - top,
  };
}

/** Where a player's ball waits: the middle of its rail. */
export function railOf(frame: Frame, player: 'A' | 'B'): Point {
  return {
    x: frame.left + frame.width / 2,
    y: player === 'A' ? frame.top + frame.height - RAIL / 2 + 1 : frame.top + RAIL / 2 - 1,
  };
}

/** Corners of a flat-top hexagon around the origin, as an SVG points list. */
export function hexagon(radius: number): string {
  const half = radius * (Math.sqrt(3) / 2);
  const corners: readonly (readonly [number, number])[] = [
    [radius, 0],
    [radius / 2, half],
    [-radius / 2, half],
    [-radius, 0],
    [-radius / 2, -half],
    [radius / 2, -half],
  ];
  return corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' ');
}

/** Places of the six LEDs of a tile: middle of each side. */
export function ledsAt(radius: number): readonly Point[] {
  const half = Math.sqrt(3) / 2;
  return [
    { x: 0, y: -radius },
    { x: radius * half, y: -radius / 2 },
    { x: radius * half, y: radius / 2 },
    { x: 0, y: radius },
    { x: -radius * half, y: radius / 2 },
    { x: -radius * half, y: -radius / 2 },
  ];
}

/** The cell whose centre is nearest to a point, if it lies on the field. */
export function nearest(spots: readonly Spot[], at: Point): Spot | undefined {
  let best: Spot | undefined;
  let least = PITCH * 0.62;
  for (const spot of spots) {
    const distance = Math.hypot(spot.x - at.x, spot.y - at.y);
    if (distance < least) {
      least = distance;
      best = spot;
    }
  }
  return best;
}

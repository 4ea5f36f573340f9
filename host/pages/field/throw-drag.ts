import type { Side } from '../../ids.ts';
import { nearest, type Point, type Spot } from './hexes.ts';

/** A throw in the making: from the player's rail to where the pointer is. */
export type Drag = {
  readonly player: Side;
  readonly from: Point;
  readonly to: Point;
  readonly aim: string | undefined;
  readonly speedMPerS: number;
};

export type DragEar = { moved(drag: Drag | undefined): void; thrown(drag: Drag): void };

/** Slowest and fastest release that the simulated world takes, m/s. */
export const SLOWEST = 0.12;
export const FASTEST = 2;
/** Table edge to the middle of the field: 350 mm on the reference mat. The picture leaves most of that out. */
const EDGE_TO_CENTRE_MM = 350;
/** Drags shorter than this are slips of the hand, mm of the picture. */
const LEAST_DRAG = 25;

/**
 * Follows one pointer from a ball on its rail, which stands for the table's edge. The speed of the throw is that of the
 * hand over the picture, stretched to the size of the table: length of the drag over its time, within what a throw can be.
 */
export function startDrag(
  event: PointerEvent,
  player: Side,
  from: Point,
  spots: readonly Spot[],
  ear: DragEar,
): void {
  const pad = event.currentTarget;
  if (!(pad instanceof SVGGElement)) return;
  const picture = pad.ownerSVGElement;
  if (picture === null) return;
  event.preventDefault();
  pad.setPointerCapture(event.pointerId);
  const startedMs = event.timeStamp;
  const middleY = spots.reduce((sum, spot) => sum + spot.y, 0) / Math.max(1, spots.length);
  const stretch = EDGE_TO_CENTRE_MM / Math.max(1, Math.abs(from.y - middleY));
  const dragAt = (now: PointerEvent): Drag => {
    const to = pointIn(picture, now);
    const seconds = Math.max(0.03, (now.timeStamp - startedMs) / 1000);
    const speed = (Math.hypot(to.x - from.x, to.y - from.y) * stretch) / 1000 / seconds;
    return {
      player,
      from,
      to,
      aim: nearest(spots, to)?.cell,
      speedMPerS: Math.round(Math.min(FASTEST, Math.max(SLOWEST, speed)) * 100) / 100,
    };
  };
  const move = (now: PointerEvent): void => ear.moved(dragAt(now));
  const end = (now: PointerEvent): void => {
    pad.removeEventListener('pointermove', move);
    pad.removeEventListener('pointerup', end);
    pad.removeEventListener('pointercancel', end);
    const drag = dragAt(now);
    ear.moved(undefined);
    const far = Math.hypot(drag.to.x - from.x, drag.to.y - from.y) >= LEAST_DRAG;
    if (now.type === 'pointerup' && far && drag.aim !== undefined) ear.thrown(drag);
  };
  pad.addEventListener('pointermove', move);
  pad.addEventListener('pointerup', end);
  pad.addEventListener('pointercancel', end);
}

function pointIn(picture: SVGSVGElement, event: PointerEvent): Point {
  const matrix = picture.getScreenCTM();
  if (matrix === null) return { x: 0, y: 0 };
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return { x, y };
}

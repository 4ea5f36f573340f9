import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import type { BakuganView } from '../../game/bakugan/view.ts';
import { SIDES, type Side } from '../../ids.ts';
import type { Scene } from '../../scene/scene.ts';
import { actorsOf, brawlerOf, nameOf } from '../bakugan-scene.ts';
import { type BallSeen, ball, magnet } from './ball.ts';
import type { Throw } from './held-throws.ts';
import { type Frame, frameOf, type Point, railOf, type Spot, spotsOf } from './hexes.ts';
import { type Drag, type DragEar, startDrag } from './throw-drag.ts';
import { readings, tile } from './tile.ts';

/** Field change over which a magnet is drawn on a tile, mT: in a roll a passing ball, else one that stands there. */
const PASSING_MT = 2.5;
const STANDING_MT = 4;

export type FieldSeen = {
  readonly scene: Scene;
  readonly view: BakuganView | undefined;
  /** Present when balls can be thrown by dragging. */
  readonly hand: DragEar | undefined;
  readonly drag: Drag | undefined;
  /** Throws that are aimed and wait for the other player's. */
  readonly held: readonly Throw[];
  /** Present when something may be done by clicking a tile. */
  readonly tap: CellTap | undefined;
};

/** What clicking a tile does. */
export type CellTap = { may(cell: string): boolean; tap(cell: string): void };

/** The hexagon field as its lights and sensors have it: player A below, player B above. */
export function field({ scene, view, hand, drag, held, tap }: FieldSeen): TemplateResult {
  const spots = spotsOf(scene);
  if (spots.length === 0) return html`<div class="field-none">This table shows no field yet.</div>`;
  const frame = frameOf(spots);
  const placed = ballsOn(scene, view);
  return html`
    <svg class="field" viewBox="${frame.left} ${frame.top} ${frame.width} ${frame.height}" role="group"
      aria-label="The field: ${spots.length} tiles, player A at the lower edge">
      ${defs()}
      ${spots.map((spot) => tileAt(spot, scene, view, placed, drag, tap))}
      ${magnets(scene, spots, placed)}
      ${spots.flatMap((spot) => (placed.get(spot.cell) ?? []).map((one, i, all) => ball(one, besides(spot, i, all.length))))}
      ${spots.map((spot) => readAt(spot, scene))}
      ${SIDES.map((side) => rail(side, frame, spots, view, hand, held))}
      ${held.map((one) => aimed(one, frame, spots))}
      ${drag === undefined ? nothing : arrow(drag)}
    </svg>`;
}

function tileAt(
  spot: Spot,
  scene: Scene,
  view: BakuganView | undefined,
  placed: ReadonlyMap<string, readonly BallSeen[]>,
  drag: Drag | undefined,
  tap: CellTap | undefined,
): SVGTemplateResult {
  const light = scene.lights.find((one) => one.cell === spot.cell);
  return tile({
    spot,
    rgb: light?.rgb ?? '#000000',
    level: light?.level ?? 0,
    animation: light?.animation ?? 'steady',
    core: view?.cores.find((one) => one.cell === spot.cell),
    vacant: scene.cues.some((cue) => cue.cue === 'vacant' && cue.cell === spot.cell),
    mayPlace: scene.cues.some((cue) => cue.cue === 'may-place' && cue.cell === spot.cell),
    covered: placed.has(spot.cell),
    aimed: drag?.aim === spot.cell,
    reads: scene.levels.find((one) => one.cell === spot.cell),
    tap: tap?.may(spot.cell) === true ? () => tap.tap(spot.cell) : undefined,
  });
}

function readAt(spot: Spot, scene: Scene): SVGTemplateResult | typeof nothing {
  const reads = scene.levels.find((one) => one.cell === spot.cell);
  return reads === undefined ? nothing : readings(reads, spot);
}

/** Balls that are known to lie on a cell. */
function ballsOn(scene: Scene, view: BakuganView | undefined): ReadonlyMap<string, readonly BallSeen[]> {
  const placed = new Map<string, BallSeen[]>();
  const strongest = (player: Side): string | undefined => {
    const cells = scene.cues.flatMap((cue) =>
      cue.cue === 'opened' && cue.player === player ? [cue.cell] : [],
    );
    return cells.reduce<string | undefined>(
      (most, cell) => (most === undefined || readMt(scene, cell) >= readMt(scene, most) ? cell : most),
      undefined,
    );
  };
  for (const cue of scene.cues) {
    if (cue.cue !== 'attached' && cue.cue !== 'opened') continue;
    // It touched several cores and holds none: there is one ball all the same, where most of it is read.
    if (cue.cue === 'opened' && cue.cell !== strongest(cue.player)) continue;
    const toy = view === undefined ? undefined : brawlerOf(view.players[cue.player]);
    const list = placed.get(cue.cell) ?? [];
    list.push({
      player: cue.player,
      faction: toy?.faction,
      name: toy?.name ?? 'Bakugan',
      open: true,
      victor: view?.victor === cue.player,
    });
    placed.set(cue.cell, list);
  }
  return placed;
}

function readMt(scene: Scene, cell: string): number {
  const fieldMt = scene.levels.find((one) => one.cell === cell)?.fieldMt ?? [];
  return Math.max(0, ...fieldMt.map(Math.abs));
}

function rolling(scene: Scene): boolean {
  return scene.cues.some((cue) => cue.cue === 'rolling');
}

function magnets(
  scene: Scene,
  spots: readonly Spot[],
  placed: ReadonlyMap<string, readonly BallSeen[]>,
): readonly SVGTemplateResult[] {
  const least = rolling(scene) ? PASSING_MT : STANDING_MT;
  return scene.levels.flatMap((level) => {
    const spot = spots.find((one) => one.cell === level.cell);
    const mt = level.fieldMt.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0);
    return spot === undefined || placed.has(spot.cell) || Math.abs(mt) < least ? [] : [magnet(mt, spot)];
  });
}

/** Two balls on one core stand side by side. */
function besides(spot: Spot, index: number, count: number): Point {
  return count < 2 ? spot : { x: spot.x + (index === 0 ? -8 : 8), y: spot.y };
}

function rail(
  side: Side,
  frame: Frame,
  spots: readonly Spot[],
  view: BakuganView | undefined,
  hand: DragEar | undefined,
  held: readonly Throw[],
): SVGTemplateResult {
  const at = railOf(frame, side);
  const toy = view === undefined ? undefined : brawlerOf(view.players[side]);
  const acts = view !== undefined && actorsOf(view).includes(side);
  const waits = toy !== undefined && !toy.open;
  const start = (event: PointerEvent): void => {
    if (hand !== undefined) startDrag(event, side, at, spots, hand);
  };
  const wide = frame.width / 2 - 6;
  return svg`
    <g class="rail rail-${side} ${acts ? 'rail-acts' : ''}">
      <path class="rail-line" d="M${at.x - wide} ${side === 'A' ? at.y + 13 : at.y - 13}h${wide * 2}"></path>
      <text class="rail-name" x=${at.x - wide} y=${side === 'A' ? at.y + 9.5 : at.y - 3.5}>${side}</text>
      <text class="rail-who" x=${at.x - wide + 8} y=${side === 'A' ? at.y + 9.5 : at.y - 3.5}>${nameOf(view, side)}</text>
      ${
        waits || hand !== undefined
          ? svg`
            <g class="pad ${hand === undefined ? '' : 'pad-live'} ${waits ? '' : 'pad-idle'}" @pointerdown=${start}>
              <circle class="pad-spot" cx=${at.x} cy=${at.y} r="11.5"></circle>
              ${ball(
                {
                  player: side,
                  faction: toy?.faction,
                  name: toy?.name ?? 'Ball',
                  open: false,
                  victor: false,
                },
                at,
                0.74,
              )}
            </g>
            ${
              hand === undefined
                ? nothing
                : svg`<text class="rail-hint" x=${at.x + wide} y=${side === 'A' ? at.y + 9.5 : at.y - 3.5}>${hintOf(side, held)}</text>`
            }`
          : nothing
      }
    </g>`;
}

function hintOf(side: Side, held: readonly Throw[]): string {
  if (held.some((one) => one.player === side)) return 'aimed: waits for the other';
  return held.length > 0 ? 'drag to throw both' : 'drag to throw';
}

function aimed(one: Throw, frame: Frame, spots: readonly Spot[]): SVGTemplateResult | typeof nothing {
  const to = spots.find((spot) => spot.cell === one.aim);
  return to === undefined ? nothing : arrow({ ...one, from: railOf(frame, one.player), to });
}

function arrow(drag: Pick<Drag, 'player' | 'from' | 'to' | 'aim' | 'speedMPerS'>): SVGTemplateResult {
  const { from, to } = drag;
  return svg`
    <g class="throw throw-${drag.player} ${drag.aim === undefined ? 'throw-off' : ''}">
      <line x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y}></line>
      <circle cx=${to.x} cy=${to.y} r="3.500"></circle>
      <text x=${to.x} y=${to.y - 7}>${drag.speedMPerS.toFixed(2)} m/s</text>
    </g>`;
}

function defs(): SVGTemplateResult {
  return svg`
    <defs>
      <linearGradient id="steel" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#222d49"></stop><stop offset="1" stop-color="#131b2f"></stop>
      </linearGradient>
      <radialGradient id="plate" cx=".5" cy=".38" r=".75">
        <stop offset="0" stop-color="#1a243d" stop-opacity=".96"></stop>
        <stop offset="1" stop-color="#0b1120" stop-opacity=".94"></stop>
      </radialGradient>
      <radialGradient id="shade" cx=".36" cy=".3" r=".85">
        <stop offset="0" stop-color="#fff" stop-opacity=".75"></stop>
        <stop offset=".28" stop-color="#fff" stop-opacity=".12"></stop>
        <stop offset=".7" stop-color="#000" stop-opacity=".18"></stop>
        <stop offset="1" stop-color="#000" stop-opacity=".62"></stop>
      </radialGradient>
    </defs>`;
}

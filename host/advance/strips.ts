import { encodeDown } from '../../firmware-protocol/line.ts';
import type { Refusal } from '../game/ruleset.ts';
import { type AtMs, SIDES, type Side } from '../ids.ts';
import { lightsDueAt, nextFrame, wantArmed, wantIdentify, wantLights } from '../scene/board-lights.ts';
import { type CellLight, calibrationLights, lightsAt, withinBudget } from '../scene/lights.ts';
import type { Layout } from '../sensing/layout.ts';
import { deviceOf, type Links, lineSent, sendRouteFor } from '../sensing/links.ts';
import { cuesNow } from './best-of.ts';
import { calibrationLit } from './calibrating.ts';
import type { Output } from './input.ts';
import type { TableSetting } from './setting.ts';
import { blockedCells, cuesFree } from './standing.ts';
import type { TableState } from './state.ts';

/** Tiles that a board of this side has in the layout. Asked with every line. */
export function tilesOf(layout: Layout, side: Side | 'both'): number {
  let tiles = 0;
  for (const cell of layout.cells) if (side === 'both' || cell.side === side) tiles += 1;
  return tiles;
}

/** Works out what every cell should show and says so to each board's light state. */
export function wantScene(state: TableState, setting: TableSetting, atMs: AtMs): void {
  const lit = calibrationLit(state);
  const cues = cuesNow(state, setting);
  const lights =
    lit === undefined
      ? lightsAt(cuesFree(cues, blockedCells(cues, state)), setting.layout, setting.theme)
      : calibrationLights(setting.layout, lit.cells, lit.all);
  state.lights = lights;
  state.lightsStale = false;
  lightBoards(state, setting, atMs);
}

/** Tells each board's light state what its own cells should show, as worked out last. */
export function lightBoards(state: TableState, setting: TableSetting, atMs: AtMs): void {
  const { lights } = state;
  const armed = state.activity.kind === 'roll';
  for (const { device, side } of placesOf(state.links)) {
    const board = state.boards.get(device);
    if (board === undefined) continue;
    wantLights(board, withinBudget(ofBoard(setting.layout, lights, side), setting.ledBudgetMa));
    wantArmed(board, armed, atMs);
  }
}

/** Lets the tile of a cell blink, so that a person finds it; says why not where that cannot be done. */
export function identifyCell(state: TableState, setting: TableSetting, cell: string): Refusal | undefined {
  const place = setting.layout.cells.find((one) => one.cell === cell);
  if (place === undefined) {
    const message = `The field has no cell ${cell.slice(0, 20)}: choose one of layout ${setting.layout.name}.`;
    return { code: 'identify/no-such-cell', message, rules: [] };
  }
  if (state.activity.kind === 'roll') {
    const message = 'No light is changed while a roll is live: ask again afterwards.';
    return { code: 'identify/rolling', message, rules: [] };
  }
  const route = sendRouteFor(state.links, place.side);
  const board = route === undefined ? undefined : state.boards.get(route.device);
  if (board === undefined) {
    const message = `No board of side ${place.side} is heard: check its cable and its supply.`;
    return { code: 'identify/not-heard', message, rules: [] };
  }
  const both = place.side === 'B' && deviceOf(state.links, 'A') === route?.device;
  wantIdentify(board, place.tile + (both ? tilesOf(setting.layout, 'A') : 0));
  return undefined;
}

/** Lights of one board in tile order; side B's tiles follow side A's on a board for both. */
function ofBoard(layout: Layout, lights: readonly CellLight[], side: Side | 'both'): readonly CellLight[] {
  const of = (wanted: Side): readonly CellLight[] =>
    layout.cells
      .map((cell, i) => ({ cell, light: lights[i] }))
      .filter(({ cell }) => cell.side === wanted)
      .sort((a, b) => a.cell.tile - b.cell.tile)
      .flatMap(({ light }) => (light === undefined ? [] : [light]));
  return side === 'both' ? [...of('A'), ...of('B')] : of(side);
}

/** Boards in use and what they watch. */
function placesOf(links: Links): readonly { readonly device: string; readonly side: Side | 'both' }[] {
  const a = deviceOf(links, 'A');
  const b = deviceOf(links, 'B');
  if (a !== undefined && a === b) return [{ device: a, side: 'both' }];
  return [
    ...(a === undefined ? [] : [{ device: a, side: 'A' as const }]),
    ...(b === undefined ? [] : [{ device: b, side: 'B' as const }]),
  ];
}

/** Says the next line to every board that has one due and can be reached. */
export function speak(state: TableState, atMs: AtMs, outputs: Output[]): void {
  // A board of both sides comes twice; once it was spoken to it has nothing due.
  for (const side of SIDES) {
    const route = sendRouteFor(state.links, side);
    const board = route === undefined ? undefined : state.boards.get(route.device);
    if (route === undefined || board === undefined) continue;
    const due = lightsDueAt(board);
    if (due === undefined || due > atMs) continue;
    const frame = nextFrame(board, atMs);
    if (frame === undefined) continue;
    const { link, device } = route;
    lineSent(state.links, device, frame.tag, atMs);
    outputs.push({ kind: 'send', atMs, link, device, line: encodeDown(frame) });
  }
}

/** When a board that can be reached has a line due. Asked after every line. */
export function speakDueAt(state: TableState): AtMs {
  let due = Number.POSITIVE_INFINITY;
  for (const side of SIDES) {
    const route = sendRouteFor(state.links, side);
    const board = route === undefined ? undefined : state.boards.get(route.device);
    if (board !== undefined) due = Math.min(due, lightsDueAt(board) ?? due);
  }
  return due;
}

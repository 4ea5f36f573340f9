/**
 * Written-down signals instead of physics: what a tile shows of each thing that can happen to it, as tabulated from the
 * physics of the toy (levels in seated balls, times in ms). Boards sample them as they sample a table.
 */
import type { Activity } from '../../host/sensing/activity.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { FIXED_12, type Layout } from '../../host/sensing/layout.ts';
import type { BoardWorld } from '../../sim/world.ts';
import { type WatchAsk, type Watched, watchTable } from './watch.ts';

/** Level of the seated reference ball, mT: what calibration of these signals says. */
export const SEATED_MT = 20;
const COUNTS_PER_MT = 10.24;
const NOISE_MT = 0.05;
export const CALL_MS = 1000;

type Span = readonly [fromMs: number, toMs: number];

/** Everything that happens on one imagined table. */
export interface Scene {
  readonly fields: {
    readonly cell: string;
    readonly mt: (ms: number) => number;
    readonly side: (ms: number) => number;
  }[];
  readonly contacts: { readonly cell: string; readonly span: Span }[];
  readonly gates: { readonly side: 'A' | 'B'; readonly gate: 'near' | 'far'; readonly span: Span }[];
  readonly studs: { readonly side: 'A' | 'B'; readonly span: Span }[];
}

export function createScene(): Scene {
  return { fields: [], contacts: [], gates: [], studs: [] };
}

const none = (): number => 0;

/** The ball goes through both own gates at `speed` mm/ms; the far one at `farMs`. */
export function launch(scene: Scene, side: 'A' | 'B', farMs: number, speed = 0.6): void {
  const nearMs = farMs - 177.8 / speed;
  scene.gates.push({ side, gate: 'near', span: [nearMs, nearMs + 36 / speed] });
  scene.gates.push({ side, gate: 'far', span: [farMs, farMs + 36 / speed] });
}

/** Roll-over, not opened: one clean contact, a hump of field with ends at nothing. */
export function rollOver(scene: Scene, cell: string, fromMs: number, lengthMs: number, peak = 0.1): void {
  scene.contacts.push({ cell, span: [fromMs, fromMs + lengthMs] });
  const hump = (ms: number): number => {
    const x = (ms - fromMs) / lengthMs;
    return x <= 0 || x >= 1 ? 0 : 4 * x * (1 - x);
  };
  scene.fields.push({ cell, mt: (ms) => peak * SEATED_MT * hump(ms), side: (ms) => 0.8 * hump(ms) });
}

/** Closed ball that comes to rest: contact that lasts, a faint steady field, no step. */
export function restsClosed(scene: Scene, cell: string, fromMs: number, level = 0.03): void {
  scene.contacts.push({ cell, span: [fromMs, Number.POSITIVE_INFINITY] });
  const rise = (ms: number): number => Math.max(0, Math.min(1, (ms - fromMs + 40) / 200));
  scene.fields.push({ cell, mt: (ms) => level * SEATED_MT * rise(ms), side: (ms) => 0.6 * rise(ms) });
}

export interface Opening {
  /** The latch lets go this long after the contact. */
  readonly latchMs?: number;
  /** Leaves again this long after the latch. */
  readonly dwellMs?: number;
  /** Contact works on this tile. */
  readonly contact?: boolean;
  /** The contact is a first ball's already: no chatter to be seen. */
  readonly joined?: boolean;
}

/** Opening: a step within 3 to 10 ms, ringing, chatter of the contact, then a level that stands or leaves. */
export function opens(scene: Scene, cell: string, contactMs: number, level: number, how: Opening = {}): void {
  const latch = contactMs + (how.latchMs ?? 15);
  const leave = how.dwellMs === undefined ? Number.POSITIVE_INFINITY : latch + how.dwellMs;
  const goneMs = leave + 80;
  if (how.contact !== false && how.joined !== true) {
    let from = contactMs;
    for (const gap of [4, 11, 19, 30, 42]) {
      scene.contacts.push({ cell, span: [from, latch + gap] });
      from = latch + gap + 1.5;
    }
    scene.contacts.push({ cell, span: [from, goneMs] });
  }
  const mt = (ms: number): number => {
    if (ms < latch) return 0;
    const t = ms - latch;
    const step = Math.min(1, t / 6);
    const ringing = 1 + 0.1 * Math.exp(-t / 30) * Math.sin(0.628 * t);
    const left = ms <= leave ? 1 : Math.max(0, 1 - (ms - leave) / 60);
    return level * SEATED_MT * step * ringing * left;
  };
  scene.fields.push({ cell, mt, side: (ms) => 0.1 * mt(ms) });
}

/**
 * Somebody's magnet laid down on a tile: its contact closes with the bounce of any contact and lasts, its field comes up
 * as fast as a hand lets go of it and stands. No latch: nothing rings and nothing shakes afterwards.
 */
export function laysMagnet(
  scene: Scene,
  cell: string,
  atMs: number,
  level: number,
  takenMs = Infinity,
): void {
  scene.contacts.push(
    { cell, span: [atMs, atMs + 0.4] },
    { cell, span: [atMs + 0.6, atMs + 1.3] },
    { cell, span: [atMs + 1.5, takenMs] },
  );
  const mt = (ms: number): number => {
    if (ms >= takenMs) return 0;
    return level * SEATED_MT * Math.max(0, Math.min(1, (ms - atMs + 6) / 6));
  };
  scene.fields.push({ cell, mt, side: (ms) => 0.1 * mt(ms) });
}

/** Hand or sleeve: long contact, no field. */
export function hand(scene: Scene, cell: string, fromMs: number, toMs: number): void {
  scene.contacts.push({ cell, span: [fromMs, toMs] });
  scene.fields.push({ cell, mt: none, side: none });
}

/** Even noise of unit deviation from whole numbers alone: the same for the same place and time. */
function noise(sensor: number, atUs: number): number {
  let sum = 0;
  for (let k = 1; k <= 4; k += 1) {
    let h = Math.imul((sensor + 1) * 7919 + Math.floor(atUs / 100) * 31 + k * 104_729, 0x9e3779b1);
    h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    sum += ((h ^ (h >>> 16)) >>> 0) / 4294967296;
  }
  return (sum - 2) * 1.732;
}

const inside = (span: Span, atUs: number): boolean => atUs >= span[0] * 1000 && atUs < span[1] * 1000;

function worldOf(scene: Scene, layout: Layout, side: 'A' | 'B'): BoardWorld {
  const cells = layout.cells.filter((c) => c.side === side).map((c) => c.cell);
  const spans = [
    ...scene.contacts.filter((c) => cells.includes(c.cell)).map((c) => c.span),
    ...scene.gates.filter((g) => g.side === side).map((g) => g.span),
    ...scene.studs.filter((s) => s.side === side).map((s) => s.span),
  ];
  const edges = spans
    .flat()
    .filter(Number.isFinite)
    .map((ms) => ms * 1000)
    .sort((a, b) => a - b);
  return {
    fieldMt(sensor, atUs) {
      const cell = cells[Math.floor(sensor / 2)];
      let mt = NOISE_MT * noise(sensor + (side === 'A' ? 0 : 50), atUs);
      for (const f of scene.fields) {
        if (f.cell === cell) mt += sensor % 2 === 0 ? f.mt(atUs / 1000) : f.side(atUs / 1000);
      }
      return mt;
    },
    contact: (tile, atUs) => scene.contacts.some((c) => c.cell === cells[tile] && inside(c.span, atUs)),
    gate: (gate, atUs) =>
      scene.gates.some(
        (g) => g.side === side && (g.gate === 'near') === (gate === 0) && inside(g.span, atUs),
      ),
    stud: (_, atUs) => scene.studs.some((s) => s.side === side && inside(s.span, atUs)),
    nextEdgeUs: (afterUs) => edges.find((at) => at > afterUs) ?? Number.POSITIVE_INFINITY,
  };
}

/** Calibration that fits these signals. Polarities as given: A's magnets read positive, B's negative by default. */
export function signalCalibration(polarities: { A: 1 | -1; B: 1 | -1 } = { A: 1, B: -1 }): Calibration {
  return {
    version: 1,
    layout: FIXED_12.name,
    layoutHash: '',
    tiles: FIXED_12.cells.map((cell) => ({
      tile: `${cell.side}${cell.tile}`,
      halls: [
        { restCounts: 512, noiseCounts: 0.6, seatedCounts: SEATED_MT * COUNTS_PER_MT, ledCounts: 0 },
        { restCounts: 512, noiseCounts: 0.6, seatedCounts: -20, ledCounts: 0 },
      ],
      neighbours: {},
      contactWorks: true,
    })),
    balls: {
      'A/1': { polarity: polarities.A, strength: 1 },
      'B/1': { polarity: polarities.B, strength: 1 },
    },
  };
}

/** Both players roll, every cell holds its player's core, save the vacant ones. */
export function rollOf(vacant: readonly string[] = []): Extract<Activity, { kind: 'roll' }> {
  return {
    kind: 'roll',
    roll: 't1.1',
    balls: [
      { player: 'A', bakugan: 'A/1' },
      { player: 'B', bakugan: 'B/1' },
    ],
    cores: FIXED_12.cells
      .filter((cell) => !vacant.includes(cell.cell))
      .map((cell) => ({ cell: cell.cell, core: `${cell.side}${cell.tile + 1}` })),
  };
}

/** Lets the detector watch a scene from the call at 1000 ms on. */
export function watchScene(scene: Scene, more: Partial<Omit<WatchAsk, 'worlds'>> = {}): Watched {
  return watchTable({
    layout: FIXED_12,
    calibration: signalCalibration(),
    halls: 2,
    activity: rollOf(),
    callMs: CALL_MS,
    untilMs: CALL_MS + 25_000,
    worlds: { A: worldOf(scene, FIXED_12, 'A'), B: worldOf(scene, FIXED_12, 'B') },
    ...more,
  });
}

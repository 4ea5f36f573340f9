/** What a mat is and can do: see `mat.ts` for how. */
import type { BakuganId, CellId, Side } from '../host/ids.ts';
import type { Layout } from '../host/sensing/layout.ts';
import type { Track } from './ball.ts';
import type { Disturbance, TileSpread } from './noise.ts';
import type { Span } from './spans.ts';
import type { TileFault, Wires } from './wires.ts';
import type { BoardWorld } from './world.ts';

/** One tile where it lies. */
export interface MatTile {
  readonly cell: CellId;
  readonly side: Side;
  /** Index on its side's controller. */
  readonly tile: number;
  readonly x: number;
  readonly y: number;
  readonly spread: TileSpread;
}

export interface Mat {
  readonly layout: Layout;
  readonly seed: number;
  readonly tiles: readonly MatTile[];
  readonly halls: number;
  readonly options: MatOptions;
  /** What a board sees: one side's tiles, or both sides' in the order A, B. */
  world(side: Side | 'both'): BoardWorld;
  /** Puts a ball on the table or changes its track; earlier poses of the same ball must agree with it. */
  put(track: Track): void;
  take(bakugan: BakuganId): void;
  track(bakugan: BakuganId): Track | undefined;
  tracks(): readonly Track[];
  /** A hand or sleeve closes a tile's contact. */
  hand(cell: CellId, span: Span): void;
  /** A hand breaks a gate's beam. */
  handInGate(side: Side, gate: 'near' | 'far', span: Span): void;
  press(side: Side, span: Span): void;
  /** A contact fault of a tile for a time. */
  spoil(cell: CellId, fault: TileFault, span: Span): void;
  heal(cell: CellId, atUs: number): void;
  /** A hall that no longer reads: `mt` is what it says from now on, undefined heals it. */
  kill(cell: CellId, hall: number, mt: number | undefined): void;
  /** Steel keeps a little field after a visit: drawn for this tile and moment. */
  magnetise(cell: CellId, atUs: number): void;
  /** A tile is turned or shaken in the earth's field, or a magnet lies somewhere near: so much more, with soft ends. */
  shove(cell: CellId, span: Span, mt: number): void;
  disturb(disturbance: Disturbance): void;
  /** LED load of a side, 0 dark to 1 full white. */
  light(side: Side, load: number): void;
  /** Field at these sensors (tile · halls + hall, in the layout's order) at one moment, mT. */
  fieldsMt(sensors: Int32Array, atUs: number, out: Float64Array): void;
  /** Field of the magnets alone at a tile's hall, mT: no noise, no spread of gain. */
  cleanMt(cell: CellId, hall: number, atUs: number): number;
  readonly wires: Wires;
}

/** What else a mat may be drawn with. */
export interface MatOptions {
  /** Draws the hardware beyond the usual ranges by this share. */
  readonly stretch?: number;
  /** Each tile lies up to this far from where the layout has it, mm. */
  readonly displacedMm?: number;
  /** Steel under the tiles carries this share of each tile's field to its neighbours. */
  readonly coupling?: number;
  /** Generic sensors without a chopper, of which zeros lie further off and drift more. */
  readonly unchopped?: boolean;
}

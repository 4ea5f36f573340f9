import type { Play } from '../game/play.ts';
import type { AtMs, CellId } from '../ids.ts';
import type { BoardLights } from '../scene/board-lights.ts';
import type { Retracted } from '../scene/compose.ts';
import type { CellLight } from '../scene/lights.ts';
import type { Activity } from '../sensing/activity.ts';
import type { Calibration } from '../sensing/calibration.ts';
import type { Links } from '../sensing/links.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { LinkNotice } from '../sensing/seen.ts';
import type { SenseOutput, Sensing } from '../sensing/sensing.ts';
import type { Output } from './input.ts';
import type { Calibrating, MatchStart, TableMatch } from './state-parts.ts';

/** Newest ruling of each of the last rolls kept for pictures. */
export const RULINGS_KEPT = 8;

/**
 * The one mutable value of a table. Owned by the shell, changed only inside `advance`; `saveTable` and `loadTable`
 * turn it into JSON and back.
 */
export type TableState = {
  /** Moment up to which everything is settled. */
  atMs: AtMs;
  /** Games begun on this table, this one included. */
  game: number;
  readonly links: Links;
  sensing: Sensing;
  /** In force: the setting's, until another one is taken into use. */
  calibration: Calibration;
  /** A calibration that a person is led through; null while none is. */
  calibrating: Calibrating | null;
  start: MatchStart;
  match: TableMatch;
  play: Play;
  activity: Activity;
  /** What each board shows and should show, by device id. */
  readonly boards: Map<string, BoardLights>;
  /** Colours wanted of the whole field. */
  lights: readonly CellLight[];
  /** Play or boards changed since the colours were worked out. */
  lightsStale: boolean;
  /** Newest ruling of each of the last rolls, oldest first. */
  rulings: readonly RollRuling[];
  retracted: readonly Retracted[];
  /** Cells on which a ball stands, while cores are handled; empty at other times. */
  standing: readonly CellId[];
  /** Cells whose tile reports no core beside it, while cores are handled; empty at other times. */
  alone: readonly CellId[];
  /** Since when the holder of an open priority window has been free to pass; null when nobody is. */
  passSinceMs: AtMs | null;
};

/** What one step collects on its way; emptied by whoever asked for the step. */
export type Collected = {
  readonly notices: LinkNotice[];
  readonly sensed: SenseOutput[];
  readonly outputs: Output[];
};

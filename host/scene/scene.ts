import type { Cue } from '../game/ruleset.ts';
import type { AtMs, CellId, Json, LinkId, RollId, Side, TableId } from '../ids.ts';
import type { RollRuling } from '../sensing/ruling.ts';

/** What a tile reads now, for pictures; no decision rests on it. */
export type CellLevel = {
  readonly cell: CellId;
  /** Field change from rest of each hall, mT, two decimals. */
  readonly fieldMt: readonly number[];
  readonly contact: boolean;
};

/** A way in and the board heard on it, as a person wants to know it. */
export type LinkSeen = {
  readonly link: LinkId;
  readonly up: boolean;
  readonly device?: string;
  readonly side?: Side | 'both' | 'unset';
  readonly heardAtMs?: AtMs;
  /** Plain sentences with the remedy, worst first; empty when all is well. */
  readonly complaints: readonly string[];
  /** Counters by name, zeros left out. */
  readonly counts: { readonly [name: string]: number };
};

/** Everything that an output may draw from, at one moment, for one audience. Level, not edge. */
export type Scene = {
  readonly table: TableId;
  readonly atMs: AtMs;
  /** The ruleset's view for this audience. */
  readonly view: Json;
  readonly cues: readonly Cue[];
  readonly levels: readonly CellLevel[];
  /** Newest ruling of each of the last rolls, oldest first, at most 8. */
  readonly rulings: readonly RollRuling[];
  /** Rulings withdrawn since, by roll and revision. */
  readonly retracted: readonly { readonly roll: RollId; readonly revision: number; readonly why: string }[];
  readonly links: readonly LinkSeen[];
  /** Colour shown on each cell, `#rrggbb`, for pictures of the mat. */
  readonly lights: readonly { readonly cell: CellId; readonly rgb: string; readonly level: number; readonly animation: string }[];
  readonly simulated: boolean;
};

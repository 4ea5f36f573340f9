import type { BoardSide } from '../../firmware-protocol/frame.ts';
import type { AtMs, BakuganId, RollId, Side } from '../ids.ts';
import type { Activity } from './activity.ts';
import { type Baseline, createBaseline } from './baseline.ts';
import type { Calibration } from './calibration.ts';
import { type ContactTrack, createContacts } from './contact.ts';
import type { Doubt } from './doubts.ts';
import { createGates, type Gates } from './gates.ts';
import { createHealthWatch, type HealthWatch } from './health-watch.ts';
import { createJudging, type Judging } from './judging.ts';
import type { Layout } from './layout.ts';
import { DEFAULT_LIMITS, type SensingLimits } from './limits.ts';
import { createLiveRoll, type LiveRoll } from './live-roll.ts';
import type { Neighbours } from './neighbours.ts';
import { createOnsets, type OnsetWatch, setThreshold } from './onset.ts';
import { createRings, type SampleRings } from './rings.ts';
import type { RollRuling } from './ruling.ts';
import { type OpenScore, openScoresOf } from './score.ts';
import { createSharing, type Sharing } from './sharing.ts';
import { cellsOfBoard, type Tiles, tilesOf } from './tiles.ts';
import type { TraceSource } from './visits.ts';

/** What a detector is set up with. Limits that are not given take their defaults. */
export interface SensingSetting {
  readonly layout: Layout;
  readonly calibration: Calibration;
  readonly limits?: Partial<SensingLimits>;
}

/** What sensing has to say. */
export type SenseOutput =
  | { readonly kind: 'ruling'; readonly ruling: RollRuling }
  /** The ruling of this roll with this revision no longer holds; a new one follows at once. */
  | {
      readonly kind: 'retraction';
      readonly roll: RollId;
      readonly revision: number;
      readonly atMs: AtMs;
      readonly why: string;
    }
  /** A player pressed the pass stud. */
  | { readonly kind: 'stud'; readonly player: Side; readonly atMs: AtMs };

/** One board as heard. */
export interface Board {
  /** Last quiet line, NaN before the first. */
  quietMs: number;
  /** Last line of any kind. */
  heardMs: number;
  /** Launch gates are fitted, as its hello says; believed until it denies. */
  gates: boolean;
  /** Its times are of arrival at a translator, some 20 ms off; edges of a latch's chatter do not show. */
  coarse: boolean;
}

/** Studs by player: pressed now, and when last. */
export interface Stud {
  pressed: boolean;
  pressedMs: number;
  changedMs: number;
}

/**
 * Everything sensing knows of one table. Typed buffers changed in place, only by the functions of `sensing.ts`;
 * `saveSensing` and `loadSensing` keep it whole.
 */
export interface Sensing {
  readonly setting: SensingSetting;
  readonly limits: SensingLimits;
  readonly tiles: Tiles;
  /** Cell numbers by board tile. */
  readonly maps: Readonly<Record<BoardSide, Int16Array>>;
  /** Tiles of each board that the layout has. */
  readonly tilesOf: Readonly<Record<BoardSide, number>>;
  readonly rings: SampleRings;
  readonly contacts: ContactTrack;
  readonly base: Baseline;
  readonly onsets: OnsetWatch;
  readonly gates: Readonly<Record<Side, Gates>>;
  readonly studs: Readonly<Record<Side, Stud>>;
  readonly boards: Readonly<Record<BoardSide, Board>>;
  readonly doubts: Doubt[];
  /** Newest level of each hall, counts. */
  readonly newest: Float64Array;
  readonly live: LiveRoll;
  /** Bakugan whose magnet read the other way round than calibrated when they were last told apart. */
  turned: readonly BakuganId[];
  /** What quiet lines show of the sensors while nobody rolls. */
  readonly health: HealthWatch;
  /** What tiles say of their neighbours, where they can. */
  readonly neighbours: Neighbours;
  /** What reviews read samples from: the same buffers as above. */
  readonly source: TraceSource;
  /** Whose arrivals are whose, as found last. */
  readonly sharing: Sharing;
  /** What the roll under way was judged from last. */
  readonly judging: Judging;
  /** The open score by what a tile's halls can see, as `SEES` numbers it. */
  readonly scores: readonly OpenScore[];
  activity: Activity;
}

const stud = (): Stud => ({ pressed: false, pressedMs: -Infinity, changedMs: -Infinity });
const board = (): Board => ({ quietMs: NaN, heardMs: NaN, gates: true, coarse: false });

/** A detector that has heard nothing yet. */
export function createSensing(setting: SensingSetting): Sensing {
  const { layout, calibration } = setting;
  const limits = { ...DEFAULT_LIMITS, ...setting.limits };
  const tiles = tilesOf(layout, calibration);
  const n = tiles.cells.length;
  const rings = createRings(n, tiles.halls);
  const contacts = createContacts(n);
  const base = createBaseline(tiles);
  const live = createLiveRoll(n);
  const maps = {
    A: cellsOfBoard(layout, 'A'),
    B: cellsOfBoard(layout, 'B'),
    both: cellsOfBoard(layout, 'both'),
    unset: cellsOfBoard(layout, 'unset'),
  };
  const known = (map: Int16Array): number => map.reduce((count, cell) => count + (cell >= 0 ? 1 : 0), 0);
  const sensing: Sensing = {
    setting,
    limits,
    tiles,
    maps,
    tilesOf: { A: known(maps.A), B: known(maps.B), both: known(maps.both), unset: 0 },
    rings,
    contacts,
    base,
    onsets: createOnsets(n),
    gates: createGates(),
    studs: { A: stud(), B: stud() },
    boards: { A: board(), B: board(), both: board(), unset: board() },
    doubts: [],
    newest: Float64Array.from(tiles.rest),
    live,
    turned: [],
    health: createHealthWatch(tiles),
    neighbours: { boards: [], reports: [] },
    source: { tiles, rings, contacts, base, mtPerCount: limits.mtPerCount, sees: live.sees },
    sharing: createSharing(),
    judging: createJudging(),
    scores: openScoresOf(layout.sensors),
    activity: { kind: 'idle' },
  };
  for (let cell = 0; cell < n; cell += 1) setThreshold(sensing.onsets, sensing.base, tiles, limits, cell);
  return sensing;
}

/** The board that carries a side. Spelled out, since every line asks it. */
export function boardOf({ boards }: Sensing, side: BoardSide): Board {
  return side === 'A' ? boards.A : side === 'B' ? boards.B : side === 'both' ? boards.both : boards.unset;
}

/** When a side's tiles were last heard of, by its own board or one that serves both; NaN when never. */
export function heardMs(sensing: Sensing, side: Side): number {
  const own = sensing.boards[side].heardMs;
  const both = sensing.boards.both.heardMs;
  return own >= both || !(both >= 0) ? own : both;
}

/** Whether a player's launch gates can be relied on. */
export function gatesFitted(sensing: Sensing, side: Side): boolean {
  return sensing.boards.both.heardMs >= 0 ? sensing.boards.both.gates : sensing.boards[side].gates;
}

/** Whether a board's times are those of arrival at a translator: the shaking of a contact does not show then. */
export function stampsOnArrival({ boards }: Sensing): boolean {
  return boards.A.coarse || boards.B.coarse || boards.both.coarse;
}

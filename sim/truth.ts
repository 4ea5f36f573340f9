/** What really happened in a simulated roll: the physics' own account, written beside the lines. */
import type { AtMs, BakuganId, CellId, CoreId, RollId, Side } from '../host/ids.ts';

/** How a throw ends, as the simulator sees it. */
export type Ending =
  /** Opens and stays on one core. */
  | 'attach'
  /** Opens between two cores and holds both. */
  | 'two-cores'
  /** Opens and leaves the core. */
  | 'off'
  /** Opens and stays, on a cell that holds no core. */
  | 'vacant'
  /** Touches cores and rolls on, closed. */
  | 'pass'
  /** Rolls over a core magnet down, where its worn latch should have opened, and stays shut. */
  | 'shut'
  /** Stops closed on a core. */
  | 'rest'
  /** Touches no cell. */
  | 'miss'
  /** Opens on the core on which the other ball stands open already. */
  | 'join'
  /** Strikes the other open ball and rolls off closed. */
  | 'strike'
  /** Opened and attached, then struck by the other ball and driven off. */
  | 'struck-off';

export interface CellVisit {
  readonly cell: CellId;
  /** Core lying there, if any. */
  readonly core?: CoreId;
  readonly fromMs: AtMs;
  /** Absent while the ball stays. */
  readonly toMs?: AtMs;
}

/** One ball of a roll. Times are of the virtual clock, ms. */
export interface BallTruth {
  readonly player: Side;
  readonly bakugan: BakuganId;
  readonly polarity: 1 | -1;
  readonly strength: number;
  readonly radiusMm: number;
  readonly mode: 'rolled' | 'slid' | 'spun';
  readonly ending: Ending;
  readonly releaseMs: AtMs;
  /**
   * Distance of the ball's middle at the release from the own table edge, mm, and speed, m/s. Its front, `radiusMm`
   * further, is what counts at the limit (5.7.1.2).
   */
  readonly releaseMm: number;
  readonly releaseMPerS: number;
  /** How much of it the mat takes away, m/s². */
  readonly lossMPerS2: number;
  /** First break of the own gates, hand or ball; absent when not crossed. */
  readonly nearGateMs?: AtMs;
  readonly farGateMs?: AtMs;
  /** Cells touched in order, vacant ones too. */
  readonly path: readonly CellVisit[];
  /** Cores touched, in order of first touch. */
  readonly contact: readonly CoreId[];
  /** The latch let go, wherever that was. */
  readonly latchMs?: AtMs;
  readonly latchCell?: CellId;
  /** Opened in the sense of 5.7.1.4: on a core. */
  readonly opened: boolean;
  /** Cores it holds at the end; empty unless opened. */
  readonly attached: readonly CoreId[];
  /** When it left the core it had opened on. */
  readonly offMs?: AtMs;
  /** When it came to rest or left the table. */
  readonly restMs: AtMs;
  /** Where it rests; absent when it left the table. */
  readonly restXMm?: number;
  readonly restYMm?: number;
  /** Flights of a bounced or dropped throw (5.7.1.3). */
  readonly bounces: number;
}

export interface RollTruth {
  readonly roll: RollId;
  readonly seed: number;
  readonly layout: string;
  readonly fromMs: AtMs;
  readonly toMs: AtMs;
  readonly cores: readonly { readonly cell: CellId; readonly core: CoreId }[];
  /** A before B. */
  readonly balls: readonly BallTruth[];
  /** Core on which both ended, 5.7.2.2. */
  readonly both?: CoreId;
  /** Release of B minus release of A, ms; absent with one ball. */
  readonly skewMs?: number;
  /** Contacts that lied in this roll. */
  readonly contactFaults: readonly { readonly cell: CellId; readonly fault: string }[];
  /** Cells a hand or sleeve touched. */
  readonly hands: readonly CellId[];
}

/** One truth as one line of JSON, without line end. */
export function truthLine(truth: RollTruth): string {
  return JSON.stringify(truth);
}

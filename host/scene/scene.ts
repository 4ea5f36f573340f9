import type { Actor, Cue, LegalInput } from '../game/ruleset.ts';
import type { AtMs, CellId, Json, RollId, TableId } from '../ids.ts';
import type { CalibratingSeen } from '../sensing/calibrate-seen.ts';
import type { HealthFinding } from '../sensing/health-finding.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { CellLevel, LinkSeen } from '../sensing/seen.ts';

/** How the start of a match stands. */
export type StartSeen = {
  readonly begun: boolean;
  /** What keeps it from beginning, empty once it has begun. */
  readonly blocks: readonly HealthFinding[];
  /** Who began it though something spoke against it; null when nothing did. */
  readonly overrode: { readonly by: Actor; readonly why: string; readonly blocks: readonly string[] } | null;
};

/** How a match of several games stands. */
export type MatchSeen = {
  readonly bestOf: 3;
  /** Number of the game that is on, or was last; from 1. */
  readonly game: number;
  /** Games won, the one that is on too once it is over. */
  readonly won: { readonly A: number; readonly B: number };
  /** Who won the match; null while it goes on. */
  readonly winner: 'A' | 'B' | 'draw' | null;
  /** Who ended it before it was decided, and why; a player who concedes gives no reason. */
  readonly ended?: { readonly by: Actor; readonly why: string };
  /** Who lost the last game and says who begins the next one, while that is waited for. */
  readonly chooser?: 'A' | 'B';
};

/** Everything that an output may draw from, at one moment, for one audience. Level, not edge. */
export type Scene = {
  readonly table: TableId;
  readonly atMs: AtMs;
  /** The ruleset's view for this audience. */
  readonly view: Json;
  /** What this audience may do now; empty for `venue` and `public`. */
  readonly legal: readonly LegalInput[];
  readonly cues: readonly Cue[];
  readonly levels: readonly CellLevel[];
  /** Newest ruling of each of the last rolls, oldest first, at most 8. */
  readonly rulings: readonly RollRuling[];
  /** Rulings withdrawn since, by roll and revision. */
  readonly retracted: readonly { readonly roll: RollId; readonly revision: number; readonly why: string }[];
  readonly links: readonly LinkSeen[];
  /** What is wrong with sensors and links, what blocks a match first; staff only. */
  readonly health: readonly HealthFinding[];
  /** Whether the match has begun; what keeps it from that and who overrode it, staff only. */
  readonly start: StartSeen;
  /** Games of the match; absent where a match is one game. */
  readonly match?: MatchSeen;
  /** A calibration in the making, staff only; null while none is. */
  readonly calibrating: CalibratingSeen | null;
  /** Colour shown on each cell, `#rrggbb`, for pictures of the mat. */
  readonly lights: readonly {
    readonly cell: CellId;
    readonly rgb: string;
    readonly level: number;
    readonly animation: string;
  }[];
  readonly simulated: boolean;
  /** Automatic play of a simulated table, for its operator; absent for everybody else. */
  readonly auto?: boolean;
  /** What stops the whole table, in words; null while nothing does. */
  readonly trouble: string | null;
};

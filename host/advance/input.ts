import type { Actor, GameEvent, GameInput, Refusal } from '../game/ruleset.ts';
import type { AtMs, BakuganId, Json, LinkId, RollId, Side } from '../ids.ts';
import type { RawLine } from '../record.ts';
import type { Calibration } from '../sensing/calibration.ts';
import type { RollRuling } from '../sensing/ruling.ts';

/** Everything that can happen to a table. Each carries its time; nothing else does. */
export type Input =
  | {
      readonly kind: 'line';
      readonly atMs: AtMs;
      readonly link: LinkId;
      readonly raw: RawLine;
      readonly device?: string;
      readonly retained?: boolean;
    }
  | {
      readonly kind: 'link';
      readonly atMs: AtMs;
      readonly link: LinkId;
      readonly up: boolean;
      readonly reason: string;
      readonly remedy?: string;
      /** The host itself was away: nobody watched the table, and a roll that was going on is in doubt, all of it. */
      readonly restarted?: true;
    }
  | {
      readonly kind: 'dropped';
      readonly atMs: AtMs;
      readonly link: LinkId;
      readonly what: string;
      readonly count: number;
    }
  | { readonly kind: 'command'; readonly atMs: AtMs; readonly id: string; readonly command: Command }
  /** Time passed and nothing came. */
  | { readonly kind: 'tick'; readonly atMs: AtMs };

/** What people and automatic play may ask of a table. */
export type Command =
  | { readonly do: 'play'; readonly input: GameInput }
  /** Replaces the result of a past roll; the game is folded anew from there. */
  | {
      readonly do: 'replace-ruling';
      readonly by: Actor;
      readonly roll: RollId;
      readonly input: GameInput;
      readonly reason: string;
      /** Rule that the correction rests on, as `5.7.2.3`. */
      readonly rule?: string;
      /** A second judge who confirms it. */
      readonly second?: Actor;
      /** Basis of the `Foreseen` that was looked at: refused when the game has gone on since. */
      readonly basis?: string;
    }
  /** Takes the game back to how it was after input `to`, 0 for its start. */
  | {
      readonly do: 'undo';
      readonly by: Actor;
      readonly to: number;
      readonly reason: string;
      readonly rule?: string;
      readonly second?: Actor;
      readonly basis?: string;
    }
  | {
      readonly do: 'new-game';
      readonly by: Actor;
      readonly options?: { readonly [key: string]: Json };
      /** Games of a new match. With it or with options a match begins anew; without, the next game of this one. */
      readonly bestOf?: 1 | 3;
      /** Who begins the next game, where the loser of the last one says so. */
      readonly first?: Side;
      /** Why it shall begin though something speaks against it. */
      readonly despite?: string;
    }
  /**
   * Ends a match of several games before it is decided: a player concedes it, and gives no more; a judge or operator says
   * who wins and why.
   */
  | {
      readonly do: 'end-match';
      readonly by: Actor;
      readonly winner?: Side | 'draw';
      readonly reason?: string;
    }
  /** Takes such an end back. */
  | { readonly do: 'resume-match'; readonly by: Actor; readonly reason: string }
  /** Begins the match that waits for its sensors. */
  | { readonly do: 'start-match'; readonly by: Actor; readonly despite?: string }
  | { readonly do: 'identify'; readonly by: Actor; readonly cell: string }
  | {
      readonly do: 'calibrate';
      readonly by: Actor;
      readonly act: 'start';
      /** Ball that goes on every tile, and others that go on three each. */
      readonly reference: BakuganId;
      readonly balls: readonly BakuganId[];
    }
  | { readonly do: 'calibrate'; readonly by: Actor; readonly act: 'skip' | 'save' | 'cancel' }
  /** Given by the shell, when the file could not be written. */
  | { readonly do: 'calibrate'; readonly by: Actor; readonly act: 'not-kept'; readonly why: string }
  /** Given by the shell, once a calibration is safe in its file; in force from here on. */
  | { readonly do: 'use-calibration'; readonly by: Actor; readonly calibration: Calibration };

/** What a judge may ask of a table; nothing changes by it. */
export type Question =
  /** What a command would change. */
  | { readonly kind: 'foresee'; readonly command: Command }
  /** Steps of the game, at most 64, up to `before` without it; the newest ones when it is absent. */
  | { readonly kind: 'history'; readonly before?: number };

export type Answer =
  | ({ readonly kind: 'foresee' } & Foreseen)
  | {
      readonly kind: 'history';
      /** Oldest first. */
      readonly steps: readonly PastStep[];
      /** Number of the newest step of the game; 0 before the first. */
      readonly newest: number;
    };

/** One step of the game as it stands: an input with what it led to. */
export type PastStep = {
  /** What `undo` takes as `to` for the moment after this step. */
  readonly seq: number;
  readonly by: Actor;
  readonly type: string;
  readonly roll?: RollId;
  readonly events: readonly Told[];
};

/** An event as people read it. */
export type Told = Pick<GameEvent, 'type' | 'text' | 'rules'>;

/** What a command would change, to be looked at before it is given. Lists are cut at 100, with their full lengths. */
export type Foreseen = {
  /** Names the game as it is now; given back with the command, it holds only for what was looked at. */
  readonly basis: string;
  /** Events that would not have happened, and those that would happen instead, oldest first. */
  readonly withdrawn: readonly Told[];
  readonly added: readonly Told[];
  /** Steps that would have to be made anew. */
  readonly dropped: readonly Pick<PastStep, 'seq' | 'by' | 'type'>[];
  readonly counts: { readonly withdrawn: number; readonly added: number; readonly dropped: number };
  /** Why the first of the dropped steps no longer fits, where that is why it is dropped. */
  readonly because?: Refusal;
  /** Rolls whose rulings are taken back. */
  readonly rolls: readonly RollId[];
  /** Parts of the judge's view that would differ, as `players.A.deck`; absent parts are null. */
  readonly changes: readonly { readonly part: string; readonly before: Json; readonly after: Json }[];
};

/** What a step asks of the world. The shell carries it out after the recorder has released it. */
export type Output =
  | {
      readonly kind: 'send';
      readonly atMs: AtMs;
      readonly link: LinkId;
      readonly device: string;
      readonly line: string;
    }
  | { readonly kind: 'ruling'; readonly atMs: AtMs; readonly ruling: RollRuling }
  | {
      readonly kind: 'retraction';
      readonly atMs: AtMs;
      readonly roll: RollId;
      readonly revision: number;
      /** Stage of the ruling taken back: watchers never heard of a provisional one. */
      readonly stage: 'provisional' | 'final';
      readonly why: string;
    }
  | { readonly kind: 'event'; readonly atMs: AtMs; readonly event: GameEvent }
  | { readonly kind: 'refused'; readonly atMs: AtMs; readonly id: string; readonly refusal: Refusal }
  /** A calibration is made and wants to be kept; whoever keeps it then gives `use-calibration`. */
  | {
      readonly kind: 'calibrated';
      readonly atMs: AtMs;
      readonly id: string;
      readonly by: Actor;
      readonly calibration: Calibration;
    }
  | { readonly kind: 'accepted'; readonly atMs: AtMs; readonly id: string }
  | {
      readonly kind: 'fault';
      readonly atMs: AtMs;
      readonly link: LinkId;
      readonly code: string;
      readonly text: string;
    };

import type { Actor, GameEvent, GameInput, Refusal } from '../game/ruleset.ts';
import type { AtMs, LinkId, RollId } from '../ids.ts';
import type { RawLine } from '../record.ts';
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
    }
  | {
      readonly do: 'new-game';
      readonly by: Actor;
      readonly options?: { readonly [key: string]: import('../ids.ts').Json };
    }
  | { readonly do: 'identify'; readonly by: Actor; readonly cell: string };

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
  | { readonly kind: 'accepted'; readonly atMs: AtMs; readonly id: string }
  | {
      readonly kind: 'fault';
      readonly atMs: AtMs;
      readonly link: LinkId;
      readonly code: string;
      readonly text: string;
    };

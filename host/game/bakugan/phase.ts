import type { GameInput } from '../ruleset.ts';
import type { Move, Next } from './move.ts';
import type { StateId } from './view.ts';

/** One state of a turn: what happens on entering it and what may be done in it. Phases never call each other. */
export type Phase = {
  /** Cited when an input has no place here. */
  readonly rules: readonly string[];
  /** Runs once on entering; names the next state, or stays to wait. */
  readonly enter: (move: Move) => StateId | 'stay';
  /** Inputs by type. */
  readonly takes?: { readonly [type: string]: (move: Move, input: GameInput) => Next };
  /** A state with a priority window: what follows when both have passed on an empty batch (5.1.3). */
  readonly closed?: (move: Move) => StateId;
  /** Nothing is asked any more of what this state itself asked: what follows. */
  readonly settled?: (move: Move) => StateId | 'stay';
  /** After a correction from outside: whether the state still has to wait. */
  readonly again?: (move: Move) => StateId | 'stay';
};

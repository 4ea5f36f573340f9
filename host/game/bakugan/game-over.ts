import { opponentOf, type Side } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import { type Move, type Next, nameOf, patch, say } from './move.ts';
import type { Phase } from './phase.ts';
import { playerIn } from './read-input.ts';

/** GO: nothing happens any more. */
export const over: Phase = { rules: ['1.5'], enter: () => 'stay' };

/** Ends the game: this player loses. */
export function lose(move: Move, loser: Side, rules: readonly string[], why: string): 'GO' {
  const winner = opponentOf(loser);
  patch(move, { winner, window: null, decision: null, acting: null });
  const text = `${why} ${nameOf(move, winner)} wins the game.`;
  say(move, 'game/over', rules, text, { winner, loser });
  return 'GO';
}

/** Ends the game without a winner. */
export function endInDraw(move: Move, rules: readonly string[], why: string): 'GO' {
  patch(move, { winner: 'draw', window: null, decision: null, acting: null });
  say(move, 'game/over', rules, `${why} The game is a draw.`, { winner: 'draw' });
  return 'GO';
}

/** A tie-break or the end of a turn asks for a card of every deck: who has none loses, both none is a draw. */
export function loseByEmptyDeck(move: Move, rules: readonly string[], when: string): 'GO' | undefined {
  const { A, B } = move.state.players;
  if (A.deck.count > 0 && B.deck.count > 0) return undefined;
  if (A.deck.count === 0 && B.deck.count === 0)
    return endInDraw(move, rules, `${when} both decks are empty.`);
  const loser = A.deck.count === 0 ? 'A' : 'B';
  return lose(move, loser, rules, `${when} the deck of ${nameOf(move, loser)} is empty.`);
}

/** Input `concede`: at any time, lost at once. */
export function takeConcede(move: Move, input: GameInput): Next {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  return lose(move, player, ['1.5'], `${nameOf(move, player)} concedes.`);
}

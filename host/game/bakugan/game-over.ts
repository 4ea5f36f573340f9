import { opponentOf, type Side } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import { type Move, type Next, nameOf, patch, refuse, say } from './move.ts';
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

/** Input `time`: time is called (D-8.3); the turn is played to its end. */
export function takeTime(move: Move, input: GameInput): Next {
  const { role } = input.by;
  if (role !== 'judge' && role !== 'operator') {
    return refuse('judge/only', 'Only a judge or the operator calls time.', 'D-8.3');
  }
  patch(move, { timeCalled: true });
  say(move, 'game/time', ['D-8.3'], 'Time is called: the game is settled when this turn ends.');
  return 'stay';
}

/** Settles a game on time: most cards in the deck, then in hand, then most Energy cards (D-8.3). */
export function settleOnTime(move: Move): 'GO' {
  const { A, B } = move.state.players;
  const rows = [
    ['cards in the deck', A.deck.count, B.deck.count],
    ['cards in hand', A.hand.count, B.hand.count],
    ['Energy cards', A.charged.count + A.uncharged.count, B.charged.count + B.uncharged.count],
  ] as const;
  const row = rows.find(([, a, b]) => a !== b);
  if (row === undefined) return endInDraw(move, ['D-8.3'], 'Time: everything is equal.');
  const [what, a, b] = row;
  const loser = a < b ? 'A' : 'B';
  return lose(move, loser, ['D-8.3'], `Time: ${nameOf(move, opponentOf(loser))} has more ${what}.`);
}

/** Input `concede`: at any time, lost at once. */
export function takeConcede(move: Move, input: GameInput): Next {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  return lose(move, player, ['1.5'], `${nameOf(move, player)} concedes.`);
}

import { opponentOf, SIDES } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import { loseByEmptyDeck } from './game-over.ts';
import { type Move, type Next, nameOf, patch, patchPlayer, refuse, say, takeTop } from './move.ts';
import type { Phase } from './phase.ts';
import { toDiscard } from './piles.ts';
import { playerIn, wholeIn } from './read-input.ts';
import { knownCard } from './top.ts';

/** Highest energy cost that a turned card may have; the prints go to 11. */
export const HIGHEST_COST = 15;

const RULES = ['5.10.1', 'AM-03'];

function checkDecks(move: Move): 'GO' | 'stay' {
  // A player who has turned a card in this round has done their part, whatever is left of the deck.
  const { tie } = move.state;
  if (tie !== null && (tie.A !== null || tie.B !== null)) return 'stay';
  return loseByEmptyDeck(move, RULES, 'In the tie-break') ?? 'stay';
}

/** ST-8t: equal B-Power: both turn their top card, the higher energy cost wins the Brawl; equal costs, again (AM-03). */
export const breakingTie: Phase = {
  rules: RULES,
  enter(move) {
    say(move, 'tie/started', RULES, 'B-Power is equal: both turn the top card of their deck.');
    return checkDecks(move);
  },
  again: checkDecks,
  takes: {
    'tie-flip'(move: Move, input: GameInput): Next {
      const player = playerIn(input);
      if (typeof player !== 'string') return player;
      const { tie } = move.state;
      if (tie === null || tie[player] !== null) {
        return refuse('tie/turned', 'You have turned a card in this round already.', ...RULES);
      }
      const { deck } = move.state.players[player];
      if (deck.count === 0) return refuse('tie/no-card', 'There is no card to turn.', ...RULES);
      const taken = takeTop(deck, 1);
      const [top = ''] = taken.cards;
      const printed = knownCard(move.state, top)?.cost ?? input.cost;
      // X counts as 0 outside the batch (1.8.1.2.1).
      const cost = printed === 'X' ? 0 : wholeIn({ ...input, cost: printed }, 'cost', 0, HIGHEST_COST);
      if (cost === undefined) {
        const message = `Give the printed energy cost, 0 to ${HIGHEST_COST}, or X.`;
        return refuse('tie/bad-cost', message, ...RULES, '1.8.1.2.1');
      }
      patchPlayer(move, player, { deck: taken.zone });
      toDiscard(move, player, [top]);
      const now = { ...tie, [player]: cost };
      patch(move, { tie: now });
      const text = `${nameOf(move, player)} turns a card of cost ${cost}.`;
      say(move, 'tie/turned', [...RULES, '1.8.1.2.1'], text, { player, cost });
      if (now.A === null || now.B === null) return 'stay';
      if (now.A === now.B) {
        patch(move, { tie: { A: null, B: null } });
        say(move, 'tie/equal', RULES, 'The costs are equal: both turn another card.', { cost: now.A });
        return checkDecks(move);
      }
      const winner = SIDES.find((side) => (now[side] ?? 0) > (now[opponentOf(side)] ?? 0)) ?? 'A';
      patch(move, { victor: winner });
      say(move, 'tie/won', RULES, `${nameOf(move, winner)} wins the tie-break.`, { player: winner });
      return 'ST-9';
    },
  },
};

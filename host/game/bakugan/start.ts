import { opponentOf, SIDES, type Side } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import {
  type Move,
  mayHold,
  type Next,
  nameOf,
  patch,
  patchPlayer,
  putCards,
  refuse,
  say,
  takeCard,
} from './move.ts';
import type { Phase } from './phase.ts';
import { draw } from './piles.ts';
import { playerIn, textIn } from './read-input.ts';
import { countRule } from './top.ts';
import type { StateId } from './view.ts';

/** ST-1: a new turn; its starting player (5.2.2, 1.14.1) and one card for each player, more by Heroes (5.3.1). */
export const drawing: Phase = {
  rules: ['5.2.1', '5.3.1'],
  enter(move) {
    const startingPlayer = move.state.victor ?? move.state.startingPlayer;
    patch(move, {
      turn: move.state.turn + 1,
      startingPlayer,
      acting: startingPlayer,
      selected: { A: null, B: null },
      rolled: { A: null, B: null },
      roll: null,
      tie: null,
      victor: null,
      teamAttack: false,
      damage: null,
      flip: null,
      shown: null,
    });
    const text = `Turn ${move.state.turn}: ${nameOf(move, startingPlayer)} is the starting player.`;
    say(move, 'turn/started', ['5.1.1', '5.2.2', '1.14.1', 'AM-01'], text, {
      turn: move.state.turn,
      player: startingPlayer,
    });
    if (move.state.options.mode === 'basic') return 'ST-3';
    const n = 1 + countRule(move.state, 'extra-draw');
    for (const side of SIDES) draw(move, side, n, ['5.3.1']);
    return 'ST-2';
  },
};

/** Who decides about Energy next: those without a card in hand have nothing to decide. */
function nextToDecide(move: Move, from: Side | null): StateId | 'stay' {
  for (let side = from; side !== null; ) {
    if (move.state.players[side].hand.count > 0) {
      patch(move, { acting: side });
      return 'stay';
    }
    const text = `${nameOf(move, side)} has no card to energize.`;
    say(move, 'energize/declined', ['5.4.1'], text, { player: side });
    side = side === move.state.startingPlayer ? opponentOf(side) : null;
  }
  patch(move, { acting: null });
  return 'ST-3';
}

/** ST-2: starting player first, each may put one card from hand into the Energy zone, once (5.4.1, 5.4.2). */
export const energizing: Phase = {
  rules: ['5.2.1', '5.4.1'],
  enter: (move) => nextToDecide(move, move.state.startingPlayer),
  again: (move) => nextToDecide(move, move.state.acting),
  takes: {
    energize(move: Move, input: GameInput): Next {
      const player = playerIn(input);
      if (typeof player !== 'string') return player;
      const { startingPlayer, acting } = move.state;
      if (player !== acting) {
        return player === startingPlayer
          ? refuse('energize/decided', 'You have decided already; there is one chance a turn.', '5.4.2')
          : refuse('energize/not-your-turn', 'The starting player decides first.', '5.4.1');
      }
      if (typeof input.energize !== 'boolean') {
        return refuse('energize/say-which', 'Say whether you energize a card or not.', '5.4.1');
      }
      const { hand, charged } = move.state.players[player];
      if (input.energize) {
        const isKnown = hand.known.length === hand.count;
        const card = textIn(input, 'card') ?? '';
        if ((isKnown && !hand.known.includes(card)) || !mayHold(hand, card)) {
          return refuse('energize/which-card', 'Say which card of your hand it is.', '5.4.1');
        }
        patchPlayer(move, player, { hand: takeCard(hand, card), charged: putCards(charged, [card]) });
        const text = `${nameOf(move, player)} energizes a card, charged.`;
        say(move, 'energize/energized', ['5.4.1', '7.2.1'], text, { player });
      } else {
        const text = `${nameOf(move, player)} does not energize.`;
        say(move, 'energize/declined', ['5.4.1', '5.4.2'], text, { player });
      }
      return nextToDecide(move, player === startingPlayer ? opponentOf(player) : null);
    },
  },
};

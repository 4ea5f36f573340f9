import { opponentOf, type Side } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import { type Move, type Next, nameOf, patch, refuse, say } from './move.ts';
import type { Phase } from './phase.ts';
import { playerIn, textIn } from './read-input.ts';
import { retractAll, takeReturn } from './retracting.ts';
import { bakuganOf, sideOf } from './state.ts';
import { titleOf } from './top.ts';
import { fire } from './triggers.ts';

/** Lets a player choose; with all three open, those are retracted first. */
function letChoose(move: Move, player: Side): void {
  patch(move, { acting: player });
  if (move.state.players[player].bakugan.some((one) => !one.open)) return;
  const text = `${nameOf(move, player)} has no unopened Bakugan and retracts all three first.`;
  say(move, 'select/retract-all', ['5.6.1'], text, { player });
  retractAll(move, player, ['5.6.1']);
}

/** ST-3: starting player first, each chooses an unopened Bakugan and places it in front (5.6.1). */
export const selecting: Phase = {
  rules: ['5.6.1'],
  enter(move) {
    letChoose(move, move.state.startingPlayer);
    return 'stay';
  },
  takes: {
    place: takeReturn,
    select(move: Move, input: GameInput): Next {
      const player = playerIn(input);
      if (typeof player !== 'string') return player;
      if (move.state.returning.length > 0) {
        return refuse(
          'select/place-first',
          'Cores of retracted Bakugan go back to the field first.',
          '4.7.3',
        );
      }
      if (player !== move.state.acting) {
        return player === move.state.startingPlayer
          ? refuse('select/decided', 'You have chosen already.', '5.6.1')
          : refuse('select/not-your-turn', 'The starting player chooses first.', '5.6.1');
      }
      const id = textIn(input, 'bakugan');
      const bakugan = id === undefined ? undefined : bakuganOf(move.state, id);
      if (id === undefined || bakugan === undefined || sideOf(id) !== player) {
        return refuse('select/not-yours', 'Choose one of your own three Bakugan.', '5.6.1');
      }
      if (bakugan.open) {
        const message = `${titleOf(move.state, bakugan)} is open; choose one that is closed.`;
        return refuse('select/already-open', message, '5.6.1');
      }
      patch(move, {
        selected: { ...move.state.selected, [player]: id },
        rolled: { ...move.state.rolled, [player]: id },
      });
      const text = `${nameOf(move, player)} chooses ${titleOf(move.state, bakugan)}.`;
      say(move, 'select/chose', ['5.6.1'], text, { player, bakugan: id });
      fire(move, { is: 'selects', bakugan: id });
      if (player === move.state.startingPlayer) {
        letChoose(move, opponentOf(player));
        return 'stay';
      }
      patch(move, { acting: null });
      return 'ST-4';
    },
  },
};

import { opponentOf } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import { newObject } from './abilities.ts';
import { attackDamage, attackFrost, isTeamAttack } from './attack.ts';
import { lose } from './game-over.ts';
import { type Move, type Next, nameOf, patch, patchPlayer, refuse, say, zoneOf } from './move.ts';
import type { Phase } from './phase.ts';
import { playerIn, textIn, wholeIn } from './read-input.ts';
import { openPhaseWindow } from './windows.ts';

/** Goes on dealing: done, or a card is needed and there is none (AM-02), or the player flips. */
function deal(move: Move): 'stay' | 'ST-11' | 'GO' {
  const { damage } = move.state;
  if (damage === null) return 'ST-11';
  const { to, amount, flipped } = damage;
  const { deck } = move.state.players[to];
  if (flipped >= amount) {
    const text = `${flipped} Damage dealt to ${nameOf(move, to)}, who has ${deck.count} cards left.`;
    say(move, 'damage/done', ['5.11.1', '5.11.3'], text, { to, flipped, deck: deck.count });
    if (deck.count === 0 && move.state.options.rules.loseWhen === 'emptyAfterDamage') {
      return lose(move, to, ['1.5', 'AM-02'], `The deck of ${nameOf(move, to)} is empty after damage.`);
    }
    return 'ST-11';
  }
  if (deck.count > 0) return 'stay';
  const why = `${nameOf(move, to)} has to flip a card and has none.`;
  return lose(move, to, ['1.5', '5.11.1', 'AM-02'], why);
}

function startAttack(move: Move): void {
  const { victor } = move.state;
  if (victor === null) return;
  patch(move, { teamAttack: isTeamAttack(move.state, victor) });
  const to = opponentOf(victor);
  const amount = attackDamage(move.state);
  const frostStrike = attackFrost(move.state);
  patch(move, { damage: { to, amount, flipped: 0, frostStrike, stopped: false } });
  if (move.state.teamAttack) {
    const text = `Team Attack of ${nameOf(move, victor)} with all three Bakugan.`;
    say(move, 'damage/team-attack', ['5.12.1', '5.12.2'], text, { player: victor, amount });
  }
  const frost = frostStrike > 0 ? ` Flip cards cost ${frostStrike} more.` : '';
  const text = `${nameOf(move, victor)} deals ${amount} Damage to ${nameOf(move, to)}.${frost}`;
  say(move, 'damage/dealing', ['5.11.1', '1.8.1.1.1'], text, { to, amount, frostStrike });
}

/**
 * Input `flip`: the damaged player turns `count` cards, one at a time (5.11.1); `flipCard` names the last one
 * of them, a Flip card that is played, and `stop` says whether it stops the attack (5.11.2).
 */
function takeFlip(move: Move, input: GameInput): Next {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  const { damage } = move.state;
  if (damage === null || player !== damage.to) {
    return refuse('flip/not-yours', 'The damaged player flips.', '5.11.1');
  }
  const { deck, discard } = move.state.players[player];
  const most = Math.min(damage.amount - damage.flipped, deck.count);
  const count = wholeIn(input, 'count', 1, most);
  if (count === undefined) {
    return refuse('flip/bad-count', `Flip 1 to ${most} cards.`, '5.11.1');
  }
  const label = textIn(input, 'flipCard');
  const { stop } = input;
  if (input.flipCard !== undefined && (label === undefined || typeof stop !== 'boolean')) {
    return refuse('flip/bad-card', 'Name the Flip card and say whether it stops the attack.', '5.11.2');
  }
  patchPlayer(move, player, { deck: zoneOf(deck, -count), discard: zoneOf(discard, count, label) });
  patch(move, { damage: { ...damage, flipped: damage.flipped + count } });
  const text = `${nameOf(move, player)} flips ${count} of ${damage.amount}.`;
  say(move, 'damage/flipped', ['5.11.1'], text, { player, count, flipped: damage.flipped + count });
  if (label === undefined) return deal(move);
  const stops = stop === true;
  const played = `${nameOf(move, player)} plays the Flip card ${label}.`;
  say(move, 'damage/flip-card', ['5.11.2'], played, { player, label, stop: stops });
  const object = newObject(move, player, label, { do: 'flip', stop: stops });
  patch(move, { flip: object });
  return 'ST-10f';
}

/** ST-10: damage is dealt card by card; nobody may act but by a Flip card (5.11.1, 5.11.2). */
export const dealing: Phase = {
  rules: ['5.11.1', '5.11.2'],
  enter(move) {
    if (move.state.damage === null) startAttack(move);
    return deal(move);
  },
  again: deal,
  takes: { flip: takeFlip },
};

/** ST-10f: a Flip card was played; a window like any other answers it (5.11.2.1). */
export const answeringFlip: Phase = {
  rules: ['5.11.2.1'],
  enter(move) {
    const { flip } = move.state;
    const none = { A: [], B: [] };
    openPhaseWindow(move, flip === null ? none : { ...none, [flip.controller]: [flip] });
    patch(move, { flip: null });
    return 'stay';
  },
  closed: () => 'ST-10',
};

/** ST-11: a window once damage is dealt (5.11.3). */
export const afterDamage: Phase = {
  rules: ['5.11.3'],
  enter(move) {
    openPhaseWindow(move);
    return 'stay';
  },
  closed: () => 'ST-12',
};

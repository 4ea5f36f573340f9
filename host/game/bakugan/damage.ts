import { opponentOf, type Side } from '../../ids.ts';
import type { GameInput, Refusal } from '../ruleset.ts';
import { announce, announcements } from './announce.ts';
import { attackDamage, attackFrost, isTeamAttack } from './attack.ts';
import { openPhaseWindow } from './batching.ts';
import { lose } from './game-over.ts';
import {
  type Move,
  type Next,
  nameOf,
  patch,
  patchPlayer,
  putCards,
  refuse,
  say,
  takeCard,
  takeTop,
} from './move.ts';
import type { Phase } from './phase.ts';
import { cardName, toDiscard } from './piles.ts';
import { saidIn } from './play-input.ts';
import { playerIn, textIn, wholeIn } from './read-input.ts';
import { goOn, popFrame } from './resolve.ts';
import { retractAll } from './retracting.ts';
import { brawlerOf } from './state.ts';
import { cardIn, factionsOf, knownCard } from './top.ts';
import { fire, newObject } from './triggers.ts';
import type { StateId } from './view.ts';

/** What an attack that is over leads to: texts see it; a card's attack gives back to where it was made. */
function dealt(move: Move): StateId | 'stay' {
  const { damage } = move.state;
  if (damage === null) return 'ST-11';
  const { to, flipped, by } = damage;
  const deck = move.state.players[to].deck.count;
  const text = `${flipped} Damage dealt to ${nameOf(move, to)}, who has ${deck} cards left.`;
  say(move, 'damage/done', ['5.11.1', '5.11.3'], text, { to, flipped, deck });
  if (deck === 0 && move.state.options.rules.loseWhen === 'emptyAfterDamage') {
    return lose(move, to, ['1.5', 'AM-02'], `The deck of ${nameOf(move, to)} is empty after damage.`);
  }
  if (flipped > 0) {
    fire(move, { is: 'damaged', side: to });
    fire(move, { is: 'deals', side: opponentOf(to), amount: flipped });
  }
  return by === 'card' ? popFrame(move) : 'ST-11';
}

/** Goes on dealing: done, or a card is needed and there is none (AM-02), or the player flips. */
function deal(move: Move): StateId | 'stay' {
  const { damage } = move.state;
  if (damage === null) return 'ST-11';
  const { to, amount, flipped, drawn } = damage;
  if (flipped >= amount) return dealt(move);
  const { deck } = move.state.players[to];
  if (drawn) {
    const taken = takeTop(deck, amount - flipped);
    const n = taken.cards.length;
    patchPlayer(move, to, { deck: taken.zone, hand: putCards(move.state.players[to].hand, taken.cards) });
    patch(move, { damage: { ...damage, amount: flipped, stopped: true } });
    say(move, 'draw/drew', ['5.11.2', '1.17.1'], `${nameOf(move, to)} draws ${n} cards.`, {
      player: to,
      count: n,
    });
    return dealt(move);
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
  const attacker = brawlerOf(move.state, victor);
  patch(move, {
    damage: {
      to,
      amount,
      flipped: 0,
      frostStrike,
      stopped: false,
      by: 'victor',
      factions: attacker === undefined ? [] : factionsOf(move.state, attacker),
      attacker: attacker?.id ?? null,
      drawn: false,
    },
  });
  if (move.state.teamAttack) {
    const text = `Team Attack of ${nameOf(move, victor)} with all three Bakugan.`;
    say(move, 'damage/team-attack', ['5.12.1', '5.12.2', '5.12.2.1', '5.12.2.2', '5.12.2.3'], text, {
      player: victor,
      amount,
    });
  }
  const frost = frostStrike > 0 ? ` Flip cards cost ${frostStrike} more.` : '';
  const text = `${nameOf(move, victor)} deals ${amount} Damage to ${nameOf(move, to)}.${frost}`;
  say(move, 'damage/dealing', ['5.11.1', '1.8.1.1.1'], text, { to, amount, frostStrike });
  if (attacker !== undefined) fire(move, { is: 'attacks', bakugan: attacker.id });
}

/** A Flip card of the deck that its owner could play now. */
function isPlayable(move: Move, side: Side, id: string): boolean {
  const card = knownCard(move.state, id);
  if (card?.type !== 'Flip') return false;
  return announcements(move.state, side, card, { flipped: true }).length > 0;
}

/** Turns cards, one at a time, up to the first Flip card that may be played (5.11.1, 5.11.2). */
function flipCards(move: Move, side: Side, count: number, named: string | undefined): void {
  let done = 0;
  while (done < count) {
    const { damage } = move.state;
    if (damage === null) return;
    const { deck } = move.state.players[side];
    const taken = takeTop(deck, 1);
    const isLast = done === count - 1;
    const card = taken.cards[0] !== '' ? (taken.cards[0] ?? '') : isLast ? (named ?? '') : '';
    patchPlayer(move, side, { deck: taken.zone });
    move.state.damage = { ...damage, flipped: damage.flipped + 1 };
    toDiscard(move, side, [card], 'discarded');
    done += 1;
    if (isPlayable(move, side, card)) {
      patch(move, { shown: card });
      break;
    }
  }
  const { damage, shown } = move.state;
  const text = `${nameOf(move, side)} flips ${done} of ${damage?.amount ?? 0}.`;
  const data = { player: side, count: done, flipped: damage?.flipped ?? 0 };
  say(move, 'damage/flipped', ['5.11.1'], text, data);
  if (shown !== null) {
    const flip = `${cardName(move, shown)} may be played by ${nameOf(move, side)}.`;
    say(move, 'damage/flip-shown', ['5.11.2'], flip, { player: side, card: shown });
  }
}

function enteredFlip(move: Move, player: Side, label: string, stop: boolean): void {
  const played = `${nameOf(move, player)} plays the Flip card ${label}.`;
  say(move, 'damage/flip-card', ['5.11.2'], played, { player, label, stop });
  patch(move, { flip: newObject(move, player, label, { do: 'flip', stop }) });
}

/**
 * Input `flip`: the damaged player turns `count` cards, one at a time (5.11.1), fewer if a Flip card shows that may be
 * played. With cards that nobody knows, `flipCard` names the last one of them, a Flip card that is played: a known
 * one, or any other with `stop`, which says whether it stops the attack (5.11.2).
 */
function takeFlip(move: Move, input: GameInput): Next {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  const { damage } = move.state;
  if (damage === null || player !== damage.to) {
    return refuse('flip/not-yours', 'The damaged player flips.', '5.11.1');
  }
  const { deck } = move.state.players[player];
  const most = Math.min(damage.amount - damage.flipped, deck.count);
  const count = wholeIn(input, 'count', 1, most);
  if (count === undefined) {
    return refuse('flip/bad-count', `Flip 1 to ${most} cards.`, '5.11.1');
  }
  const label = textIn(input, 'flipCard');
  const refusal =
    label === undefined && input.flipCard === undefined ? undefined : namedFlip(move, input, player, label);
  if (refusal !== undefined) return refusal;
  const known = label !== undefined && knownCard(move.state, label) !== undefined;
  flipCards(move, player, count, label);
  if (move.state.shown !== null) return 'ST-10f';
  if (label === undefined || known) return deal(move);
  enteredFlip(move, player, label, input.stop === true);
  return 'ST-10f';
}

function namedFlip(
  move: Move,
  input: GameInput,
  player: Side,
  label: string | undefined,
): Refusal | undefined {
  const { deck } = move.state.players[player];
  if (label !== undefined && deck.known.length === deck.count && deck.count > 0) {
    return refuse('flip/deck-is-known', 'The cards of this deck are known: just flip.', '5.11.1');
  }
  const card = label === undefined ? undefined : knownCard(move.state, label);
  if (card !== undefined) {
    return isPlayable(move, player, card.id)
      ? undefined
      : refuse('flip/cannot-play', `${card.name} cannot be played now.`, '5.11.2', '1.13', 'AM-27');
  }
  if (label === undefined || typeof input.stop !== 'boolean') {
    return refuse('flip/bad-card', 'Name the Flip card and say whether it stops the attack.', '5.11.2');
  }
  return undefined;
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

/** Input `play-flip`: the owner plays the Flip card that was flipped, with its choices and costs (5.11.2). */
function takePlayFlip(move: Move, input: GameInput): Next {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  const { damage, shown } = move.state;
  if (damage === null || shown === null) return refuse('flip/none', 'No Flip card waits.', '5.11.2');
  if (player !== damage.to) return refuse('flip/not-yours', 'Its owner decides about a Flip card.', '5.11.2');
  const card = cardIn(move.state, shown);
  const said = saidIn(input, announcements(move.state, player, card, { flipped: true }));
  if (said === undefined) {
    return refuse('flip/bad-choice', `${card.name} cannot be played with these choices.`, '1.13', '6.2.1.2');
  }
  patchPlayer(move, player, { discard: takeCard(move.state.players[player].discard, shown) });
  patch(move, { shown: null });
  const object = announce(move, player, player, said, card);
  const text = `${nameOf(move, player)} plays the Flip card ${card.name}.`;
  say(move, 'damage/flip-card', ['5.11.2'], text, { player, label: card.name, card: card.id });
  fire(move, { is: 'plays', side: player, card, on: [] });
  patch(move, { flip: object });
  return 'ST-10f';
}

/** Input `leave-flip`: the flipped Flip card is not played. */
function takeLeaveFlip(move: Move, input: GameInput): Next {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  const { damage, shown } = move.state;
  if (damage === null || shown === null) return refuse('flip/none', 'No Flip card waits.', '5.11.2');
  if (player !== damage.to) return refuse('flip/not-yours', 'Its owner decides about a Flip card.', '5.11.2');
  patch(move, { shown: null });
  const text = `${nameOf(move, player)} does not play ${cardName(move, shown)}.`;
  say(move, 'damage/flip-left', ['5.11.2'], text, { player, card: shown });
  return 'ST-10';
}

/** ST-10f: a Flip card shows and its owner decides; once played, a window like any other answers it (5.11.2.1). */
export const answeringFlip: Phase = {
  rules: ['5.11.2', '5.11.2.1'],
  enter(move) {
    const { flip, shown } = move.state;
    if (flip === null && shown !== null) return 'stay';
    patch(move, { flip: null });
    openPhaseWindow(move, flip === null ? [] : [flip]);
    return 'stay';
  },
  closed: () => 'ST-10',
  takes: { 'play-flip': takePlayFlip, 'leave-flip': takeLeaveFlip },
};

/** ST-11: a window once damage is dealt (5.11.3); by option the team of a Team Attack retracts first (AM-12). */
export const afterDamage: Phase = {
  rules: ['5.11.3'],
  enter(move) {
    const { teamAttack, victor, options } = move.state;
    if (teamAttack && victor !== null && options.rules.teamRetract === 'afterAttack') {
      retractAll(move, victor, ['5.12.3', 'AM-12']);
    }
    fire(move, { is: 'attack-ends' });
    openPhaseWindow(move);
    return goOn(move);
  },
  closed: () => 'ST-12',
};

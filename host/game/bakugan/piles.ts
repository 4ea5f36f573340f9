import type { Side } from '../../ids.ts';
import { roll } from './chance.ts';
import { type Move, nameOf, patchPlayer, putCards, say, takeCard, takeTop } from './move.ts';
import type { Zone } from './state.ts';
import { knownCard } from './top.ts';
import { fire } from './triggers.ts';
import { detailsOf } from './versions.ts';

/** Draws cards; from an empty deck nothing is drawn, and that is no loss (1.17.1, 1.17.2). Returns how many. */
export function draw(move: Move, side: Side, n: number, rules: readonly string[]): number {
  const { deck, hand } = move.state.players[side];
  const taken = takeTop(deck, n);
  if (taken.cards.length > 0) {
    patchPlayer(move, side, { deck: taken.zone, hand: putCards(hand, taken.cards) });
    const count = taken.cards.length;
    const text = `${nameOf(move, side)} draws ${count === 1 ? 'a card' : `${count} cards`}.`;
    say(move, 'draw/drew', [...rules, '1.17.1'], text, { player: side, count });
  }
  if (taken.cards.length < n) {
    const text = `${nameOf(move, side)} has no card to draw and goes on without.`;
    say(move, 'draw/skipped', [...rules, '1.17.2'], text, { player: side });
  }
  return taken.cards.length;
}

/** Name of a card for everybody's eyes; a card that nobody knows has none. */
export function cardName(move: Move, id: string): string {
  return id === '' ? 'a card' : (knownCard(move.state, id)?.name ?? id);
}

/**
 * Lays cards on a player's discard pile, face up. Only those that come from hand or, as damage, off the deck are
 * `discarded`: texts see that. A card that has happened, was negated or destroyed is just put there.
 */
export function toDiscard(
  move: Move,
  side: Side,
  cards: readonly string[],
  how: 'discarded' | 'put' = 'put',
): void {
  const player = move.state.players[side];
  const isSeen = how === 'discarded' || detailsOf(move.state.version).putAwayIsDiscarded;
  const discard = putCards(player.discard, cards);
  const isAction = (id: string): boolean => knownCard(move.state, id)?.type === 'Action';
  if (isSeen && cards.some(isAction)) {
    patchPlayer(move, side, { discard, discarded: [...player.discarded, ...cards.filter(isAction)] });
  } else patchPlayer(move, side, { discard });
  if (!isSeen) return;
  for (const card of cards) if (card !== '') fire(move, { is: 'discarded', side, card });
}

/** Discards one card from hand; `''` is one that nobody knows. */
export function discardFromHand(move: Move, side: Side, card: string): void {
  patchPlayer(move, side, { hand: takeCard(move.state.players[side].hand, card) });
  toDiscard(move, side, [card], 'discarded');
  fire(move, { is: 'discards', side });
}

/** A pile in a new order, by the game's own chance. */
export function mixed(move: Move, zone: Zone): Zone {
  const cards = [...zone.known];
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = roll(move, last + 1);
    const held = cards[last] ?? '';
    cards[last] = cards[other] ?? '';
    cards[other] = held;
  }
  return { count: zone.count, known: cards };
}

import type { Side } from '../../ids.ts';
import type { GameState } from './state.ts';

/** Whether a card may still be among the cards of a registered deck that nobody has seen yet (1.1.2). */
export function isLeft(state: GameState, player: Side, id: string): boolean {
  const { deck } = state.options.players[player];
  if (typeof deck === 'number') return true;
  const own = state.players[player];
  const seen = [own.hand, own.discard, own.charged, own.uncharged, own.deck]
    .flatMap((zone) => zone.known)
    .filter((one) => one === id).length;
  const inPlay =
    state.heroes.filter((hero) => hero.owner === player && hero.card === id).length +
    own.bakugan.flatMap((one) => one.evos).filter((evo) => evo.card === id).length;
  const waiting = [...(state.window?.batch ?? []), ...state.frames.flatMap((one) => one.window?.batch ?? [])];
  const onBatch = waiting.filter(
    ({ deed }) => deed.do === 'card' && deed.owner === player && deed.card === id,
  ).length;
  return deck.filter((one) => one === id).length > seen + inPlay + onBatch;
}

/** Cards that this player may hold: those known to be in hand, and of a registered deck those that nobody has seen. */
export function mayBeInHand(state: GameState, player: Side): readonly string[] {
  const { hand } = state.players[player];
  const ids = new Set(hand.known);
  const { deck } = state.options.players[player];
  if (hand.count > hand.known.length && typeof deck !== 'number') {
    for (const id of new Set(deck)) if (isLeft(state, player, id)) ids.add(id);
  }
  return [...ids];
}

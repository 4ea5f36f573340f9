import type { Side } from '../../ids.ts';
import { valuesAt } from './bonus.ts';
import type { CardData, Pay } from './cards/vocabulary.ts';
import { amountOf, isMet, type Reading } from './conditions.ts';
import type { GameState } from './state.ts';
import { cardIn, fits } from './top.ts';

/** How a card is played: free by an effect, with something given up, with X as named. */
export type Terms = { readonly free: boolean; readonly pays: boolean; readonly x: number };

/** What may be given up for a lower cost of this card, if anything. */
export function payOf(card: CardData): Pay | undefined {
  for (const clause of card.text)
    if ('cost' in clause && clause.cost === 'this' && clause.pay) return clause.pay;
  return undefined;
}

/**
 * Energy that a card costs this player now (1.15.2): free sets the base to 0, changes still count, never below 0. Flips
 * cost the damaged player more by FrostStrike (1.9.1.2).
 */
export function costOf(state: GameState, side: Side, card: CardData, terms: Terms): number {
  let base = card.cost === 'X' ? terms.x : (card.cost ?? 0);
  let change = state.players[side].nextCost;
  const own: Reading = {
    you: side,
    from: { card: card.id, owner: side, hero: null, bakugan: null },
    facts: null,
    stats: valuesAt,
  };
  for (const clause of card.text) {
    if (!('cost' in clause) || clause.cost !== 'this') continue;
    if (clause.pay !== undefined && !terms.pays) continue;
    if (clause.if !== undefined && !isMet(state, own, clause.if)) continue;
    if (clause.set !== undefined) base = clause.set;
    change += amountOf(state, own, clause.by);
  }
  for (const hero of state.heroes) {
    if (hero.controller !== side) continue;
    for (const clause of cardIn(state, hero.card).text) {
      if (!('cost' in clause) || clause.cost === 'this' || !fits(state, card, clause.cost)) continue;
      const reading = { ...own, from: { card: hero.card, owner: hero.owner, hero: hero.id, bakugan: null } };
      if (clause.if !== undefined && !isMet(state, reading, clause.if)) continue;
      if (clause.set !== undefined) base = clause.set;
      change += amountOf(state, reading, clause.by);
    }
  }
  if (terms.free) base = 0;
  if (card.type === 'Flip' && state.damage !== null && state.damage.to === side)
    change += state.damage.frostStrike;
  return Math.max(0, base + change);
}

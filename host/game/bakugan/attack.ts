import type { Side } from '../../ids.ts';
import { valuesAt } from './bonus.ts';
import { amountOf, isMet, type Reading } from './conditions.ts';
import { type BakuganState, brawlerOf, type GameState } from './state.ts';
import { cardIn } from './top.ts';

/** Whether this player makes a Team Attack: won this Brawl with all three Bakugan open (5.12.1). */
export function isTeamAttack(state: GameState, victor: Side): boolean {
  return state.players[victor].bakugan.every((one) => one.open);
}

type Bonuses = { readonly damage: number; readonly frostStrike: number; readonly doubleStrike: boolean };

/** What the attack as a whole gets, once (ruling Q46): from Heroes and from cards of this turn. */
export function attackBonus(state: GameState, side: Side): Bonuses {
  let damage = 0;
  let frostStrike = 0;
  let doubleStrike = false;
  for (const one of state.players[side].attack) {
    damage += one.damage;
    frostStrike += one.frostStrike ?? 0;
    doubleStrike ||= one.doubleStrike === true;
  }
  for (const hero of state.heroes) {
    if (hero.controller !== side) continue;
    for (const clause of cardIn(state, hero.card).text) {
      if (!('gives' in clause) || clause.to !== 'own-attack') continue;
      const from = { card: hero.card, owner: hero.owner, hero: hero.id, bakugan: null };
      const reading: Reading = { you: side, from, facts: null, stats: valuesAt };
      if (clause.if !== undefined && !isMet(state, reading, clause.if)) continue;
      damage += amountOf(state, reading, clause.gives.damage);
      frostStrike += amountOf(state, reading, clause.gives.frostStrike);
      doubleStrike ||= clause.gives.doubleStrike === true;
    }
  }
  return { damage, frostStrike, doubleStrike };
}

function attackerOf(state: GameState): BakuganState | undefined {
  return state.victor === null ? undefined : brawlerOf(state, state.victor);
}

/**
 * Damage of the Victor's attack: the Victor's Damage Rating, or in a Team Attack the sum over the team, each never below
 * 0 (5.12.2, 5.12.2.1, 5.12.2.2). DoubleStrike counts if the Victor itself has it (5.12.2.3, AM-13).
 */
export function attackDamage(state: GameState): number {
  const { victor } = state;
  const attacker = attackerOf(state);
  if (victor === null || attacker === undefined) return 0;
  const stats = valuesAt(state, attacker);
  const bonus = attackBonus(state, victor);
  const own = Math.max(0, stats.damage);
  let sum = own;
  if (state.teamAttack) {
    sum = 0;
    for (const one of state.players[victor].bakugan) sum += Math.max(0, valuesAt(state, one).damage);
  }
  const total = Math.max(0, sum + bonus.damage);
  if (!stats.doubleStrike && !bonus.doubleStrike) return total;
  const again = state.teamAttack && state.options.rules.doubleStrike === 'victorAgain';
  return again ? total + own : total * 2;
}

/** FrostStrike of the attack: the Victor's own (5.12.2.3), and what the attack as a whole gets. */
export function attackFrost(state: GameState): number {
  const attacker = attackerOf(state);
  if (state.victor === null || attacker === undefined) return 0;
  return valuesAt(state, attacker).frostStrike + attackBonus(state, state.victor).frostStrike;
}

import type { Side } from '../../ids.ts';
import { statsOf } from './bonus.ts';
import { brawlerOf, type GameState } from './state.ts';

/** Whether this player makes a Team Attack: won this Brawl with all three Bakugan open (5.12.1). */
export function isTeamAttack(state: GameState, victor: Side): boolean {
  return state.players[victor].bakugan.every((one) => one.open);
}

/**
 * Damage of the Victor's attack: the Victor's Damage Rating, or in a Team Attack the sum over the team, each never below
 * 0 (5.12.2, 5.12.2.1, 5.12.2.2). DoubleStrike counts if the Victor itself has it (5.12.2.3, AM-13).
 */
export function attackDamage(state: GameState): number {
  const { victor } = state;
  const attacker = victor === null ? undefined : brawlerOf(state, victor);
  if (victor === null || attacker === undefined) return 0;
  const stats = statsOf(state, attacker);
  const own = Math.max(0, stats.damage);
  if (!state.teamAttack) return stats.doubleStrike ? own * 2 : own;
  let sum = 0;
  for (const one of state.players[victor].bakugan) sum += Math.max(0, statsOf(state, one).damage);
  if (!stats.doubleStrike) return sum;
  return state.options.rules.doubleStrike === 'doubleTotal' ? sum * 2 : sum + own;
}

/** FrostStrike of the attack: the Victor's own (5.12.2.3). */
export function attackFrost(state: GameState): number {
  const attacker = state.victor === null ? undefined : brawlerOf(state, state.victor);
  return attacker === undefined ? 0 : statsOf(state, attacker).frostStrike;
}

import type { Side } from '../../ids.ts';
import { type Move, patchPlayer, putCards, takeTop } from './move.ts';
import type { GameState } from './state.ts';
import { ruleOn } from './top.ts';

/** Energy that one Energy card makes (1.7.1.1). */
export function energyOfCard(state: GameState): number {
  return ruleOn(state, 'double-energy') ? 2 : 1;
}

/** Energy that a player can pay now. */
export function energyOf(state: GameState, side: Side): number {
  const { pool, charged } = state.players[side];
  return pool + charged.count * energyOfCard(state);
}

/** Pays: Energy from the pool, then as many charged cards turned as are needed (1.7.1.1.1). Returns cards turned. */
export function payEnergy(move: Move, side: Side, cost: number): number {
  const { pool, charged, uncharged } = move.state.players[side];
  const each = energyOfCard(move.state);
  const turned = Math.ceil(Math.max(0, cost - pool) / each);
  const taken = takeTop(charged, turned);
  patchPlayer(move, side, {
    pool: pool + turned * each - cost,
    charged: taken.zone,
    uncharged: putCards(uncharged, taken.cards),
  });
  return turned;
}

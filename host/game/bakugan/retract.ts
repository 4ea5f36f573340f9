import { opponentOf, SIDES } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import { type Move, type Next, patch } from './move.ts';
import type { Phase } from './phase.ts';
import { retract, retractAll, takeReturn } from './retracting.ts';
import { brawlerOf } from './state.ts';

function done(move: Move): 'ST-5' | 'ST-13' | 'ST-15' | 'stay' {
  if (move.state.returning.length > 0) return 'stay';
  const { victor, options } = move.state;
  // Without cards a tie is rolled again with the same Bakugan (D-9.1).
  if (options.mode === 'basic') return victor === null ? 'ST-5' : 'ST-15';
  patch(move, { selected: { A: null, B: null } });
  return 'ST-13';
}

/**
 * ST-12: the loser's Bakugan of this Brawl closes and its cores are placed, then after a Team Attack all of the Victor's
 * (5.13.1 to 5.13.3, 5.12.3, AM-12, AM-20). Otherwise the Victor's Bakugan stays open with its cores.
 */
export const retractingStep: Phase = {
  rules: ['5.13.1', '5.13.2', '5.13.3', '4.7.3'],
  enter(move) {
    const { victor, teamAttack, options } = move.state;
    if (victor === null && options.mode === 'basic') {
      for (const side of SIDES) {
        const tied = brawlerOf(move.state, side);
        if (tied !== undefined) retract(move, side, [tied.id], ['5.13.2', 'D-9.1']);
      }
    }
    if (victor !== null) {
      const loser = opponentOf(victor);
      const lost = brawlerOf(move.state, loser);
      if (lost !== undefined) retract(move, loser, [lost.id], ['5.13.2']);
      if (teamAttack) retractAll(move, victor, ['5.13.3', '5.12.3', 'AM-12']);
    }
    return done(move);
  },
  takes: {
    place(move: Move, input: GameInput): Next {
      const next = takeReturn(move, input);
      return next === 'stay' ? done(move) : next;
    },
  },
};

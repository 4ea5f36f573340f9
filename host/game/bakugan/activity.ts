import { SIDES } from '../../ids.ts';
import type { Activity, BallExpected } from '../../sensing/activity.ts';
import { type GameState, rerollerOf } from './state.ts';

/** What sensing should make of magnets now: a roll is judged in ST-5 only. */
export function activityOf(state: GameState): Activity {
  if (state.returning.length > 0) return { kind: 'hands', why: 'retract' };
  switch (state.at) {
    case 'SU-4':
      return { kind: 'hands', why: 'set-up' };
    case 'ST-3':
      return { kind: 'hands', why: 'selection' };
    case 'ST-5':
    case 'ST-8r': {
      if (state.roll === null) return { kind: 'idle' };
      const reroller = rerollerOf(state);
      const rollers = reroller === null ? SIDES : [reroller];
      const balls = rollers.flatMap((player): readonly BallExpected[] => {
        const bakugan = state.selected[player];
        return bakugan === null ? [] : [{ player, bakugan }];
      });
      const cores = state.cores.flatMap(({ cell, core }) => (cell === null ? [] : [{ cell, core }]));
      return { kind: 'roll', roll: state.roll.id, balls, cores };
    }
    default:
      return { kind: 'idle' };
  }
}

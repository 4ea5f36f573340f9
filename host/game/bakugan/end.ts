import { SIDES } from '../../ids.ts';
import { loseByEmptyDeck } from './game-over.ts';
import { nameOf, patch, patchBakugan, patchPlayer, say, zoneOf } from './move.ts';
import type { Phase } from './phase.ts';
import { openPhaseWindow } from './windows.ts';

/** ST-13: the last window of the turn (5.15.1). */
export const playStep: Phase = {
  rules: ['5.15.1'],
  enter(move) {
    openPhaseWindow(move);
    return 'stay';
  },
  closed: () => 'ST-14',
};

/** ST-14: both players charge all their uncharged Energy cards (5.16.1). */
export const chargeStep: Phase = {
  rules: ['5.16.1'],
  enter(move) {
    for (const side of SIDES) {
      const { charged, uncharged } = move.state.players[side];
      if (uncharged.count === 0) continue;
      const known = [...charged.known, ...uncharged.known];
      patchPlayer(move, side, {
        charged: { count: charged.count + uncharged.count, known },
        uncharged: zoneOf(uncharged, -uncharged.count),
      });
      const text = `${nameOf(move, side)} charges ${uncharged.count} Energy.`;
      say(move, 'charge/charged', ['5.16.1'], text, { player: side, count: uncharged.count });
    }
    return 'ST-15';
  },
};

/** ST-15: changes for the turn end, Energy that was not spent is lost (5.17.1). */
export const resetStep: Phase = {
  rules: ['5.17.1'],
  enter(move) {
    for (const side of SIDES) {
      const { bakugan, pool } = move.state.players[side];
      for (const one of bakugan) {
        const kept = one.modifiers.filter((modifier) => modifier.until === 'game');
        if (kept.length === one.modifiers.length) continue;
        patchBakugan(move, one.id, { modifiers: kept });
        say(move, 'reset/modifiers', ['5.17.1'], `Changes for this turn end on ${one.id}.`, {
          bakugan: one.id,
        });
      }
      if (pool === 0) continue;
      patchPlayer(move, side, { pool: 0 });
      const text = `${nameOf(move, side)} loses ${pool} Energy that was not spent.`;
      say(move, 'reset/energy', ['5.17.1', '1.7', 'AM-38'], text, { player: side, amount: pool });
    }
    patch(move, { window: null, decision: null });
    if (move.state.options.rules.loseWhen === 'emptyAtTurnEnd') {
      const next = loseByEmptyDeck(move, ['1.5', 'AM-02'], 'At the end of the turn');
      if (next !== undefined) return next;
    }
    return 'ST-1';
  },
};

import { SIDES, type Side } from '../../ids.ts';
import { triggered } from './abilities.ts';
import { statsOf, titleOf } from './bonus.ts';
import { type Move, nameOf, patch, say } from './move.ts';
import type { Phase } from './phase.ts';
import { isVictorAtOnce, openTriggers } from './power.ts';
import { type BatchObject, brawlerOf } from './state.ts';
import { openPhaseWindow } from './windows.ts';

/** The player with the highest B-Power among Bakugan of this Brawl, or the sole opener (5.10.1, AM-15). */
function strongest(move: Move): Side | undefined {
  let best: { readonly side: Side; readonly bPower: number } | undefined;
  for (const side of SIDES) {
    const bakugan = brawlerOf(move.state, side);
    if (bakugan === undefined) continue;
    const { bPower } = statsOf(move.state, bakugan);
    if (best === undefined || bPower > best.bPower) best = { side, bPower };
  }
  return best?.side;
}

/** ST-9: the Victor is declared, its abilities enter the batch, then a window (5.10.1 to 5.10.3). */
export const declaringVictor: Phase = {
  rules: ['5.10.1', '5.10.3'],
  enter(move) {
    // A tie-break has decided already.
    const victor = move.state.victor ?? strongest(move);
    const bakugan = victor === undefined ? undefined : brawlerOf(move.state, victor);
    if (victor === undefined || bakugan === undefined) return 'ST-13';
    patch(move, { victor });
    const { bPower } = statsOf(move.state, bakugan);
    const text = `${titleOf(bakugan)} of ${nameOf(move, victor)} is the Victor with ${bPower} B-Power.`;
    say(move, 'victor/declared', ['5.10.1'], text, { player: victor, bakugan: bakugan.id, bPower });
    const entering: { A: readonly BatchObject[]; B: readonly BatchObject[] } = isVictorAtOnce(move)
      ? openTriggers(move)
      : { A: [], B: [] };
    entering[victor] = [...entering[victor], ...triggered(move, 'victor', bakugan.id, victor)];
    openPhaseWindow(move, entering);
    return 'stay';
  },
  closed: () => 'ST-10',
};

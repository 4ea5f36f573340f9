import { opponentOf, SIDES, type Side } from '../../ids.ts';
import { isTeamAttack } from './attack.ts';
import { openPhaseWindow } from './batching.ts';
import { valuesAt } from './bonus.ts';
import { lose } from './game-over.ts';
import { type Move, nameOf, patch, say } from './move.ts';
import type { Phase } from './phase.ts';
import { brawlerOf } from './state.ts';
import { titleOf } from './top.ts';
import { fire } from './triggers.ts';

/** The player with the highest B-Power (or, by a card, Damage) in this Brawl, or the sole opener (5.10.1, AM-15). */
function strongest(move: Move): Side | undefined {
  let best: { readonly side: Side; readonly bPower: number } | undefined;
  for (const side of SIDES) {
    const bakugan = brawlerOf(move.state, side);
    if (bakugan === undefined) continue;
    const bPower = valuesAt(move.state, bakugan)[move.state.compare];
    if (best === undefined || bPower > best.bPower) best = { side, bPower };
  }
  return best?.side;
}

/** The game without cards is won by having all three Bakugan open (D-9.1). */
function winByTeam(move: Move, winner: Side): 'GO' {
  return lose(move, opponentOf(winner), ['D-9.1'], `${nameOf(move, winner)} has all three Bakugan open.`);
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
    const { bPower } = valuesAt(move.state, bakugan);
    const text = `${titleOf(move.state, bakugan)} of ${nameOf(move, victor)} is the Victor with ${bPower} B-Power.`;
    say(move, 'victor/declared', ['5.10.1'], text, { player: victor, bakugan: bakugan.id, bPower });
    if (move.state.options.mode === 'basic')
      return isTeamAttack(move.state, victor) ? winByTeam(move, victor) : 'ST-12';
    fire(move, { is: 'victor', bakugan: bakugan.id });
    openPhaseWindow(move);
    return 'stay';
  },
  closed: () => 'ST-10',
};

import type { BakuganId, CoreId, Side } from '../../ids.ts';
import type { GameInput } from '../ruleset.ts';
import { type Move, type Next, nameOf, patch, patchBakugan, patchCore, refuse, say } from './move.ts';
import { placeCore } from './placing.ts';
import { playerIn } from './read-input.ts';
import { bakuganOf, coresOf } from './state.ts';
import { titleOf } from './top.ts';

/**
 * Closes Bakugan of one player and hands their cores to that player to place (7.2.5, 5.13.2). A core that another
 * Bakugan holds too stays with it, or goes back at once, by the option for AM-08.
 */
export function retract(move: Move, player: Side, ids: readonly BakuganId[], rules: readonly string[]): void {
  const freed: CoreId[] = [];
  for (const id of ids) {
    const bakugan = bakuganOf(move.state, id);
    if (bakugan === undefined || !bakugan.open) continue;
    patchBakugan(move, id, { open: false, revealed: false });
    const text = `${nameOf(move, player)} retracts ${titleOf(move.state, bakugan)}.`;
    say(move, 'retract/closed', [...rules, '7.2.5'], text, { player, bakugan: id });
    for (const core of coresOf(move.state, id)) {
      const others = core.heldBy.filter((holder) => holder !== id);
      if (others.length > 0 && move.state.options.rules.sharedCore === 'lastHolder') {
        patchCore(move, core.core, { heldBy: others });
        const stays = `Core ${core.core} stays with ${others.join(' and ')}.`;
        say(move, 'retract/core-stays', ['5.7.2.2', 'AM-08'], stays, { core: core.core, heldBy: others });
      } else {
        patchCore(move, core.core, { heldBy: [] });
        freed.push(core.core);
      }
    }
  }
  if (freed.length > 0) patch(move, { returning: [...move.state.returning, { player, cores: freed }] });
}

/** Closes all open Bakugan of a player. */
export function retractAll(move: Move, player: Side, rules: readonly string[]): void {
  const ids = move.state.players[player].bakugan.filter((one) => one.open).map((one) => one.id);
  retract(move, player, ids, rules);
}

/** Input `place` while cores go back: whoever retracted lays them one at a time, in any order (4.7.3, 5.13.2). */
export function takeReturn(move: Move, input: GameInput): Next {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  const [head, ...rest] = move.state.returning;
  if (head === undefined) {
    return refuse('place/nothing-to-place', 'No core has to be placed now.', '5.13.2');
  }
  if (head.player !== player) {
    return refuse('place/not-your-turn', 'The other player places cores first.', '5.13.2', 'AM-20');
  }
  const laid = placeCore(move, input, player, head.cores);
  if ('code' in laid) return laid;
  const left = head.cores.filter((core) => core !== laid.core);
  patch(move, { returning: left.length > 0 ? [{ player, cores: left }, ...rest] : rest });
  return 'stay';
}

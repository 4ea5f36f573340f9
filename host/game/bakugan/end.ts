import { SIDES } from '../../ids.ts';
import type { Todo } from './batch.ts';
import { openPhaseWindow } from './batching.ts';
import { isOn } from './bonus.ts';
import { loseByEmptyDeck, settleOnTime } from './game-over.ts';
import { type Move, nameOf, patch, patchBakugan, patchPlayer, putCards, say, takeTop } from './move.ts';
import type { Phase } from './phase.ts';
import { goOn } from './resolve.ts';
import { fire, NO_FACTS, newObject } from './triggers.ts';

/** ST-13: the last window of the turn (5.15.1); texts for the end of the turn happen here, where there still is one. */
export const playStep: Phase = {
  rules: ['5.15.1'],
  enter(move) {
    fire(move, { is: 'turn-ends' });
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
      const { charged, uncharged, frozen } = move.state.players[side];
      const count = uncharged.count - Math.min(frozen, uncharged.count);
      patchPlayer(move, side, { frozen: 0 });
      if (count === 0) continue;
      const taken = takeTop(uncharged, count);
      patchPlayer(move, side, { charged: putCards(charged, taken.cards), uncharged: taken.zone });
      const text = `${nameOf(move, side)} charges ${count} Energy.`;
      say(move, 'charge/charged', ['5.16.1'], text, { player: side, count });
    }
    return 'ST-15';
  },
};

function endChanges(move: Move): void {
  for (const side of SIDES) {
    const { bakugan, pool } = move.state.players[side];
    for (const one of bakugan) {
      const kept = one.modifiers.filter(
        (modifier) => modifier.until !== 'turn' && isOn(move.state, modifier),
      );
      if (kept.length === one.modifiers.length) continue;
      patchBakugan(move, one.id, { modifiers: kept });
      say(move, 'reset/modifiers', ['5.17.1'], `Changes for this turn end on ${one.id}.`, {
        bakugan: one.id,
      });
    }
    patchPlayer(move, side, { attack: [], played: [], discarded: [], nextCost: 0 });
    if (pool === 0) continue;
    patchPlayer(move, side, { pool: 0 });
    const text = `${nameOf(move, side)} loses ${pool} Energy that was not spent.`;
    say(move, 'reset/energy', ['5.17.1', '1.7', 'AM-38'], text, { player: side, amount: pool });
  }
}

/** By option, hands are cut down to the limit (AM-18). Tells whether somebody has to discard. */
function overLimit(move: Move): boolean {
  const limit = move.state.options.rules.handLimit;
  if (limit === null) return false;
  const todo = SIDES.flatMap((who): readonly Todo[] => {
    const n = move.state.players[who].hand.count - limit;
    return n > 0 ? [{ step: { do: '#discard', n, who, by: who, types: null }, you: who }] : [];
  });
  if (todo.length === 0) return false;
  const from = { card: '', owner: move.state.startingPlayer, hero: null, bakugan: null };
  const deed = { do: 'text', from, picks: [], steps: [], it: null, kept: null } as const;
  const object = newObject(move, move.state.startingPlayer, 'Hand limit', deed);
  patch(move, { resolving: { object, from, todo, facts: NO_FACTS, cardTo: null, answer: null } });
  say(move, 'reset/hand-limit', ['AM-18'], `Hands are cut down to ${limit} cards.`, { limit });
  return true;
}

/** ST-15: changes for the turn end, Energy that was not spent is lost (5.17.1). */
export const resetStep: Phase = {
  rules: ['5.17.1'],
  enter(move) {
    endChanges(move);
    patch(move, {
      window: null,
      decision: null,
      resolving: null,
      frames: [],
      triggered: [],
      watches: [],
      used: [],
      copies: { A: 0, B: 0 },
      compare: 'bPower',
      rerolls: 0,
    });
    if (move.state.options.rules.loseWhen === 'emptyAtTurnEnd') {
      const next = loseByEmptyDeck(move, ['1.5', 'AM-02'], 'At the end of the turn');
      if (next !== undefined) return next;
    }
    if (move.state.timeCalled) return settleOnTime(move);
    if (!overLimit(move)) return 'ST-1';
    goOn(move);
    return move.state.decision === null ? 'ST-1' : 'stay';
  },
  settled: () => 'ST-1',
};

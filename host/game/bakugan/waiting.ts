import type { Side } from '../../ids.ts';
import { type GameState, rerollerOf } from './state.ts';
import type { BakuganView } from './view.ts';

type Waiting = BakuganView['waitingFor'];

const one = (who: Side | null, what: string): Waiting => (who === null ? [] : [{ who, what }]);

/** For whom or what the game waits, in plain words; empty once it is over. */
export function waitingFor(state: GameState): Waiting {
  const { at, acting, window, decision, damage, tie, roll } = state;
  const placing = state.returning[0];
  if (placing !== undefined) return one(placing.player, 'place the cores of retracted Bakugan');
  if (decision !== null) return one(decision.player, `decide about ${decision.label}`);
  if (window !== null) return one(window.holder, 'play or pass');
  switch (at) {
    case 'SU-4':
      return one(acting, 'place a core');
    case 'ST-2':
      return one(acting, 'energize a card or not');
    case 'ST-3':
      return one(acting, 'choose a Bakugan');
    case 'ST-5':
      return [{ who: 'sensors', what: 'both players roll' }];
    case 'ST-8r': {
      const reroller = rerollerOf(state);
      const who = reroller === null ? '' : state.players[reroller].name;
      return [{ who: 'sensors', what: `${who} rolls again` }];
    }
    case 'ST-10f':
      return one(damage?.to ?? null, 'play the Flip card or not');
    case 'ST-6':
      return [{ who: 'judge', what: roll?.judge ?? 'rule on the roll' }];
    case 'ST-8t':
      return (['A', 'B'] as const)
        .filter((side) => tie?.[side] === null)
        .map((who) => ({ who, what: 'turn the top card and give its cost' }));
    case 'ST-10':
      return damage === null
        ? []
        : one(
            damage.to,
            `flip ${Math.min(damage.amount - damage.flipped, state.players[damage.to].deck.count)}`,
          );
    default:
      return [];
  }
}

/** Players who may act now. */
export function actingPlayers(state: GameState): readonly Side[] {
  return waitingFor(state).flatMap(({ who }) => (who === 'A' || who === 'B' ? [who] : []));
}

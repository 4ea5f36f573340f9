import type { Json } from '../../ids.ts';
import type { Ruleset } from '../ruleset.ts';
import { activityOf } from './activity.ts';
import { cuesOf } from './cues.ts';
import { legalFor } from './legal.ts';
import { finishMove } from './move.ts';
import { checkOptions } from './options.ts';
import { rulingAsInput } from './ruling.ts';
import { seenBy } from './see.ts';
import { setUp } from './set-up.ts';
import type { GameState } from './state.ts';
import { enterFrom, stepGame } from './turn.ts';
import { NEWEST, PLAYABLE } from './versions.ts';
import type { BakuganView } from './view.ts';

/**
 * The Bakugan card game of 2019 to 2022 on a mat that feels the rolls: the whole of the rulebook's sections 4.7.3 and 5,
 * priority and batch, cards as data, and hand entry for what the data does not hold. Options: `BakuganOptions`. Name,
 * version and options head every match; a match of an older version is played and replayed by that one's details, see
 * `versions.ts`.
 */
export const bakugan: Ruleset<GameState, BakuganView> = {
  ...under(NEWEST),
  earlier: PLAYABLE.filter((version) => version !== NEWEST).map(under),
};

function under(version: string): Ruleset<GameState, BakuganView> {
  return {
    name: 'bakugan',
    version,
    setup(options: Json) {
      const move = setUp(checkOptions(options), version);
      enterFrom(move, 'SU-4');
      return { state: finishMove(move), events: move.events };
    },
    // The same decks, shuffled anew: nobody may know the order of the game before. Who begins places the first core.
    nextGame: (options, { chance }, first) =>
      typeof options === 'object' && options !== null && !Array.isArray(options)
        ? {
            ...options,
            seed: (chance + 1) >>> 0,
            ...(first === undefined ? {} : { placing: first === 'lot' ? 'random' : first }),
          }
        : options,
    legalInputs: legalFor,
    step: stepGame,
    rulingInput: rulingAsInput,
    studInput(state, player) {
      const mayPass = state.window?.holder === player && state.decision === null && state.winner === null;
      return mayPass ? { type: 'pass', by: { role: 'sensing', player } } : undefined;
    },
    view: seenBy,
    cues: cuesOf,
    activity: activityOf,
    over: (state) => state.winner ?? undefined,
  };
}

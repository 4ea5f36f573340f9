import type { BakuganId, Side } from '../../ids.ts';
import type { Source } from './batch.ts';
import type { Step } from './cards/vocabulary.ts';
import { bakuganOf, type GameState } from './state.ts';
import { titleOf, topOf } from './top.ts';

/** A text that a player may use now. */
export type Usable = {
  readonly bakugan: BakuganId;
  readonly label: string;
  readonly from: Source;
  readonly steps: readonly Step[];
  /** Kept so that it is used so often and no more. */
  readonly mark: string;
};

/**
 * Texts that a player may use in this window: "if you miss", in the Power Step, with the Bakugan that was rolled and did
 * not open (1.18). Counted by turn, or by option by attempt (AM-31).
 */
export function usable(state: GameState, side: Side): readonly Usable[] {
  const id = state.selected[side];
  const bakugan = id === null ? undefined : bakuganOf(state, id);
  if (state.at !== 'ST-8' || bakugan === undefined || bakugan.open) return [];
  const top = topOf(state, bakugan);
  return top.text.flatMap((clause): readonly Usable[] => {
    if (!('use' in clause)) return [];
    const each = state.options.rules.missReroll === 'eachAttempt' ? ` ${state.roll?.attempt ?? 0}` : '';
    const mark = `${bakugan.id} ${top.id}${each}`;
    if (clause.limit === 'turn' && state.used.includes(mark)) return [];
    const from = { card: top.id, owner: side, hero: null, bakugan: bakugan.id };
    return [
      { bakugan: bakugan.id, label: `${titleOf(state, bakugan)}: roll again`, from, steps: clause.do, mark },
    ];
  });
}

import type { Clause, Grant, Step } from '../cards/vocabulary.ts';
import type { CoreType } from '../view.ts';

/** A keyword or bonus that is always on. */
export function always(gives: Grant): Clause {
  return { gives };
}

/** An icon ability: on while a BakuCore of one of the types is attached (D-2.52). */
export function holds(types: readonly CoreType[], gives: Grant): Clause {
  return { gives, if: { holds: types } };
}

/** On while one's Bakugan hold the most BakuCores; equal is not most. */
export function domination(gives: Grant): Clause {
  return { gives, if: 'domination' };
}

/** An ability that enters the batch when this Bakugan opens or is declared Victor (6.3.2). */
export function when(moment: 'opens' | 'victor', step: Step): Clause {
  return { when: moment, do: [step] };
}

/** A card from hand may go to the Energy zone, uncharged. */
export const MAY_ENERGIZE: Step = { do: 'may', yes: [{ do: 'energize', from: 'hand', charged: false }] };

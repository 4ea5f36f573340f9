import type { CoreType } from '../view.ts';

/** What a Bakugan has while a condition holds. */
export type Grant = {
  readonly bPower?: number;
  readonly damage?: number;
  readonly frostStrike?: number;
  readonly doubleStrike?: true;
  readonly shadowStrike?: true;
};

/** What a triggered ability does when it resolves. */
export type TriggerDeed =
  /** The opposing player discards from hand. */
  | { readonly do: 'discard'; readonly count: number }
  /** Its controller gets Energy until the end of the turn. */
  | { readonly do: 'energy'; readonly amount: number }
  /** Its controller may put a card from hand into the Energy zone, uncharged. */
  | { readonly do: 'energize' }
  /** The opposing Bakugan of this Brawl gets this until the end of the turn. */
  | { readonly do: 'weaken'; readonly damage: number };

/** One sentence of a Character's text, as data. */
export type CardText =
  | { readonly when: 'always'; readonly gives: Grant }
  /** While a BakuCore of one of these types is attached; once, however many are (AM-23). */
  | { readonly when: 'holds'; readonly types: readonly CoreType[]; readonly gives: Grant }
  /** While the controller's Bakugan hold more BakuCores than the opponent's. */
  | { readonly when: 'domination'; readonly gives: Grant }
  /** Enters the batch when this Bakugan opens, or is declared Victor (6.3.2). */
  | { readonly when: 'opens' | 'victor'; readonly deed: TriggerDeed };

/** A keyword or bonus that is always on. */
export function always(gives: Grant): CardText {
  return { when: 'always', gives };
}

/** An icon ability: on while a BakuCore of one of the types is attached. */
export function holds(types: readonly CoreType[], gives: Grant): CardText {
  return { when: 'holds', types, gives };
}

/** On while one's Bakugan hold the most BakuCores; equal is not most. */
export function domination(gives: Grant): CardText {
  return { when: 'domination', gives };
}

/** An ability that enters the batch at a moment of the turn. */
export function trigger(when: 'opens' | 'victor', deed: TriggerDeed): CardText {
  return { when, deed };
}

import type { CoreType, Faction } from '../view.ts';

/** Card types (2.4.2.1). */
export type CardType = 'Action' | 'Flip' | 'Hero' | 'Evo' | 'Character';
/** Steps of the Evo ladder; nothing goes on a Diamond. */
export type Stage = 'Hyper' | 'Titan' | 'Maximus' | 'Diamond';

/** A number, or so much for each of something. `base` comes on top, once. */
export type Amount = number | { readonly each: number; readonly per: Count; readonly base?: number };

/** Things that are counted (1.8). */
export type Count =
  /** Own Bakugan of this Faction (2.5). */
  | { readonly count: 'own-bakugan'; readonly faction: Faction }
  /** Other cards that you played this turn. */
  | { readonly count: 'other-cards-played' }
  /** Cards that you played this turn. */
  | { readonly count: 'cards-played' }
  /** Heroes that you control; `types` of cards in the own discard pile; own Energy cards, charged or not. */
  | { readonly count: 'heroes' | 'energy' }
  | { readonly count: 'discard'; readonly types: readonly CardType[] }
  /** BakuCores that own Bakugan hold. */
  | { readonly count: 'cores' }
  /** FrostStrike or Damage Rating that a Bakugan has. */
  | { readonly count: 'frost-strike' | 'damage'; readonly of: Target }
  /** What an earlier step of this text moved, turned up or cost: see `draw`, `discard`, `shuffle`, `destroy`, `reveal`. */
  | { readonly count: 'moved' | 'moved-cost' | 'revealed-cost' }
  /** Energy paid for X (1.8.1.2). */
  | { readonly count: 'x' };

/** Conditions. A plain word, or an object with one leading key. */
export type Condition =
  /** No card in hand; another card played this turn; most Energy cards; own Bakugan hold the most cores. */
  | 'fury'
  | 'flow'
  | 'turbo'
  | 'domination'
  /** An Aurelus Bakugan is in the own team; opened with less B-Power than the opposing Bakugan. */
  | 'aurelus-power'
  | 'underdog'
  /** The step before did something (1.3.4); this Flip stopped the attack; a reroll opened; a coin showed heads. */
  | 'did'
  | 'stopped'
  | 'reroll-opened'
  | 'heads'
  /** Icon text: a Bakugan holds a core of one of these types (AM-23). `own-any`: any Bakugan of yours. */
  | { readonly holds: readonly CoreType[]; readonly of?: Target | 'own-any' | 'attacker' }
  /** Current Faction of a Bakugan (2.5.1.3). */
  | { readonly faction: readonly Faction[]; readonly of: Target }
  /** You control at least so many Heroes, or Heroes of that name, or own so many Energy cards, … */
  | { readonly heroes: number; readonly name?: string }
  | { readonly energy: number }
  | { readonly discard: number }
  /** Exactly so many own Bakugan are open. */
  | { readonly open: number }
  /** This Bakugan holds at least so many cores. */
  | { readonly cores: number }
  /** You played at least so many cards, cards of so many Factions, a card of at least this cost this turn. */
  | { readonly played: number }
  | { readonly playedFactions: number }
  | { readonly playedCost: number }
  | { readonly damageOf: Target; readonly atLeast: number }
  | { readonly handEmpty: 'opponent' }
  /** The card turned up by `reveal` or `look` is one of these. */
  | { readonly revealed: CardFilter }
  | { readonly not: Condition }
  | { readonly any: readonly Condition[] }
  | { readonly all: readonly Condition[] };

/** Which Bakugan: a word, or the name of a pick. `this` is the Bakugan whose card says it. */
export type Target =
  | 'this'
  | 'all'
  | 'all-own'
  | 'all-opposing'
  /** Own and opposing Bakugan of this Brawl (AM-42). */
  | 'own'
  | 'opposing'
  /** The Bakugan that opened, was rerolled, is Victor, was played on: what the moment is about. */
  | 'it'
  | 'rerolled'
  /** The own attack of this turn as a whole: once, a Team Attack is one attack. */
  | 'own-attack'
  /** A pick, by its name in capitals: `A`, `B`, … */
  | `${Capital}`;
/** Name of a pick. */
export type Capital = 'A' | 'B' | 'C' | 'D';

/** Which cards. All given parts must fit. */
export type CardFilter = {
  readonly types?: readonly CardType[];
  readonly notTypes?: readonly CardType[];
  readonly factions?: readonly Faction[];
  readonly maxCost?: number;
  readonly minCost?: number;
  readonly name?: string;
  /** Evos that fit this Bakugan. */
  readonly evoOf?: Target;
  readonly stage?: Stage;
  readonly ultra?: boolean;
};

/** What is chosen: on announcing a card (6.2.1.2), on resolving for a triggered or copied text. */
export type Pick = {
  /** Name in this clause: `A`, `B`, … */
  readonly as: Capital;
  /** Without it the card cannot be played (1.13); with `optional` the step that names it is skipped (1.3.4). */
  readonly optional?: true;
} & (
  | {
      /** A Bakugan; without `among`, those that the option for AM-42 allows. `side`: whose. */
      readonly of: 'bakugan';
      readonly side?: 'own' | 'opposing';
      readonly among?: 'open' | 'did-not-open' | 'any';
      readonly factions?: readonly Faction[];
      readonly not?: readonly Faction[];
      /** Not the Bakugan that is picked under this name, or not `this`. */
      readonly except?: Capital | 'this';
    }
  | { readonly of: 'player' }
  /** A card on the batch that can be negated or copied (6.2.1.1). */
  | { readonly of: 'batch'; readonly types: readonly CardType[]; readonly maxCost?: number }
  | { readonly of: 'hero'; readonly whose?: 'own' | 'opponent'; readonly maxCost?: number }
  | { readonly of: 'evo'; readonly whose?: 'own' | 'opponent'; readonly notThisTurn?: true }
  /** An Energy card: whose, and whether a charged one. */
  | { readonly of: 'energy'; readonly whose?: 'own' | 'opponent' }
  /** A core on the field, or one held by an opposing Bakugan. */
  | { readonly of: 'core'; readonly on: 'field' | 'opposing'; readonly types?: readonly CoreType[] }
  /** A card in play that is no Energy card: a Hero or an Evo. */
  | { readonly of: 'in-play' }
);

/** Who does or gets it; a name is a picked player. `you` is the controller. */
export type Who = 'you' | 'opponent' | 'each' | Capital;

/** Something given up beside the Energy cost (2.3.2, 6.2.1.3); Sacrifice is `{ discard: 1 }`. */
export type Pay = { readonly discard: number; readonly types?: readonly CardType[] };

import type { CoreType, Faction } from '../view.ts';
import type {
  Amount,
  Capital,
  CardFilter,
  CardType,
  Condition,
  Pay,
  Pick,
  Stage,
  Target,
  Who,
} from './words.ts';

export type {
  Amount,
  CardFilter,
  CardType,
  Condition,
  Count,
  Pay,
  Pick,
  Stage,
  Target,
  Who,
} from './words.ts';

/**
 * The words that card text is written in, as data. Each word cites the rule it rests on; VOCABULARY.md beside this file
 * shows each one in use. A card's text is a list of clauses, carried out in printed order (1.3.3).
 */

/** One card: printed facts and its text. */
export type CardData = {
  /** Set and number, as in `BB-87`; a second print of a number gets a letter, as in `BR-221b`. */
  readonly id: string;
  /** Printed name, `Ultra` included. */
  readonly name: string;
  readonly type: CardType;
  readonly factions: readonly Faction[];
  /** Printed Energy cost (2.3); Characters have none. */
  readonly cost?: number | 'X';
  /** Characters and Evos (2.9, 2.10). */
  readonly bPower?: number;
  readonly damage?: number;
  /** Characters (2.11). */
  readonly indicators?: readonly [CoreType, CoreType];
  /** Evos. */
  readonly stage?: Stage;
  readonly evolves?: { readonly name: string; readonly faction: Faction };
  readonly text: readonly Clause[];
  /** Why a part of the text, or all of it, is entered by hand (`modify`) instead. */
  readonly byHand?: string;
};

/** One thing that happens. */
export type Step =
  /** Bonus or keyword. Without `until` the duration is not printed: this turn for Actions and Flips (5.17.1). */
  | {
      readonly do: 'add';
      readonly to: Target;
      readonly bPower?: Amount;
      readonly damage?: Amount;
      readonly frostStrike?: Amount;
      readonly doubleStrike?: true;
      readonly shadowStrike?: true;
      /** With an `all` target: only these Factions. */
      readonly factions?: readonly Faction[];
      readonly until?: 'turn';
    }
  /** B-Power becomes this number; other bonuses come on top of it. */
  | { readonly do: 'set'; readonly to: Target; readonly bPower: number }
  /** Top cards of the deck to hand (1.17); `to-match`: until the hand is as large as the opponent's. */
  | { readonly do: 'draw'; readonly n: Amount | 'to-match'; readonly who?: Who }
  /** From hand to the discard pile; the player who discards chooses, unless `by` says `you`. */
  | {
      readonly do: 'discard';
      readonly n: Amount | 'all';
      readonly who: Who;
      readonly types?: readonly CardType[];
      readonly by?: 'you';
    }
  /** A card to the Energy zone: this card, from hand, deck top, discard pile, or a picked Hero. */
  | {
      readonly do: 'energize';
      readonly from: 'this' | 'hand' | 'deck' | 'discard' | Capital;
      readonly n?: Amount | 'all' | 'any';
      readonly who?: Who;
      /** Upright; `false` is printed as uncharged. True when absent. */
      readonly charged?: boolean;
    }
  /** Energy into the pool, until the Reset Step (1.7, 5.17.1). */
  | { readonly do: 'energy'; readonly n: Amount }
  /** Turn Energy cards upright (7.2.1) or sideways (7.2.2); `stays`: they stay so in the next Charge Step. */
  | { readonly do: 'charge'; readonly n: number | 'all' }
  | { readonly do: 'uncharge'; readonly n: number; readonly who: Who; readonly stays?: true }
  /** To the owner's discard pile: what was picked, this card, all of a kind, or all Energy but so many. */
  | { readonly do: 'destroy'; readonly what: Capital | 'this' }
  | {
      readonly do: 'destroy-all';
      readonly kind: 'heroes' | 'evos';
      readonly whose?: 'opponent';
      readonly except?: 'this';
    }
  | { readonly do: 'destroy-energy'; readonly who: Who; readonly n?: number; readonly keep?: number }
  /** A picked Hero changes its controller. */
  | { readonly do: 'control'; readonly what: Capital }
  /** A picked object of the batch does nothing; a card goes to the discard pile (6.2.1.1). */
  | { readonly do: 'negate'; readonly what: Capital }
  /** The text happens again with own choices (D-2.13). */
  | {
      readonly do: 'copy';
      readonly what: 'negated' | 'revealed' | 'next-action' | 'discarded-action' | 'first-action';
    }
  /** Closes a Bakugan; its cores go back (7.2.5). */
  | { readonly do: 'retract'; readonly to: Target }
  /** Rolls again (1.18): the own, the opposing, or this Bakugan of this Brawl. Optional only inside `may`. */
  | { readonly do: 'reroll'; readonly to: 'own' | 'opposing' | 'this' }
  /** An attack made by a card: Flips apply, no Victor, no Team Attack (AM-28). */
  | { readonly do: 'attack'; readonly faction: Faction; readonly damage: number }
  /** Ends the attack if the attacker has one of these Factions, none of those, or holds one of these core types. */
  | {
      readonly do: 'stop';
      readonly factions?: readonly Faction[];
      readonly not?: readonly Faction[];
      readonly holds?: readonly CoreType[];
    }
  /** The remaining damage of this attack is drawn instead of flipped. */
  | { readonly do: 'draw-damage' }
  /** The Victor is found by the highest Damage Rating this turn (1.3.1). */
  | { readonly do: 'compare-damage' }
  /** The turn ends at once (AM-35). */
  | { readonly do: 'end-turn' }
  /** A core of the field is attached; picked, or chosen on resolving. */
  | {
      readonly do: 'attach';
      readonly to: Target;
      readonly core?: Capital;
      readonly n?: number;
      readonly types?: readonly CoreType[];
    }
  /** Held cores are negated and go back to the field, placed by you: the picked one, or all of opposing Bakugan. */
  | { readonly do: 'detach'; readonly core: Capital | 'all-opposing' }
  /** Exchanges attached cores with the opposing Bakugan; both must hold one. */
  | { readonly do: 'swap'; readonly to: 'own' | 'this'; readonly n: 1 | 'all' }
  /** A core of the field is turned up and seen by all (1.12). */
  | { readonly do: 'turn-core' }
  /** A card is played without its Energy cost (1.15.2); optional, chosen on resolving. */
  | {
      readonly do: 'play';
      readonly from: 'hand' | 'revealed' | 'opponent-hand' | 'this';
      readonly filter?: CardFilter;
      readonly who?: Who;
      readonly times?: 'any';
    }
  /** Own deck is looked through for a card, which goes to hand; then shuffled. */
  | { readonly do: 'search'; readonly filter?: CardFilter; readonly reveal?: true }
  /** This card, or a picked one in play, goes to its owner's hand or under their deck instead. */
  | { readonly do: 'return'; readonly what: 'this' | Capital; readonly to: 'hand' | 'deck-bottom' }
  /** Cards from hand or discard pile are shuffled into the own deck. */
  | { readonly do: 'shuffle'; readonly from: 'hand' | 'discard'; readonly n: number | 'any' }
  /** The top cards of a deck are seen by you (`look`, then put back in any order) or by all (`reveal`). */
  | { readonly do: 'look'; readonly n: number }
  | { readonly do: 'reveal'; readonly of: 'deck' | 'opponent-deck' | 'opponent-hand' }
  | { readonly do: 'coin' }
  /** The next card you play this turn costs so much more or less. */
  | { readonly do: 'next-cost'; readonly by: number }
  /** Something that happens at a later moment of this turn. */
  | { readonly do: 'later'; readonly when: When; readonly steps: readonly Step[] }
  /** Asked when it happens (1.13); `pay` is given up then. With `who`, `you` inside means that player. */
  | {
      readonly do: 'may';
      readonly who?: Who;
      readonly pay?: Pay;
      readonly yes: readonly Step[];
      readonly no?: readonly Step[];
      readonly repeat?: true;
    }
  | {
      readonly do: 'if';
      readonly is: Condition;
      readonly yes: readonly Step[];
      readonly no?: readonly Step[];
    }
  /** One of several; chosen on announcing, by the opponent on resolving. `mastery`: Battle Mastery. */
  | {
      readonly do: 'choose';
      readonly by?: 'opponent';
      readonly mastery?: true;
      readonly of: readonly Option[];
    };

/** One of the things that `choose` offers, with picks of its own. */
export type Option = { readonly picks?: readonly Pick[]; readonly do: readonly Step[] };

/** Moments at which a text is triggered (6.3). */
export type When =
  /** You play this card (Heroes, Evos). */
  | 'played'
  /** This Bakugan opens, is declared Victor; a Bakugan of yours does. */
  | 'opens'
  | 'victor'
  | 'own-opens'
  | 'own-victor'
  /** The rerolled Bakugan is declared Victor (only in `later`). */
  | 'it-victor'
  /** A Bakugan of yours attacks (5.11.1). */
  | 'own-attacks'
  /** You choose a Bakugan to roll (5.6.1). */
  | 'selects'
  /** This card is discarded, from hand or as damage; you discard a card from hand. */
  | 'discarded'
  | 'you-discard'
  /** You take damage. */
  | 'damaged'
  /** The attack that goes on is over (5.11.3). */
  | 'attack-ends'
  /** Entering the Play Step, the last window of a turn (5.15.1). */
  | 'turn-ends'
  /** You deal at least so much damage in one attack. */
  | { readonly deals: number }
  /** A card is played; `onThis`: on this Bakugan. */
  | {
      readonly plays: 'you' | 'opponent';
      readonly filter?: CardFilter;
      readonly onThis?: true;
    };

/** What Bakugan have while a text is on. */
export type Grant = {
  readonly bPower?: Amount;
  readonly damage?: Amount;
  readonly frostStrike?: Amount;
  readonly doubleStrike?: true;
  readonly shadowStrike?: true;
};

/** What happens when an Action or a Flip resolves (4.4.3). Picks are made on announcing (6.2.1.2). */
export type PlayClause = { readonly picks?: readonly Pick[]; readonly do: readonly Step[] };

/** One sentence of a card. */
export type Clause =
  | PlayClause
  /** Triggered: enters the batch at a moment, if the condition holds then (6.3.2). */
  | {
      readonly when: When;
      readonly if?: Condition;
      readonly picks?: readonly Pick[];
      readonly do: readonly Step[];
    }
  /** On while the card is in play and the condition holds; `to` is `this` when absent. */
  | {
      readonly gives: Grant;
      readonly to?: 'this' | 'all' | 'all-own' | 'all-opposing' | 'own-attack';
      readonly factions?: readonly Faction[];
      readonly not?: readonly Faction[];
      readonly if?: Condition;
    }
  /** May be used in a window after this Bakugan missed (1.18); counted by turn (AM-31). */
  | { readonly use: 'missed'; readonly limit: 'turn' | 'any'; readonly do: readonly Step[] }
  /** Changes the cost of this card, or of cards of yours while in play. `pay`: only when given up on announcing. */
  | {
      readonly cost: 'this' | CardFilter;
      readonly by?: Amount;
      readonly set?: 0;
      readonly if?: Condition;
      readonly pay?: Pay;
    }
  /** A rule is changed while the card is in play (1.3.1). */
  | {
      readonly rule: /** Every player draws one more in the Draw Step (5.3.1). */
        | 'extra-draw'
        /** Both effects of your Battle Mastery cards happen. */
        | 'both-masteries'
        /** Each Energy card makes two Energy, for everybody. */
        | 'double-energy'
        /** This Bakugan also counts the cores of your other Bakugan as its own. */
        | 'team-cores'
        /** This Bakugan is of all six Factions (2.5.1.3). */
        | 'all-factions'
        /** The first Action you play each turn is copied. */
        | 'copy-first-action'
        /** This card may be played from the discard pile as from hand. */
        | 'play-from-discard';
    };

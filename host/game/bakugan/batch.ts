import type { BakuganId, CoreId, Side } from '../../ids.ts';
import type { CardType, Pick, Step, When } from './cards/vocabulary.ts';
import type { CoreType } from './view.ts';

/** A change of a Bakugan's values, or of a player's attack, by a card or a person. */
export type Modifier = {
  /** Entered by a person, or made by a card that the game knows. */
  readonly source: 'hand' | 'card';
  readonly label: string;
  /** Who entered it, in plain words; or the ability it came from. */
  readonly by: string;
  readonly bPower: number;
  readonly damage: number;
  readonly frostStrike?: number;
  readonly doubleStrike?: true;
  readonly shadowStrike?: true;
  /** B-Power is this instead of the printed one. */
  readonly setBPower?: number;
  /** `turn` ends in the Reset Step (5.17.1), `source` when the card that made it leaves play. */
  readonly until: 'turn' | 'game' | 'source';
  /** What it hangs on, for `source`: a Hero's id, or Bakugan and Evo. */
  readonly hangsOn?: string;
};

/** What was chosen for a text: letters of picks, `mode` of a choice, `x`. */
export type Choices = { readonly [name: string]: string };

/** What a batch object does when it resolves. */
export type Deed =
  | {
      readonly do: 'modify';
      readonly bakugan: BakuganId;
      readonly modifier: Modifier;
      /** Paid as a card from hand: goes to the discard pile after it resolved. */
      readonly card: boolean;
    }
  /** A Flip card entered by hand; `stop` ends the rest of the attack. */
  | { readonly do: 'flip'; readonly stop: boolean }
  /** A card that the game knows; `on` is the Bakugan that an Evo goes on. */
  | {
      readonly do: 'card';
      readonly card: string;
      readonly owner: Side;
      readonly choices: Choices;
      readonly on: BakuganId | null;
    }
  /** A triggered or used text of a card. */
  | {
      readonly do: 'text';
      readonly from: Source;
      readonly picks: readonly Pick[];
      readonly steps: readonly Step[];
      /** Whom the moment is about. */
      readonly it: BakuganId | null;
      /** Values kept from where it was set up. */
      readonly kept: Facts | null;
    };

/** Where a text comes from. */
export type Source = {
  readonly card: string;
  readonly owner: Side;
  readonly hero: string | null;
  readonly bakugan: BakuganId | null;
};

/** One card or ability in the batch (4.4). */
export type BatchObject = {
  /** Rises by one in a game. */
  readonly id: number;
  readonly controller: Side;
  readonly label: string;
  readonly deed: Deed;
};

/** What steps of a text tell later ones. */
export type Facts = {
  readonly choices: Choices;
  readonly it: BakuganId | null;
  readonly rerolled: BakuganId | null;
  readonly did: boolean;
  readonly stopped: boolean;
  readonly rerollOpened: boolean;
  readonly heads: boolean;
  /** Cards that the step before moved, by player, and their printed cost. */
  readonly moved: { readonly [side in Side]: number };
  readonly movedCost: number;
  /** Cards turned up, and whose pile they are in. */
  readonly revealed: readonly string[];
  readonly revealedIn: { readonly side: Side; readonly zone: 'deck' | 'hand' } | null;
  /** A negated card, to be copied. */
  readonly negated: string | null;
};

/** A step that waits, and who `you` is in it. */
export type Todo = { readonly step: Step | InnerStep; readonly you: Side };

/** Parts of steps that take several answers. */
export type InnerStep =
  | { readonly do: '#pick'; readonly pick: Pick }
  | {
      readonly do: '#discard';
      readonly n: number;
      readonly who: Side;
      readonly by: Side;
      readonly types: readonly CardType[] | null;
    }
  | {
      readonly do: '#energize';
      readonly n: number;
      readonly who: Side;
      readonly charged: boolean;
      readonly any: boolean;
    }
  | {
      readonly do: '#attach';
      readonly n: number;
      readonly to: BakuganId;
      readonly types: readonly CoreType[] | null;
    }
  | { readonly do: '#shuffle'; readonly from: 'hand' | 'discard'; readonly n: number; readonly any: boolean }
  | { readonly do: '#order'; readonly cards: readonly string[] }
  | { readonly do: '#swap-back'; readonly own: CoreId; readonly to: BakuganId; readonly with: BakuganId }
  | { readonly do: '#roll-again'; readonly bakugan: BakuganId }
  | { readonly do: '#mix' }
  | { readonly do: '#you'; readonly facts: Partial<Facts> };

/** A batch object that is happening. */
export type Resolving = {
  readonly object: BatchObject;
  readonly from: Source;
  /** Next one first. */
  readonly todo: readonly Todo[];
  readonly facts: Facts;
  /** Where its card goes at the end; null when it has gone somewhere already, or there is none. */
  readonly cardTo: 'discard' | null;
  /** What was answered to its question. */
  readonly answer: string | null;
};

/** Something asked of a player while a text happens. */
export type Question = {
  readonly kind: 'may' | 'choice' | 'order';
  readonly player: Side;
  readonly label: string;
  readonly rules: readonly string[];
  readonly options: readonly { readonly value: string; readonly label: string }[];
};

/** Something that happens at a later moment of this turn. */
export type Watch = {
  readonly controller: Side;
  readonly label: string;
  readonly when: When;
  readonly from: Source;
  readonly steps: readonly Step[];
  readonly facts: Facts;
};

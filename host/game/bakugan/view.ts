import type { BakuganId, CellId, CoreId, Side } from '../../ids.ts';

/** States of a turn in their order (what each is: `STEPS` in see.ts); `GO` is game over. */
export type StateId =
  | 'SU-4'
  | 'ST-1'
  | 'ST-2'
  | 'ST-3'
  | 'ST-4'
  | 'ST-5'
  | 'ST-6'
  | 'ST-7'
  | 'ST-8'
  | 'ST-8r'
  | 'ST-8t'
  | 'ST-9'
  | 'ST-10'
  | 'ST-10f'
  | 'ST-11'
  | 'ST-12'
  | 'ST-13'
  | 'ST-14'
  | 'ST-15'
  | 'GO';

export type Faction = 'Pyrus' | 'Aquos' | 'Ventus' | 'Haos' | 'Darkus' | 'Aurelus';
export type CoreType = 'FT' | 'FF' | 'SD' | 'MS' | 'HE';

/** One addend of a B-Power or Damage Rating. */
export type Bonus = {
  /** `printed`, `core`, `icon`, `hand` (entered by a person), … */
  readonly source: string;
  /** Plain words, as in `BakuCore A2`. */
  readonly label: string;
  readonly amount: number;
};

export type BakuganSeen = {
  readonly id: BakuganId;
  readonly name: string;
  readonly faction: Faction;
  readonly open: boolean;
  readonly selected: boolean;
  /** Revealed Character card. */
  readonly revealed: boolean;
  readonly cores: readonly CoreId[];
  readonly bPower: number;
  readonly bPowerParts: readonly Bonus[];
  readonly damage: number;
  readonly damageParts: readonly Bonus[];
  readonly keywords: readonly string[];
  /** Evos on its Character card, the top one last. */
  readonly evos?: readonly CardSeen[];
};

/** A card that this audience knows. */
export type CardSeen = {
  readonly id: string;
  readonly name: string;
  readonly type?: string;
  readonly cost?: number | 'X';
};

export type PlayerSeen = {
  readonly side: Side;
  readonly name: string;
  readonly deck: number;
  readonly hand: number;
  readonly discard: number;
  readonly energyCharged: number;
  readonly energyUncharged: number;
  /** Energy made and not yet spent, lost in the Reset Step (5.17.1). */
  readonly energyPool?: number;
  readonly heroes?: readonly CardSeen[];
  /** Cards of the discard pile that are known, the newest last. */
  readonly discarded?: readonly CardSeen[];
  /** Cards in hand that are known, for their owner's eyes only. */
  readonly cards?: readonly CardSeen[];
  /** Energy cards that are known, for their owner's eyes only (D-1.45). */
  readonly energy?: readonly CardSeen[];
  readonly bakugan: readonly BakuganSeen[];
};

export type CoreSeen = {
  readonly core: CoreId;
  readonly owner: Side;
  readonly type: CoreType;
  /** Print number of the BakuCore table; undefined while face down for this audience. */
  readonly print?: number;
  /** Where it lies, or absent while held. */
  readonly cell?: CellId;
  /** Bakugan that hold it. */
  readonly heldBy: readonly BakuganId[];
};

export type LogLine = {
  readonly turn: number;
  readonly state: StateId;
  readonly type: string;
  readonly text: string;
  readonly rules: readonly string[];
};

/** What one audience sees of a game. */
export type BakuganView = {
  readonly ruleset: 'bakugan';
  readonly turn: number;
  readonly state: StateId;
  readonly phase: 'Set-up' | 'Start Phase' | 'Roll Phase' | 'Brawl Phase' | 'End Phase' | 'Game over';
  readonly step: string;
  readonly startingPlayer?: Side;
  /** Open priority window, who may act in it and how many have passed in a row. */
  readonly window?: { readonly id: StateId; readonly holder: Side; readonly passes: number };
  /** Cards and abilities that wait to happen, the next to happen last (4.4). */
  readonly batch?: readonly { readonly controller: Side; readonly label: string }[];
  /** A flipped Flip card whose owner decides about it. */
  readonly flipCard?: CardSeen;
  /** For whom or what the game waits, in plain words. */
  readonly waitingFor: readonly { readonly who: Side | 'judge' | 'sensors'; readonly what: string }[];
  readonly players: { readonly A: PlayerSeen; readonly B: PlayerSeen };
  readonly cores: readonly CoreSeen[];
  readonly roll?: {
    readonly id: string;
    readonly attempt: number;
    readonly results: readonly {
      readonly player: Side;
      readonly opened: 'yes' | 'no' | 'undetermined' | 'pending';
      readonly cores: readonly CoreId[];
      /** Cores that may be attached besides; a judge settles it. */
      readonly possible?: readonly CoreId[];
    }[];
    /** Why a judge is asked, in plain words. */
    readonly judge?: string;
  };
  readonly victor?: Side;
  readonly teamAttack: boolean;
  readonly damage?: {
    readonly to: Side;
    readonly amount: number;
    readonly flipped: number;
    /** Flip cards cost the damaged player this much more Energy during this attack. */
    readonly frostStrike?: number;
  };
  readonly winner?: Side | 'draw';
  /** Newest last, at most 60. */
  readonly log: readonly LogLine[];
};

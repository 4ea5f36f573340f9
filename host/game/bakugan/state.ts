import type { BakuganId, CellId, CoreId, RollId, Side } from '../../ids.ts';
import type { PassWindow } from '../pass-window.ts';
import type { TriggerDeed } from './data/text.ts';
import type { CheckedOptions } from './options.ts';
import type { LogLine, StateId } from './view.ts';

/** A pile of cards: how many, and the names of those that are known, oldest first. The rest is hidden. */
export type Zone = { readonly count: number; readonly known: readonly string[] };

/** A change of a Bakugan's values by a card or a person. */
export type Modifier = {
  /** Entered by a person, or made by a card that the game knows. */
  readonly source: 'hand' | 'card';
  readonly label: string;
  /** Who entered it, in plain words; or the ability it came from. */
  readonly by: string;
  readonly bPower: number;
  readonly damage: number;
  /** `turn` ends in the Reset Step (5.17.1). */
  readonly until: 'turn' | 'game';
};

export type BakuganState = {
  readonly id: BakuganId;
  /** Character card, as in `BB-343`. */
  readonly card: string;
  readonly open: boolean;
  /** Its Character card lies face up (5.7.2). */
  readonly revealed: boolean;
  readonly modifiers: readonly Modifier[];
};

export type PlayerState = {
  readonly name: string;
  readonly deck: Zone;
  readonly hand: Zone;
  readonly discard: Zone;
  /** Energy zone: cards upright and cards turned sideways; and Energy made and not yet spent (1.7). */
  readonly charged: Zone;
  readonly uncharged: Zone;
  readonly pool: number;
  readonly bakugan: readonly [BakuganState, BakuganState, BakuganState];
};

/** A BakuCore lies on a cell, or is held by Bakugan, or waits in a player's hand to be placed. */
export type CoreState = {
  readonly core: CoreId;
  readonly print: number;
  readonly cell: CellId | null;
  readonly heldBy: readonly BakuganId[];
  /** Cell it was picked up from last. */
  readonly from: CellId | null;
  /** Its effect side has been seen by both players (1.12). */
  readonly known: boolean;
};

/** What a batch object does when it resolves. */
export type Deed =
  | {
      readonly do: 'modify';
      readonly bakugan: BakuganId;
      readonly modifier: Modifier;
      /** Paid as a card from hand: goes to the discard pile after it resolved. */
      readonly card: boolean;
    }
  /** A Flip card; `stop` ends the rest of the attack. */
  | { readonly do: 'flip'; readonly stop: boolean }
  | (TriggerDeed & { readonly source: BakuganId });

/** One card or ability in the batch (4.4). */
export type BatchObject = {
  /** Rises by one in a game. */
  readonly id: number;
  readonly controller: Side;
  readonly label: string;
  readonly deed: Deed;
};

export type BallResult = {
  readonly player: Side;
  readonly opened: 'yes' | 'no' | 'undetermined' | 'pending';
  /** Cores that are attached for sure. */
  readonly cores: readonly CoreId[];
  /** Cores that may be attached besides; empty once settled. */
  readonly possible: readonly CoreId[];
  /** Cores that were touched, for pictures. */
  readonly touched: readonly CoreId[];
  /** A judge has ruled on it; sensors no longer change it. */
  readonly judged: boolean;
};

export type RollState = {
  readonly id: RollId;
  /** From 1 in each turn (5.7.2.1). */
  readonly attempt: number;
  /** Revision of the ruling that gave the results; 0 before there is one. */
  readonly revision: number;
  readonly results: readonly BallResult[];
  /** Illegal rolls of this turn (AM-09). */
  readonly offences: { readonly [side in Side]: number };
  /** Why a judge is asked; null while nobody has to. */
  readonly judge: string | null;
};

export type DamageState = {
  readonly to: Side;
  readonly amount: number;
  readonly flipped: number;
  readonly frostStrike: number;
  /** A Flip card ended the attack; nothing changes its amount any more. */
  readonly stopped: boolean;
};

/** Cores that a player has to put back on the field, in any order (4.7.3). */
export type Returning = { readonly player: Side; readonly cores: readonly CoreId[] };

/** The whole game as a JSON value. Absent parts are null. */
export type GameState = {
  readonly options: CheckedOptions;
  /** State of the chance inside the game, a 32-bit integer. Never shown. */
  readonly chance: number;
  readonly at: StateId;
  /** From 1; 0 during set-up. */
  readonly turn: number;
  readonly startingPlayer: Side;
  /** Who decides now in SU-4, ST-2 and ST-3. */
  readonly acting: Side | null;
  readonly players: { readonly [side in Side]: PlayerState };
  readonly cores: readonly CoreState[];
  /** Bakugan chosen to roll this turn (5.6.1), until the Retracting Step. */
  readonly selected: { readonly [side in Side]: BakuganId | null };
  readonly window: PassWindow<BatchObject> | null;
  /** Number of the last batch object. */
  readonly objects: number;
  /** A resolving ability waits for its controller's "may" (1.13). */
  readonly decision: BatchObject | null;
  readonly roll: RollState | null;
  /** Energy costs turned up so far in this round of the tie-break. */
  readonly tie: { readonly [side in Side]: number | null } | null;
  /** Player of the Victor of this turn's Brawl (5.10.1). */
  readonly victor: Side | null;
  readonly teamAttack: boolean;
  readonly damage: DamageState | null;
  /** A Flip card on its way from the deck to the batch. */
  readonly flip: BatchObject | null;
  /** Whose cores go back, first one now. */
  readonly returning: readonly Returning[];
  readonly winner: Side | 'draw' | null;
  /** Newest last, at most 60. */
  readonly log: readonly LogLine[];
};

/** Owner of a Bakugan or core, from its id. */
export function sideOf(id: BakuganId | CoreId): Side {
  return id.startsWith('A') ? 'A' : 'B';
}

/** The Bakugan with this id, or undefined. */
export function bakuganOf(state: GameState, id: BakuganId): BakuganState | undefined {
  return state.players[sideOf(id)].bakugan.find((bakugan) => bakugan.id === id);
}

/** The core with this id, or undefined. */
export function coreOf(state: GameState, id: CoreId): CoreState | undefined {
  return state.cores.find((core) => core.core === id);
}

/** Cores attached to a Bakugan. */
export function coresOf(state: GameState, id: BakuganId): readonly CoreState[] {
  return state.cores.filter((core) => core.heldBy.includes(id));
}

/** The player's Bakugan in this Brawl: selected and open (5.7.2). */
export function brawlerOf(state: GameState, side: Side): BakuganState | undefined {
  const id = state.selected[side];
  const bakugan = id === null ? undefined : bakuganOf(state, id);
  return bakugan?.open ? bakugan : undefined;
}

import type { BakuganId, CellId, CoreId, RollId, Side } from '../../ids.ts';
import type { PassWindow } from '../pass-window.ts';
import type { BatchObject, Modifier, Question, Resolving, Watch } from './batch.ts';
import type { CardData, CardType } from './cards/vocabulary.ts';
import type { CheckedOptions } from './options.ts';
import type { Faction, LogLine, StateId } from './view.ts';

/**
 * A pile of cards: how many, and those that are known by id or, entered by hand, by name. Known in full, the order
 * counts and the last one lies on top; known in part, it does not. The rest is hidden.
 */
export type Zone = { readonly count: number; readonly known: readonly string[] };

/** An Evo on a Character card. */
export type EvoState = { readonly card: string; readonly turn: number };

export type BakuganState = {
  readonly id: BakuganId;
  /** Character card, as in `BB-343`. */
  readonly card: string;
  readonly open: boolean;
  /** Its Character card lies face up (5.7.2). */
  readonly revealed: boolean;
  readonly modifiers: readonly Modifier[];
  /** Evos on its Character card, the top one last (D-2.36). */
  readonly evos: readonly EvoState[];
  /** Turn in which it opened last; 0 before. */
  readonly openedIn: number;
};

/** A Hero in play. */
export type HeroState = {
  /** As in `H7`. */
  readonly id: string;
  readonly card: string;
  readonly owner: Side;
  readonly controller: Side;
  /** Turn in which it was played. */
  readonly turn: number;
};

/** A card that a player played this turn. */
export type PlayedCard = {
  readonly id: string;
  readonly type: CardType;
  readonly factions: readonly Faction[];
  /** Printed; X as paid. */
  readonly cost: number;
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
  /** Cards of this turn, for Flow and the like. */
  readonly played: readonly PlayedCard[];
  /** Actions that went to this player's discard pile from hand or deck this turn. */
  readonly discarded: readonly string[];
  /** Change of the next card's cost this turn. */
  readonly nextCost: number;
  /** Uncharged Energy cards that stay so in the next Charge Step. */
  readonly frozen: number;
  /** Changes of the own attack as a whole. */
  readonly attack: readonly Modifier[];
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

/** What goes on outside a card's attack or a reroll, taken up again when that is over. */
export type Frame = {
  readonly at: StateId;
  readonly window: PassWindow<BatchObject> | null;
  readonly resolving: Resolving | null;
  readonly damage: DamageState | null;
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
  /** Made by the Victor, or by a card (AM-28). */
  readonly by: 'victor' | 'card';
  /** The attack's Factions, and who attacks; a card has no attacker. */
  readonly factions: readonly Faction[];
  readonly attacker: BakuganId | null;
  /** The rest goes to hand instead. */
  readonly drawn: boolean;
};

/** Cores that a player has to put back on the field, in any order (4.7.3). */
export type Returning = { readonly player: Side; readonly cores: readonly CoreId[] };

/** The whole game as a JSON value. Absent parts are null. */
export type GameState = {
  /** Version of the rules that this match is pinned to. */
  readonly version: string;
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
  /** A player is asked something while a text happens (1.13). */
  readonly decision: Question | null;
  readonly resolving: Resolving | null;
  readonly frames: readonly Frame[];
  /** Texts that were triggered and not yet in the batch (6.3.2). */
  readonly triggered: readonly BatchObject[];
  readonly watches: readonly Watch[];
  readonly heroes: readonly HeroState[];
  /** Cards beside those that come with the game, or as they were in an older version. */
  readonly cards: readonly CardData[];
  /** Texts used up this turn or attempt. */
  readonly used: readonly string[];
  /** Actions of this player that are copied when played next (`copy`). */
  readonly copies: { readonly [side in Side]: number };
  /** By what the Victor is found this turn. */
  readonly compare: 'bPower' | 'damage';
  /** Bakugan of this turn's roll, until the next turn. */
  readonly rolled: { readonly [side in Side]: BakuganId | null };
  /** Rerolls of this turn. */
  readonly rerolls: number;
  readonly roll: RollState | null;
  /** Energy costs turned up so far in this round of the tie-break. */
  readonly tie: { readonly [side in Side]: number | null } | null;
  /** Player of the Victor of this turn's Brawl (5.10.1). */
  readonly victor: Side | null;
  readonly teamAttack: boolean;
  readonly damage: DamageState | null;
  /** A Flip card on its way from the deck to the batch. */
  readonly flip: BatchObject | null;
  /** A flipped Flip card that its owner may play. */
  readonly shown: string | null;
  /** Whose cores go back, first one now. */
  readonly returning: readonly Returning[];
  /** Time was called: the game is settled when this turn ends (D-8.3). */
  readonly timeCalled: boolean;
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

/** Whose Bakugan rolls again now, null when it is no reroll (1.18). */
export function rerollerOf(state: GameState): Side | null {
  const frame = state.frames.at(-1);
  const id = frame?.resolving?.facts.rerolled ?? null;
  const isRoll = state.at === 'ST-8r' || state.at === 'ST-6' || state.at === 'ST-5';
  return frame !== undefined && isRoll && id !== null ? sideOf(id) : null;
}

/** The player's Bakugan in this Brawl: selected and open (5.7.2). */
export function brawlerOf(state: GameState, side: Side): BakuganState | undefined {
  const id = state.selected[side];
  const bakugan = id === null ? undefined : bakuganOf(state, id);
  return bakugan?.open ? bakugan : undefined;
}

import type { Json, Side } from '../../ids.ts';
import type { BakuganOptions } from '../bakugan/options.ts';

/** A Bakugan in a given position: its Character card, or more of it. */
export type GivenBakugan =
  | string
  | {
      readonly card: string;
      readonly open?: boolean;
      /** Print numbers of the BakuCores it holds. */
      readonly cores?: readonly number[];
      /** Evos on it, the top one last. */
      readonly evos?: readonly string[];
    };

/** A pile: how many cards nobody knows, or which ones; of a deck the first is the top card. */
export type GivenPile = number | readonly string[];

/** What one player has. */
export type GivenPlayer = {
  readonly bakugan?: readonly GivenBakugan[];
  /** Print numbers of the own BakuCores on the field, the first ones; the rest is as it comes. */
  readonly field?: readonly number[];
  readonly deck?: GivenPile;
  readonly hand?: GivenPile;
  readonly discard?: GivenPile;
  readonly charged?: GivenPile;
  readonly uncharged?: GivenPile;
  readonly pool?: number;
  readonly heroes?: readonly string[];
};

/** What is expected of parts of the state: by name, as in `A/1.bPower`; see README.md. */
export type Expected = { readonly [part: string]: Json };

/** One step: something done, and what it leads to. Exactly one of the doing words. */
export type ScenarioStep = {
  /** A whole input, with `by`. */
  readonly input?: { readonly [key: string]: Json };
  /** An input by a player: `{ "as": "A", "type": "play", … }`. */
  readonly as?: Side;
  readonly type?: string;
  /** So many passes, each by whoever holds priority. */
  readonly pass?: number;
  /** Both pass until this window closes. */
  readonly close?: true;
  /** From the Energize Step to the roll: nobody energizes, these are chosen, nobody plays, and this is rolled. */
  readonly brawl?: {
    readonly [side in Side]: { readonly bakugan: string; readonly on: readonly string[] | 'no' };
  };
  /** What sensors say of the roll. */
  readonly rolled?: { readonly [side in Side]?: readonly string[] | 'no' | 'undetermined' };
  /** Rolls that broke a rule, as sensing tells them; beside `rolled`. */
  readonly illegal?: readonly Json[];
  /** The usual course, nobody playing anything, up to this state. */
  readonly until?: string;
  /** Nothing is done; only looked at. */
  readonly look?: true;
  /** The input is refused with this code. */
  readonly refused?: string;
  readonly expect?: Expected;
  /** Types of events that have to happen in this step, each with a rule behind a space if it matters. */
  readonly events?: readonly string[];
  /** Types of events that must not. */
  readonly never?: readonly string[];
  /** Parts of sentences that have to be told in this step, as in a search that reveals what it found. */
  readonly says?: readonly string[];
  readonly [key: string]: Json | undefined;
};

/** One scenario: a position, steps, and what is expected after them. */
export type Scenario = {
  readonly name: string;
  /** Rule numbers, options and cards that it shows. */
  readonly rules: readonly string[];
  readonly options?: Partial<BakuganOptions>;
  /** `setup`: from laying the first core on; by default the Energize Step of turn 1, A starting. */
  readonly start?: 'setup' | 'energize';
  readonly given?: { readonly [side in Side]?: GivenPlayer };
  /** Options that have to be refused, with a part of the sentence. */
  readonly refusedOptions?: string;
  readonly steps: readonly ScenarioStep[];
};

/** What was not as expected. */
export type Failure = {
  /** From 1; 0 is the given position. */
  readonly step: number;
  readonly what: string;
  readonly expected: Json;
  readonly found: Json;
  /** The sentence of a refusal, with its rules. */
  readonly why?: string;
};

/** How a scenario ended. */
export type Checked = {
  readonly name: string;
  readonly rules: readonly string[];
  readonly ok: boolean;
  readonly failures: readonly Failure[];
};

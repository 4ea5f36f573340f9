import type { CellId, Json, Side } from '../../ids.ts';
import { neighboursOf } from '../../sensing/layout.ts';
import { readCards } from './cards/schema.ts';
import type { CardData } from './cards/vocabulary.ts';
import { type Team, type TeamContext, teamFaults } from './team.ts';

/** How open points of the rulebook are read; the first value of each is the default. */
export type RuleOptions = {
  /** AM-02: when a player loses by their deck. */
  readonly loseWhen: 'cannotFlip' | 'emptyAfterDamage' | 'emptyAtTurnEnd';
  /** AM-08: a core that two Bakugan hold goes back with the last or with the first one that retracts. */
  readonly sharedCore: 'lastHolder' | 'firstRetract';
  /** AM-13: DoubleStrike in a Team Attack doubles the sum, or adds the Victor's own rating once more. */
  readonly doubleStrike: 'doubleTotal' | 'victorAgain';
  /** AM-14: what ShadowStrike keeps from being reduced. */
  readonly shadowStrike: 'both' | 'damage';
  /** AM-15: a sole opener goes through the Power Step, or is Victor at once. */
  readonly soleOpener: 'powerStep' | 'victorAtOnce';
  /** AM-04: after a roll that opened nothing, the Rolling Step again or the whole Roll Phase. */
  readonly repeatRoll: 'rollingStep' | 'selectionStep';
  /** AM-12: the team of a Team Attack retracts in the Retracting Step or right after the attack. */
  readonly teamRetract: 'retractingStep' | 'afterAttack';
  /** AM-16: who played a card keeps priority, or gives it up. */
  readonly afterPlaying: 'keep' | 'pass';
  /** AM-17: who has priority first: the starting player, or in a Brawl the lower B-Power (Japan). */
  readonly firstPriority: 'startingPlayer' | 'lowerBPower';
  /** AM-23: an icon text counts once, or once for each core of its types. */
  readonly iconText: 'once' | 'eachCore';
  /** AM-31: a reroll "once each turn" is counted by turn or by attempt. */
  readonly missReroll: 'eachTurn' | 'eachAttempt';
  /** AM-33: copies of a card are counted by name and set, or by name. */
  readonly copies: 'nameAndSet' | 'name';
  /** AM-36: B-Power may fall below 0, or stops there. */
  readonly bPowerFloor: 'none' | 'zero';
  /** AM-42: a bonus without a named target goes to a Bakugan of this turn's roll, or to any. */
  readonly targets: 'rolled' | 'any';
  /** A bonus of a Hero or Evo that prints no duration lasts while its source is in play, or this turn. */
  readonly unprinted: 'source' | 'turn';
  /** AM-18: largest hand after the Reset Step, null for none, the default. */
  readonly handLimit: number | null;
  /** AM-22: rolls in a turn after which a judge is asked, 1 to 1000, by default 20. */
  readonly rollCap: number;
};

/** A cell a core may lie on, as in a layout. */
export type FieldCell = { readonly cell: CellId; readonly q: number; readonly r: number };

/** What a game is set up with. */
export type BakuganOptions = {
  readonly players: { readonly A: Team; readonly B: Team };
  /** Cells of the mat; at least 12, all connected. Further keys of a layout's cells are left out. */
  readonly field: readonly FieldCell[];
  /** Who places the first core (1.4.2); `random` by default. */
  readonly placing?: Side | 'random';
  /** Cores are placed by the players, or all at once by the game; `by-hand` by default. */
  readonly placement?: 'by-hand' | 'automatic';
  /** Start of the game's own chance, a whole number; 1 by default. */
  readonly seed?: number;
  readonly rules?: Partial<RuleOptions>;
  /** `basic` is the game without cards (D-9.1): decks may be 0; `full` by default. */
  readonly mode?: 'full' | 'basic';
  /** Registered decks are dealt by the game, or shuffled on the table and known as lists; `physical` by default. */
  readonly hands?: 'physical' | 'dealt';
  /** Cards beside those that come with the game, in the form of a card file. */
  readonly cards?: readonly CardData[];
};

/** Options that were found to be legal, with nothing left open. */
export type CheckedOptions = {
  readonly players: { readonly A: Team; readonly B: Team };
  /** Each cell with the cells that share a side with it (4.7.3). */
  readonly field: readonly { readonly cell: CellId; readonly near: readonly CellId[] }[];
  /** Cells nearest to the middle between the players: for the first core (1.4.3). */
  readonly middle: readonly CellId[];
  readonly placing: Side | 'random';
  readonly placement: 'by-hand' | 'automatic';
  readonly seed: number;
  readonly rules: RuleOptions;
  readonly mode: 'full' | 'basic';
  readonly hands: 'physical' | 'dealt';
  readonly cards: readonly CardData[];
};

const WORDS = {
  loseWhen: ['cannotFlip', 'emptyAfterDamage', 'emptyAtTurnEnd'],
  sharedCore: ['lastHolder', 'firstRetract'],
  doubleStrike: ['doubleTotal', 'victorAgain'],
  shadowStrike: ['both', 'damage'],
  soleOpener: ['powerStep', 'victorAtOnce'],
  repeatRoll: ['rollingStep', 'selectionStep'],
  teamRetract: ['retractingStep', 'afterAttack'],
  afterPlaying: ['keep', 'pass'],
  firstPriority: ['startingPlayer', 'lowerBPower'],
  iconText: ['once', 'eachCore'],
  missReroll: ['eachTurn', 'eachAttempt'],
  copies: ['nameAndSet', 'name'],
  bPowerFloor: ['none', 'zero'],
  targets: ['rolled', 'any'],
  unprinted: ['source', 'turn'],
} as const;

/** Words that each reading may be, the default first. */
export const RULE_WORDS: { readonly [name in keyof typeof WORDS]: readonly string[] } = WORDS;

type Bag = { readonly [key: string]: Json };

function isBag(value: Json | undefined): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bag(value: Json | undefined, where: string, keys: readonly string[] | 'any'): Bag {
  if (!isBag(value)) throw new RangeError(`${where} must be an object with named parts.`);
  for (const key of Object.keys(value)) {
    if (keys !== 'any' && !keys.includes(key)) {
      throw new RangeError(`${where} has no option "${key}"; it knows ${keys.join(', ')}.`);
    }
  }
  return value;
}

function list(value: Json | undefined, where: string): readonly Json[] {
  if (!Array.isArray(value)) throw new RangeError(`${where} must be a list.`);
  return value;
}

function whole(value: Json | undefined, where: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${where} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

function text(value: Json | undefined, where: string, longest: number): string {
  if (typeof value !== 'string' || value === '' || value.length > longest) {
    throw new RangeError(`${where} must be a text of 1 to ${longest} characters.`);
  }
  return value;
}

function oneOf<Word extends string>(value: Json | undefined, words: readonly Word[], where: string): Word {
  const found = words.find((word) => word === value);
  if (value === undefined && words[0] !== undefined) return words[0];
  if (found === undefined) throw new RangeError(`${where} must be one of ${words.join(', ')}.`);
  return found;
}

function readDeck(value: Json | undefined, where: string): Team['deck'] {
  if (typeof value === 'number') return whole(value, where, 0, 9999);
  return list(value, where).map((one) => text(one, where, 20));
}

function readTeam(value: Json | undefined, where: string, context: TeamContext): Team {
  const parts = bag(value, where, ['name', 'characters', 'cores', 'deck']);
  const team = {
    name: text(parts.name, `${where}.name`, 40),
    characters: list(parts.characters, `${where}.characters`).map((one) =>
      text(one, `${where}.characters`, 20),
    ),
    cores: list(parts.cores, `${where}.cores`).map((one) => whole(one, `${where}.cores`, 0, 9999)),
    deck: readDeck(parts.deck, `${where}.deck`),
  };
  const faults = teamFaults(team, context);
  if (faults.length > 0) throw new RangeError(`${where} is not legal: ${faults.join(' ')}`);
  return team;
}

function readCell(value: Json): FieldCell {
  const parts = bag(value, 'field', 'any');
  return {
    cell: text(parts.cell, 'field.cell', 16),
    q: whole(parts.q, 'field.q', -100, 100),
    r: whole(parts.r, 'field.r', -100, 100),
  };
}

type Field = Pick<CheckedOptions, 'field' | 'middle'>;

/** Fields that were read lately, by their text: a shop has one or two mats, and each of its games names them. */
const fields = new Map<string, Field>();
const FIELDS_KEPT = 8;

function fieldOf(value: Json | undefined): Field {
  const text = JSON.stringify(value ?? null);
  const known = fields.get(text);
  if (known !== undefined) return known;
  const read = readField(value);
  if (fields.size >= FIELDS_KEPT) fields.clear();
  fields.set(text, read);
  return read;
}

function readField(value: Json | undefined): Field {
  const cells = list(value, 'field').map(readCell);
  if (cells.length < 12) {
    throw new RangeError(`field needs a cell for each of the 12 BakuCores, it has ${cells.length} (1.4.3).`);
  }
  const names = new Set(cells.map((one) => one.cell));
  const spots = new Set(cells.map((one) => `${one.q} ${one.r}`));
  if (names.size < cells.length || spots.size < cells.length) {
    throw new RangeError('field has a cell twice.');
  }
  for (const one of cells) {
    if (one.cell !== `q${one.q}r${one.r}`) {
      throw new RangeError(
        `field calls q ${one.q}, r ${one.r} "${one.cell}"; its name is q${one.q}r${one.r}.`,
      );
    }
  }
  const field = cells.map((one) => ({
    cell: one.cell,
    near: neighboursOf(one).filter((near) => names.has(near)),
  }));
  const reached = new Set<CellId>();
  const toVisit = cells.slice(0, 1).map((one) => one.cell);
  for (let next = toVisit.pop(); next !== undefined; next = toVisit.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    toVisit.push(...(field.find((one) => one.cell === next)?.near ?? []));
  }
  if (reached.size < cells.length) throw new RangeError('field must hang together side by side (4.7.3).');
  // Twice the distance from the q axis, in pitches; the players' edges lie above and below.
  const heights = cells.map((one) => 2 * one.r + one.q);
  const middle = (Math.min(...heights) + Math.max(...heights)) / 2;
  const nearest = Math.min(...heights.map((height) => Math.abs(height - middle)));
  const inMiddle = cells.filter((_, index) => Math.abs((heights[index] ?? 0) - middle) === nearest);
  return { field, middle: inMiddle.map((one) => one.cell) };
}

function readRules(value: Json | undefined): RuleOptions {
  const parts = bag(value ?? {}, 'rules', [...Object.keys(WORDS), 'handLimit', 'rollCap']);
  const word = <Name extends keyof typeof WORDS>(name: Name): (typeof WORDS)[Name][number] =>
    oneOf<(typeof WORDS)[Name][number]>(parts[name], WORDS[name], `rules.${name}`);
  const { handLimit = null } = parts;
  return {
    loseWhen: word('loseWhen'),
    sharedCore: word('sharedCore'),
    doubleStrike: word('doubleStrike'),
    shadowStrike: word('shadowStrike'),
    soleOpener: word('soleOpener'),
    repeatRoll: word('repeatRoll'),
    teamRetract: word('teamRetract'),
    afterPlaying: word('afterPlaying'),
    firstPriority: word('firstPriority'),
    iconText: word('iconText'),
    missReroll: word('missReroll'),
    copies: word('copies'),
    bPowerFloor: word('bPowerFloor'),
    targets: word('targets'),
    unprinted: word('unprinted'),
    handLimit: handLimit === null ? null : whole(handLimit, 'rules.handLimit', 1, 200),
    rollCap: whole(parts.rollCap ?? 20, 'rules.rollCap', 1, 1000),
  };
}

/** Checks what a game is set up with. Throws a RangeError with a plain sentence at the first thing that is wrong. */
export function checkOptions(options: Json): CheckedOptions {
  const keys = ['players', 'field', 'placing', 'placement', 'seed', 'rules', 'mode', 'hands', 'cards'];
  const parts = bag(options, 'The options', keys);
  const players = bag(parts.players, 'players', ['A', 'B']);
  const rules = readRules(parts.rules);
  const mode = oneOf(parts.mode, ['full', 'basic'] as const, 'mode');
  const cards = parts.cards === undefined ? [] : readCards(parts.cards, 'cards');
  const context = { cards, copies: rules.copies, mode };
  return {
    players: {
      A: readTeam(players.A, 'players.A', context),
      B: readTeam(players.B, 'players.B', context),
    },
    ...fieldOf(parts.field),
    placing: oneOf(parts.placing, ['random', 'A', 'B'], 'placing'),
    placement: oneOf(parts.placement, ['by-hand', 'automatic'], 'placement'),
    seed: whole(parts.seed ?? 1, 'seed', 0, 4294967295),
    rules,
    mode,
    hands: oneOf(parts.hands, ['physical', 'dealt'] as const, 'hands'),
    cards,
  };
}

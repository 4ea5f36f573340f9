import { type BakuganId, opponentOf, type Side } from '../../ids.ts';
import type { Facts, Source } from './batch.ts';
import type { Amount, Condition, Count, Target } from './cards/vocabulary.ts';
import { corePrint } from './data/cores.ts';
import { type BakuganState, bakuganOf, brawlerOf, coresOf, type GameState, sideOf } from './state.ts';
import { energyCards, factionsOf, fits, heroesOf, knownCard } from './top.ts';
import type { CoreType, Faction } from './view.ts';

/** From where a text is read: whose it is, what it stands on, and what happened to it so far. */
export type Reading = {
  readonly you: Side;
  readonly from: Source | null;
  readonly facts: Facts | null;
  /** B-Power and Damage of a Bakugan, for conditions that compare them. */
  readonly stats: (state: GameState, bakugan: BakuganState) => StatValues;
};

/** The values that conditions and counts ask for. */
export type StatValues = { readonly bPower: number; readonly damage: number; readonly frostStrike: number };

/** BakuCores that a player's Bakugan hold; one that both players hold counts for both (AM-08). */
export function coresHeldBy(state: GameState, side: Side): number {
  let count = 0;
  for (const core of state.cores) if (core.heldBy.some((id) => sideOf(id) === side)) count += 1;
  return count;
}

/** Types of the cores that count for a Bakugan: its own, and with `team-cores` those of the team. */
export function typesOf(state: GameState, bakugan: BakuganState): readonly CoreType[] {
  return countedCores(state, bakugan).flatMap((core) => corePrint(core.print)?.type ?? []);
}

/** Cores that count for a Bakugan. */
export function countedCores(state: GameState, bakugan: BakuganState): readonly GameState['cores'][number][] {
  const own = coresOf(state, bakugan.id);
  const evo = bakugan.evos.at(-1);
  const top = evo === undefined ? undefined : knownCard(state, evo.card);
  if (top === undefined || !top.text.some((one) => 'rule' in one && one.rule === 'team-cores')) return own;
  const side = sideOf(bakugan.id);
  return state.cores.filter((core) => core.heldBy.some((id) => sideOf(id) === side));
}

/** The Bakugan that a target word means, none when there is none. */
export function targetsOf(state: GameState, reading: Reading, target: Target): readonly BakuganState[] {
  const { you, from, facts } = reading;
  const one = (id: BakuganId | null | undefined) => {
    const found = id === null || id === undefined ? undefined : bakuganOf(state, id);
    return found === undefined ? [] : [found];
  };
  switch (target) {
    case 'this':
      return one(from?.bakugan);
    case 'it':
      return one(facts?.it);
    case 'rerolled':
      return one(facts?.rerolled);
    case 'all':
      return [...state.players.A.bakugan, ...state.players.B.bakugan];
    case 'all-own':
      return state.players[you].bakugan;
    case 'all-opposing':
      return state.players[opponentOf(you)].bakugan;
    case 'own':
      return one(state.rolled[you]);
    case 'opposing': {
      const opposing = brawlerOf(state, opponentOf(you));
      return opposing === undefined ? [] : [opposing];
    }
    case 'own-attack':
      return [];
    default:
      return one(facts?.choices[target]);
  }
}

function holdsIcon(state: GameState, reading: Reading, types: readonly CoreType[], of: string): boolean {
  const { you } = reading;
  const attacker = state.damage?.attacker;
  const bakugan =
    of === 'own-any'
      ? state.players[you].bakugan
      : of === 'attacker'
        ? [attacker === null || attacker === undefined ? undefined : bakuganOf(state, attacker)]
        : targetsOf(state, reading, of as Target);
  return bakugan.some((one) => one !== undefined && typesOf(state, one).some((type) => types.includes(type)));
}

function aurelus(state: GameState, side: Side): boolean {
  return state.players[side].bakugan.some((one) => factionsOf(state, one).includes('Aurelus'));
}

function underdog(state: GameState, reading: Reading): boolean {
  const id = reading.facts?.it ?? reading.from?.bakugan ?? null;
  const own = id === null ? undefined : bakuganOf(state, id);
  const other = own === undefined ? undefined : brawlerOf(state, opponentOf(sideOf(own.id)));
  if (own === undefined || other === undefined) return false;
  return reading.stats(state, own).bPower < reading.stats(state, other).bPower;
}

function factionCount(state: GameState, side: Side): number {
  const factions = new Set<Faction>();
  for (const card of state.players[side].played) for (const one of card.factions) factions.add(one);
  return factions.size;
}

function wordHolds(state: GameState, reading: Reading, condition: string): boolean {
  const { you, facts } = reading;
  const own = state.players[you];
  switch (condition) {
    case 'fury':
      return own.hand.count === 0;
    case 'flow':
      return othersPlayed(state, reading) > 0;
    case 'turbo':
      return energyCards(state, you) > energyCards(state, opponentOf(you));
    case 'domination':
      return coresHeldBy(state, you) > coresHeldBy(state, opponentOf(you));
    case 'aurelus-power':
      return aurelus(state, you);
    case 'underdog':
      return underdog(state, reading);
    case 'did':
      return facts?.did === true;
    case 'stopped':
      return facts?.stopped === true;
    case 'reroll-opened':
      return facts?.rerollOpened === true;
    case 'heads':
      return facts?.heads === true;
    default:
      return false;
  }
}

/** Whether a condition holds now. */
export function isMet(state: GameState, reading: Reading, condition: Condition): boolean {
  if (typeof condition === 'string') return wordHolds(state, reading, condition);
  const { you } = reading;
  const own = state.players[you];
  if ('holds' in condition) return holdsIcon(state, reading, condition.holds, condition.of ?? 'this');
  if ('faction' in condition) {
    const [one] = targetsOf(state, reading, condition.of);
    return one !== undefined && factionsOf(state, one).some((faction) => condition.faction.includes(faction));
  }
  if ('heroes' in condition) {
    const heroes = heroesOf(state, you).filter((hero) => isNamed(state, hero.card, condition.name));
    return heroes.length >= condition.heroes;
  }
  if ('energy' in condition) return energyCards(state, you) >= condition.energy;
  if ('discard' in condition) return own.discard.count >= condition.discard;
  if ('open' in condition) return own.bakugan.filter((one) => one.open).length === condition.open;
  if ('cores' in condition) {
    const [self] = targetsOf(state, reading, 'this');
    return self !== undefined && countedCores(state, self).length >= condition.cores;
  }
  if ('played' in condition) return own.played.length >= condition.played;
  if ('playedFactions' in condition) return factionCount(state, you) >= condition.playedFactions;
  if ('playedCost' in condition) return own.played.some((card) => card.cost >= condition.playedCost);
  if ('damageOf' in condition) {
    const [one] = targetsOf(state, reading, condition.damageOf);
    return one !== undefined && reading.stats(state, one).damage >= condition.atLeast;
  }
  if ('handEmpty' in condition) return state.players[opponentOf(you)].hand.count === 0;
  if ('revealed' in condition) {
    return (reading.facts?.revealed ?? []).some((id) => {
      const card = knownCard(state, id);
      return card !== undefined && fits(state, card, condition.revealed);
    });
  }
  if ('not' in condition) return !isMet(state, reading, condition.not);
  if ('any' in condition) return condition.any.some((one) => isMet(state, reading, one));
  return condition.all.every((one) => isMet(state, reading, one));
}

// Names a person gave count too: a Hero entered by hand is called what it is called.
function isNamed(state: GameState, id: string, name: string | undefined): boolean {
  if (name === undefined) return true;
  const own = knownCard(state, id)?.name ?? id;
  return own === name || own.startsWith(`${name},`) || own.startsWith(`${name} `);
}

function othersPlayed(state: GameState, reading: Reading): number {
  const { played } = state.players[reading.you];
  // A card that is itself played this turn is not another card; a Hero or Character reads all of them.
  const self = reading.facts?.choices.self;
  return played.length - (self === undefined ? 0 : 1);
}

function countOf(state: GameState, reading: Reading, count: Count): number {
  const { you, facts } = reading;
  const own = state.players[you];
  switch (count.count) {
    case 'own-bakugan':
      return own.bakugan.filter((one) => factionsOf(state, one).includes(count.faction)).length;
    case 'other-cards-played':
      return othersPlayed(state, reading);
    case 'cards-played':
      return own.played.length;
    case 'heroes':
      return heroesOf(state, you).length;
    case 'energy':
      return energyCards(state, you);
    case 'discard':
      return own.discard.known.filter((id) => {
        const card = knownCard(state, id);
        return card !== undefined && count.types.includes(card.type);
      }).length;
    case 'cores':
      return coresHeldBy(state, you);
    case 'frost-strike':
    case 'damage': {
      const [one] = targetsOf(state, reading, count.of);
      if (one === undefined) return 0;
      const stats = reading.stats(state, one);
      return Math.max(0, count.count === 'damage' ? stats.damage : stats.frostStrike);
    }
    case 'moved':
      return facts?.moved[you] ?? 0;
    case 'moved-cost':
      return facts?.movedCost ?? 0;
    case 'revealed-cost': {
      const card = knownCard(state, facts?.revealed[0] ?? '');
      return typeof card?.cost === 'number' ? card.cost : 0;
    }
    case 'x':
      return Number(facts?.choices.x ?? 0);
    default:
      return count satisfies never;
  }
}

/** A number of card text as it is now. */
export function amountOf(state: GameState, reading: Reading, amount: Amount | undefined): number {
  if (amount === undefined) return 0;
  if (typeof amount === 'number') return amount;
  return (amount.base ?? 0) + amount.each * countOf(state, reading, amount.per);
}

import { opponentOf, type Side } from '../../ids.ts';
import { cardById, characterById } from './cards/catalog.ts';
import type { CardData, CardFilter } from './cards/vocabulary.ts';
import type { BakuganState, GameState } from './state.ts';
import { sideOf } from './state.ts';
import type { Faction } from './view.ts';

/** A card of this game by id. Throws a RangeError for one that options or inputs would have refused. */
export function cardIn(state: GameState, id: string): CardData {
  const card = cardById(state.cards, id);
  if (card === undefined) throw new RangeError(`There is no card ${id}.`);
  return card;
}

/** A card of this game by id, or undefined for a name that a person entered. */
export function knownCard(state: GameState, id: string): CardData | undefined {
  return cardById(state.cards, id);
}

/** The Character card of a Bakugan. Throws a RangeError for a card that options would have refused. */
export function characterOf(state: GameState, bakugan: BakuganState): CardData {
  const card = characterById(state.cards, bakugan.card);
  if (card === undefined) throw new RangeError(`There is no Character card ${bakugan.card}.`);
  return card;
}

/** The card that counts for a Bakugan: its top Evo, or its Character card (D-2.36). */
export function topOf(state: GameState, bakugan: BakuganState): CardData {
  const evo = bakugan.evos.at(-1);
  return evo === undefined ? characterOf(state, bakugan) : cardIn(state, evo.card);
}

const ALL: readonly Faction[] = ['Pyrus', 'Aquos', 'Ventus', 'Haos', 'Darkus', 'Aurelus'];

/** Current Factions of a Bakugan (2.5.1.2, 2.5.1.3). */
export function factionsOf(state: GameState, bakugan: BakuganState): readonly Faction[] {
  const top = topOf(state, bakugan);
  return top.text.some((clause) => 'rule' in clause && clause.rule === 'all-factions') ? ALL : top.factions;
}

/** The Bakugan's name with its Faction, for sentences. */
export function titleOf(state: GameState, bakugan: BakuganState): string {
  const card = topOf(state, bakugan);
  return `${card.factions.join('/')} ${card.name}`;
}

/** Whether a Hero of this player changes a rule; with no player, anybody's. */
export function ruleOn(state: GameState, rule: string, side?: Side): boolean {
  return countRule(state, rule, side) > 0;
}

/** How often a rule is changed by Heroes in play. */
export function countRule(state: GameState, rule: string, side?: Side): number {
  let count = 0;
  for (const hero of state.heroes) {
    if (side !== undefined && hero.controller !== side) continue;
    for (const clause of cardIn(state, hero.card).text)
      if ('rule' in clause && clause.rule === rule) count += 1;
  }
  return count;
}

/** Whether a card fits a filter (D-1.62: the printed cost). */
export function fits(
  state: GameState,
  card: CardData,
  filter: CardFilter | undefined,
  evoOf?: BakuganState,
): boolean {
  if (filter === undefined) return true;
  const cost = card.cost === undefined || card.cost === 'X' ? 0 : card.cost;
  if (filter.types !== undefined && !filter.types.includes(card.type)) return false;
  if (filter.notTypes?.includes(card.type)) return false;
  if (filter.factions !== undefined && !filter.factions.some((one) => card.factions.includes(one)))
    return false;
  if (filter.maxCost !== undefined && cost > filter.maxCost) return false;
  if (filter.minCost !== undefined && cost < filter.minCost) return false;
  if (filter.name !== undefined && card.name !== filter.name) return false;
  if (filter.stage !== undefined && card.stage !== filter.stage) return false;
  if (filter.ultra !== undefined && card.name.endsWith(' Ultra') !== filter.ultra) return false;
  if (filter.evoOf !== undefined) return evoOf !== undefined && evolves(state, card, evoOf);
  return true;
}

/** Whether an Evo is made for this Character, and nothing forbids it: nothing goes on a Diamond (D-2.37 to D-2.39). */
export function evolves(state: GameState, evo: CardData, bakugan: BakuganState): boolean {
  const base = characterOf(state, bakugan);
  if (evo.evolves === undefined || evo.evolves.name !== base.name) return false;
  if (!base.factions.includes(evo.evolves.faction)) return false;
  return topOf(state, bakugan).stage !== 'Diamond';
}

/** Heroes that a player controls. */
export function heroesOf(state: GameState, side: Side): readonly GameState['heroes'][number][] {
  return state.heroes.filter((hero) => hero.controller === side);
}

/** Energy cards of a player, charged or not. */
export function energyCards(state: GameState, side: Side): number {
  return state.players[side].charged.count + state.players[side].uncharged.count;
}

/** The opponent's side of a Bakugan's owner. */
export function otherSide(bakugan: BakuganState): Side {
  return opponentOf(sideOf(bakugan.id));
}

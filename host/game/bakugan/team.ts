import { cardById, characterById } from './cards/catalog.ts';
import type { CardData } from './cards/vocabulary.ts';
import { corePrint } from './data/cores.ts';
import type { CoreType } from './view.ts';

/** What a player brings (1.1.2). */
export type Team = {
  readonly name: string;
  /** Three Character cards, as in `BB-343`. */
  readonly characters: readonly string[];
  /** Print numbers of the six BakuCores, 1 to 52. */
  readonly cores: readonly number[];
  /** Cards in the deck: how many, or which. */
  readonly deck: number | readonly string[];
};

/** What a team is checked against. */
export type TeamContext = {
  /** Cards beside those that come with the game. */
  readonly cards: readonly CardData[];
  readonly copies: 'nameAndSet' | 'name';
  readonly mode: 'full' | 'basic';
};

const PLAIN: TeamContext = { cards: [], copies: 'nameAndSet', mode: 'full' };
const TYPES: readonly CoreType[] = ['FT', 'FF', 'SD', 'MS', 'HE'];
/** Cards of a deck (1.1.2). */
const DECK = 40;
/** Copies of a card (1.2.1). */
const COPIES = 3;

/** A card as copies of it are counted, with its set (1.2.1); worked out once, since every card of every deck asks. */
const withSets = new WeakMap<CardData, string>();

function nameAndSet(card: CardData): string {
  const known = withSets.get(card);
  if (known !== undefined) return known;
  const made = `${card.name} (${card.id.split('-')[0] ?? card.id})`;
  withSets.set(card, made);
  return made;
}

function deckFaults(
  deck: readonly string[],
  characters: readonly CardData[],
  context: TeamContext,
): string[] {
  const faults: string[] = [];
  const copies = new Map<string, number>();
  const factions = new Set(characters.flatMap((card) => card.factions));
  const told = new Set<string>();
  for (const id of deck) {
    const card = cardById(context.cards, id);
    if (card === undefined || card.type === 'Character') {
      if (!told.has(id)) faults.push(`There is no card ${id} that goes into a deck (1.1.2).`);
      told.add(id);
      continue;
    }
    const key = context.copies === 'name' ? card.name : nameAndSet(card);
    copies.set(key, (copies.get(key) ?? 0) + 1);
    if (card.factions.some((one) => factions.has(one)) || told.has(id)) continue;
    told.add(id);
    faults.push(`${card.name} shares no Faction with a Bakugan of the team (1.2.2, 2.5.1.2).`);
  }
  for (const [key, count] of copies) {
    if (count > COPIES) faults.push(`${key} is in the deck ${count} times, ${COPIES} are allowed (1.2.1).`);
  }
  return faults;
}

function coreFaults(team: Team, characters: readonly CardData[]): string[] {
  const faults: string[] = [];
  const wanted = characters.flatMap((card) => card.indicators ?? []);
  const brought = team.cores.map((no) => corePrint(no)?.type);
  for (const type of TYPES) {
    const want = wanted.filter((one) => one === type).length;
    const have = brought.filter((one) => one === type).length;
    if (want !== have) {
      faults.push(
        `The Character cards ask for ${want} BakuCores of type ${type}, there are ${have} (1.2.3).`,
      );
    }
  }
  return faults;
}

/**
 * Why a team is not legal, each as a plain sentence with its rule; empty when it is (1.1.2, 1.2.1 to 1.2.3, 2.11). A
 * deck that is only counted is checked for its size.
 */
export function teamFaults(team: Team, context: TeamContext = PLAIN): readonly string[] {
  const faults: string[] = [];
  const characters: CardData[] = [];
  for (const id of team.characters) {
    const card = characterById(context.cards, id);
    if (card === undefined) faults.push(`There is no Character card ${id}; cards are written as BB-343.`);
    else characters.push(card);
  }
  if (team.characters.length !== 3) {
    faults.push(`A team has 3 Bakugan, this one has ${team.characters.length} (1.1.2).`);
  }
  const identities = new Set(characters.map((card) => `${card.factions.join('/')} ${card.name}`));
  if (identities.size < characters.length) {
    faults.push('The three Bakugan of a team must be different ones (1.1.2).');
  }
  const unknown = team.cores.filter((no) => corePrint(no) === undefined);
  for (const no of unknown) faults.push(`There is no BakuCore number ${no}; numbers go from 1 to 52.`);
  if (team.cores.length !== 6) {
    faults.push(`A team has 6 BakuCores, this one has ${team.cores.length} (1.1.2).`);
  }
  const count = typeof team.deck === 'number' ? team.deck : team.deck.length;
  if (context.mode === 'full' && count !== DECK) {
    faults.push(`A deck has exactly 40 cards, this one has ${count} (1.1.2).`);
  }
  if (typeof team.deck !== 'number') faults.push(...deckFaults(team.deck, characters, context));
  if (characters.length !== 3 || team.cores.length !== 6 || unknown.length > 0) return faults;
  return [...faults, ...coreFaults(team, characters)];
}

import aaActions from '../data/cards/aa-actions.json' with { type: 'json' };
import aaCharacters from '../data/cards/aa-characters.json' with { type: 'json' };
import aaEvos from '../data/cards/aa-evos.json' with { type: 'json' };
import aaFlips from '../data/cards/aa-flips.json' with { type: 'json' };
import aaHeroes from '../data/cards/aa-heroes.json' with { type: 'json' };
import bbActions from '../data/cards/bb-actions.json' with { type: 'json' };
import bbEvos from '../data/cards/bb-evos.json' with { type: 'json' };
import bbFlips from '../data/cards/bb-flips.json' with { type: 'json' };
import bbHeroes from '../data/cards/bb-heroes.json' with { type: 'json' };
import brActions from '../data/cards/br-actions.json' with { type: 'json' };
import brCharacters from '../data/cards/br-characters.json' with { type: 'json' };
import brEvos from '../data/cards/br-evos.json' with { type: 'json' };
import brFlips from '../data/cards/br-flips.json' with { type: 'json' };
import brHeroes from '../data/cards/br-heroes.json' with { type: 'json' };
import { CHARACTERS } from '../data/characters.ts';
import { readCards } from './schema.ts';
import type { CardData } from './vocabulary.ts';

const FILES: readonly (readonly [file: string, cards: unknown])[] = [
  ['aa-actions.json', aaActions],
  ['aa-characters.json', aaCharacters],
  ['aa-evos.json', aaEvos],
  ['aa-flips.json', aaFlips],
  ['aa-heroes.json', aaHeroes],
  ['bb-actions.json', bbActions],
  ['bb-evos.json', bbEvos],
  ['bb-flips.json', bbFlips],
  ['bb-heroes.json', bbHeroes],
  ['br-actions.json', brActions],
  ['br-characters.json', brCharacters],
  ['br-evos.json', brEvos],
  ['br-flips.json', brFlips],
  ['br-heroes.json', brHeroes],
];

const BUILT_IN: readonly CardData[] = [
  ...CHARACTERS,
  ...FILES.flatMap(([file, cards]) => readCards(cards, file)),
];

const BY_ID: ReadonlyMap<string, CardData> = new Map(BUILT_IN.map((card) => [card.id, card]));

/** Every card that comes with the game. */
export const CARDS: readonly CardData[] = BUILT_IN;

/** The card with this id: one that this game was given (`own`), else one that comes with the game. */
export function cardById(own: readonly CardData[], id: string): CardData | undefined {
  return (own.length > 0 ? own.find((card) => card.id === id) : undefined) ?? BY_ID.get(id);
}

/** The same, only Characters. */
export function characterById(own: readonly CardData[], id: string): CardData | undefined {
  const card = cardById(own, id);
  return card?.type === 'Character' ? card : undefined;
}

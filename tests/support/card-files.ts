import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCards } from '../../host/game/bakugan/cards/schema.ts';
import type { CardData } from '../../host/game/bakugan/cards/vocabulary.ts';

/** Where the card files that come with the game lie. */
export const CARD_FOLDER = fileURLToPath(new URL('../../host/game/bakugan/data/cards/', import.meta.url));

/** Names of the card files, in order. */
export const CARD_FILES: readonly string[] = readdirSync(CARD_FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort();

/** The cards of one file, checked by the schema. Throws a RangeError that names file, card and field. */
export function cardsOf(name: string): readonly CardData[] {
  return readCards(JSON.parse(readFileSync(join(CARD_FOLDER, name), 'utf8')), name);
}

/** Number of a card in its set; a second print of one number follows the first. */
export function numberOf(card: CardData): number {
  const [, digits = '', letter = ''] = /-(\d+)([a-z]?)$/.exec(card.id) ?? [];
  return Number(digits) + (letter === '' ? 0 : 0.5);
}

/** Set of a card, as in `BB`. */
export function setOf(card: CardData): string {
  return card.id.split('-')[0] ?? '';
}

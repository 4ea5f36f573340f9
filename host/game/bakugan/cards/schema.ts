import type { Json } from '../../../ids.ts';
import { cardType, clause, core, faction, factions, stage } from './schema-text.ts';
import {
  byWord,
  either,
  isFields,
  list,
  parts,
  type Schema,
  type Shape,
  schemaOf,
  text,
  whole,
  word,
} from './shapes.ts';
import type { CardData } from './vocabulary.ts';

const cost = either('a cost from 0 to 30, or X', whole(0, 30), word('X'));
const common = { id: text(20), name: text(60), factions, text: list(clause) };
const CARDS: { readonly [type: string]: Shape } = {
  Action: parts({ ...common, type: cardType, cost }, { byHand: text(200) }),
  Flip: parts({ ...common, type: cardType, cost }, { byHand: text(200) }),
  Hero: parts({ ...common, type: cardType, cost }, { byHand: text(200) }),
  Evo: parts(
    {
      ...common,
      type: cardType,
      cost,
      bPower: whole(-9999, 9999),
      damage: whole(-99, 99),
      stage,
      evolves: parts({ name: text(60), faction }),
    },
    { byHand: text(200) },
  ),
  Character: parts(
    {
      ...common,
      type: cardType,
      bPower: whole(-9999, 9999),
      damage: whole(-99, 99),
      indicators: list(core, 2),
    },
    { byHand: text(200) },
  ),
};

const card = byWord('type', CARDS);

/** The form of a card file as a JSON Schema, made from the same shapes that check one. */
export const CARD_SCHEMA: Schema = schemaOf(list(card), { title: 'Cards of a Bakugan game' });

function namesIn(value: Json, found: string[]): void {
  if (Array.isArray(value)) for (const one of value) namesIn(one, found);
  else if (isFields(value)) {
    for (const [key, one] of Object.entries(value)) {
      const uses = key !== 'as' && key !== 'except' && typeof one === 'string' && /^[A-D]$/.test(one);
      if (uses) found.push(one);
      namesIn(one, found);
    }
  }
}

function picked(value: Json): string[] {
  const found: string[] = [];
  const walk = (one: Json): void => {
    if (Array.isArray(one)) for (const part of one) walk(part);
    else if (isFields(one)) {
      if (typeof one.as === 'string') found.push(one.as);
      for (const part of Object.values(one)) walk(part);
    }
  };
  walk(value);
  return found;
}

/** What is wrong with a card, each as `BB-87 (Drago's Fury) text[0].do[1].to: …`; empty when it is right. */
export function cardFaults(value: Json): readonly string[] {
  const faults: string[] = [];
  card(value, 'card', faults);
  if (faults.length === 0 && isFields(value) && Array.isArray(value.text)) {
    for (const [index, one] of value.text.entries()) {
      const known = picked(one);
      const used: string[] = [];
      namesIn(one, used);
      for (const name of used) {
        if (!known.includes(name)) faults.push(`card.text[${index}]: nothing is picked as ${name}`);
      }
    }
  }
  const id = isFields(value) && typeof value.id === 'string' ? value.id : 'a card without id';
  const title = isFields(value) && typeof value.name === 'string' ? `${id} (${value.name})` : id;
  return faults.map((fault) => `${title} ${fault.replace(/^card\.?/, '')}`);
}

function isCard(value: Json): boolean {
  return cardFaults(value).length === 0;
}

/**
 * A card file: a list of cards, each checked. Throws a RangeError that names card and field for each fault, or an id
 * that comes twice.
 */
export function readCards(value: unknown, where: string): readonly CardData[] {
  const cards = value as Json;
  if (!Array.isArray(cards)) throw new RangeError(`${where}: a card file is a list of cards.`);
  const faults: string[] = [];
  const ids = new Set<string>();
  for (const card of cards) {
    if (!isCard(card)) faults.push(...cardFaults(card));
    const id = isFields(card) && typeof card.id === 'string' ? card.id : '';
    if (ids.has(id)) faults.push(`${id}: two cards have this id`);
    ids.add(id);
  }
  if (faults.length > 0) throw new RangeError(`${where}: ${faults.join('; ')}`);
  return cards as unknown as readonly CardData[];
}

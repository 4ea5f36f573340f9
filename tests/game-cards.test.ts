import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handEntryPage } from '../bin/hand-entry-page.ts';
import { readCards } from '../host/game/bakugan/cards/schema.ts';
import type { CardData, CardType } from '../host/game/bakugan/cards/vocabulary.ts';
import { CHARACTERS } from '../host/game/bakugan/data/characters.ts';
import { CARD_FILES, CARD_FOLDER, cardsOf, numberOf, setOf } from './support/card-files.ts';

const FILES = CARD_FILES.map((name) => ({ name, cards: cardsOf(name) }));
const CARDS = FILES.flatMap((file) => file.cards);
const inSet = (set: string) => CARDS.filter((card) => setOf(card) === set);
const count = (set: string, type: CardType) => inSet(set).filter((card) => card.type === type).length;
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Every object inside a text that has this key. */
function objectsWith(value: unknown, key: string, found: Record<string, unknown>[] = []) {
  if (Array.isArray(value)) for (const one of value) objectsWith(one, key, found);
  else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>;
    if (fields[key] !== undefined) found.push(fields);
    for (const one of Object.values(fields)) objectsWith(one, key, found);
  }
  return found;
}

describe('card files', () => {
  it('hold one set and type each, in order of number', () => {
    const plural: { readonly [type: string]: string } = { Hero: 'heroes' };
    for (const { name, cards } of FILES) {
      const names = cards.map(
        (card) => `${setOf(card).toLowerCase()}-${plural[card.type] ?? `${card.type.toLowerCase()}s`}.json`,
      );
      expect(new Set(names), name).toEqual(new Set([name]));
      const numbers = cards.map(numberOf);
      expect(numbers, name).toEqual([...numbers].sort((a, b) => a - b));
    }
  });

  it('have every number of the sets once, and the number that was printed twice', () => {
    const numbers = (set: string) =>
      inSet(set)
        .map(numberOf)
        .sort((a, b) => a - b);
    expect(numbers('BB')).toEqual(upTo(281));
    expect(numbers('BR')).toEqual([...upTo(221), 221.5, ...upTo(248).slice(221)]);
    expect(numbers('AA')).toEqual(upTo(220));
    const all = [...CARDS, ...CHARACTERS].map((card) => card.id);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(750 + 93);
  });

  it('have as many of each type as the sets print', () => {
    const types: readonly CardType[] = ['Action', 'Flip', 'Hero', 'Evo', 'Character'];
    expect(types.map((type) => count('BB', type))).toEqual([137, 49, 29, 66, 0]);
    expect(types.map((type) => count('BR', type))).toEqual([59, 17, 8, 81, 84]);
    expect(types.map((type) => count('AA', type))).toEqual([50, 16, 10, 85, 59]);
  });

  it('name card and field of a fault, and the id that comes twice', () => {
    const [first] = cardsOf('bb-actions.json');
    expect(() => readCards([first, first], 'mine.json')).toThrow(/mine\.json: BB-1: two cards/);
    expect(() => readCards([{ ...first, cost: 31 }], 'mine.json')).toThrow(/BB-1 \(Absorb\) cost:/);
  });
});

describe('printed facts', () => {
  const characters: readonly Pick<CardData, 'name' | 'factions' | 'indicators'>[] = [
    ...CHARACTERS,
    ...CARDS.filter((card) => card.type === 'Character'),
  ];
  const evos = CARDS.filter((card) => card.type === 'Evo');

  it('have one Faction a card', () => {
    for (const card of CARDS) expect(card.factions, card.id).toHaveLength(1);
  });

  it('name no Evo without its Character in these sets (D-2.39)', () => {
    const known = new Set(characters.map((card) => `${card.name}, ${card.factions[0]}`));
    const lone = evos.filter((evo) => !known.has(`${evo.evolves?.name}, ${evo.evolves?.faction}`));
    expect(lone.map((evo) => evo.id)).toEqual([]);
  });

  it('name Evos by stage and Character, in the Faction of the Character', () => {
    for (const evo of evos) {
      expect(`${evo.stage} ${evo.evolves?.name}`, evo.id).toBe(evo.name);
      expect([evo.evolves?.faction], evo.id).toEqual(evo.factions);
    }
  });

  it('give Characters two core types, and icon text only on types that they ask for', () => {
    for (const card of CARDS.filter((one) => one.type === 'Character')) {
      expect(card.indicators, card.id).toHaveLength(2);
      for (const type of card.indicators ?? [])
        expect(['FT', 'FF', 'SD', 'MS', 'HE'], card.id).toContain(type);
      for (const { holds } of objectsWith(card.text, 'holds')) {
        for (const type of holds as readonly string[]) expect(card.indicators, card.id).toContain(type);
      }
    }
  });

  it('give Evos icon text on types that their Character asks for', () => {
    // Of Characters that share name and Faction in two sets, either may be the one.
    const asked = (evo: CardData) =>
      characters
        .filter((one) => one.name === evo.evolves?.name && one.factions[0] === evo.evolves?.faction)
        .flatMap((one) => one.indicators ?? []);
    const odd = evos.filter((evo) =>
      objectsWith(evo.text, 'holds').some(({ holds }) =>
        (holds as readonly ('FT' | 'FF' | 'SD' | 'MS' | 'HE')[]).some((type) => !asked(evo).includes(type)),
      ),
    );
    expect(odd.map((evo) => evo.id)).toEqual([]);
  });

  it('are in hundreds of B-Power, and never below zero', () => {
    for (const card of CARDS.filter((one) => one.bPower !== undefined)) {
      expect((card.bPower ?? -1) % 100, card.id).toBe(0);
      expect(card.bPower, card.id).toBeGreaterThanOrEqual(0);
      expect(card.damage, card.id).toBeGreaterThanOrEqual(1);
    }
  });

  it('pay X on one card alone', () => {
    expect(CARDS.filter((card) => card.cost === 'X').map((card) => card.name)).toEqual(['Endless Growth']);
  });
});

describe('text', () => {
  it('is there on every Action, Flip and Hero', () => {
    const silent = CARDS.filter((card) => card.text.length === 0 && card.byHand === undefined);
    expect(new Set(silent.map((card) => card.type))).toEqual(new Set(['Evo', 'Character']));
  });

  it('picks what it names, and each letter once', () => {
    for (const card of CARDS) {
      for (const clause of card.text) {
        const letters = objectsWith(clause, 'as').map((pick) => pick.as);
        expect(new Set(letters).size, card.id).toBe(letters.length);
        for (const letter of letters) {
          const rest = JSON.stringify(clause).replace(`"as":"${letter}"`, '');
          expect(rest, card.id).toContain(`"${letter}"`);
        }
      }
    }
  });

  it('resolves only on Actions and Flips, and is on or triggered on the others', () => {
    for (const card of CARDS) {
      const plain = card.text.filter((one) => 'do' in one && !('when' in one) && !('use' in one));
      const lasting = card.text.filter((one) => 'gives' in one || 'rule' in one || 'use' in one);
      if (card.type === 'Action' || card.type === 'Flip') expect(lasting, card.id).toEqual([]);
      else expect(plain, card.id).toEqual([]);
    }
  });

  it('names cards that exist', () => {
    const names = new Set(CARDS.map((card) => card.name));
    for (const card of CARDS) {
      for (const { name } of objectsWith(card.text, 'name')) expect(names, card.id).toContain(name);
    }
  });

  it('is left to entry by hand no more often than the sets allow', () => {
    const share = (set: string) => inSet(set).filter((card) => card.byHand).length / inSet(set).length;
    expect(share('BB')).toBeLessThanOrEqual(1 / 20);
    expect(share('BR')).toBeLessThanOrEqual(1 / 5);
    expect(share('AA')).toBeLessThanOrEqual(1 / 5);
  });

  it('left to entry by hand stands in the table', () => {
    const table = handEntryPage();
    expect(
      readFileSync(join(CARD_FOLDER, 'HAND-ENTRY.md'), 'utf8'),
      'write what `bakucore rules hand-entry` prints',
    ).toBe(table);
    for (const card of CARDS) {
      if (card.byHand !== undefined)
        expect(table.replace(/ +/g, ' ')).toContain(`| ${card.id} | ${card.name} | ${card.type} |`);
    }
  });
});

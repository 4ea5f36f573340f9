import type { BakuganOptions } from '../../host/game/bakugan/options.ts';
import type { Layout } from '../../host/sensing/layout.ts';

const three = (...cards: readonly string[]): readonly string[] => cards.flatMap((card) => [card, card, card]);

/** A registered deck of Aquos cards; three of them stop an attack by a Haos Bakugan. */
const DECK: readonly string[] = [
  ...three('BB-2', 'BB-4', 'BB-7', 'BB-8', 'BB-9', 'BB-10', 'BB-13', 'BB-17', 'BB-18', 'BB-20'),
  ...three('BB-24', 'BB-26', 'BB-141'),
  'BB-27',
];

/**
 * Two legal teams for a whole match. Ember's deck is only counted, so that its player says what each card does; Gale's
 * is registered and dealt, so that its cards play by their data.
 */
export function matchOptions(layout: Layout, seed: number): BakuganOptions {
  return {
    players: {
      A: {
        name: 'Ember',
        // Haos Maxotaur Ultra, Haos Fangzor, Aquos Trox.
        characters: ['BB-336', 'BB-328', 'BB-295'],
        cores: [3, 3, 28, 28, 28, 40],
        deck: 40,
      },
      B: {
        name: 'Gale',
        // Aquos Serpenteze, Hydorous and Dragonoid.
        characters: ['BB-293', 'BB-287', 'BB-283'],
        cores: [24, 25, 26, 7, 5, 47],
        deck: DECK,
      },
    },
    field: layout.cells.map(({ cell, q, r }) => ({ cell, q, r })),
    hands: 'dealt',
    seed,
  };
}

/** The same with a deck that no check lets pass: a card too many, a fourth copy, a card of a strange Faction. */
export function illegalOptions(layout: Layout, seed: number): BakuganOptions {
  const options = matchOptions(layout, seed);
  const { A, B } = options.players;
  const deck = [...DECK.slice(0, -1), 'BB-2', 'BB-87'];
  return { ...options, players: { A, B: { ...B, deck } } };
}

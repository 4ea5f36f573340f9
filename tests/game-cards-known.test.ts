import { describe, expect, it } from 'vitest';
import type { CardData, Clause, Step } from '../host/game/bakugan/cards/vocabulary.ts';
import { CARD_FILES, cardsOf } from './support/card-files.ts';

const CARDS: readonly CardData[] = CARD_FILES.flatMap(cardsOf);
const byId = new Map(CARDS.map((card) => [card.id, card]));

const A = { as: 'A', of: 'bakugan' } as const;
const toA = (gives: object) => ({ do: 'add', to: 'A', ...gives });
/** One Bakugan is picked and these happen. */
const one = (...steps: object[]) => [{ picks: [A], do: steps }];
const does = (...steps: object[]) => [{ do: steps }];
const negates = (type: string) => [
  { picks: [{ as: 'A', of: 'batch', types: [type] }], do: [{ do: 'negate', what: 'A' }] },
];
const ifElse = (is: unknown, yes: object, no: object) => ({ do: 'if', is, yes: [yes], no: [no] });
const mayReroll = { do: 'may', yes: [{ do: 'reroll', to: 'own' }] };
const RESERVE = { do: 'energize', from: 'this', charged: false };
const stop = (...factions: string[]) => does({ do: 'stop', factions });
const ONCE = { use: 'missed', limit: 'turn', do: [{ do: 'reroll', to: 'this' }] };

// Cards that were read from the prints a second time, apart from the card files: what each prints, in our words.
// biome-ignore format: one card a line
const KNOWN: readonly (readonly [id: string, name: string, type: string, faction: string, cost: number, text: readonly object[]])[] = [
  ['BB-10', 'Greater Water Boost', 'Action', 'Aquos', 0, one(toA({ bPower: 100 }))],
  ['BB-4', 'Bubble Net', 'Action', 'Aquos', 2, one(toA({ bPower: 300 }), { do: 'later', when: 'turn-ends', steps: [{ do: 'retract', to: 'own' }] })],
  ['BB-8', 'Fixation', 'Action', 'Aquos', 2, [{ picks: [{ ...A, among: 'did-not-open' }], do: [{ do: 'retract', to: 'A' }] }]],
  ['BB-25', 'Triple Blast Cannon', 'Action', 'Aquos', 3, negates('Action')],
  ['BB-1', 'Absorb', 'Action', 'Aquos', 4, [{ ...negates('Action')[0], do: [{ do: 'negate', what: 'A' }, { do: 'may', yes: [{ do: 'copy', what: 'negated' }] }] }]],
  ['BB-6', 'Deep Illusion', 'Action', 'Aquos', 3, negates('Hero')],
  ['BB-27', 'Wave Slash', 'Action', 'Aquos', 3, one(ifElse('flow', toA({ bPower: 1000 }), toA({ bPower: 300 })))],
  ['BB-87', "Drago's Fury", 'Action', 'Pyrus', 2, one(toA({ damage: 4 }), { do: 'if', is: 'fury', yes: [toA({ doubleStrike: true })] })],
  ['BB-100', 'Lava Boost', 'Action', 'Pyrus', 6, one(toA({ bPower: 900 }))],
  ['BB-101', 'Magma Boost', 'Action', 'Pyrus', 4, one(toA({ bPower: 700 }))],
  ['BB-104', 'Might of Cyndeus', 'Action', 'Pyrus', 2, one(toA({ damage: 1 }), { do: 'compare-damage' })],
  ['BB-105', 'Molten Helix', 'Action', 'Pyrus', 4, one(toA({ damage: 2, doubleStrike: true }))],
  ['BB-107', 'Pyrus Strike', 'Action', 'Pyrus', 2, one(ifElse({ faction: ['Pyrus'], of: 'A' }, toA({ damage: 6 }), toA({ damage: 3 })))],
  ['BB-125', 'Razor Claws', 'Action', 'Ventus', 3, one(ifElse('turbo', toA({ damage: 7 }), toA({ damage: 2 })))],
  ['BB-129', 'Smash', 'Action', 'Ventus', 2, one(toA({ damage: 3 }))],
  ['BB-134', 'Turn to Energy', 'Action', 'Ventus', 2, does(RESERVE)],
  ['BB-138', 'Brain Geyser', 'Flip', 'Aquos', 4, does({ do: 'draw-damage' })],
  ['BB-141', 'Counter Haos', 'Flip', 'Aquos', 0, stop('Haos')],
  ['BB-143', 'Counter Pyrus', 'Flip', 'Aquos', 0, stop('Pyrus')],
  ['BB-145', 'Fading Dash', 'Flip', 'Aquos', 1, [{ picks: [{ ...A, side: 'own', among: 'did-not-open' }], do: [{ do: 'retract', to: 'A' }, { do: 'if', is: 'did', yes: [{ do: 'draw', n: 2 }] }] }]],
  ['BB-146', 'Blackhole', 'Flip', 'Darkus', 3, does({ do: 'end-turn' })],
  ['BB-155', 'Halt Aquos', 'Flip', 'Haos', 0, stop('Aquos')],
  ['BB-156', 'Halt Darkus', 'Flip', 'Haos', 0, stop('Darkus')],
  ['BB-158', 'Halt Outsiders', 'Flip', 'Haos', 3, does({ do: 'stop', not: ['Haos'] })],
  ['BB-172', 'Lava Flow', 'Flip', 'Pyrus', 0, does({ do: 'energy', n: 1 })],
  ['BB-176', 'Nature Assimilation', 'Flip', 'Ventus', 5, does({ do: 'stop' }, RESERVE)],
  ['BB-192', 'Strata', 'Hero', 'Aquos', 2, [{ rule: 'extra-draw' }]],
  ['BB-201', 'DEE', 'Hero', 'Haos', 4, [{ gives: { frostStrike: 1 }, to: 'all-own' }]],
  ['BB-208', 'Duran Dane', 'Hero', 'Pyrus', 11, [{ when: 'played', do: [{ do: 'attack', faction: 'Pyrus', damage: 5 }] }, { gives: { doubleStrike: true }, to: 'all-own' }]],
  ['BB-210', 'Mac', 'Hero', 'Pyrus', 4, [{ when: 'played', do: [{ do: 'compare-damage' }] }, { gives: { damage: 2 }, to: 'all-own' }]],
  ['BB-214', 'Olivia Styles', 'Hero', 'Ventus', 6, [{ gives: { bPower: -300 }, to: 'all', not: ['Ventus'] }]],
  ['BB-223', 'Hyper Mantonoid Ultra', 'Evo', 'Aquos', 2, []],
  ['BB-227', 'Titan Dragonoid', 'Evo', 'Aquos', 6, []],
  ['BB-229', 'Hyper Dragonoid', 'Evo', 'Aurelus', 1, []],
  ['BB-236', 'Titan Hydorous', 'Evo', 'Aurelus', 6, [{ gives: { frostStrike: 3, doubleStrike: true, shadowStrike: true } }]],
  ['BB-259', 'Diamond Dragonoid', 'Evo', 'Pyrus', 6, [{ gives: { bPower: 500, damage: 5 }, if: { holds: ['FF'] } }]],
  ['BB-265', 'Hyper Dragonoid', 'Evo', 'Pyrus', 1, [{ gives: { bPower: 300, damage: 3 }, if: { holds: ['FF'] } }]],
  ['BB-268', 'Titan Fangzor', 'Evo', 'Pyrus', 5, [{ gives: { damage: 2, doubleStrike: true }, if: { holds: ['FT'] } }]],
  ['BR-1', 'Aquify', 'Action', 'Aquos', 1, does({ do: 'swap', to: 'own', n: 'all' })],
  ['BR-5', 'Dark Waters', 'Action', 'Aquos', 1, one(toA({ bPower: 200 }), mayReroll)],
  ['BR-6', 'Deep Dive', 'Action', 'Aquos', 1, does({ do: 'draw', n: 1 }, mayReroll)],
  ['BR-9', 'Rip Tide', 'Action', 'Aquos', 4, does({ do: 'reroll', to: 'own' }, { do: 'if', is: 'reroll-opened', yes: [{ do: 'add', to: 'rerolled', bPower: 500 }, { do: 'may', yes: [{ do: 'draw', n: 2 }] }] })],
  ['BR-40', 'Dual Strike', 'Action', 'Pyrus', 3, one(toA({ doubleStrike: true }), mayReroll)],
  ['BR-44', 'Quickfire', 'Action', 'Pyrus', 0, does({ do: 'attack', faction: 'Pyrus', damage: 1 }, mayReroll)],
  ['BR-45', 'Superfuel', 'Action', 'Pyrus', 1, does({ do: 'reroll', to: 'own' }, { do: 'if', is: 'reroll-opened', yes: [{ do: 'next-cost', by: -3 }] })],
  ['BR-59', 'Ventus Mirage', 'Action', 'Ventus', 2, does({ do: 'reroll', to: 'opposing' })],
  ['BR-77', 'Shun Kazami', 'Hero', 'Aquos', 3, [{ when: 'own-opens', do: [{ do: 'may', yes: [{ do: 'draw', n: 1 }] }] }]],
  ['BR-160', 'Maximus Webam Ultra', 'Evo', 'Ventus', 7, [{ ...ONCE, limit: 'any' }]],
];

// B-Power and Damage Rating of those that print them, and their Faction.
const STATS: { readonly [id: string]: readonly [bPower: number, damage: number] } = {
  'BB-223': [800, 4],
  'BB-227': [1200, 6],
  'BB-229': [600, 8],
  'BB-236': [1000, 3],
  'BB-259': [900, 9],
  'BB-265': [400, 6],
  'BB-268': [800, 3],
  'BR-160': [1200, 14],
  'BR-181': [200, 7],
  'BR-202': [200, 6],
  'BR-246': [400, 4],
};

describe('cards that were read apart from the files', () => {
  it.each(KNOWN)('%s %s', (id, name, type, faction, cost, text) => {
    expect(byId.get(id)).toMatchObject({ name, type, factions: [faction], cost, text });
  });

  it('have the printed B-Power and Damage', () => {
    for (const [id, [bPower, damage]] of Object.entries(STATS)) {
      expect(byId.get(id), id).toMatchObject({ bPower, damage });
    }
  });

  it('roll again once a turn when they miss: three Characters', () => {
    const rows = [
      ['BR-181', 'Cubbo', 'Aurelus'],
      ['BR-202', 'Mantonoid', 'Darkus'],
      ['BR-246', 'Webam Ultra', 'Ventus'],
    ] as const;
    for (const [id, name, faction] of rows)
      expect(byId.get(id)).toMatchObject({ name, type: 'Character', factions: [faction], text: [ONCE] });
  });
});

describe('families of cards', () => {
  const stepsOf = (card: CardData): readonly Step[] =>
    card.text.flatMap((clause: Clause) => ('do' in clause ? clause.do : []));
  const stops = (card: CardData) => stepsOf(card).flatMap((step) => (step.do === 'stop' ? [step] : []));
  const flips = (set: string) => CARDS.filter((card) => card.type === 'Flip' && card.id.startsWith(set));

  it('stop one Faction for 0, two for 1, all others for 3 in the first set', () => {
    for (const card of flips('BB-')) {
      const [step] = stops(card);
      if (step === undefined || stepsOf(card).length > 1 || card.text.length > 1) continue;
      const cost = step.not === undefined ? (step.factions?.length === 1 ? 0 : 1) : 3;
      expect(card.cost, card.id).toBe(cost);
      if (step.not !== undefined) expect(step.not, card.id).toEqual(card.factions);
    }
  });

  it('stop one core type for 0 and two for 1 in the second set, each type once alone and twice in a pair', () => {
    const found = flips('BR-').flatMap((card) =>
      stops(card).map((step) => ({ card, types: step.holds ?? [] })),
    );
    const typed = found.filter(({ types }) => types.length > 0);
    for (const { card, types } of typed) expect(card.cost, card.id).toBe(types.length - 1);
    const alone = typed.filter(({ types }) => types.length === 1).flatMap(({ types }) => types);
    expect([...alone].sort()).toEqual(['FF', 'FT', 'HE', 'MS', 'SD']);
    const pairs = typed.filter(({ types }) => types.length === 2).flatMap(({ types }) => types);
    expect([...pairs].sort()).toEqual(['FF', 'FF', 'FT', 'FT', 'HE', 'HE', 'MS', 'MS', 'SD', 'SD']);
  });

  it('stop Aurelus with two others for 2 in the third set, once in each of five Factions', () => {
    const found = flips('AA-').filter((card) => stops(card).some((step) => step.factions?.length === 3));
    expect(found.map((card) => card.factions[0]).sort()).toEqual([
      'Aquos',
      'Darkus',
      'Haos',
      'Pyrus',
      'Ventus',
    ]);
    for (const card of found) {
      expect(card.cost, card.id).toBe(2);
      expect(stops(card)[0]?.factions, card.id).toContain('Aurelus');
    }
  });
});

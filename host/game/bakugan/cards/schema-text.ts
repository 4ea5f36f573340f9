import {
  byKey,
  byWord,
  either,
  later,
  list,
  parts,
  type Shape,
  text,
  whole,
  word,
  wordOr,
} from './shapes.ts';

const yes = word(true);
/** A Faction. */
export const faction = word('Pyrus', 'Aquos', 'Ventus', 'Haos', 'Darkus', 'Aurelus');
/** One or more Factions. */
export const factions = list(faction, 1);
/** A core type. */
export const core = word('FT', 'FF', 'SD', 'MS', 'HE');
const cores = list(core, 1);
/** A card type. */
export const cardType = word('Action', 'Flip', 'Hero', 'Evo', 'Character');
const cardTypes = list(cardType, 1);
/** A step of the Evo ladder. */
export const stage = word('Hyper', 'Titan', 'Maximus', 'Diamond');
const capital = word('A', 'B', 'C', 'D');
const small = whole(1, 40);
const target = word(
  ...['this', 'all', 'all-own', 'all-opposing', 'own', 'opposing', 'it', 'rerolled', 'own-attack'],
  ...['A', 'B', 'C', 'D'],
);
const who = word('you', 'opponent', 'each', 'A', 'B', 'C', 'D');
const pay = parts({ discard: small }, { types: cardTypes });

const filter = parts(
  {},
  {
    types: cardTypes,
    notTypes: cardTypes,
    factions,
    maxCost: whole(0, 30),
    minCost: whole(0, 30),
    name: text(60),
    evoOf: target,
    stage,
    ultra: word(true, false),
  },
);

const count = byWord('count', {
  'own-bakugan': parts({ count: yesWord('own-bakugan'), faction }),
  discard: parts({ count: yesWord('discard'), types: cardTypes }),
  'frost-strike': parts({ count: yesWord('frost-strike'), of: target }),
  damage: parts({ count: yesWord('damage'), of: target }),
  ...Object.fromEntries(
    [
      'other-cards-played',
      'cards-played',
      'heroes',
      'energy',
      'cores',
      'moved',
      'moved-cost',
      'revealed-cost',
      'x',
    ].map((name) => [name, parts({ count: yesWord(name) })]),
  ),
});

function yesWord(name: string): Shape {
  return word(name);
}

const amount = either(
  'a whole number, or { each, per }',
  whole(-9999, 9999),
  parts({ each: whole(-9999, 9999), per: count }, { base: whole(-9999, 9999) }),
);

const plainConditions = word(
  ...['fury', 'flow', 'turbo', 'domination', 'aurelus-power', 'underdog'],
  ...['did', 'stopped', 'reroll-opened', 'heads'],
);
const condition: Shape = later(() => wordOr(plainConditions, conditionParts));
const conditionParts = byKey('a condition', {
  holds: parts({ holds: cores }, { of: either('a target', target, word('own-any', 'attacker')) }),
  faction: parts({ faction: factions, of: target }),
  heroes: parts({ heroes: small }, { name: text(60) }),
  energy: parts({ energy: small }),
  discard: parts({ discard: small }),
  open: parts({ open: whole(0, 3) }),
  cores: parts({ cores: small }),
  playedFactions: parts({ playedFactions: whole(1, 6) }),
  playedCost: parts({ playedCost: whole(0, 30) }),
  played: parts({ played: small }),
  damageOf: parts({ damageOf: target, atLeast: whole(-99, 999) }),
  handEmpty: parts({ handEmpty: word('opponent') }),
  revealed: parts({ revealed: filter }),
  not: parts({ not: condition }),
  any: parts({ any: list(condition, 1) }),
  all: parts({ all: list(condition, 1) }),
});

const pickOf = (of: string, more: { readonly [key: string]: Shape } = {}, needs = {}): Shape =>
  parts({ as: capital, of: word(of), ...needs }, { optional: yes, ...more });
const pick = byWord('of', {
  bakugan: pickOf('bakugan', {
    side: word('own', 'opposing'),
    among: word('open', 'did-not-open', 'any'),
    factions,
    not: factions,
    except: word('A', 'B', 'C', 'D', 'this'),
  }),
  player: pickOf('player'),
  batch: pickOf('batch', { maxCost: whole(0, 30) }, { types: cardTypes }),
  hero: pickOf('hero', { whose: word('own', 'opponent'), maxCost: whole(0, 30) }),
  evo: pickOf('evo', { whose: word('own', 'opponent'), notThisTurn: yes }),
  energy: pickOf('energy', { whose: word('own', 'opponent') }),
  core: pickOf('core', { types: cores }, { on: word('field', 'opposing') }),
  'in-play': pickOf('in-play'),
});
const picks = list(pick, 1);

const grantParts = {
  bPower: amount,
  damage: amount,
  frostStrike: amount,
  doubleStrike: yes,
  shadowStrike: yes,
};

const momentWord = word(
  ...['played', 'opens', 'victor', 'own-opens', 'own-victor', 'it-victor', 'own-attacks', 'selects'],
  ...['discarded', 'you-discard', 'damaged', 'attack-ends', 'turn-ends'],
);
const momentParts = byKey('a moment', {
  deals: parts({ deals: whole(1, 99) }),
  plays: parts({ plays: word('you', 'opponent') }, { filter, onThis: yes }),
});
const when = wordOr(momentWord, momentParts);

const steps: Shape = later(() => list(step, 1));
const step: Shape = later(() => byWord('do', STEPS));

const does = (
  name: string,
  needs: { readonly [key: string]: Shape } = {},
  may: { readonly [key: string]: Shape } = {},
): { readonly [name: string]: Shape } => ({ [name]: parts({ do: word(name), ...needs }, may) });

const STEPS: { readonly [name: string]: Shape } = {
  ...does('add', { to: target }, { ...grantParts, factions, until: word('turn') }),
  ...does('set', { to: target, bPower: whole(0, 9999) }),
  ...does('draw', { n: either('a number or to-match', amount, word('to-match')) }, { who }),
  ...does(
    'discard',
    { n: either('a number or all', amount, word('all')), who },
    { types: cardTypes, by: word('you') },
  ),
  ...does(
    'energize',
    { from: word('this', 'hand', 'deck', 'discard', 'A', 'B', 'C', 'D') },
    { n: either('a number, all or any', amount, word('all', 'any')), who, charged: word(true, false) },
  ),
  ...does('energy', { n: amount }),
  ...does('charge', { n: either('a number or all', small, word('all')) }),
  ...does('uncharge', { n: small, who }, { stays: yes }),
  ...does('destroy', { what: word('A', 'B', 'C', 'D', 'this') }),
  ...does('destroy-all', { kind: word('heroes', 'evos') }, { whose: word('opponent'), except: word('this') }),
  ...does('destroy-energy', { who }, { n: small, keep: whole(0, 40) }),
  ...does('control', { what: capital }),
  ...does('negate', { what: capital }),
  ...does('copy', {
    what: word('negated', 'revealed', 'next-action', 'discarded-action', 'first-action'),
  }),
  ...does('retract', { to: target }),
  ...does('reroll', { to: word('own', 'opposing', 'this') }),
  ...does('attack', { faction, damage: whole(0, 99) }),
  ...does('stop', {}, { factions, not: factions, holds: cores }),
  ...does('draw-damage'),
  ...does('compare-damage'),
  ...does('end-turn'),
  ...does('attach', { to: target }, { core: capital, n: small, types: cores }),
  ...does('detach', { core: word('A', 'B', 'C', 'D', 'all-opposing') }),
  ...does('swap', { to: word('own', 'this'), n: word(1, 'all') }),
  ...does('turn-core'),
  ...does(
    'play',
    { from: word('hand', 'revealed', 'opponent-hand', 'this') },
    { filter, who, times: word('any') },
  ),
  ...does('search', {}, { filter, reveal: yes }),
  ...does('return', { what: word('this', 'A', 'B', 'C', 'D'), to: word('hand', 'deck-bottom') }),
  ...does('shuffle', { from: word('hand', 'discard'), n: either('a number or any', small, word('any')) }),
  ...does('look', { n: small }),
  ...does('reveal', { of: word('deck', 'opponent-deck', 'opponent-hand') }),
  ...does('coin'),
  ...does('next-cost', { by: whole(-30, 30) }),
  ...does('later', { when, steps }),
  ...does('may', { yes: steps }, { who, pay, no: steps, repeat: yes }),
  ...does('if', { is: condition, yes: steps }, { no: steps }),
  ...does('choose', { of: list(parts({ do: steps }, { picks }), 2) }, { by: word('opponent'), mastery: yes }),
};

/** One sentence of a card. */
export const clause = byKey('a clause', {
  when: parts({ when, do: steps }, { if: condition, picks }),
  use: parts({ use: word('missed'), limit: word('turn', 'any'), do: steps }),
  gives: parts(
    { gives: parts({}, grantParts) },
    {
      to: word('this', 'all', 'all-own', 'all-opposing', 'own-attack'),
      factions,
      not: factions,
      if: condition,
    },
  ),
  cost: parts(
    { cost: either('this or a filter', word('this'), filter) },
    { by: amount, set: word(0), if: condition, pay },
  ),
  rule: parts({
    rule: word(
      ...['extra-draw', 'both-masteries', 'double-energy', 'team-cores', 'all-factions'],
      ...['copy-first-action', 'play-from-discard'],
    ),
  }),
  do: parts({ do: steps }, { picks }),
});

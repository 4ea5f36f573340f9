import type { Json, Side } from '../../ids.ts';
import { statsOf } from '../bakugan/bonus.ts';
import type { CardData } from '../bakugan/cards/vocabulary.ts';
import { seenBy } from '../bakugan/see.ts';
import {
  type BakuganState,
  bakuganOf,
  type CoreState,
  coreOf,
  type GameState,
  type PlayerState,
} from '../bakugan/state.ts';
import { cardIn, factionsOf, heroesOf, knownCard, topOf } from '../bakugan/top.ts';
import { waitingFor } from '../bakugan/waiting.ts';

type Readers<Of extends readonly unknown[]> = { readonly [part: string]: (...of: Of) => Json };

const GAME: Readers<[GameState]> = {
  at: (state) => state.at,
  phase: (state) => seenBy(state, { kind: 'public' }).phase,
  step: (state) => seenBy(state, { kind: 'public' }).step,
  turn: (state) => state.turn,
  startingPlayer: (state) => state.startingPlayer,
  acting: (state) => state.acting,
  holder: (state) => state.window?.holder ?? null,
  passes: (state) => state.window?.passes ?? null,
  batch: (state) => state.window?.batch.map((one) => one.label) ?? [],
  asked: (state) => state.decision?.player ?? null,
  offered: (state) => state.decision?.options.map((one) => one.value) ?? [],
  shown: (state) => state.shown,
  roll: (state) => state.roll?.id ?? null,
  attempt: (state) => state.roll?.attempt ?? 0,
  judge: (state) => state.at === 'ST-6',
  victor: (state) => state.victor,
  compare: (state) => state.compare,
  teamAttack: (state) => state.teamAttack,
  'damage.amount': (state) => state.damage?.amount ?? null,
  'damage.flipped': (state) => state.damage?.flipped ?? null,
  'damage.frostStrike': (state) => state.damage?.frostStrike ?? null,
  'damage.to': (state) => state.damage?.to ?? null,
  'damage.by': (state) => state.damage?.by ?? null,
  'damage.factions': (state) => [...(state.damage?.factions ?? [])],
  returning: (state) => state.returning.map((one) => one.player),
  winner: (state) => state.winner,
};

const PLAYER: Readers<[PlayerState, GameState, Side]> = {
  deck: (own) => own.deck.count,
  hand: (own) => own.hand.count,
  discard: (own) => own.discard.count,
  charged: (own) => own.charged.count,
  uncharged: (own) => own.uncharged.count,
  energy: (own) => own.charged.count + own.uncharged.count,
  pool: (own) => own.pool,
  heroes: (_, state, side) => heroesOf(state, side).map((hero) => cardIn(state, hero.card).name),
  'hand cards': (own) => [...own.hand.known].sort(),
  discarded: (own, state) => own.discard.known.map((id) => knownCard(state, id)?.name ?? id),
  top: (own) => own.deck.known.at(-1) ?? null,
  bottom: (own) => own.deck.known[0] ?? null,
  open: (own) => own.bakugan.filter((one) => one.open).length,
  returning: (_, state, side) =>
    state.returning.filter((one) => one.player === side).flatMap((one) => one.cores).length,
  'waited for': (_, state, side) => waitingFor(state).some((one) => one.who === side),
};

const BAKUGAN: Readers<[BakuganState, GameState]> = {
  open: (own) => own.open,
  revealed: (own) => own.revealed,
  bPower: (own, state) => statsOf(state, own).bPower,
  damage: (own, state) => statsOf(state, own).damage,
  frostStrike: (own, state) => statsOf(state, own).frostStrike,
  doubleStrike: (own, state) => statsOf(state, own).doubleStrike,
  shadowStrike: (own, state) => statsOf(state, own).shadowStrike,
  card: (own, state) => topOf(state, own).id,
  factions: (own, state) => [...factionsOf(state, own)],
  cores: (own, state) => state.cores.filter((core) => core.heldBy.includes(own.id)).map((core) => core.core),
};

const CORE: Readers<[CoreState]> = {
  held: (core) => [...core.heldBy],
  lies: (core) => core.cell !== null,
  known: (core) => core.known,
};

const CARD: Readers<[CardData]> = {
  name: (card) => card.name,
  type: (card) => card.type,
  factions: (card) => [...card.factions],
  cost: (card) => card.cost ?? null,
  bPower: (card) => card.bPower ?? null,
  damage: (card) => card.damage ?? null,
  stage: (card) => card.stage ?? null,
  evolves: (card) => (card.evolves === undefined ? null : `${card.evolves.faction} ${card.evolves.name}`),
  indicators: (card) => [...(card.indicators ?? [])],
};

/** Names of parts, by what they are parts of. */
export const PART_NAMES = {
  game: Object.keys(GAME),
  player: Object.keys(PLAYER),
  bakugan: Object.keys(BAKUGAN),
  core: Object.keys(CORE),
  card: Object.keys(CARD),
} as const;

const oneOf = (names: readonly string[]): string => `(?:${names.join('|').replaceAll('.', '\\.')})`;

/** Every name of a part, as a regular expression without its slashes. */
export const PART_PATTERN = [
  `^${oneOf(PART_NAMES.game)}$`,
  `^[AB]\\.${oneOf(PART_NAMES.player)}$`,
  `^[AB]/[1-3]\\.${oneOf(PART_NAMES.bakugan)}$`,
  `^core [AB][1-6]\\.${oneOf(PART_NAMES.core)}$`,
  `^card [^ .]+\\.${oneOf(PART_NAMES.card)}$`,
].join('|');

/** Why this is no name of a part, with those that there are; undefined when it is one. */
export function partFault(name: string): string | undefined {
  if (new RegExp(PART_PATTERN).test(name)) return undefined;
  const [kind, names, as] = name.startsWith('core ')
    ? ['a core', PART_NAMES.core, 'core A1.held']
    : name.startsWith('card ')
      ? ['a card', PART_NAMES.card, 'card BB-87.cost']
      : name.includes('/')
        ? ['a Bakugan', PART_NAMES.bakugan, 'A/1.bPower']
        : /^[AB]\./.test(name)
          ? ['a player', PART_NAMES.player, 'A.hand']
          : ['the game', PART_NAMES.game, 'turn'];
  return `no part has this name; parts of ${kind} are ${names.join(', ')}, written as ${as}`;
}

const read = <Of extends readonly unknown[]>(readers: Readers<Of>, part: string, ...of: Of) =>
  Object.hasOwn(readers, part) ? readers[part]?.(...of) : undefined;

/** A part of the state by its name in a scenario, or undefined when there is no such name. */
export function partOf(state: GameState, name: string): Json | undefined {
  const [head = '', ...rest] = name.split('.');
  const part = rest.join('.');
  if (head === 'A' || head === 'B') return read(PLAYER, part, state.players[head], state, head);
  if (head.includes('/')) {
    const bakugan = bakuganOf(state, head);
    return bakugan === undefined ? undefined : read(BAKUGAN, part, bakugan, state);
  }
  if (head.startsWith('core ')) {
    const core = coreOf(state, head.slice(5));
    return core === undefined ? undefined : read(CORE, part, core);
  }
  if (head.startsWith('card ')) {
    const card = knownCard(state, head.slice(5));
    return card === undefined ? undefined : read(CARD, part, card);
  }
  return read(GAME, name, state);
}

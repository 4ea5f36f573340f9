import { type Json, SIDES, type Side } from '../../ids.ts';
import type { GameInput, LegalInput } from '../ruleset.ts';
import { valuesAt } from './bonus.ts';
import { CARDS } from './cards/catalog.ts';
import type { CardData } from './cards/vocabulary.ts';
import { CORE_PRINTS } from './data/cores.ts';
import { legalFor } from './legal.ts';
import { brawlerOf, type GameState, rerollerOf } from './state.ts';
import type { Team } from './team.ts';
import { stepGame } from './turn.ts';

/** A whole number from 0 to below `sides`. */
export type Pick = (sides: number) => number;

/** How a bot plays: anything legal, or what looks best one step ahead. */
export type Style = 'random' | 'greedy';

/** Whole numbers from a seed. */
export function dice(seed: number): Pick {
  let at = seed >>> 0;
  return (sides) => {
    at = (Math.imul(at, 1664525) + 1013904223) >>> 0;
    return (at >>> 8) % sides;
  };
}

const CHARACTERS = CARDS.filter((card) => card.type === 'Character');
const DECK_CARDS = CARDS.filter((card) => card.type !== 'Character');

function one<T>(list: readonly T[], pick: Pick): T | undefined {
  return list[pick(list.length)];
}

/** A legal team with a legal deck of 40 (1.1.2, 1.2): Characters at random, cards of their Factions, Evos that fit. */
export function randomTeam(pick: Pick, name: string): Team {
  const characters: CardData[] = [];
  while (characters.length < 3) {
    const card = one(CHARACTERS, pick);
    if (card === undefined) break;
    const isTwin = characters.some(
      (other) => other.name === card.name && other.factions[0] === card.factions[0],
    );
    if (!isTwin) characters.push(card);
  }
  const factions = new Set(characters.flatMap((card) => card.factions));
  const fit = DECK_CARDS.filter((card) => {
    if (!card.factions.some((faction) => factions.has(faction))) return false;
    const { evolves } = card;
    if (evolves === undefined) return true;
    return characters.some((base) => base.name === evolves.name && base.factions.includes(evolves.faction));
  });
  // A team of one Faction with few cards cannot fill a deck with three copies of each: others are taken.
  const names = new Map<string, number>();
  if (new Set(fit.map((card) => card.name)).size * 3 < 40) return randomTeam(pick, name);
  const deck: string[] = [];
  while (deck.length < 40) {
    const card = one(fit, pick);
    if (card === undefined) break;
    const copies = names.get(card.name) ?? 0;
    if (copies === 3) continue;
    names.set(card.name, copies + 1);
    deck.push(card.id);
  }
  const cores = characters.flatMap((card) =>
    (card.indicators ?? []).map((type) => {
      const prints = CORE_PRINTS.filter((print) => print.type === type);
      return one(prints, pick)?.no ?? 1;
    }),
  );
  return { name, characters: characters.map((card) => card.id), cores, deck };
}

function resultOf(state: GameState, player: Side, pick: Pick): { readonly [key: string]: Json } {
  const lying = state.cores.filter((core) => core.cell !== null);
  if (pick(10) < 3 || lying.length === 0) return { player, opened: 'no' };
  const cores = pick(8) === 0 ? [] : [one(lying, pick)?.core ?? ''];
  return { player, opened: 'yes', cores };
}

/** What sensors might say of the roll that the game waits for. */
export function randomRoll(state: GameState, pick: Pick): GameInput {
  const reroller = rerollerOf(state);
  const players = reroller === null ? SIDES : [reroller];
  const results = players.map((player) => resultOf(state, player, pick));
  return { type: 'rolled', by: { role: 'sensing' }, roll: state.roll?.id ?? '', results };
}

/** A listed input with the player it is for. */
export function asInput(legal: LegalInput): GameInput {
  const by =
    legal.player === 'judge'
      ? ({ role: 'judge' } as const)
      : ({ role: 'automatic', player: legal.player } as const);
  return { ...legal.input, by };
}

// How a state looks to one side: the Brawl now, what is in play, and the cards that are left.
function worth(state: GameState, side: Side): number {
  const other: Side = side === 'A' ? 'B' : 'A';
  if (state.winner !== null) return state.winner === side ? 1e6 : -1e6;
  let total = 0;
  for (const [who, sign] of [
    [side, 1],
    [other, -1],
  ] as const) {
    const own = state.players[who];
    const brawler = brawlerOf(state, who);
    if (brawler !== undefined) {
      const stats = valuesAt(state, brawler);
      total += sign * (stats.bPower / 10 + Math.max(0, stats.damage) * 8);
    }
    total += sign * (own.deck.count * 6 + own.hand.count * 3 + (own.charged.count + own.uncharged.count) * 4);
    total += sign * 30 * state.heroes.filter((hero) => hero.controller === who).length;
    total += sign * 25 * own.bakugan.reduce((sum, bakugan) => sum + bakugan.evos.length, 0);
  }
  return total;
}

// What an input leads to when everybody just passes on it.
function outcome(state: GameState, input: GameInput): GameState {
  const first = stepGame(state, input);
  if (!first.ok) return state;
  let now = first.state;
  for (
    let i = 0;
    i < 2 && now.window !== null && now.window.batch.length > 0 && now.decision === null;
    i += 1
  ) {
    const passed = stepGame(now, { type: 'pass', by: { role: 'automatic', player: now.window.holder } });
    if (!passed.ok) break;
    now = passed.state;
  }
  return now;
}

/** What a bot does now for one side, or undefined when it has nothing to do. Only what belongs to the normal course. */
export function botInput(state: GameState, side: Side, style: Style, pick: Pick): GameInput | undefined {
  const list = legalFor(state, side).filter((legal) => legal.aside !== true);
  const [first] = list;
  if (first === undefined) return undefined;
  // Flipping is no decision, and passing is always there.
  if (first.input.type === 'flip') return asInput(first);
  if (style === 'random' || list.length === 1) {
    const isPass = first.input.type === 'pass' && list.length > 1 && pick(2) === 0;
    return asInput(isPass ? first : (one(list, pick) ?? first));
  }
  let best = first;
  let most = Number.NEGATIVE_INFINITY;
  for (const legal of list.slice(0, 24)) {
    const value = worth(outcome(state, asInput(legal)), side);
    if (value > most) {
      most = value;
      best = legal;
    }
  }
  return asInput(best);
}

/** The next input of a whole game played by bots: somebody's, a roll, or a judge's where one is needed. */
export function nextInput(
  state: GameState,
  styles: { readonly [side in Side]: Style },
  pick: Pick,
): GameInput | undefined {
  if (state.winner !== null) return undefined;
  if (state.at === 'ST-5' || state.at === 'ST-8r') return randomRoll(state, pick);
  for (const side of SIDES) {
    const input = botInput(state, side, styles[side], pick);
    if (input !== undefined) return input;
  }
  const judged = one(
    legalFor(state, 'judge').filter((legal) => legal.aside !== true),
    pick,
  );
  return judged === undefined ? undefined : asInput(judged);
}

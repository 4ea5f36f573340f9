import { SIDES, type Side } from '../../ids.ts';
import { FIXED_12 } from '../../sensing/layout.ts';
import { bakugan } from '../bakugan/bakugan.ts';
import { demoOptions } from '../bakugan/demo.ts';
import type { BakuganOptions } from '../bakugan/options.ts';
import type { BakuganState, GameState, PlayerState, Zone } from '../bakugan/state.ts';
import { cardIn } from '../bakugan/top.ts';
import type { GivenBakugan, GivenPile, GivenPlayer, Scenario } from './scenario.ts';

/** Options of a scenario: two demo teams on the reference mat, and what it says itself. */
export function optionsOf(scenario: Scenario): BakuganOptions {
  const base = demoOptions(FIXED_12.cells, 7);
  const placement = scenario.start === 'setup' ? 'by-hand' : 'automatic';
  const placing = scenario.start === 'setup' ? 'A' : 'B';
  return { ...base, placement, placing, ...scenario.options };
}

function pileOf(given: GivenPile | undefined, was: Zone, isDeck = false): Zone {
  if (given === undefined) return was;
  if (typeof given === 'number') return { count: given, known: [] };
  // The first one named is the top card; in a pile the top one is the last.
  return { count: given.length, known: isDeck ? [...given].reverse() : given };
}

function bakuganOf(given: GivenBakugan, was: BakuganState): BakuganState {
  const full = typeof given === 'string' ? { card: given } : given;
  const isOpen = full.open === true;
  const evos = (full.evos ?? []).map((card) => ({ card, turn: 0 }));
  return { ...was, card: full.card, open: isOpen, revealed: isOpen, evos };
}

function playerOf(given: GivenPlayer, was: PlayerState): PlayerState {
  const [a, b, c] = was.bakugan;
  const [ga = a.card, gb = b.card, gc = c.card] = given.bakugan ?? [];
  return {
    ...was,
    bakugan: [bakuganOf(ga, a), bakuganOf(gb, b), bakuganOf(gc, c)],
    deck: pileOf(given.deck, was.deck, true),
    hand: pileOf(given.hand, was.hand),
    discard: pileOf(given.discard, was.discard),
    charged: pileOf(given.charged, was.charged),
    uncharged: pileOf(given.uncharged, was.uncharged),
    pool: given.pool ?? was.pool,
  };
}

function withCores(state: GameState, side: Side, given: GivenPlayer): GameState {
  let { cores } = state;
  for (const [index, one] of (given.bakugan ?? []).entries()) {
    const held = typeof one === 'string' ? [] : (one.cores ?? []);
    for (const print of held) {
      const free = cores.findLast((core) => core.core.startsWith(side) && core.cell !== null);
      cores = cores.map((core) =>
        core === free
          ? { ...core, print, cell: null, from: core.cell, heldBy: [`${side}/${index + 1}`], known: true }
          : core,
      );
    }
  }
  for (const [index, print] of (given.field ?? []).entries()) {
    const id = `${side}${index + 1}`;
    cores = cores.map((core) => (core.core === id ? { ...core, print } : core));
  }
  return { ...state, cores };
}

/** The state in which a scenario begins. Throws a RangeError when the options or a named card are not right. */
export function positionOf(scenario: Scenario): GameState {
  let { state } = bakugan.setup(optionsOf(scenario));
  if (scenario.start === 'setup') return state;
  for (const side of SIDES) {
    const given = scenario.given?.[side] ?? {};
    const players = { ...state.players, [side]: playerOf(given, state.players[side]) };
    const heroes = (given.heroes ?? []).map((card, index) => ({
      id: `H${side === 'A' ? 100 + index : 200 + index}`,
      card,
      owner: side,
      controller: side,
      turn: 0,
    }));
    state = withCores({ ...state, players, heroes: [...state.heroes, ...heroes] }, side, given);
    for (const hero of heroes) cardIn(state, hero.card);
  }
  return state;
}

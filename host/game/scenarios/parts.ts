import type { Json, Side } from '../../ids.ts';
import { statsOf } from '../bakugan/bonus.ts';
import { seenBy } from '../bakugan/see.ts';
import { bakuganOf, coreOf, type GameState } from '../bakugan/state.ts';
import { cardIn, factionsOf, heroesOf, knownCard, topOf } from '../bakugan/top.ts';
import { waitingFor } from '../bakugan/waiting.ts';

const PILES = ['deck', 'hand', 'discard', 'charged', 'uncharged'] as const;

function playerPart(state: GameState, side: Side, part: string): Json | undefined {
  const own = state.players[side];
  const pile = PILES.find((one) => one === part);
  if (pile !== undefined) return own[pile].count;
  switch (part) {
    case 'pool':
      return own.pool;
    case 'energy':
      return own.charged.count + own.uncharged.count;
    case 'heroes':
      return heroesOf(state, side).map((hero) => cardIn(state, hero.card).name);
    case 'hand cards':
      return [...own.hand.known].sort();
    case 'discarded':
      return own.discard.known.map((id) => knownCard(state, id)?.name ?? id);
    case 'top':
      return own.deck.known.at(-1) ?? null;
    case 'bottom':
      return own.deck.known[0] ?? null;
    case 'open':
      return own.bakugan.filter((one) => one.open).length;
    case 'returning':
      return state.returning.filter((one) => one.player === side).flatMap((one) => one.cores).length;
    case 'waited for':
      return waitingFor(state).some((one) => one.who === side);
    default:
      return undefined;
  }
}

function bakuganPart(state: GameState, id: string, part: string): Json | undefined {
  const bakugan = bakuganOf(state, id);
  if (bakugan === undefined) return undefined;
  const stats = statsOf(state, bakugan);
  switch (part) {
    case 'open':
      return bakugan.open;
    case 'revealed':
      return bakugan.revealed;
    case 'bPower':
      return stats.bPower;
    case 'damage':
      return stats.damage;
    case 'frostStrike':
      return stats.frostStrike;
    case 'doubleStrike':
      return stats.doubleStrike;
    case 'shadowStrike':
      return stats.shadowStrike;
    case 'card':
      return topOf(state, bakugan).id;
    case 'factions':
      return [...factionsOf(state, bakugan)];
    case 'cores':
      return state.cores.filter((core) => core.heldBy.includes(id)).map((core) => core.core);
    default:
      return undefined;
  }
}

/** A part of the state by its name in a scenario, or undefined when there is no such name. */
export function partOf(state: GameState, name: string): Json | undefined {
  const [head = '', ...rest] = name.split('.');
  const part = rest.join('.');
  if (head === 'A' || head === 'B') return playerPart(state, head, part);
  if (head.includes('/')) return bakuganPart(state, head, part);
  if (head.startsWith('core ')) {
    const core = coreOf(state, head.slice(5));
    if (core === undefined) return undefined;
    return part === 'held'
      ? [...core.heldBy]
      : part === 'lies'
        ? core.cell !== null
        : part === 'known'
          ? core.known
          : undefined;
  }
  switch (name) {
    case 'at':
    case 'turn':
    case 'startingPlayer':
    case 'acting':
    case 'victor':
    case 'teamAttack':
    case 'winner':
    case 'compare':
      return state[name];
    case 'damage.amount':
    case 'damage.flipped':
    case 'damage.frostStrike':
    case 'damage.to':
    case 'damage.by':
      return state.damage?.[part as 'amount'] ?? null;
    case 'holder':
      return state.window?.holder ?? null;
    case 'passes':
      return state.window?.passes ?? null;
    case 'batch':
      return state.window?.batch.map((one) => one.label) ?? [];
    case 'asked':
      return state.decision?.player ?? null;
    case 'offered':
      return state.decision?.options.map((one) => one.value) ?? [];
    case 'shown':
      return state.shown;
    case 'attempt':
      return state.roll?.attempt ?? 0;
    case 'roll':
      return state.roll?.id ?? null;
    case 'judge':
      return state.at === 'ST-6';
    case 'phase':
      return seenBy(state, { kind: 'public' }).phase;
    case 'step':
      return seenBy(state, { kind: 'public' }).step;
    case 'returning':
      return state.returning.map((one) => one.player);
    default:
      return undefined;
  }
}

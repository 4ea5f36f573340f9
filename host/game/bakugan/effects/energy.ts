import type { Side } from '../../../ids.ts';
import { amountOf } from '../conditions.ts';
import { type Move, nameOf, patchPlayer, putCards, say, takeCard, takeTop } from '../move.ts';
import { toDiscard } from '../piles.ts';
import { answeredCard, cardOptions, takeOut } from './cards.ts';
import { ask, chosen, type Doing, did, type Effect, first, readingOf, sidesOf, tell } from './effect.ts';

function lay(doing: Doing, side: Side, cards: readonly string[], charged: boolean, where: string): void {
  const { move } = doing;
  if (cards.length === 0) return;
  const zone = charged ? 'charged' : 'uncharged';
  patchPlayer(move, side, { [zone]: putCards(move.state.players[side][zone], cards) });
  const count = cards.length === 1 ? 'a card' : `${cards.length} cards`;
  const how = charged ? 'charged' : 'uncharged';
  const text = `${doing.resolving.object.label}: ${nameOf(move, side)} energizes ${count} ${where}, ${how}.`;
  say(move, 'batch/energized', ['6.3.2', '1.7'], text, { player: side, count: cards.length });
  tell(move, { did: true });
}

/** `energize`: a card to the Energy zone (D-1.43). */
export const energize: Effect<'energize'> = (doing, step) => {
  const { move } = doing;
  const charged = step.charged !== false;
  tell(move, { did: false });
  const { from } = step;
  switch (from) {
    case 'hand':
      for (const who of [...sidesOf(doing, step.who)].reverse()) {
        const { hand } = move.state.players[who];
        const any = step.n === 'any';
        const n =
          step.n === 'any' || step.n === 'all'
            ? hand.count
            : amountOf(move.state, readingOf(doing), step.n ?? 1);
        first(doing, [{ do: '#energize', n, who, charged, any }]);
      }
      return 'done';
    case 'deck':
      for (const who of sidesOf(doing, step.who)) {
        const n = typeof step.n === 'string' ? 1 : amountOf(move.state, readingOf(doing), step.n ?? 1);
        const taken = takeTop(move.state.players[who].deck, n);
        patchPlayer(move, who, { deck: taken.zone });
        lay(doing, who, taken.cards, charged, 'from the deck');
      }
      return 'done';
    case 'discard': {
      const { discard } = move.state.players[doing.you];
      const n =
        step.n === 'all' || step.n === 'any'
          ? discard.count
          : amountOf(move.state, readingOf(doing), step.n ?? 1);
      const taken = takeTop(discard, n);
      patchPlayer(move, doing.you, { discard: taken.zone });
      lay(doing, doing.you, taken.cards, charged, 'from the discard pile');
      return 'done';
    }
    case 'this': {
      const taken = takeOut(doing, 'this');
      if (taken !== undefined) lay(doing, taken.owner, [taken.card], charged, 'from play');
      return 'done';
    }
    default: {
      const hero = move.state.heroes.find((one) => one.id === chosen(doing, from));
      const taken = hero === undefined ? undefined : takeOut(doing, from);
      if (hero !== undefined && taken !== undefined)
        lay(doing, hero.controller, [taken.card], charged, 'from play');
      return 'done';
    }
  }
};

/** Cards from hand, one after another, chosen by their owner. */
export const energizeSome: Effect<'#energize'> = (doing, step) => {
  const { move, answer } = doing;
  const { hand } = move.state.players[step.who];
  const options = [...cardOptions(move, hand), ...(step.any ? [{ value: 'stop', label: 'No more' }] : [])];
  const [only] = options;
  if (step.n <= 0 || hand.count === 0 || only === undefined) {
    if (hand.count === 0 && step.n > 0) {
      say(move, 'batch/nothing', ['1.3.4'], `${doing.resolving.object.label}: no card in hand.`);
    }
    return 'done';
  }
  if (options.length > 1 && answer === null) {
    return ask(doing, { kind: 'choice', player: step.who, rules: ['6.3.2'], options });
  }
  const value = answer ?? only.value;
  if (value === 'stop') return 'done';
  const card = answeredCard(value);
  patchPlayer(move, step.who, { hand: takeCard(hand, card) });
  lay(doing, step.who, [card], step.charged, 'from hand');
  first(doing, [{ ...step, n: step.n - 1 }]);
  return 'done';
};

/** `energy`: into the pool until the Reset Step (1.7, 5.17.1). */
export const gainEnergy: Effect<'energy'> = (doing, step) => {
  const { move, you } = doing;
  const amount = amountOf(move.state, readingOf(doing), step.n);
  patchPlayer(move, you, { pool: move.state.players[you].pool + Math.max(0, amount) });
  const text = `${doing.resolving.object.label}: ${nameOf(move, you)} gets ${amount} Energy this turn.`;
  say(move, 'batch/energy', ['1.7', '6.3.2'], text, { player: you, amount });
  return did(doing, amount > 0);
};

function turn(move: Move, side: Side, from: 'charged' | 'uncharged', n: number): number {
  const to = from === 'charged' ? 'uncharged' : 'charged';
  const taken = takeTop(move.state.players[side][from], n);
  patchPlayer(move, side, { [from]: taken.zone, [to]: putCards(move.state.players[side][to], taken.cards) });
  return taken.cards.length;
}

/** `charge`: own Energy cards upright (7.2.1). */
export const charge: Effect<'charge'> = (doing, step) => {
  const { move, you } = doing;
  const { uncharged, frozen } = move.state.players[you];
  const n = turn(move, you, 'uncharged', step.n === 'all' ? uncharged.count : step.n);
  patchPlayer(move, you, { frozen: Math.max(0, frozen - n) });
  const text = `${doing.resolving.object.label}: ${nameOf(move, you)} charges ${n} Energy.`;
  say(move, 'batch/charged', ['7.2.1'], text, { player: you, count: n });
  return did(doing, n > 0);
};

/** `uncharge`: Energy cards sideways (7.2.2), without making Energy. */
export const uncharge: Effect<'uncharge'> = (doing, step) => {
  const { move } = doing;
  let total = 0;
  for (const side of sidesOf(doing, step.who)) {
    const n = turn(move, side, 'charged', step.n);
    total += n;
    const { frozen } = move.state.players[side];
    if (step.stays === true) patchPlayer(move, side, { frozen: frozen + n });
    const text = `${doing.resolving.object.label}: ${n} Energy of ${nameOf(move, side)} is uncharged.`;
    say(move, 'batch/uncharged', ['7.2.2'], text, { player: side, count: n });
  }
  return did(doing, total > 0);
};

/** Removes Energy cards to the owner's discard pile: uncharged ones first when the owner would choose. */
export function loseEnergy(
  move: Move,
  side: Side,
  n: number,
  order: readonly ('charged' | 'uncharged')[],
): number {
  let left = n;
  for (const zone of order) {
    const taken = takeTop(move.state.players[side][zone], left);
    if (taken.cards.length === 0) continue;
    patchPlayer(move, side, { [zone]: taken.zone });
    const { frozen, uncharged } = move.state.players[side];
    patchPlayer(move, side, { frozen: Math.min(frozen, uncharged.count) });
    toDiscard(move, side, taken.cards);
    left -= taken.cards.length;
  }
  const lost = n - left;
  if (lost > 0) {
    const text = `${nameOf(move, side)} loses ${lost} Energy card${lost === 1 ? '' : 's'}.`;
    say(move, 'batch/destroyed', ['6.2.1'], text, { player: side, kind: 'energy', count: lost });
  }
  return lost;
}

/** `destroy-energy`: so many, chosen by the controller; or all but so many, chosen by the owner. */
export const destroyEnergy: Effect<'destroy-energy'> = (doing, step) => {
  const { move } = doing;
  let total = 0;
  for (const side of sidesOf(doing, step.who)) {
    const { charged, uncharged } = move.state.players[side];
    total +=
      step.keep === undefined
        ? loseEnergy(move, side, step.n ?? 1, ['charged', 'uncharged'])
        : loseEnergy(move, side, Math.max(0, charged.count + uncharged.count - step.keep), [
            'uncharged',
            'charged',
          ]);
  }
  return did(doing, total > 0);
};

import { opponentOf, type Side } from '../../../ids.ts';
import { amountOf } from '../conditions.ts';
import { type Move, nameOf, patchPlayer, putCards, putUnder, say, takeCard, takeTop } from '../move.ts';
import { cardName, discardFromHand, draw, mixed } from '../piles.ts';
import type { Zone } from '../state.ts';
import { bakuganOf } from '../state.ts';
import { fits, knownCard } from '../top.ts';
import { ask, type Doing, did, type Effect, first, readingOf, sidesOf, tell } from './effect.ts';

/** Answers that stand for a card nobody knows: `?`, or `?BB-87` when the player says which one it is. */
export function answeredCard(answer: string): string {
  return answer.startsWith('?') ? answer.slice(1) : answer;
}

/** Cards of a pile as answers: those that fit, each once, and one for the cards that nobody knows. */
export function cardOptions(
  move: Move,
  zone: Zone,
  isFit: (id: string) => boolean = () => true,
): readonly { readonly value: string; readonly label: string }[] {
  const ids = [...new Set(zone.known)].filter(isFit);
  const options = ids.map((id) => ({ value: id, label: cardName(move, id) }));
  if (zone.count > zone.known.length) options.push({ value: '?', label: 'A card that is not known here' });
  return options;
}

/** `draw` (1.17). */
export const drawCards: Effect<'draw'> = (doing, step) => {
  const { move } = doing;
  const moved = { A: 0, B: 0 };
  for (const side of sidesOf(doing, step.who)) {
    const reading = { ...readingOf(doing), you: side };
    const hands = (one: Side) => move.state.players[one].hand.count;
    const n =
      step.n === 'to-match'
        ? Math.max(0, hands(opponentOf(side)) - hands(side))
        : amountOf(move.state, reading, step.n);
    if (n > 0) moved[side] = draw(move, side, n, ['6.2.1']);
  }
  tell(move, { moved });
  return did(doing, moved.A + moved.B > 0);
};

/** `discard`: from hand; each player discards their own, or the controller chooses. */
export const discardCards: Effect<'discard'> = (doing, step) => {
  const { move } = doing;
  tell(move, { moved: { A: 0, B: 0 }, movedCost: 0, did: false });
  const inner = sidesOf(doing, step.who).map((who) => ({
    do: '#discard' as const,
    n: step.n === 'all' ? move.state.players[who].hand.count : amountOf(move.state, readingOf(doing), step.n),
    who,
    by: step.by === 'you' ? doing.you : who,
    types: step.types ?? null,
  }));
  first(doing, inner);
  return 'done';
};

function discardOne(doing: Doing, who: Side, card: string): void {
  const { move } = doing;
  const facts = move.state.resolving?.facts;
  discardFromHand(move, who, card);
  const cost = knownCard(move.state, card)?.cost;
  const moved = { A: 0, B: 0, ...facts?.moved };
  moved[who] += 1;
  const movedCost = (facts?.movedCost ?? 0) + (typeof cost === 'number' ? cost : 0);
  tell(move, { moved, movedCost, did: true });
  const text = `${doing.resolving.object.label}: ${nameOf(move, who)} discards ${cardName(move, card)} from hand.`;
  const data = { id: doing.resolving.object.id, player: who, count: 1 };
  say(move, 'batch/discarded', ['6.3.2', '1.3.4'], text, data);
}

/** One player discards so many, one at a time. */
export const discardSome: Effect<'#discard'> = (doing, step) => {
  const { move, answer } = doing;
  const { hand } = move.state.players[step.who];
  const isFit = (id: string) => {
    const card = knownCard(move.state, id);
    return step.types === null || (card !== undefined && step.types.includes(card.type));
  };
  const options = cardOptions(move, hand, isFit);
  const [only] = options;
  if (step.n <= 0 || only === undefined) return 'done';
  if (options.length > 1 && answer === null && !(step.types === null && hand.count <= step.n)) {
    return ask(doing, { kind: 'choice', player: step.by, rules: ['6.3.2'], options });
  }
  discardOne(doing, step.who, answeredCard(answer ?? only.value));
  first(doing, [{ ...step, n: step.n - 1 }]);
  return 'done';
};

/** `search`: a card of the own deck to hand, then the deck is shuffled. */
export const searchDeck: Effect<'search'> = (doing, step) => {
  const { move, you, answer } = doing;
  const { deck, hand } = move.state.players[you];
  const isFit = (id: string) => {
    const card = knownCard(move.state, id);
    return card !== undefined && fits(move.state, card, step.filter);
  };
  if (answer === null) {
    const options = [...cardOptions(move, deck, isFit), { value: 'none', label: 'Take none' }];
    return ask(doing, { kind: 'choice', player: you, rules: ['6.2.1'], options });
  }
  const takes = answer !== 'none' && deck.count > 0;
  const card = answeredCard(answer);
  if (takes) patchPlayer(move, you, { deck: takeCard(deck, card), hand: putCards(hand, [card]) });
  const what = step.reveal === true && takes ? cardName(move, card) : 'a card';
  const text = `${doing.resolving.object.label}: ${nameOf(move, you)} takes ${takes ? what : 'no card'} from the deck and shuffles it.`;
  say(move, 'batch/searched', ['6.2.1', '1.3.4'], text, { player: you, found: takes });
  first(doing, [{ do: '#mix' }]);
  return did(doing, takes);
};

/** The own deck in a new order. */
export const mixDeck: Effect<'#mix'> = (doing) => {
  const { move, you } = doing;
  patchPlayer(move, you, { deck: mixed(move, move.state.players[you].deck) });
  return 'done';
};

/** `shuffle`: cards from hand or discard pile into the own deck. */
export const shuffleIn: Effect<'shuffle'> = (doing, step) => {
  const any = step.n === 'any';
  const n = step.n === 'any' ? doing.move.state.players[doing.you][step.from].count : step.n;
  tell(doing.move, { moved: { A: 0, B: 0 }, did: false });
  first(doing, [{ do: '#shuffle', from: step.from, n, any }, { do: '#mix' }]);
  return 'done';
};

/** One card after another. */
export const shuffleSome: Effect<'#shuffle'> = (doing, step) => {
  const { move, you, answer } = doing;
  const pile = move.state.players[you][step.from];
  const options = [...cardOptions(move, pile), ...(step.any ? [{ value: 'stop', label: 'No more' }] : [])];
  const [only] = options;
  if (step.n <= 0 || pile.count === 0 || only === undefined) return 'done';
  if (options.length > 1 && answer === null) {
    return ask(doing, { kind: 'choice', player: you, rules: ['6.2.1'], options });
  }
  const value = answer ?? only.value;
  if (value === 'stop') return 'done';
  const card = answeredCard(value);
  const { deck } = move.state.players[you];
  patchPlayer(move, you, { [step.from]: takeCard(pile, card), deck: putCards(deck, [card]) });
  const moved = { A: 0, B: 0, ...move.state.resolving?.facts.moved };
  moved[you] += 1;
  tell(move, { moved, did: true });
  const what = step.from === 'hand' ? 'a card' : cardName(move, card);
  const text = `${nameOf(move, you)} shuffles ${what} from ${step.from === 'hand' ? 'hand' : 'the discard pile'} into the deck.`;
  say(move, 'batch/shuffled', ['6.2.1'], text, { player: you });
  first(doing, [{ ...step, n: step.n - 1 }]);
  return 'done';
};

/** `look`: the top cards of the own deck, put back in any order. */
export const lookAtTop: Effect<'look'> = (doing, step) => {
  const { move, you } = doing;
  const { deck } = move.state.players[you];
  const cards = takeTop(deck, step.n).cards.filter((card) => card !== '');
  tell(move, { revealed: cards, revealedIn: { side: you, zone: 'deck' }, did: cards.length > 0 });
  const text = `${nameOf(move, you)} looks at the top ${Math.min(step.n, deck.count)} cards of the deck.`;
  say(move, 'batch/looked', ['6.2.1'], text, { player: you });
  if (cards.length > 1) first(doing, [{ do: '#order', cards }]);
  return 'done';
};

/** The looked-at cards go back one by one; the first chosen lies lowest. */
export const orderTop: Effect<'#order'> = (doing, step) => {
  const { move, you, answer } = doing;
  if (step.cards.length < 2) return 'done';
  const options = [...new Set(step.cards)].map((value) => ({ value, label: cardName(move, value) }));
  const [only] = options;
  if (options.length > 1 && answer === null) {
    const label = `${doing.resolving.object.label}: which card lies lowest`;
    return ask(doing, { kind: 'choice', player: you, rules: ['6.2.1'], options, label });
  }
  const card = answer ?? only?.value ?? '';
  const at = step.cards.indexOf(card);
  const rest = [...step.cards.slice(0, at), ...step.cards.slice(at + 1)];
  // Lowest of those that are still in hand: they are on top of it, in whatever order.
  const { deck } = move.state.players[you];
  const below = deck.known.slice(0, deck.known.length - step.cards.length);
  patchPlayer(move, you, { deck: { count: deck.count, known: [...below, card, ...rest] } });
  const keep = rest.length > 1 ? [{ do: '#order' as const, cards: rest }] : [];
  first(doing, keep);
  return 'done';
};

/** `reveal`: the top card of a deck, or a hand, for everybody to see. */
export const revealCards: Effect<'reveal'> = (doing, step) => {
  const { move, you, answer } = doing;
  const side = step.of === 'deck' ? you : opponentOf(you);
  const zone = step.of === 'opponent-hand' ? 'hand' : 'deck';
  const pile = move.state.players[side][zone];
  const label = doing.resolving.object.label;
  if (pile.count === 0) {
    tell(move, { revealed: [], revealedIn: null });
    say(move, 'batch/nothing', ['1.3.4'], `${label}: there is no card to reveal.`);
    return did(doing, false);
  }
  let cards = zone === 'hand' ? pile.known : takeTop(pile, 1).cards;
  if (zone === 'deck' && cards[0] === '') {
    if (answer === null) {
      const options = [{ value: '?', label: 'Turn it up and say which card it is' }];
      return ask(doing, { kind: 'choice', player: side, rules: ['6.2.1'], options });
    }
    cards = [answeredCard(answer)];
    // The card on top is known now, though not what lies below it.
    if (cards[0] !== '' && !pile.known.includes(cards[0] ?? '')) {
      patchPlayer(move, side, { deck: { count: pile.count, known: [...pile.known, cards[0] ?? ''] } });
    }
  }
  tell(move, { revealed: cards.filter((card) => card !== ''), revealedIn: { side, zone } });
  const names = cards.map((card) => cardName(move, card)).join(', ');
  const text = `${label}: ${nameOf(move, side)} reveals ${names === '' ? 'a hand that is not known here' : names}.`;
  say(move, 'batch/revealed', ['6.2.1'], text, { player: side, cards: [...cards] });
  return did(doing, true);
};

/** `return`: this card, or a Hero or Evo in play, to its owner's hand or under the deck. */
export const returnCard: Effect<'return'> = (doing, step) => {
  const { move } = doing;
  const taken = takeOut(doing, step.what);
  if (taken === undefined) return did(doing, false);
  const { owner, card } = taken;
  const { hand, deck } = move.state.players[owner];
  if (step.to === 'hand') patchPlayer(move, owner, { hand: putCards(hand, [card]) });
  else patchPlayer(move, owner, { deck: putUnder(deck, card) });
  const where = step.to === 'hand' ? 'to hand' : 'under the deck';
  const text = `${cardName(move, card)} goes ${where} of ${nameOf(move, owner)}.`;
  say(move, 'batch/returned', ['6.2.1'], text, { player: owner, card, to: step.to });
  return did(doing, true);
};

/** Takes a card from where it is: this card from the batch, from play, or from the discard pile; or a picked one. */
export function takeOut(
  doing: Doing,
  what: string,
): { readonly owner: Side; readonly card: string } | undefined {
  const { move, resolving } = doing;
  const { state } = move;
  const named = what === 'this' ? null : (state.resolving?.facts.choices[what] ?? '');
  const { from } = resolving;
  const heroId = named ?? from.hero;
  const hero = state.heroes.find((one) => one.id === heroId);
  if (hero !== undefined) {
    move.state.heroes = state.heroes.filter((one) => one !== hero);
    return { owner: hero.owner, card: hero.card };
  }
  const bakuganId = named ?? from.bakugan;
  const bakugan = bakuganId === null ? undefined : bakuganOf(state, bakuganId);
  const evo = bakugan?.evos.at(-1);
  if (bakugan !== undefined && evo !== undefined && (named !== null || evo.card === from.card)) {
    const side = bakugan.id.startsWith('A') ? 'A' : 'B';
    const players = state.players[side].bakugan;
    const [a, b, c] = players;
    const bare = (one: typeof a) => (one.id === bakugan.id ? { ...one, evos: one.evos.slice(0, -1) } : one);
    patchPlayer(move, side, { bakugan: [bare(a), bare(b), bare(c)] });
    return { owner: side, card: evo.card };
  }
  if (named !== null) return undefined;
  if (state.resolving?.cardTo === 'discard') {
    move.state.resolving = { ...state.resolving, cardTo: null };
    return { owner: from.owner, card: from.card };
  }
  // A card that has happened already lies in its owner's discard pile.
  const { discard } = state.players[from.owner];
  if (!discard.known.includes(from.card)) return undefined;
  patchPlayer(move, from.owner, { discard: takeCard(discard, from.card) });
  return { owner: from.owner, card: from.card };
}

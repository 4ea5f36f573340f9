import { type BakuganId, opponentOf, SIDES, type Side } from '../../ids.ts';
import type { BatchObject, Deed, Facts, Source } from './batch.ts';
import { valuesAt } from './bonus.ts';
import type { CardData, Clause, When } from './cards/vocabulary.ts';
import { isMet, type Reading } from './conditions.ts';
import { type Move, patch } from './move.ts';
import { bakuganOf, brawlerOf, sideOf } from './state.ts';
import { fits, knownCard, titleOf, topOf } from './top.ts';

/** Something that happened and may trigger texts (6.3.1). */
export type Moment =
  | { readonly is: 'opens' | 'victor' | 'selects' | 'attacks'; readonly bakugan: BakuganId }
  | { readonly is: 'discarded'; readonly side: Side; readonly card: string }
  | { readonly is: 'discards' | 'damaged'; readonly side: Side }
  | { readonly is: 'deals'; readonly side: Side; readonly amount: number }
  | { readonly is: 'attack-ends' | 'turn-ends' }
  | {
      readonly is: 'plays';
      readonly side: Side;
      readonly card: CardData;
      /** Bakugan that it was played on: its targets. */
      readonly on: readonly BakuganId[];
    }
  | { readonly is: 'played'; readonly from: Source; readonly side: Side };

/** No fact yet. */
export const NO_FACTS: Facts = {
  choices: {},
  it: null,
  rerolled: null,
  did: false,
  stopped: false,
  rerollOpened: false,
  heads: false,
  moved: { A: 0, B: 0 },
  movedCost: 0,
  revealed: [],
  revealedIn: null,
  negated: null,
};

/** Puts a number on a new batch object. */
export function newObject(move: Move, controller: Side, label: string, deed: Deed): BatchObject {
  const id = move.state.objects + 1;
  move.state.objects = id;
  return { id, controller, label, deed };
}

function meant(
  move: Move,
  moment: Moment,
  when: When,
  from: Source,
  you: Side,
  it: BakuganId | null,
): boolean {
  const own = 'bakugan' in moment && sideOf(moment.bakugan) === you;
  const self = 'bakugan' in moment && moment.bakugan === from.bakugan;
  if (typeof when !== 'string') {
    if ('deals' in when) return moment.is === 'deals' && moment.side === you && moment.amount >= when.deals;
    if (moment.is !== 'plays' || (when.plays === 'you') !== (moment.side === you)) return false;
    if (when.onThis === true && !(from.bakugan !== null && moment.on.includes(from.bakugan))) return false;
    return fits(move.state, moment.card, when.filter);
  }
  switch (when) {
    case 'opens':
    case 'victor':
      return moment.is === when && self;
    case 'own-opens':
      return moment.is === 'opens' && own;
    case 'own-victor':
      return moment.is === 'victor' && own;
    case 'it-victor':
      return moment.is === 'victor' && moment.bakugan === it;
    case 'own-attacks':
      return moment.is === 'attacks' && own;
    case 'selects':
      return moment.is === 'selects' && own;
    case 'played':
      return moment.is === 'played' && moment.side === you && sameSource(moment.from, from);
    case 'discarded':
      return (
        moment.is === 'discarded' && moment.card === from.card && from.hero === null && from.bakugan === null
      );
    case 'you-discard':
      return moment.is === 'discards' && moment.side === you;
    case 'damaged':
      return moment.is === 'damaged' && moment.side === you;
    case 'attack-ends':
    case 'turn-ends':
      return moment.is === when;
    default:
      return when satisfies never;
  }
}

function sameSource(a: Source, b: Source): boolean {
  return a.card === b.card && a.hero === b.hero && a.bakugan === b.bakugan;
}

const WORDS: { readonly [word: string]: string } = { victor: 'Victor', opens: 'on opening' };

function labelOf(move: Move, from: Source, when: When): string {
  const bakugan = from.bakugan === null ? undefined : bakuganOf(move.state, from.bakugan);
  const name =
    bakugan === undefined ? (knownCard(move.state, from.card)?.name ?? '') : titleOf(move.state, bakugan);
  const word = typeof when === 'string' ? WORDS[when] : undefined;
  return word === undefined ? name : `${name}: ${word}`;
}

function add(move: Move, object: BatchObject): void {
  patch(move, { triggered: [...move.state.triggered, object] });
}

type WhenClause = Extract<Clause, { readonly when: When }>;

const NONE: readonly WhenClause[] = [];
/** Texts of each card that wait for something, worked out once: most cards have none, and every moment asks. */
const waiting = new WeakMap<readonly Clause[], readonly WhenClause[]>();

function waitingIn(clauses: readonly Clause[]): readonly WhenClause[] {
  if (clauses.length === 0) return NONE;
  const known = waiting.get(clauses);
  if (known !== undefined) return known;
  const found = clauses.filter((clause): clause is WhenClause => 'when' in clause);
  waiting.set(clauses, found.length === 0 ? NONE : found);
  return found;
}

function consider(move: Move, moment: Moment, clauses: readonly WhenClause[], from: Source, you: Side): void {
  for (const clause of clauses) {
    if (!meant(move, moment, clause.when, from, you, null)) continue;
    const it = 'bakugan' in moment ? moment.bakugan : from.bakugan;
    const reading: Reading = { you, from, facts: { ...NO_FACTS, it }, stats: valuesAt };
    if (clause.if !== undefined && !isMet(move.state, reading, clause.if)) continue;
    const deed: Deed = { do: 'text', from, picks: clause.picks ?? [], steps: clause.do, it, kept: null };
    add(move, newObject(move, you, labelOf(move, from, clause.when), deed));
  }
}

/** Lets every text in play, and every text set up for later, see what happened; those that are met wait for the batch. */
export function fire(move: Move, moment: Moment): void {
  const { state } = move;
  for (let turn = 0; turn < 2; turn += 1) {
    const side = turn === 0 ? state.startingPlayer : opponentOf(state.startingPlayer);
    for (const bakugan of state.players[side].bakugan) {
      // A closed Bakugan that is not in this turn's roll sleeps on its card.
      if (!bakugan.open && state.rolled[side] !== bakugan.id && moment.is !== 'played') continue;
      const top = topOf(state, bakugan);
      const texts = waitingIn(top.text);
      if (texts.length === 0) continue;
      const from = { card: top.id, owner: side, hero: null, bakugan: bakugan.id };
      consider(move, moment, texts, from, side);
    }
  }
  for (const hero of state.heroes) {
    const texts = waitingIn(knownCard(state, hero.card)?.text ?? NONE);
    if (texts.length === 0) continue;
    const from = { card: hero.card, owner: hero.owner, hero: hero.id, bakugan: null };
    consider(move, moment, texts, from, hero.controller);
  }
  if (moment.is === 'discarded') {
    const texts = waitingIn(knownCard(state, moment.card)?.text ?? NONE);
    const from = { card: moment.card, owner: moment.side, hero: null, bakugan: null };
    if (texts.length > 0) consider(move, moment, texts, from, moment.side);
  }
  for (const watch of state.watches) {
    if (!meant(move, moment, watch.when, watch.from, watch.controller, watch.facts.rerolled)) continue;
    const deed: Deed = {
      do: 'text',
      from: watch.from,
      picks: [],
      steps: watch.steps,
      it: watch.facts.it,
      kept: watch.facts,
    };
    add(move, newObject(move, watch.controller, watch.label, deed));
  }
}

/** The sides in the order in which their triggers enter (4.4.2). */
export function enteringOrder(move: Move): readonly [Side, Side] {
  const first = move.state.window?.first ?? move.state.startingPlayer;
  return [first, opponentOf(first)];
}

/** Whether a Bakugan of either player is in this Brawl. */
export function anybodyOpen(move: Move): boolean {
  return SIDES.some((side) => brawlerOf(move.state, side) !== undefined);
}

import type { Side } from '../../ids.ts';
import type { BatchObject, Facts, Resolving, Source, Todo } from './batch.ts';
import { enter, enterWaiting } from './batching.ts';
import type { CardData } from './cards/vocabulary.ts';
import { playClauses } from './choices.ts';
import { carryOut } from './effects/all.ts';
import { carryOutModify } from './hand-entry.ts';
import { type Move, nameOf, patch, patchBakugan, say } from './move.ts';
import { toDiscard } from './piles.ts';
import { bakuganOf, type Frame } from './state.ts';
import { cardIn, titleOf } from './top.ts';
import { anybodyOpen, fire, NO_FACTS } from './triggers.ts';
import type { StateId } from './view.ts';

/** Steps that texts take after one input, at most; a card file could hold a text without an end. */
const MOST_STEPS = 2000;

function start(move: Move, object: BatchObject, from: Source, todo: readonly Todo[], facts: Facts): void {
  const { deed } = object;
  const goes = deed.do === 'card' && todo.length > 0;
  const resolving: Resolving = { object, from, todo, facts, cardTo: goes ? 'discard' : null, answer: null };
  move.state.resolving = resolving;
}

/** A Hero or Evo comes into play (D-2.35, D-2.36). */
function intoPlay(move: Move, object: BatchObject, card: CardData, owner: Side): void {
  const { controller, deed } = object;
  const { turn } = move.state;
  if (card.type === 'Hero') {
    const id = `H${object.id}`;
    const hero = { id, card: card.id, owner, controller, turn };
    patch(move, { heroes: [...move.state.heroes, hero] });
    say(move, 'card/hero', ['6.2.1', '2.4.2.1'], `${card.name} of ${nameOf(move, controller)} is in play.`, {
      player: controller,
      card: card.id,
    });
    fire(move, { is: 'played', side: controller, from: { card: card.id, owner, hero: id, bakugan: null } });
    return;
  }
  const id = deed.do === 'card' ? deed.on : null;
  const bakugan = id === null ? undefined : bakuganOf(move.state, id);
  if (id === null || bakugan === undefined) return;
  const before = titleOf(move.state, bakugan);
  patchBakugan(move, id, { evos: [...bakugan.evos, { card: card.id, turn }] });
  const text = `${before} of ${nameOf(move, controller)} becomes ${card.name}.`;
  say(move, 'card/evo', ['6.2.1', '2.4.2.1'], text, { player: controller, bakugan: id, card: card.id });
  fire(move, { is: 'played', side: controller, from: { card: card.id, owner, hero: null, bakugan: id } });
}

/** An object of the batch begins to happen (4.4.3). */
export function begin(move: Move, object: BatchObject): void {
  const { deed, controller } = object;
  say(move, 'batch/resolved', ['4.4.3'], `${object.label} happens.`, { id: object.id }, 'quiet');
  switch (deed.do) {
    case 'modify':
      carryOutModify(move, object, deed);
      return;
    case 'flip':
      stopByHand(move, object, deed.stop);
      return;
    case 'card': {
      const card = cardIn(move.state, deed.card);
      if (card.type === 'Hero' || card.type === 'Evo') {
        intoPlay(move, object, card, deed.owner);
        return;
      }
      const steps = playClauses(card).flatMap((clause) => clause.do);
      const todo = steps.map((step): Todo => ({ step, you: controller }));
      const from = { card: card.id, owner: deed.owner, hero: null, bakugan: null };
      // A card without a text that the game knows still goes to the discard pile.
      const idle: readonly Todo[] = [{ step: { do: '#you', facts: {} }, you: controller }];
      start(move, object, from, todo.length > 0 ? todo : idle, { ...NO_FACTS, choices: deed.choices });
      return;
    }
    case 'text': {
      const todo: readonly Todo[] = [
        ...deed.picks.map((pick): Todo => ({ step: { do: '#pick', pick }, you: controller })),
        ...deed.steps.map((step): Todo => ({ step, you: controller })),
      ];
      start(move, object, deed.from, todo, deed.kept ?? { ...NO_FACTS, it: deed.it });
      return;
    }
    default:
      deed satisfies never;
  }
}

function stopByHand(move: Move, object: BatchObject, stop: boolean): void {
  const { damage } = move.state;
  if (damage === null || !stop || damage.flipped >= damage.amount) return;
  const left = damage.amount - damage.flipped;
  patch(move, { damage: { ...damage, amount: damage.flipped, stopped: true } });
  const text = `${nameOf(move, object.controller)} stops the attack: ${left} Damage is not dealt.`;
  say(move, 'damage/stopped', ['5.11.2', '5.11.2.1'], text, { player: object.controller, left });
}

/** Where a card lies after its text happened: its owner's discard pile, unless the text put it elsewhere (D-2.34). */
function finish(move: Move, resolving: Resolving): void {
  move.state.resolving = null;
  if (resolving.cardTo !== 'discard') return;
  toDiscard(move, resolving.from.owner, [resolving.from.card]);
}

/**
 * Goes on with what happens until somebody has to answer, place a core or roll, or another state takes over. Then
 * waiting triggers enter the batch. A roll after which nobody is open any more starts the Rolling Step again (AM-29).
 */
export function goOn(move: Move): StateId | 'stay' {
  for (let steps = 1; ; steps += 1) {
    const { state } = move;
    if (state.decision !== null || state.returning.length > 0) return 'stay';
    const { resolving } = state;
    if (resolving === null) break;
    if (steps > MOST_STEPS) {
      const text = `${resolving.object.label} does not come to an end: the rest of it is left out.`;
      say(move, 'batch/endless', ['1.3.4'], text, { id: resolving.object.id });
      finish(move, resolving);
      continue;
    }
    const [head, ...rest] = resolving.todo;
    if (head === undefined) {
      finish(move, resolving);
      continue;
    }
    const { answer } = resolving;
    move.state.resolving = { ...resolving, todo: rest, answer: null };
    const done = carryOut({ move, you: head.you, answer, resolving }, head);
    if (done === 'done') continue;
    if (done !== 'asked') {
      if (done.enter === 'ST-15') return endTurnNow(move);
      return done.enter;
    }
    const now = move.state.resolving;
    if (now !== null) patch(move, { resolving: { ...now, todo: [head, ...now.todo] } });
  }
  enterWaiting(move);
  const { at, window, rerolls } = move.state;
  const isQuiet = window !== null && window.batch.length === 0 && move.state.decision === null;
  if (at === 'ST-8' && isQuiet && rerolls > 0 && !anybodyOpen(move)) {
    say(move, 'power/nobody-open', ['5.7.2.1', 'AM-29'], 'No Bakugan is open any more: both roll again.');
    patch(move, { window: null });
    return 'ST-5';
  }
  return 'stay';
}

// Blackhole and the like: the card is put away, everything else of this turn is left out (AM-35).
function endTurnNow(move: Move): 'ST-15' {
  const { resolving } = move.state;
  if (resolving !== null) finish(move, resolving);
  const cards = [
    ...(move.state.window?.batch ?? []),
    ...move.state.frames.flatMap((frame: Frame) => frame.window?.batch ?? []),
  ];
  for (const { deed, controller, label } of cards) {
    if (deed.do === 'card') toDiscard(move, deed.owner, [deed.card]);
    else if (deed.do === 'modify' && deed.card) toDiscard(move, controller, [label]);
  }
  for (const frame of move.state.frames) {
    if (frame.resolving?.cardTo === 'discard') {
      toDiscard(move, frame.resolving.from.owner, [frame.resolving.from.card]);
    }
  }
  patch(move, {
    window: null,
    frames: [],
    triggered: [],
    watches: [],
    flip: null,
    shown: null,
    decision: null,
  });
  return 'ST-15';
}

/** Takes up what went on before a card's attack or a reroll. */
export function popFrame(move: Move): StateId | 'stay' {
  const { frames } = move.state;
  const frame = frames.at(-1);
  if (frame === undefined) return 'stay';
  const { at, window, resolving, damage } = frame;
  patch(move, { frames: frames.slice(0, -1), at, window, resolving, damage });
  return goOn(move);
}

/** An answer to what was asked. */
export function answerWith(move: Move, value: string): StateId | 'stay' {
  const { decision, resolving, triggered } = move.state;
  patch(move, { decision: null });
  if (decision?.kind === 'order') {
    const object = triggered.find((one) => `${one.id}` === value);
    if (object !== undefined) enter(move, object);
    return goOn(move);
  }
  if (resolving !== null) patch(move, { resolving: { ...resolving, answer: value } });
  return goOn(move);
}

import { opponentOf, SIDES, type Side } from '../../../ids.ts';
import { type Announcement, announce, announcements, copiesOnPlay, copyObject } from '../announce.ts';
import { putOnBatch } from '../batching.ts';
import { bakuganIn, bothModes, playClauses } from '../choices.ts';
import { targetsOf } from '../conditions.ts';
import { type Move, nameOf, patch, patchPlayer, say, takeCard } from '../move.ts';
import { cardName, toDiscard } from '../piles.ts';
import { sayWay } from '../play-input.ts';
import { cardIn, fits, knownCard } from '../top.ts';
import { fire } from '../triggers.ts';
import { detailsOf } from '../versions.ts';
import { takeOut } from './cards.ts';
import { ask, chosen, type Doing, did, type Effect, first, readingOf, sidesOf, tell } from './effect.ts';
import { loseEnergy } from './energy.ts';

function destroyed(doing: Doing, what: string): boolean {
  const { move } = doing;
  const taken = takeOut(doing, what);
  if (taken === undefined) return false;
  const text = `${cardName(move, taken.card)} is destroyed.`;
  say(move, 'batch/destroyed', ['6.2.1'], text, { player: taken.owner, card: taken.card, count: 1 });
  toDiscard(move, taken.owner, [taken.card]);
  return true;
}

/** `destroy`: a Hero, Evo or Energy card in play, or this card. */
export const destroy: Effect<'destroy'> = (doing, step) => {
  const value = step.what === 'this' ? undefined : chosen(doing, step.what);
  const [side, zone] = value?.split(':') ?? [];
  if ((side === 'A' || side === 'B') && (zone === 'charged' || zone === 'uncharged')) {
    return did(doing, loseEnergy(doing.move, side, 1, [zone]) > 0);
  }
  return did(doing, destroyed(doing, step.what));
};

/** `destroy-all`: every Hero or Evo. */
export const destroyAll: Effect<'destroy-all'> = (doing, step) => {
  const { move, you } = doing;
  const { from } = doing.resolving;
  const sides: readonly Side[] = step.whose === 'opponent' ? [opponentOf(you)] : SIDES;
  const moved = { A: 0, B: 0 };
  const discards: { side: Side; card: string }[] = [];
  if (step.kind === 'heroes') {
    const gone = move.state.heroes.filter(
      (hero) => sides.includes(hero.controller) && !(step.except === 'this' && hero.id === from.hero),
    );
    patch(move, { heroes: move.state.heroes.filter((hero) => !gone.includes(hero)) });
    for (const hero of gone) discards.push({ side: hero.owner, card: hero.card });
  } else {
    for (const side of sides) {
      const [a, b, c] = move.state.players[side].bakugan;
      const bare = (one: typeof a) => {
        if (step.except === 'this' && one.id === from.bakugan) return one;
        for (const evo of one.evos) discards.push({ side, card: evo.card });
        return one.evos.length === 0 ? one : { ...one, evos: [] };
      };
      patchPlayer(move, side, { bakugan: [bare(a), bare(b), bare(c)] });
    }
  }
  for (const { side, card } of discards) {
    // Counted for whoever did it, as in "for each Hero destroyed".
    moved[you] += 1;
    say(move, 'batch/destroyed', ['6.2.1'], `${cardName(move, card)} is destroyed.`, {
      player: side,
      card,
      count: 1,
    });
    toDiscard(move, side, [card]);
  }
  tell(move, { moved });
  return did(doing, discards.length > 0);
};

/** `control`: a Hero changes sides. */
export const takeControl: Effect<'control'> = (doing, step) => {
  const { move, you } = doing;
  const id = chosen(doing, step.what);
  const hero = move.state.heroes.find((one) => one.id === id);
  if (hero === undefined) return did(doing, false);
  patch(move, {
    heroes: move.state.heroes.map((one) => (one.id === id ? { ...one, controller: you } : one)),
  });
  const text = `${nameOf(move, you)} takes control of ${cardName(move, hero.card)}.`;
  say(move, 'batch/control', ['6.2.1'], text, { player: you, card: hero.card });
  return did(doing, true);
};

/** `negate`: an object of the batch does nothing; Energy paid for it stays spent (6.2.1.1). */
export const negate: Effect<'negate'> = (doing, step) => {
  const { move } = doing;
  const { window } = move.state;
  const id = chosen(doing, step.what);
  const object = window?.batch.find((one) => `${one.id}` === id);
  if (window === null || object === undefined) {
    say(
      move,
      'batch/nothing',
      ['1.3.4'],
      `${doing.resolving.object.label}: that card is not on the batch any more.`,
    );
    return did(doing, false);
  }
  patch(move, { window: { ...window, batch: window.batch.filter((one) => one !== object) } });
  const text = `${object.label} of ${nameOf(move, object.controller)} is negated.`;
  say(move, 'batch/negated', ['6.2.1.1'], text, { id: object.id, player: object.controller });
  const { deed } = object;
  if (deed.do === 'card') {
    toDiscard(move, deed.owner, [deed.card]);
    tell(move, { negated: deed.card });
  } else if (deed.do === 'modify' && deed.card) toDiscard(move, object.controller, [object.label]);
  return did(doing, true);
};

function repeat(doing: Doing, id: string): void {
  const card = cardIn(doing.move.state, id);
  const { resolving } = doing.move.state;
  if (resolving === null) return;
  const { self, x } = resolving.facts.choices;
  const kept = { ...(self === undefined ? {} : { self }), ...(x === undefined ? {} : { x }) };
  tell(doing.move, { choices: kept });
  const text = `${doing.resolving.object.label} copies ${card.name}.`;
  say(doing.move, 'batch/copied', ['6.2.1', '1.3.3'], text, { card: id });
  const clauses = playClauses(card);
  first(doing, [
    ...clauses.flatMap((clause) => (clause.picks ?? []).map((pick) => ({ do: '#pick' as const, pick }))),
    ...clauses.flatMap((clause) => clause.do),
  ]);
}

/** `copy`: a text happens again with own choices (D-2.13). */
export const copyText: Effect<'copy'> = (doing, step) => {
  const { move, you, answer } = doing;
  const { copies } = move.state;
  switch (step.what) {
    case 'next-action':
    case 'first-action':
      patch(move, { copies: { ...copies, [you]: copies[you] + 1 } });
      return did(doing, true);
    case 'negated': {
      const id = move.state.resolving?.facts.negated;
      if (id === null || id === undefined || cardIn(move.state, id).type !== 'Action')
        return did(doing, false);
      repeat(doing, id);
      return did(doing, true);
    }
    case 'revealed': {
      const [id] = move.state.resolving?.facts.revealed ?? [];
      if (id === undefined || knownCard(move.state, id)?.type !== 'Action') return did(doing, false);
      repeat(doing, id);
      return did(doing, true);
    }
    case 'discarded-action': {
      // Of texts that copy a discarded Action none is copied: two of them would copy each other for ever.
      const { copiesCopies } = detailsOf(move.state.version);
      const ids = [...new Set(SIDES.flatMap((side) => move.state.players[side].discarded))].filter(
        (id) => copiesCopies || !JSON.stringify(cardIn(move.state, id).text).includes('"discarded-action"'),
      );
      if (ids.length === 0) return did(doing, false);
      if (answer === null && ids.length > 1) {
        const options = ids.map((value) => ({ value, label: cardName(move, value) }));
        return ask(doing, { kind: 'choice', player: you, rules: ['6.2.1.2'], options });
      }
      repeat(doing, answer ?? ids[0] ?? '');
      return did(doing, true);
    }
    default:
      return step.what satisfies never;
  }
};

type Way = { readonly said: Announcement; readonly from: 'hand' | 'deck' | 'discard'; readonly owner: Side };

function freeWays(doing: Doing, step: Parameters<Effect<'play'>>[1]): readonly Way[] {
  const { move, you } = doing;
  const { state } = move;
  const facts = state.resolving?.facts;
  const evoOf =
    step.filter?.evoOf === undefined ? undefined : targetsOf(state, readingOf(doing), step.filter.evoOf)[0];
  const where: { ids: readonly string[]; from: Way['from']; owner: Side } = (() => {
    switch (step.from) {
      case 'hand':
        return { ids: state.players[you].hand.known, from: 'hand' as const, owner: you };
      case 'opponent-hand':
        return {
          ids: state.players[opponentOf(you)].hand.known,
          from: 'hand' as const,
          owner: opponentOf(you),
        };
      case 'this':
        return {
          ids: [doing.resolving.from.card],
          from: 'discard' as const,
          owner: doing.resolving.from.owner,
        };
      case 'revealed':
        return {
          ids: facts?.revealed ?? [],
          from: facts?.revealedIn?.zone ?? ('deck' as const),
          owner: facts?.revealedIn?.side ?? you,
        };
      default:
        return step.from satisfies never;
    }
  })();
  return [...new Set(where.ids)].flatMap((id) => {
    const card = knownCard(state, id);
    if (card === undefined || !state.players[where.owner][where.from].known.includes(id)) return [];
    if (!fits(state, card, step.filter, evoOf)) return [];
    return announcements(state, you, card, { free: true }).map(
      (said): Way => ({ said, from: where.from, owner: where.owner }),
    );
  });
}

/** `play`: without its Energy cost; never forced (1.15.2). */
export const playFree: Effect<'play'> = (doing, step) => {
  const { move, you, answer } = doing;
  const who = sidesOf(doing, step.who);
  const [one, ...others] = who;
  if (others.length > 0 || (one !== undefined && one !== you)) {
    const { who: _, ...alone } = step;
    for (const side of [...who].reverse()) first(doing, [alone], side);
    return 'done';
  }
  const ways = freeWays(doing, step);
  if (ways.length === 0) return did(doing, false);
  if (answer === null) {
    const options = [
      ...ways.map((way, index) => ({ value: `${index}`, label: `Play ${sayWay(move.state, way.said)}` })),
      { value: 'no', label: 'Play none' },
    ];
    return ask(doing, { kind: 'choice', player: you, rules: ['1.15.2', '6.2.1'], options });
  }
  const way = ways[Number(answer)];
  if (answer === 'no' || way === undefined) return did(doing, false);
  const card = cardIn(move.state, way.said.card);
  const pile = move.state.players[way.owner][way.from];
  patchPlayer(move, way.owner, { [way.from]: takeCard(pile, card.id) });
  putPlayed(move, you, way.owner, way.said);
  if (step.times === 'any') first(doing, [step]);
  return did(doing, true);
};

/** Plays an announced card that has left its pile, with the texts that see it. */
export function putPlayed(move: Move, you: Side, owner: Side, said: Announcement): void {
  const card = cardIn(move.state, said.card);
  putOnBatch(move, announce(move, you, owner, said, card));
  const copies = copiesOnPlay(move, you, card);
  for (let i = 0; i < copies; i += 1) putOnBatch(move, copyObject(move, you, card));
  const on = said.on === null ? bakuganIn(said.choices) : [said.on];
  fire(move, { is: 'plays', side: you, card, on });
}

/** `choose`: one of several, or both with a Hero that says so. */
export const chooseOne: Effect<'choose'> = (doing, step) => {
  const { move, you, answer } = doing;
  const { choices } = move.state.resolving?.facts ?? doing.resolving.facts;
  if (bothModes(move.state, you, step)) {
    first(
      doing,
      step.of.flatMap((option) => [...picksFor(option.picks, choices), ...option.do]),
    );
    return 'done';
  }
  const mode = step.by === 'opponent' ? answer : (choices.mode ?? answer);
  if (mode === null || mode === undefined) {
    const options = step.of.map((option, index) => ({ value: `${index}`, label: sayOption(option.do) }));
    const player = step.by === 'opponent' ? opponentOf(you) : you;
    return ask(doing, { kind: 'choice', player, rules: ['6.2.1.2'], options });
  }
  const option = step.of[Number(mode)];
  if (option !== undefined) first(doing, [...picksFor(option.picks, choices), ...option.do]);
  return 'done';
};

function picksFor(
  picks: Parameters<Effect<'choose'>>[1]['of'][number]['picks'],
  choices: { readonly [name: string]: string },
) {
  return (picks ?? [])
    .filter((pick) => choices[pick.as] === undefined)
    .map((pick) => ({ do: '#pick' as const, pick }));
}

function sayOption(steps: Parameters<Effect<'choose'>>[1]['of'][number]['do']): string {
  return steps
    .map((step) =>
      Object.entries(step)
        .map(([key, value]) =>
          typeof value === 'object' ? key : key === 'do' ? `${value}` : `${key} ${value}`,
        )
        .join(' '),
    )
    .join('; ');
}

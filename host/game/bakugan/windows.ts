import type { Side } from '../../ids.ts';
import { pass } from '../pass-window.ts';
import type { GameInput, Refusal } from '../ruleset.ts';
import { announcements } from './announce.ts';
import { putOnBatch } from './batching.ts';
import { putPlayed } from './effects/in-play.ts';
import { applyModifier, modifierIn, payCard } from './hand-entry.ts';
import { type Move, mayHold, type Next, nameOf, patch, patchPlayer, refuse, say, takeCard } from './move.ts';
import { saidIn } from './play-input.ts';
import { playerIn, textIn } from './read-input.ts';
import { isLeft } from './registered.ts';
import { answerWith, begin, goOn } from './resolve.ts';
import { takeReturn } from './retracting.ts';
import { knownCard } from './top.ts';
import { newObject } from './triggers.ts';
import { usable } from './using.ts';

const RULES = ['5.1.3', '1.14'];

// The holder of priority, or why this player may not act now.
function holderIn(move: Move, input: GameInput): Side | Refusal {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  const { window, decision, returning } = move.state;
  if (window === null) {
    return refuse('window/none', 'Nothing can be played or passed now.', '5.1.3');
  }
  if (decision !== null) {
    return refuse('window/decision', `${decision.label} waits for a decision first.`, '1.13');
  }
  if (returning.length > 0) {
    return refuse('window/place-first', 'Cores of retracted Bakugan go back to the field first.', '4.7.3');
  }
  if (window.holder !== player) {
    return refuse('window/not-holder', 'The other player has priority.', '1.14', '5.1.3');
  }
  return player;
}

/** Input `pass` (W-2 to W-4): tells whether the window closed. */
export function takePass(move: Move, input: GameInput): 'closed' | Next {
  const player = holderIn(move, input);
  if (typeof player !== 'string') return player;
  const { window } = move.state;
  if (window === null) return 'stay';
  say(move, 'window/passed', RULES, `${nameOf(move, player)} passes.`, { player }, 'quiet');
  const passed = pass(window);
  switch (passed.to) {
    case 'opponent':
      move.state.window = passed.window;
      return 'stay';
    case 'resolve':
      move.state.window = passed.window;
      begin(move, passed.item);
      return goOn(move);
    case 'closed':
      move.state.window = null;
      say(move, 'window/closed', RULES, 'Both have passed.', { window: move.state.at }, 'quiet');
      return 'closed';
    default:
      return passed satisfies never;
  }
}

/** Input `decide`: an answer to what a text asks as it happens; `yes`, or `choice` with one of the values offered. */
export function takeDecide(move: Move, input: GameInput): Next {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  const { decision } = move.state;
  if (decision === null) return refuse('decide/nothing', 'Nothing waits for a decision.', '1.13');
  if (decision.player !== player) {
    return refuse('decide/not-yours', 'This is for the other player to decide.', '1.13');
  }
  if (decision.kind === 'may') {
    if (typeof input.yes !== 'boolean') return refuse('decide/say-which', 'Say yes or no.', '1.13');
    return answerWith(move, input.yes ? 'yes' : 'no');
  }
  const choice = textIn(input, 'choice', 400);
  const named = textIn(input, 'card', 60);
  if (choice === undefined || !decision.options.some((one) => one.value === choice)) {
    return refuse('decide/say-which', 'Choose one of what is offered.', '1.13', '6.2.1.2');
  }
  return answerWith(move, choice === '?' && named !== undefined ? `?${named}` : choice);
}

/**
 * Input `modify`: a card or ability that the game does not know, entered by hand. A player's enters the batch like any
 * other (W-1); a judge's corrects the Bakugan at once.
 */
export function takeModify(move: Move, input: GameInput): Next {
  if (input.by.role === 'judge' && input.by.player === undefined) {
    const entered = modifierIn(move, input);
    if ('code' in entered) return entered;
    applyModifier(move, entered.bakugan, entered.modifier);
    return 'stay';
  }
  const player = holderIn(move, input);
  if (typeof player !== 'string') return player;
  const entered = modifierIn(move, input);
  if ('code' in entered) return entered;
  const { bakugan, modifier, cost } = entered;
  const refusal = cost === null ? undefined : payCard(move, player, cost, modifier.label);
  if (refusal !== undefined) return refusal;
  const deed = { do: 'modify', bakugan, modifier, card: cost !== null } as const;
  putOnBatch(move, newObject(move, player, modifier.label, deed));
  return goOn(move);
}

/** Input `play`: a card that the game knows, from hand (6.2.1), with all its choices (6.2.1.2) and costs (6.2.1.3). */
export function takePlay(move: Move, input: GameInput): Next {
  const player = holderIn(move, input);
  if (typeof player !== 'string') return player;
  const id = textIn(input, 'card', 20);
  const card = id === undefined ? undefined : knownCard(move.state, id);
  if (id === undefined || card === undefined) {
    return refuse('play/no-such-card', 'There is no such card; enter it by hand.', '6.2.1');
  }
  const { hand, discard } = move.state.players[player];
  const fromDiscard =
    !hand.known.includes(id) &&
    discard.known.includes(id) &&
    card.text.some((one) => 'rule' in one && one.rule === 'play-from-discard');
  if (!fromDiscard && (hand.count === 0 || !mayHold(hand, id))) {
    return refuse('play/not-in-hand', `${card.name} is not in your hand.`, '6.2.1');
  }
  if (!fromDiscard && !hand.known.includes(id) && !isLeft(move.state, player, id)) {
    return refuse('play/not-in-deck', `${card.name} is not left in the registered deck.`, '1.1.2', '1.2.1');
  }
  if (card.type === 'Flip' || card.type === 'Character') {
    const message =
      card.type === 'Flip'
        ? 'A Flip card is played when it is flipped as damage.'
        : 'This is no card to play.';
    return refuse('play/not-that-type', message, '5.11.2', '2.4.2.1');
  }
  const ways = announcements(move.state, player, card, { inHand: !fromDiscard });
  const said = saidIn(input, ways);
  if (said === undefined) return whyNot(card.name, ways.length > 0);
  const pile = fromDiscard ? 'discard' : 'hand';
  patchPlayer(move, player, { [pile]: takeCard(move.state.players[player][pile], id) });
  putPlayed(move, player, player, said);
  return goOn(move);
}

function whyNot(name: string, possible: boolean): Refusal {
  return possible
    ? refuse('play/bad-choice', `${name} cannot be played with these choices.`, '1.13', '6.2.1.2')
    : refuse(
        'play/cannot',
        `${name} cannot be played now: its cost or a needed choice is missing.`,
        '1.13',
        '6.2.1',
      );
}

/** Input `use`: a text that may be used in this window (1.18). */
export function takeUse(move: Move, input: GameInput): Next {
  const player = holderIn(move, input);
  if (typeof player !== 'string') return player;
  const found = usable(move.state, player).find((one) => one.bakugan === input.bakugan);
  if (found === undefined) {
    return refuse('use/nothing', 'There is no such ability to use now.', '1.18', 'AM-30', 'AM-31');
  }
  patch(move, { used: [...move.state.used, found.mark] });
  const deed = {
    do: 'text',
    from: found.from,
    picks: [],
    steps: found.steps,
    it: found.bakugan,
    kept: null,
  } as const;
  putOnBatch(move, newObject(move, player, found.label, deed));
  return goOn(move);
}

/** Input `place` in a window: cores of a Bakugan that a text retracted. */
export function takePlace(move: Move, input: GameInput): Next {
  const next = takeReturn(move, input);
  return next === 'stay' ? goOn(move) : next;
}

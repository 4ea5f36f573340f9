import type { Side } from '../../ids.ts';
import { addToBatch, enterTriggered, openWindow, pass } from '../pass-window.ts';
import type { GameInput, Refusal } from '../ruleset.ts';
import { decide, happen, newObject } from './abilities.ts';
import { applyModifier, carryOutModify, modifierIn, payCard } from './hand-entry.ts';
import { type Move, type Next, nameOf, patch, refuse, say } from './move.ts';
import { playerIn } from './read-input.ts';
import type { BatchObject } from './state.ts';

const RULES = ['5.1.3', '1.14'];

/** Opens the priority window of the state the game is in; abilities that triggered on the way are in it (W-0, W-5). */
export function openPhaseWindow(
  move: Move,
  triggers: { readonly [side in Side]: readonly BatchObject[] } = { A: [], B: [] },
): void {
  const { startingPlayer, at } = move.state;
  const window = enterTriggered(openWindow<BatchObject>(startingPlayer), triggers);
  patch(move, { window });
  say(move, 'window/opened', RULES, `${nameOf(move, startingPlayer)} has priority.`, { window: at }, 'quiet');
  for (const object of window.batch) {
    say(move, 'batch/added', ['4.4.1', '4.4.2'], `${object.label} enters the batch.`, { id: object.id });
  }
}

/** Puts a card or ability of the holder on top of the batch (W-1). */
export function putOnBatch(move: Move, object: BatchObject): void {
  const { window } = move.state;
  if (window === null) return;
  patch(move, { window: addToBatch(window, object) });
  const text = `${nameOf(move, object.controller)}: ${object.label} enters the batch.`;
  say(move, 'batch/added', ['4.4.1', '6.2.1'], text, { id: object.id, player: object.controller });
}

function resolve(move: Move, object: BatchObject): void {
  const { deed, controller } = object;
  say(move, 'batch/resolved', ['4.4.3'], `${object.label} happens.`, { id: object.id }, 'quiet');
  if (deed.do === 'modify') {
    carryOutModify(move, object, deed);
    return;
  }
  if (deed.do !== 'flip') {
    happen(move, object);
    return;
  }
  const { damage } = move.state;
  if (damage === null) return;
  if (deed.stop && damage.flipped < damage.amount) {
    const left = damage.amount - damage.flipped;
    patch(move, { damage: { ...damage, amount: damage.flipped, stopped: true } });
    const text = `${nameOf(move, controller)} stops the attack: ${left} Damage is not dealt.`;
    say(move, 'damage/stopped', ['5.11.2', '5.11.2.1'], text, { player: controller, left });
  }
}

// The holder of priority, or why this player may not act now.
function holderIn(move: Move, input: GameInput): Side | Refusal {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  const { window, decision } = move.state;
  if (window === null) {
    return refuse('window/none', 'Nothing can be played or passed now.', '5.1.3');
  }
  if (decision !== null) {
    return refuse('window/decision', `${decision.label} waits for a decision first.`, '1.13');
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
      patch(move, { window: passed.window });
      return 'stay';
    case 'resolve':
      patch(move, { window: passed.window });
      resolve(move, passed.item);
      return 'stay';
    case 'closed':
      patch(move, { window: null });
      say(move, 'window/closed', RULES, 'Both have passed.', { window: move.state.at }, 'quiet');
      return 'closed';
    default:
      return passed satisfies never;
  }
}

/** Input `decide`: the "may" of an ability that is happening. */
export function takeDecide(move: Move, input: GameInput): Next {
  const player = playerIn(input);
  if (typeof player !== 'string') return player;
  const { decision } = move.state;
  if (decision === null) return refuse('decide/nothing', 'Nothing waits for a decision.', '1.13');
  if (decision.controller !== player) {
    return refuse('decide/not-yours', 'This is for the other player to decide.', '1.13');
  }
  if (typeof input.yes !== 'boolean') return refuse('decide/say-which', 'Say yes or no.', '1.13');
  decide(move, decision, input.yes);
  return 'stay';
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
  const refusal = cost === null ? undefined : payCard(move, player, cost);
  if (refusal !== undefined) return refusal;
  const deed = { do: 'modify', bakugan, modifier, card: cost !== null } as const;
  putOnBatch(move, newObject(move, player, modifier.label, deed));
  return 'stay';
}

import { opponentOf } from '../../ids.ts';
import { addToBatch, openWindow } from '../pass-window.ts';
import type { BatchObject } from './batch.ts';
import { valuesAt } from './bonus.ts';
import { type Move, nameOf, patch, say } from './move.ts';
import { brawlerOf, type GameState } from './state.ts';
import { enteringOrder } from './triggers.ts';

const RULES = ['5.1.3', '1.14'];

/** Puts a card or ability on top of the batch; its player keeps priority, or by option gives it up (W-1, AM-16). */
export function putOnBatch(move: Move, object: BatchObject): void {
  const { window } = move.state;
  if (window === null) return;
  const added = addToBatch(window, object);
  const keeps = move.state.options.rules.afterPlaying === 'keep' || window.holder !== object.controller;
  move.state.window = keeps ? added : { ...added, holder: opponentOf(object.controller) };
  const text = `${nameOf(move, object.controller)}: ${object.label} enters the batch.`;
  say(move, 'batch/added', ['4.4.1', '6.2.1'], text, { id: object.id, player: object.controller });
}

/** Moves one waiting trigger into the batch. */
export function enter(move: Move, object: BatchObject): void {
  const { window, triggered } = move.state;
  if (window === null) return;
  patch(move, {
    window: { ...window, passes: 0, batch: [...window.batch, object] },
    triggered: triggered.filter((one) => one.id !== object.id),
  });
  say(move, 'batch/added', ['4.4.1', '4.4.2'], `${object.label} enters the batch.`, { id: object.id });
}

/**
 * Triggers that wait enter the batch (W-5): the first player's lowest, each player's in the order that player chooses
 * (4.4.2, 6.3.3, 1.3.5, 5.10.2). Asks when there is something to choose.
 */
export function enterWaiting(move: Move): void {
  for (const side of enteringOrder(move)) {
    for (;;) {
      const own = move.state.triggered.filter((one) => one.controller === side);
      const [first] = own;
      if (first === undefined || move.state.window === null) break;
      if (own.some((one) => one.label !== first.label)) {
        patch(move, {
          decision: {
            kind: 'order',
            player: side,
            label: 'which ability enters the batch first; the last one happens first',
            rules: ['4.4.2', '6.3.3', '5.10.2'],
            options: own.map((one) => ({ value: `${one.id}`, label: one.label })),
          },
        });
        return;
      }
      enter(move, first);
    }
  }
}

function firstPlayer(state: GameState): GameState['startingPlayer'] {
  if (state.options.rules.firstPriority === 'startingPlayer') return state.startingPlayer;
  const a = brawlerOf(state, 'A');
  const b = brawlerOf(state, 'B');
  if (a === undefined || b === undefined) return state.startingPlayer;
  const powerA = valuesAt(state, a).bPower;
  const powerB = valuesAt(state, b).bPower;
  if (powerA === powerB) return state.startingPlayer;
  return powerA < powerB ? 'A' : 'B';
}

/** Opens the priority window of the state the game is in; what was triggered on the way is in it (W-0, W-5, AM-17). */
export function openPhaseWindow(move: Move, batch: readonly BatchObject[] = []): void {
  const { at } = move.state;
  const first = firstPlayer(move.state);
  move.state.window = openWindow<BatchObject>(first, batch);
  say(move, 'window/opened', RULES, `${nameOf(move, first)} has priority.`, { window: at }, 'quiet');
  for (const object of batch) {
    say(move, 'batch/added', ['4.4.1', '4.4.2'], `${object.label} enters the batch.`, { id: object.id });
  }
  enterWaiting(move);
}

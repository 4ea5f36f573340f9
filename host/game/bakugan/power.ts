import { SIDES } from '../../ids.ts';
import { openPhaseWindow } from './batching.ts';
import { valuesAt } from './bonus.ts';
import { type Move, nameOf, patch, say } from './move.ts';
import type { Phase } from './phase.ts';
import { brawlerOf } from './state.ts';
import type { StateId } from './view.ts';

/** ST-4: cards between the selection and the roll (5.6.2). */
export const beforeRoll: Phase = {
  rules: ['5.6.2'],
  enter(move) {
    if (move.state.options.mode === 'basic') return 'ST-5';
    openPhaseWindow(move);
    return 'stay';
  },
  closed: () => 'ST-5',
};

/** Whether only one Bakugan is in this Brawl and is Victor without a Power Step (AM-15, by option). */
export function isVictorAtOnce(move: Move): boolean {
  const openers = SIDES.filter((side) => brawlerOf(move.state, side) !== undefined);
  return openers.length === 1 && move.state.options.rules.soleOpener === 'victorAtOnce';
}

/** After the Power Step: Victor Step, tie-break, or the roll again when nobody is open (AM-29). */
function compare(move: Move): StateId {
  const a = brawlerOf(move.state, 'A');
  const b = brawlerOf(move.state, 'B');
  if (a === undefined && b === undefined) {
    say(move, 'power/nobody-open', ['5.7.2.1', 'AM-29'], 'No Bakugan is open any more: both roll again.');
    return 'ST-5';
  }
  if (a === undefined || b === undefined) return 'ST-9';
  const { compare: by } = move.state;
  const powerA = valuesAt(move.state, a)[by];
  const powerB = valuesAt(move.state, b)[by];
  const what = by === 'bPower' ? 'B-Power' : 'Damage Rating';
  const text = `${what}: ${nameOf(move, 'A')} ${powerA}, ${nameOf(move, 'B')} ${powerB}.`;
  say(move, 'power/compared', ['5.10.1'], text, { A: powerA, B: powerB });
  if (powerA !== powerB) return 'ST-9';
  // Without cards a tie is rolled again (D-9.1).
  if (move.state.options.mode === 'basic') return 'ST-12';
  patch(move, { tie: { A: null, B: null } });
  return 'ST-8t';
}

/** ST-8: Power Step, also for a sole opener (5.9.1, AM-15). */
export const powering: Phase = {
  rules: ['5.9.1'],
  enter(move) {
    if (move.state.options.mode === 'basic') return compare(move);
    if (isVictorAtOnce(move)) return 'ST-9';
    openPhaseWindow(move);
    return 'stay';
  },
  closed: compare,
};

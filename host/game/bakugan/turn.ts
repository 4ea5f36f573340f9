import type { GameInput, Outcome } from '../ruleset.ts';
import { afterDamage, answeringFlip, dealing } from './damage.ts';
import { chargeStep, playStep, resetStep } from './end.ts';
import { over, takeConcede, takeTime } from './game-over.ts';
import { extraField } from './input-fields.ts';
import { takeCount } from './judge.ts';
import { finishMove, type Move, type Next, refuse, startMove } from './move.ts';
import type { Phase } from './phase.ts';
import { beforeRoll, powering } from './power.ts';
import { retractingStep } from './retract.ts';
import { evaluating, rerolling, revealing, rolling } from './roll.ts';
import { selecting } from './selection.ts';
import { settingUp } from './set-up.ts';
import { drawing, energizing } from './start.ts';
import type { GameState } from './state.ts';
import { breakingTie } from './tie-break.ts';
import { detailsOf } from './versions.ts';
import { declaringVictor } from './victor.ts';
import type { StateId } from './view.ts';
import { takeDecide, takeModify, takePass, takePlace, takePlay, takeUse } from './windows.ts';

const PHASES: { readonly [id in StateId]: Phase } = {
  'SU-4': settingUp,
  'ST-1': drawing,
  'ST-2': energizing,
  'ST-3': selecting,
  'ST-4': beforeRoll,
  'ST-5': rolling,
  'ST-6': evaluating,
  'ST-7': revealing,
  'ST-8': powering,
  'ST-8r': rerolling,
  'ST-8t': breakingTie,
  'ST-9': declaringVictor,
  'ST-10': dealing,
  'ST-10f': answeringFlip,
  'ST-11': afterDamage,
  'ST-12': retractingStep,
  'ST-13': playStep,
  'ST-14': chargeStep,
  'ST-15': resetStep,
  GO: over,
};

/** Enters a state, and those that follow without waiting. */
export function enterFrom(move: Move, first: StateId): void {
  let next: StateId | 'stay' = first;
  while (next !== 'stay') {
    move.state.at = next;
    next = PHASES[next].enter(move);
  }
}

function take(move: Move, phase: Phase, input: GameInput): Next {
  switch (input.type) {
    case 'time':
      return takeTime(move, input);
    case 'concede':
      return takeConcede(move, input);
    case 'count': {
      const counted = takeCount(move, input);
      return counted === 'stay' && phase.again !== undefined ? phase.again(move) : counted;
    }
    case 'modify':
      return takeModify(move, input);
    case 'decide':
      return settled(move, phase, takeDecide(move, input));
    case 'play':
      return takePlay(move, input);
    case 'use':
      return takeUse(move, input);
    case 'pass': {
      const passed = takePass(move, input);
      return passed === 'closed' ? (phase.closed?.(move) ?? 'stay') : passed;
    }
    case 'place':
      if (move.state.window !== null) return takePlace(move, input);
      return takeOwn(move, phase, input);
    default:
      return takeOwn(move, phase, input);
  }
}

// A state that asked something itself goes on once nothing is asked any more.
function settled(move: Move, phase: Phase, next: Next): Next {
  const { decision, resolving, window, returning } = move.state;
  const isDone = decision === null && resolving === null && window === null && returning.length === 0;
  return next === 'stay' && isDone && phase.settled !== undefined ? phase.settled(move) : next;
}

function takeOwn(move: Move, phase: Phase, input: GameInput): Next {
  const { takes } = phase;
  const taken = takes !== undefined && Object.hasOwn(takes, input.type) ? takes[input.type] : undefined;
  if (taken !== undefined) return taken(move, input);
  return refuse('step/not-now', `This cannot be done in ${move.state.at}.`, ...phase.rules);
}

/** One input: the next state with what happened, or a refusal that changes nothing. */
export function stepGame(state: GameState, input: GameInput): Outcome<GameState> {
  if (state.winner !== null) {
    return { ok: false, refusal: refuse('game/over', 'The game is over.', '1.5') };
  }
  if (typeof input?.by !== 'object' || input.by === null || typeof input.type !== 'string') {
    return {
      ok: false,
      refusal: refuse('step/no-actor', 'An input says what is done and by whom.', '5.1.2'),
    };
  }
  const extra = detailsOf(state.version).extraFields === 'refused' ? extraField(input) : undefined;
  if (extra !== undefined) return { ok: false, refusal: extra };
  const move = startMove(state);
  const next = take(move, PHASES[state.at], input);
  if (typeof next !== 'string') return { ok: false, refusal: next };
  if (next !== 'stay') enterFrom(move, next);
  return { ok: true, state: finishMove(move), events: move.events };
}

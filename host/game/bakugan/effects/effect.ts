import { opponentOf, SIDES, type Side } from '../../../ids.ts';
import type { Facts, InnerStep, Question, Resolving, Source, Todo } from '../batch.ts';
import { valuesAt } from '../bonus.ts';
import type { Step, Who } from '../cards/vocabulary.ts';
import type { Reading } from '../conditions.ts';
import { type Move, patch } from '../move.ts';
import type { StateId } from '../view.ts';

/** One step as it happens: where, for whom, and what was answered to what it asked. */
export type Doing = {
  readonly move: Move;
  readonly you: Side;
  readonly answer: string | null;
  readonly resolving: Resolving;
};

/** What a step led to: done, a question, or a state that takes over (an attack, a reroll, the end of the turn). */
export type Done = 'done' | 'asked' | { readonly enter: StateId };

export type Effect<Word extends (Step | InnerStep)['do']> = (
  doing: Doing,
  step: Extract<Step | InnerStep, { do: Word }>,
) => Done;

/** Tells later steps something. */
export function tell(move: Move, facts: Partial<Facts>): void {
  const { resolving } = move.state;
  if (resolving !== null)
    patch(move, { resolving: { ...resolving, facts: { ...resolving.facts, ...facts } } });
}

/** Puts steps before those that wait. */
export function first(doing: Doing, steps: readonly (Step | InnerStep)[], you: Side = doing.you): void {
  const { resolving } = doing.move.state;
  if (resolving === null || steps.length === 0) return;
  const todo: readonly Todo[] = [...steps.map((step) => ({ step, you })), ...resolving.todo];
  patch(doing.move, { resolving: { ...resolving, todo } });
}

/** Asks a player; the step is carried out again with the answer. */
export function ask(doing: Doing, question: Omit<Question, 'label'> & { readonly label?: string }): 'asked' {
  const label = question.label ?? doing.resolving.object.label;
  patch(doing.move, { decision: { ...question, label } });
  return 'asked';
}

/** The reading of the text that is happening. */
export function readingOf(doing: Doing): Reading {
  const resolving = doing.move.state.resolving ?? doing.resolving;
  return { you: doing.you, from: resolving.from, facts: resolving.facts, stats: valuesAt };
}

/** Players meant by a word, or by a picked player. */
export function sidesOf(doing: Doing, who: Who | undefined): readonly Side[] {
  switch (who) {
    case undefined:
    case 'you':
      return [doing.you];
    case 'opponent':
      return [opponentOf(doing.you)];
    case 'each':
      return SIDES;
    default: {
      const picked = chosen(doing, who);
      return picked === 'A' || picked === 'B' ? [picked] : [];
    }
  }
}

/** What was picked under a letter. */
export function chosen(doing: Doing, name: string): string | undefined {
  return (doing.move.state.resolving ?? doing.resolving).facts.choices[name];
}

/** Where the text that is happening comes from. */
export function sourceOf(doing: Doing): Source {
  return doing.resolving.from;
}

/** Remembers whether a step did something (1.3.4). */
export function did(doing: Doing, yes: boolean): 'done' {
  tell(doing.move, { did: yes });
  return 'done';
}

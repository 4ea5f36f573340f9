import type { Actor, GameEvent, GameInput, Refusal } from '../game/ruleset.ts';
import type { Json } from '../ids.ts';
import type { Command } from './input.ts';

type Replace = Extract<Command, { readonly do: 'replace-ruling' }>;

/** Why somebody cannot be the second judge of a correction: nobody confirms what he himself ordered. */
export function secondRefused(command: Replace): Refusal | undefined {
  const { by, second } = command;
  if (second === undefined) return undefined;
  const message = 'A correction is confirmed by a second judge, with a name of his own.';
  const other = second.role === 'judge' && second.name !== undefined && second.name !== by.name;
  return other ? undefined : { code: 'replace/second', message, rules: ['AM-39'] };
}

/** A correction as a record of its own: who, why, by which rule, before, after, and who confirmed it (AM-39). */
export function correctionOf(command: Replace, before: GameInput | undefined): GameEvent {
  const { by, roll, input, reason, rule, second } = command;
  const confirmed = second === undefined ? '' : `, confirmed by ${nameOf(second)}`;
  return {
    type: 'correction/made',
    rules: rule === undefined ? ['AM-39'] : [rule, 'AM-39'],
    text: `${nameOf(by)} corrects roll ${roll}${confirmed}: ${reason}`,
    data: {
      roll,
      who: plainOf(by),
      second: second === undefined ? null : plainOf(second),
      why: reason,
      rule: rule ?? null,
      before: before === undefined ? null : plainOf(before),
      after: plainOf(input),
    },
  };
}

function nameOf(actor: Actor): string {
  return actor.name === undefined ? `The ${actor.role}` : `${actor.name} (${actor.role})`;
}

function plainOf(value: Actor | GameInput): Json {
  return JSON.parse(JSON.stringify(value));
}

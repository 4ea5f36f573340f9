import type { Actor } from '../game/ruleset.ts';

/** Who did something, for the record: `Aiko (judge)`, or `The operator` where no name was given. */
export function actorWords(actor: Actor): string {
  return actor.name === undefined ? `The ${actor.role}` : `${actor.name} (${actor.role})`;
}

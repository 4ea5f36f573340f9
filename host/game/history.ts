import { type Play, type PlayedInput, playInput } from './play.ts';
import type { GameEvent, Ruleset } from './ruleset.ts';

/** One step of a match with what it led to. */
export type Step = PlayedInput & { readonly events: readonly GameEvent[] };

/** Most steps told at once. */
export const HISTORY_PAGE = 64;

/** The steps before number `before`, oldest first, at most `HISTORY_PAGE`, each with the events that came of it. */
export function historyOf<State>(
  play: Play<State>,
  ruleset: Ruleset<State, unknown>,
  before: number,
): readonly Step[] {
  const steps: Step[] = [];
  for (const stretch of [play.recent, ...[...play.past].reverse()]) {
    const first = stretch.inputs[0]?.seq ?? Number.POSITIVE_INFINITY;
    if (first >= before) continue;
    if (steps.length >= HISTORY_PAGE) break;
    const told: Step[] = [];
    let now: Play<State> = {
      ...play,
      past: [],
      recent: { before: stretch.before, inputs: [] },
      seq: first - 1,
      state: stretch.before,
      events: [],
    };
    for (const one of stretch.inputs) {
      if (one.seq >= before) break;
      const played = playInput(now, ruleset, one.input);
      if (!played.ok) break;
      told.push({ ...one, events: played.events });
      now = played.play;
    }
    steps.unshift(...told);
  }
  return steps.slice(-HISTORY_PAGE);
}

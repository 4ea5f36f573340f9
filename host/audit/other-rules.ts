import { inputsOf, type Play, playInput, startPlay } from '../game/play.ts';
import type { GameEvent, GameInput, Ruleset } from '../game/ruleset.ts';

/** What another version of the rules makes of the inputs of a match. */
export interface OtherRules {
  /** Looks at a play that has gone on. Gives what comes out otherwise of each new input. */
  look(play: Play, game: number): readonly { readonly roll: string; readonly flip: string }[];
}

/**
 * Plays every match a second time under other rules, input by input. Where the first input comes out otherwise, the two
 * matches go their own ways and nothing after it can be compared: one flip a match.
 */
export function playOtherwise(was: Ruleset, other: Ruleset): OtherRules {
  let game = -1;
  let taken = 0;
  let first: Play | undefined;
  let second: Play | undefined;
  let apart = false;
  let roll = '';

  const begin = (play: Play): void => {
    taken = 0;
    apart = false;
    first = startPlay(was, play.options);
    second = startPlay(other, play.options);
  };
  const take = (input: GameInput): string | undefined => {
    if (first === undefined || second === undefined) return undefined;
    const a = playInput(first, was, input);
    const b = playInput(second, other, input);
    if (a.ok) first = a.play;
    if (b.ok) second = b.play;
    const [said, says] = [a, b].map((one) => (one.ok ? wordsOf(one.events) : one.refusal.message));
    if (a.ok === b.ok && (!a.ok || !b.ok || meaningOf(a.events) === meaningOf(b.events))) return undefined;
    return `${said} → ${says}`;
  };

  return {
    look(play, now) {
      // A correction takes inputs back: both sides begin anew, and what was compared is not compared again.
      if (now !== game || play.seq < taken) begin(play);
      game = now;
      const found: { roll: string; flip: string }[] = [];
      if (play.seq === taken) return found;
      for (const { seq, input } of inputsOf(play)) {
        if (seq <= taken) continue;
        taken = seq;
        if (typeof input.roll === 'string') roll = input.roll;
        const flip = apart ? undefined : take(input);
        if (flip === undefined) continue;
        apart = true;
        found.push({ roll, flip: `${was.name} ${was.version} → ${other.version}, ${input.type}: ${flip}` });
      }
      return found;
    },
  };
}

/** What events say, without their wording. */
function meaningOf(events: readonly GameEvent[]): string {
  return JSON.stringify(events.map(({ type, data }) => [type, data]));
}

function wordsOf(events: readonly GameEvent[]): string {
  return events.map(({ text }) => text).join(' ') || 'nothing';
}

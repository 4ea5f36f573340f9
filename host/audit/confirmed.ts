import type { Json } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { ConfirmedBall } from '../sensing/learn.ts';
import type { RollCase } from './rolls.ts';

/** What a judge said of each player's ball in a correction, undefined where it says nothing of it. */
function judged(command: Json): Readonly<Record<string, 'yes' | 'no'>> {
  const out: Record<string, 'yes' | 'no'> = {};
  const input = isObject(command) ? command.input : undefined;
  const results = isObject(input) ? input.results : undefined;
  if (!Array.isArray(results)) return out;
  for (const one of results) {
    if (!isObject(one) || typeof one.player !== 'string') continue;
    if (one.opened === 'yes' || one.opened === 'no') out[one.player] = one.opened;
  }
  return out;
}

/**
 * The balls of a past roll with what is known of them: what a judge ruled, the same as the host (confirmed) or not
 * (corrected), or what the host ruled and nobody looked at. Balls that were undetermined and never judged, and rolls of
 * before scores were kept, say nothing.
 */
export function confirmedBalls(one: RollCase): readonly ConfirmedBall[] {
  const said = one.corrections.map(({ command }) => judged(command));
  return (one.final?.balls ?? []).flatMap((ball): readonly ConfirmedBall[] => {
    const { player, openScore } = ball;
    if (player === 'undetermined' || openScore === undefined) return [];
    const byJudge = said.findLast((words) => words[player] !== undefined)?.[player];
    const opened = byJudge ?? ball.opened;
    if (opened === 'undetermined') return [];
    const looked = byJudge === undefined ? 'unseen' : byJudge === ball.opened ? 'confirmed' : 'corrected';
    return [{ roll: `${one.game}/${one.roll}`, player, score: openScore, opened, looked }];
  });
}

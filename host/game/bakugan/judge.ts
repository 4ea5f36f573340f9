import type { GameInput } from '../ruleset.ts';
import { type Move, type Next, nameOf, patchPlayer, refuse, say, zoneOf } from './move.ts';
import { actorText, sideIn, textIn, wholeIn } from './read-input.ts';

/** Piles that a judge may count anew. */
export const COUNTED = ['deck', 'hand', 'discard', 'charged', 'uncharged'] as const;
/** Most cards in a pile. */
export const MOST_CARDS = 200;

/** Input `count`: a judge corrects how many cards a pile has; who, why, before and after are recorded. */
export function takeCount(move: Move, input: GameInput): Next {
  if (input.by.role !== 'judge') return refuse('judge/only', 'Only a judge corrects a count.', 'AM-39');
  const player = sideIn(input.player);
  const zone = COUNTED.find((one) => one === input.zone);
  if (player === undefined || zone === undefined) {
    return refuse('count/which', `Say whose pile and which: ${COUNTED.join(', ')}.`, 'AM-39');
  }
  const count = wholeIn(input, 'count', 0, MOST_CARDS);
  if (count === undefined) {
    return refuse('count/bad', `A pile has 0 to ${MOST_CARDS} cards.`, 'AM-39');
  }
  const reason = textIn(input, 'reason', 200);
  if (reason === undefined) return refuse('judge/reason', 'Say why, for the record.', 'AM-39');
  const before = move.state.players[player][zone];
  patchPlayer(move, player, { [zone]: zoneOf(before, count - before.count) });
  const who = actorText(input.by);
  const text = `${who} corrects ${nameOf(move, player)}'s ${zone} from ${before.count} to ${count}. Reason: ${reason}`;
  say(move, 'judge/count', ['AM-39'], text, {
    player,
    zone,
    before: before.count,
    after: count,
    reason,
    who,
  });
  return 'stay';
}

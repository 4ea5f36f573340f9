import type { MatchRemoval } from '../displays/archive-messages.ts';
import { TableFault } from '../fault.ts';
import { isObject } from '../journal/entry.ts';
import type { Match } from './matches.ts';

/** Who removed a match, why and when, as its tombstone says; undefined where it was not removed. */
export function removalOf({ removed }: Match): MatchRemoval | undefined {
  if (removed === undefined) return undefined;
  const { who, why, wallTime } = isObject(removed) ? removed : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { who: text(who) || 'nobody named', why: text(why) || 'no reason given', at: text(wallTime) };
}

/** The same as a few words: `by A. Keeper on 2026-11-30 at 10:00 UTC: asked for`. */
export function removalWords({ who, why, at }: MatchRemoval): string {
  const when = at === '' ? '' : ` on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
  return `by ${who}${when}: ${why}`;
}

/** Refuses to remove a match of which nothing is left. Throws a TableFault `library/removed`. */
export function refuseRemoved(match: Match): void {
  const removal = removalOf(match);
  if (removal === undefined || match.gone !== true) return;
  throw new TableFault(
    'library/removed',
    `Match ${match.id} was removed ${removalWords(removal)}.`,
    'Nothing of it is left to remove.',
  );
}

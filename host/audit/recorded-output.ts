import type { Output } from '../advance/input.ts';
import type { GameEvent, Refusal } from '../game/ruleset.ts';
import { isObject } from '../journal/entry.ts';
import type { JournalRecord } from '../record.ts';
import type { RollRuling } from '../sensing/ruling.ts';

/**
 * What the table said, as its record tells it; undefined for records of anything else, and for lines to boards. The chain
 * vouches for the form: the host wrote it.
 */
export function outputOf({ kind, atMs, data }: JournalRecord): Output | undefined {
  if (!isObject(data)) return undefined;
  if (kind === 'ruling' && isObject(data.ruling)) {
    return { kind: 'ruling', atMs, ruling: data.ruling as unknown as RollRuling };
  }
  if (kind === 'ruling' && isObject(data.retraction)) {
    const { roll, revision, stage, why } = data.retraction;
    if (typeof roll !== 'string' || typeof revision !== 'number') return undefined;
    const taken = stage === 'provisional' ? 'provisional' : 'final';
    return { kind: 'retraction', atMs, roll, revision, stage: taken, why: String(why) };
  }
  if (kind === 'fault' && typeof data.link === 'string') {
    return { kind: 'fault', atMs, link: data.link, code: String(data.code), text: String(data.text) };
  }
  if (kind !== 'event') return undefined;
  if (isObject(data.event)) return { kind: 'event', atMs, event: data.event as unknown as GameEvent };
  if (typeof data.accepted === 'string') return { kind: 'accepted', atMs, id: data.accepted };
  if (typeof data.refused === 'string' && isObject(data.refusal)) {
    return { kind: 'refused', atMs, id: data.refused, refusal: data.refusal as unknown as Refusal };
  }
  return undefined;
}

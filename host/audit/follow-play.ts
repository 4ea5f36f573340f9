import type { Command, Output } from '../advance/input.ts';
import { BEGUN } from '../advance/match-start.ts';
import { takeCommand, takeSensed } from '../advance/referee.ts';
import type { GameEvent } from '../game/ruleset.ts';
import { SIDES } from '../ids.ts';
import { canonicalText } from '../journal/canonical.ts';
import { isObject } from '../journal/entry.ts';
import { inputOf } from '../journal/records.ts';
import type { JournalRecord } from '../record.ts';
import type { Refold } from '../refold.ts';
import { outputOf } from './recorded-output.ts';

/** A record with what the table said about it then. */
export interface Followed {
  readonly record: JournalRecord;
  readonly outputs: readonly Output[];
}

/** Play as it went on by its records alone, where the lines from the boards are no longer kept. */
export interface FollowedPlay {
  readonly refold: Refold;
  /** False once play by the records is not what the records say: then only what is recorded itself can be told. */
  readonly isSure: boolean;
  /** Takes the next record; a command comes back with its answer, when that is recorded. */
  take(record: JournalRecord): readonly Followed[];
}

/** Who looked at the sensors before a match began did so then; it is not looked at again. */
const LOOKED_AT: ReadonlySet<string> = new Set(['match/begun', 'match/begun-all-the-same']);

/**
 * Goes on with a table on what people did and what was ruled. Play is what its inputs make of it, so that it stands as it
 * did; every event is held against the recorded one. What sensors read in this time is not known: nothing is judged.
 */
export function followPlay(refold: Refold): FollowedPlay {
  let isSure = true;
  let asked: { readonly record: JournalRecord; readonly heard: JournalRecord[] } | undefined;
  /** Events that play has led to and the records have yet to tell. */
  let due: string[] = [];

  const led = (outputs: readonly Output[]): void => {
    for (const output of outputs) if (output.kind === 'event') due.push(...meaningOf(output.event));
  };

  /** Tells play what the stud of a player did, where the recorded event comes of that. */
  const pressed = (text: string, atMs: number): void => {
    for (const side of SIDES) {
      const input = refold.setting.ruleset.studInput(refold.state.play.state, side);
      const outcome =
        input === undefined ? undefined : refold.setting.ruleset.step(refold.state.play.state, input);
      const [first] = outcome?.ok === true ? outcome.events : [];
      if (first === undefined || meaningOf(first)[0] !== text) continue;
      const outputs: Output[] = [];
      takeSensed(refold.state, refold.setting, [{ kind: 'stud', player: side, atMs }], outputs);
      led(outputs);
      return;
    }
  };

  const hear = (record: JournalRecord): void => {
    const output = outputOf(record);
    if (output?.kind === 'ruling') {
      const outputs: Output[] = [];
      takeSensed(refold.state, refold.setting, [{ kind: 'ruling', ruling: output.ruling }], outputs);
      led(outputs);
    }
    if (output?.kind !== 'event' || !isSure) return;
    const [text] = meaningOf(output.event);
    if (text === undefined) return;
    if (due.length === 0) pressed(text, output.atMs);
    if (due.shift() !== text) isSure = false;
  };

  const carryOut = (record: JournalRecord): void => {
    const input = inputOf(record);
    if (input?.kind !== 'command') return;
    const { id, command } = input;
    // A calibration ends by lines; the one that came of it is recorded.
    if (command.do === 'calibrate') return;
    if (command.do === 'new-game') {
      isSure = true;
      due = [];
    } else if (!isSure) return;
    Object.assign(refold.state, { standing: [], alone: [], calibrating: null, start: BEGUN });
    const outputs: Output[] = [];
    const setting = { ...refold.setting, checksSensors: false };
    takeCommand(refold.state, setting, id, withoutBasis(command), refold.state.atMs, [], outputs);
    led(outputs);
  };

  const answered = (answer: JournalRecord, isAccepted: boolean): readonly Followed[] => {
    if (asked === undefined) return [{ record: answer, outputs: [] }];
    const { record, heard } = asked;
    asked = undefined;
    for (const one of heard) if (one.atMs < record.atMs) hear(one);
    if (isAccepted) carryOut(record);
    for (const one of heard) if (one.atMs >= record.atMs) hear(one);
    const outputs = [...heard, answer].flatMap((one) => outputOf(one) ?? []);
    return [{ record, outputs }, ...[...heard, answer].map((one) => ({ record: one, outputs: [] }))];
  };

  return {
    refold,
    get isSure() {
      return isSure;
    },
    take(record) {
      refold.state.atMs = Math.max(refold.state.atMs, record.atMs);
      if (record.kind === 'open') {
        refold.take(record);
        asked = undefined;
        return [{ record, outputs: [] }];
      }
      if (record.kind === 'command') {
        asked = { record, heard: [] };
        return [];
      }
      const data = isObject(record.data) ? record.data : {};
      if (record.kind === 'event' && ('accepted' in data || 'refused' in data)) {
        return answered(record, 'accepted' in data);
      }
      const output = outputOf(record);
      if (output !== undefined && asked !== undefined) {
        asked.heard.push(record);
        return [];
      }
      hear(record);
      return [{ record, outputs: output === undefined ? [] : [output] }];
    },
  };
}

/** What an event says, without its wording; nothing for what play alone does not lead to. */
function meaningOf({ type, data }: GameEvent): readonly string[] {
  return LOOKED_AT.has(type) ? [] : [canonicalText({ type, data })];
}

/** A correction was looked at on the game as it was then, by whoever made it. */
function withoutBasis(command: Command): Command {
  if (command.do !== 'undo' && command.do !== 'replace-ruling') return command;
  const { basis: _, ...rest } = command;
  return rest;
}

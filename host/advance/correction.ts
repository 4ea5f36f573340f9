import { findInput, inputsOf, type Play, type Replaced, replaceInput, undoTo } from '../game/play.ts';
import type { Actor, GameEvent, GameInput, Refusal, Ruleset } from '../game/ruleset.ts';
import type { Json, RollId } from '../ids.ts';
import { actorWords } from './actor-words.ts';
import { basisOf } from './basis.ts';
import type { Command } from './input.ts';
import type { TableState } from './state.ts';

/** Commands that change what has happened already. */
export type CorrectionCommand = Extract<Command, { readonly do: 'replace-ruling' | 'undo' }>;

/** A correction worked out, before anything is changed by it. */
export type Correction = Omit<Extract<Replaced, { readonly ok: true }>, 'ok'> & {
  /** The record of it. */
  readonly event: GameEvent;
  /** What is withdrawn, in words, as in `after roll t1.1`. */
  readonly from: string;
  /** Rulings that it takes back; revision 0 where none is kept. */
  readonly retracts: readonly { readonly roll: RollId; readonly revision: number }[];
};

/** Most withdrawn events that a record lists; it counts them all. */
const LISTED = 400;

/** What a judge's correction does to the game, or why it cannot be made (AM-39). Changes nothing. */
export function correct(
  now: Pick<TableState, 'play' | 'rulings' | 'game'>,
  ruleset: Ruleset,
  command: CorrectionCommand,
): Correction | Refusal {
  const { by, reason } = command;
  const refused = notAJudge(by) ?? secondRefused(command) ?? wentOn(now, command);
  if (refused !== undefined) return refused;
  if (reason.trim() === '') {
    return { code: 'correct/reason', message: 'Say why, for the record.', rules: ['AM-39'] };
  }
  return command.do === 'undo' ? takenBack(now, ruleset, command) : ruledAnew(now, ruleset, command);
}

function ruledAnew(
  now: Pick<TableState, 'play' | 'rulings'>,
  ruleset: Ruleset,
  command: Extract<CorrectionCommand, { readonly do: 'replace-ruling' }>,
): Correction | Refusal {
  const { roll, input } = command;
  const { play } = now;
  if (input.roll !== roll) {
    const message = `This input does not settle roll ${roll}: give one that names it.`;
    return { code: 'replace/other-roll', message, rules: ['AM-39'] };
  }
  const seq = findInput(play, (one) => settlesRoll(one, roll));
  if (seq === undefined) {
    return { code: 'replace/no-such-roll', message: `No roll ${roll} was ruled in this game.`, rules: [] };
  }
  const replaced = replaceInput(play, ruleset, seq, input);
  if (!replaced.ok) return replaced.refusal;
  const was = inputsOf(play).find((one) => one.seq === seq)?.input;
  const kept = takenBackRulings(now, replaced.play, roll);
  // Ruled by a judge alone, or too long ago to be kept.
  const retracts = kept.some((one) => one.roll === roll) ? kept : [...kept, { roll, revision: 0 }];
  const event = recordOf(command, `corrects roll ${roll}`, {
    roll,
    before: was === undefined ? null : plainOf(was),
    after: plainOf(input),
  });
  return { ...replaced, event, from: `after roll ${roll}`, retracts };
}

function takenBack(
  now: Pick<TableState, 'play' | 'rulings'>,
  ruleset: Ruleset,
  command: Extract<CorrectionCommand, { readonly do: 'undo' }>,
): Correction | Refusal {
  const { to } = command;
  const { play } = now;
  const undone = undoTo(play, ruleset, to);
  if (!undone.ok) return undone.refusal;
  if (undone.dropped.length === 0) {
    const message = `The game stands at step ${play.seq} already: nothing is taken back.`;
    return { code: 'undo/nothing', message, rules: [] };
  }
  const steps = undone.dropped.length === 1 ? 'the last step' : `the last ${undone.dropped.length} steps`;
  const event = recordOf(command, `takes back ${steps}, to ${to === 0 ? 'the start' : `step ${to}`}`, {
    to,
    before: undone.dropped.map(({ input }) => input.type).slice(0, LISTED),
    after: null,
  });
  return { ...undone, event, from: `after step ${to}`, retracts: takenBackRulings(now, undone.play) };
}

/** Rulings kept for pictures that no longer hold: of this roll, and of rolls that now never were settled. */
function takenBackRulings(
  now: Pick<TableState, 'play' | 'rulings'>,
  after: Play,
  corrected?: RollId,
): Correction['retracts'] {
  const settles = (play: Play, roll: RollId): boolean =>
    findInput(play, (settling) => settlesRoll(settling, roll)) !== undefined;
  return now.rulings
    .filter(({ roll }) => roll === corrected || (settles(now.play, roll) && !settles(after, roll)))
    .map(({ roll, revision }) => ({ roll, revision }));
}

/** What did not happen after all, as an event of its own, so that no display keeps it. */
export function withdrawnEvent({ withdrawn, dropped, from }: Correction, reason: string): GameEvent {
  return {
    type: 'play/withdrawn',
    rules: ['AM-39'],
    text: `${withdrawn.length} events ${from} did not happen: ${reason}`,
    data: {
      ...(from.startsWith('after roll ') ? { roll: from.slice('after roll '.length) } : {}),
      events: withdrawn.length,
      withdrawn: withdrawn.slice(0, LISTED).map(({ type, text, rules }) => ({ type, text, rules })),
      dropped: dropped.length,
    },
  };
}

function notAJudge({ role }: Actor): Refusal | undefined {
  if (role === 'judge' || role === 'operator') return undefined;
  const message = 'Only a judge corrects what has happened: call one.';
  return { code: 'replace/not-a-judge', message, rules: ['AM-39'] };
}

/** Why somebody cannot be the second judge of a correction: nobody confirms what he himself ordered. */
function secondRefused({ by, second }: CorrectionCommand): Refusal | undefined {
  if (second === undefined) return undefined;
  const message = 'A correction is confirmed by a second judge, with a name of his own.';
  const other = second.role === 'judge' && second.name !== undefined && second.name !== by.name;
  return other ? undefined : { code: 'replace/second', message, rules: ['AM-39'] };
}

/** What was shown of a correction holds for the game as it was then. */
function wentOn(now: Pick<TableState, 'play' | 'game'>, { basis }: CorrectionCommand): Refusal | undefined {
  if (basis === undefined || basis === basisOf(now)) return undefined;
  const message = 'The game has gone on since this was shown: look at what it would change now.';
  return { code: 'correct/went-on', message, rules: ['AM-39'] };
}

/** A correction as a record of its own: who, why, by which rule, before, after, and who confirmed it (AM-39). */
function recordOf(
  { by, reason, rule, second }: CorrectionCommand,
  what: string,
  data: { readonly [key: string]: Json },
): GameEvent {
  const confirmed = second === undefined ? '' : `, confirmed by ${actorWords(second)}`;
  return {
    type: 'correction/made',
    rules: rule === undefined ? ['AM-39'] : [rule, 'AM-39'],
    text: `${actorWords(by)} ${what}${confirmed}: ${reason}`,
    data: {
      ...data,
      who: plainOf(by),
      second: second === undefined ? null : plainOf(second),
      why: reason,
      rule: rule ?? null,
    },
  };
}

/** Whether an input settles a roll: what a player does never does, whatever roll it may name. */
function settlesRoll(input: GameInput, roll: RollId): boolean {
  return input.roll === roll && input.by.role !== 'player';
}

function plainOf(value: Actor | GameInput): Json {
  return JSON.parse(JSON.stringify(value));
}

import type { Output } from '../advance/input.ts';
import type { AtMs, Json, RollId } from '../ids.ts';
import { isObject } from '../journal/entry.ts';
import type { JournalRecord } from '../record.ts';

/** Something that a person did to a result. */
export interface Correction {
  readonly seq: number;
  /** Records that prove it: the command, and what the table told of a judge for it. */
  readonly seqs: number[];
  readonly atMs: AtMs;
  readonly by: Json;
  /** The command as it was given. */
  readonly command: Json;
  /** What the table answered: events of this step. */
  readonly answer: readonly string[];
  /** The record of a correction: who, why, by which rule, before, after, who confirmed it; null of a first ruling. */
  readonly record: Json;
  readonly wallTime: string | undefined;
}

/** What a judge rules, counts or takes back; a game that is begun and a tile that is lit up are none of it. */
const CORRECTS: ReadonlySet<string> = new Set(['replace-ruling', 'undo']);
const JUDGED: ReadonlySet<string> = new Set(['judge-roll', 'count']);

/** A judge's or operator's ruling or correction, or undefined: also of one that the table refused, which changed nothing. */
export function correctionIn(
  record: JournalRecord,
  outputs: readonly Output[],
  wallTime: () => string | undefined,
): Correction | undefined {
  const command = commandIn(record);
  if (command === undefined) return undefined;
  const input = isObject(command.input) ? command.input : {};
  const by = command.by ?? input.by;
  const isJudge = isObject(by) && (by.role === 'judge' || by.role === 'operator');
  if (!isJudge || !(CORRECTS.has(String(command.do)) || JUDGED.has(String(input.type)))) return undefined;
  if (outputs.some((output) => output.kind === 'refused')) return undefined;
  const answer = outputs.flatMap((output) => {
    if (output.kind === 'event') return [output.event.text];
    return output.kind === 'retraction'
      ? [`Ruling ${output.revision} of ${output.roll} was taken back.`]
      : [];
  });
  const made = outputs.find((output) => output.kind === 'event' && output.event.type === 'correction/made');
  const told = made?.kind === 'event' ? made.event.data : null;
  const { seq, atMs } = record;
  return { seq, seqs: [seq], atMs, by: by ?? null, command, answer, record: told, wallTime: wallTime() };
}

/** Rolls that a judge's command names or takes back. */
export function rollsTouched(record: JournalRecord, outputs: readonly Output[]): readonly RollId[] {
  const command = commandIn(record) ?? {};
  const input = isObject(command.input) ? command.input : {};
  const named = command.roll ?? input.roll;
  const taken = outputs.flatMap((output) => (output.kind === 'retraction' ? [output.roll] : []));
  return [...new Set([...(typeof named === 'string' ? [named] : []), ...taken])];
}

function commandIn(record: JournalRecord): { readonly [key: string]: Json } | undefined {
  if (record.kind !== 'command' || !isObject(record.data)) return undefined;
  return isObject(record.data.command) ? record.data.command : undefined;
}

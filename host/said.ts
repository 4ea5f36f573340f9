import type { Output } from './advance/input.ts';
import { canonicalText } from './journal/canonical.ts';
import { isObject } from './journal/entry.ts';
import { entryOfOutput } from './journal/records.ts';
import type { JournalRecord, RecordKind } from './record.ts';

/** First place where a replay says something else than was recorded. */
export interface Difference {
  /** Record with what was said then; -1 when nothing was. */
  readonly seq: number;
  readonly recorded: string;
  readonly replayed: string;
}

/** Kinds of record that tell what the table said. */
const SAID: ReadonlySet<RecordKind> = new Set(['ruling', 'event', 'sent', 'fault']);

/** Whether a record tells what the table said. What the shell notes of its disk is not of the table. */
export function isSaid(record: JournalRecord): boolean {
  if (!SAID.has(record.kind)) return false;
  return !(isObject(record.data) && record.data.link === '');
}

/** An output as its record would stand, for comparing. */
export function textOfOutput(output: Output): string {
  const { kind, data } = entryOfOutput(output);
  return canonicalText({ kind, atMs: output.atMs, data });
}

/** Compares what was recorded with what a replay says, in order, holding only what has not met its other half. */
export interface SaidCheck {
  recorded(record: JournalRecord): void;
  replayed(output: Output): void;
  readonly difference: Difference | undefined;
  /** What the replay says and the record lacks: at its end, what a crash kept from being written. */
  missing(): readonly Output[];
  /** Said and recorded, but not by the replay. */
  surplus(): readonly JournalRecord[];
}

export function checkSaid(): SaidCheck {
  let records: JournalRecord[] = [];
  let outputs: Output[] = [];
  let difference: Difference | undefined;
  const meet = (): void => {
    const n = Math.min(records.length, outputs.length);
    for (let i = 0; i < n; i += 1) {
      const record = records[i];
      const output = outputs[i];
      if (record === undefined || output === undefined) break;
      const { kind, atMs, data } = record;
      const recorded = canonicalText({ kind, atMs, data });
      const replayed = textOfOutput(output);
      if (recorded !== replayed) difference ??= { seq: record.seq, recorded, replayed };
    }
    if (n > 0) {
      records = records.slice(n);
      outputs = outputs.slice(n);
    }
  };
  return {
    recorded(record) {
      if (!isSaid(record)) return;
      records.push(record);
      meet();
    },
    replayed(output) {
      outputs.push(output);
      meet();
    },
    get difference() {
      return difference;
    },
    missing: () => outputs,
    surplus: () => records,
  };
}

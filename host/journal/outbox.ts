import type { Input, Output } from '../advance/input.ts';
import type { Journal } from './capture.ts';
import { entryOfInput, entryOfOutput, isConsequential } from './records.ts';

/**
 * Where everything that a table hears and says is recorded, and what it says waits until the record is safe. Nothing
 * that rests on a command, a ruling or an event leaves before those are on disk; lights and pings that rest on lines
 * alone leave at once. Order is kept always.
 */
export interface Outbox {
  /** Records an input, before it is looked at. */
  heard(input: Input): void;
  /** Records outputs and releases each as soon as it may leave. */
  put(outputs: readonly Output[]): void;
  /** Outputs that wait for the disk; 0 when all that was put is safe, even while it is just leaving. */
  readonly waiting: number;
}

/** `release` carries one output out; it must not throw. */
export function openOutbox(journal: Journal, release: (output: Output) => void): Outbox {
  /** Number of the last record that must be safe before anything put now may leave. */
  let gate = -1;
  let queue: { readonly output: Output; readonly after: number }[] = [];
  let draining = false;

  const drain = (): void => {
    // What is released may put more: that joins the end of the queue, behind what is leaving now.
    if (draining) return;
    draining = true;
    let left = 0;
    try {
      for (const { output, after } of queue) {
        if (after > journal.safeSeq) break;
        left++;
        release(output);
      }
    } finally {
      if (left > 0) queue = queue.slice(left);
      draining = false;
    }
  };
  journal.onSafe(drain);

  return {
    heard(input) {
      const entry = entryOfInput(input);
      const seq = journal.append(entry.kind, input.atMs, entry.data);
      if (isConsequential(entry.kind)) gate = seq;
    },
    put(outputs) {
      for (const output of outputs) {
        const entry = entryOfOutput(output);
        const seq = journal.append(entry.kind, output.atMs, entry.data);
        if (isConsequential(entry.kind)) gate = seq;
        queue.push({ output, after: gate });
      }
      drain();
    },
    get waiting() {
      const last = queue.at(-1);
      if (last === undefined || last.after <= journal.safeSeq) return 0;
      // In order of what they wait for: those that are safe and just leaving stand first.
      return queue.length - queue.findIndex(({ after }) => after > journal.safeSeq);
    },
  };
}

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
  /** Outputs that wait for the disk. */
  readonly waiting: number;
}

/** `release` carries one output out; it must not throw. */
export function openOutbox(journal: Journal, release: (output: Output) => void): Outbox {
  /** Number of the last record that must be safe before anything put now may leave. */
  let gate = -1;
  let queue: { readonly output: Output; readonly after: number }[] = [];

  const drain = (): void => {
    let ready = 0;
    const safe = journal.safeSeq;
    for (const { after } of queue) {
      if (after > safe) break;
      ready++;
    }
    if (ready === 0) return;
    const leaving = queue.slice(0, ready);
    queue = queue.slice(ready);
    for (const { output } of leaving) release(output);
  };
  journal.onSafe(drain);

  return {
    heard(input) {
      const entry = entryOfInput(input);
      if (entry === undefined) return;
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
      return queue.length;
    },
  };
}

/** A worker of the gate: rolls of one corpus, or armed time in which nobody rolls. */
import { parentPort } from 'node:worker_threads';
import type { Variant } from './detection-hear.ts';
import { type IdleKind, type IdleResult, runIdle } from './detection-idle.ts';
import { type RunAsk, type RunResult, runCorpus } from './detection-run.ts';

export type GateJob =
  | {
      readonly kind: 'rolls';
      readonly row: string;
      readonly ask: Omit<RunAsk, 'variant'>;
      readonly variant: Variant;
    }
  | { readonly kind: 'idle'; readonly row: IdleKind; readonly firstSeed: number; readonly hours: number };

export type GateAnswer =
  | { readonly kind: 'rolls'; readonly row: string; readonly variant: Variant; readonly result: RunResult }
  | { readonly kind: 'idle'; readonly row: IdleKind; readonly result: IdleResult };

parentPort?.on('message', (job: GateJob) => {
  const port = parentPort;
  const progress = (done: number): void => port?.postMessage({ kind: 'progress', done });
  if (job.kind === 'idle') {
    const result = runIdle(job.row, job.firstSeed, job.hours, undefined, progress);
    port?.postMessage({ kind: 'idle', row: job.row, result } satisfies GateAnswer);
    return;
  }
  const { row, ask, variant } = job;
  const result = runCorpus({ ...ask, variant }, undefined, () => progress(1));
  port?.postMessage({ kind: 'rolls', row, variant, result } satisfies GateAnswer);
});

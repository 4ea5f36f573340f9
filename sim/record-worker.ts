/** A worker that writes captures: rolls of one mat, or minutes in which nobody rolls. */
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { callMsUnder, captureIdle, writeCorpus } from './corpus.ts';
import type { Effects } from './effects.ts';
import type { IdleKind } from './idle.ts';

export type RecordJob = {
  readonly effects: Effects;
  readonly samePolarity: boolean;
  readonly folder: string;
  readonly first: number;
  /** Rolls, or minutes. */
  readonly count: number;
} & ({ readonly kind: 'rolls' } | { readonly kind: 'idle'; readonly idle: IdleKind });

export interface Recorded {
  readonly kind: 'recorded';
  readonly files: number;
  readonly lines: number;
}

/** Rolls that share a mat, as in a match. */
const ROLLS_A_MAT = 20;

/** Does one job; `progress` hears of each file. */
export function record(job: RecordJob, progress: (done: number) => void): Recorded {
  const { effects, samePolarity, first, count } = job;
  const matSeed = 1 + Math.floor(first / ROLLS_A_MAT);
  const options = { effects, samePolarity, matSeed };
  const rolls = { ...options, ...callMsUnder(effects) };
  const { files, lines } =
    job.kind === 'idle'
      ? captureIdle(join(job.folder, `${job.idle}-${first}`), job.idle, first, count, options, progress)
      : writeCorpus(join(job.folder, `mat-${matSeed}`), first, count, rolls, progress);
  return { kind: 'recorded', files, lines };
}

parentPort?.on('message', (job: RecordJob) => {
  const port = parentPort;
  const done = record(job, (done) => port?.postMessage({ kind: 'progress', done }));
  port?.postMessage(done);
});

/** A worker of the detection bench: takes jobs one by one, gives sums and misses back. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { type IdleKind, type IdleResult, runIdle } from './detection-idle.ts';
import { explain, tracePicture } from './detection-picture.ts';
import { type RecoveryAsk, type RecoveryResult, runRecovery } from './detection-recovery.ts';
import { type RunAsk, type RunResult, runCorpus, samplesOf } from './detection-run.ts';

export type Job =
  | {
      readonly kind: 'rolls';
      readonly row: string;
      readonly ask: RunAsk;
      readonly pictures: string | undefined;
    }
  | {
      readonly kind: 'idle';
      readonly row: string;
      readonly idle: IdleKind;
      readonly firstSeed: number;
      readonly hours: number;
      readonly armed: boolean;
    }
  | { readonly kind: 'recovery'; readonly row: string; readonly ask: RecoveryAsk };

export type FromWorker =
  | { readonly kind: 'progress'; readonly done: number }
  | {
      readonly kind: 'rolls';
      readonly row: string;
      readonly result: RunResult;
      readonly misses: readonly string[];
    }
  | {
      readonly kind: 'idle';
      readonly row: string;
      readonly result: IdleResult;
      readonly misses: readonly string[];
    }
  | {
      readonly kind: 'recovery';
      readonly row: string;
      readonly result: RecoveryResult;
      readonly misses: readonly string[];
    };

/** Does one job; `progress` hears of work done, in rolls. */
export function doJob(job: Job, progress: (done: number) => void): Exclude<FromWorker, { kind: 'progress' }> {
  const misses: string[] = [];
  const { row } = job;
  if (job.kind === 'recovery') {
    return { kind: 'recovery', row, result: runRecovery(job.ask, () => progress(1)), misses };
  }
  if (job.kind === 'idle') {
    const say = (line: string): void => {
      misses.push(line);
    };
    const result = runIdle(job.idle, job.firstSeed, job.hours, say, progress, job.armed);
    return { kind: 'idle', row, result, misses };
  }
  const pictures = job.pictures;
  const result = runCorpus(
    job.ask,
    ({ seed, lines, heard, claims }) => {
      const roll = samplesOf(job.ask, seed, heard);
      const words = lines.map((line) => {
        const at = heard.truth.balls.findIndex((b) => line.startsWith(`${seed} ${b.player} `));
        const [ball, claim] = [heard.truth.balls[at], claims.balls[at]];
        return ball === undefined || claim === undefined
          ? line
          : `${line} | ${explain(heard, roll, ball, claim)}`;
      });
      misses.push(...words);
      if (pictures === undefined) return;
      mkdirSync(pictures, { recursive: true });
      const name = `${row.replaceAll(/[^a-z0-9]+/g, '-')}-${seed}.svg`;
      writeFileSync(join(pictures, name), tracePicture(heard, roll, `${row}, seed ${seed}`, words));
    },
    () => progress(1),
  );
  return { kind: 'rolls', row, result, misses };
}

parentPort?.on('message', (job: Job) => {
  const port = parentPort;
  const result = doJob(job, (done) => port?.postMessage({ kind: 'progress', done } satisfies FromWorker));
  port?.postMessage(result);
});

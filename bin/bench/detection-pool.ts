/** Runs jobs on all cores, with a bar that shows how far they are. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface PoolAsk<Job, Answer> {
  /** Compiled script that takes a `Job` as a message, says `progress` and then gives an answer. */
  readonly script: URL;
  readonly jobs: readonly Job[];
  /** All units of work together, for the bar. */
  readonly total: number;
  readonly workers?: number;
  /** No job is begun any more after so long. */
  readonly minutes?: number;
  /** Shows no bar. */
  readonly quiet?: boolean;
  readonly answer: (answer: Answer) => void;
}

type Progress = { readonly kind: 'progress'; readonly done: number };

function isProgress(message: unknown): message is Progress {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'progress';
}

/** Resolves when all jobs are done; rejects with the first failure. */
export async function onAllCores<Job, Answer>(ask: PoolAsk<Job, Answer>): Promise<void> {
  const queue = [...ask.jobs];
  const began = performance.now();
  const over = (): boolean => performance.now() - began > (ask.minutes ?? Infinity) * 60_000;
  const show = ask.quiet === true ? (): void => {} : bar(ask.total);
  const count = Math.min(queue.length, ask.workers ?? availableParallelism());
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(ask.script);
      const next = (): void => {
        const job = over() ? undefined : queue.shift();
        if (job === undefined) void worker.terminate().then(() => resolve());
        else worker.postMessage(job);
      };
      worker.on('message', (message: Answer | Progress) => {
        if (isProgress(message)) {
          show(message.done);
          return;
        }
        ask.answer(message);
        next();
      });
      worker.on('error', reject);
      next();
    });
  await Promise.all(Array.from({ length: count }, run));
  show(0, true);
}

const BAR = 30;

/** Where stderr is no terminal, a line is written after each such part of the work. */
const TOLD_SHARE = 0.1;

/** A bar on a terminal's stderr; a line now and then where it is none. */
export function bar(total: number): (more: number, end?: boolean) => void {
  let done = 0;
  let shown = 0;
  let told = 0;
  const began = performance.now();
  return (more, end = false) => {
    done += more;
    const now = performance.now();
    if (!process.stderr.isTTY) {
      const part = Math.floor(done / Math.max(1, total) / TOLD_SHARE);
      if (part <= told) return;
      told = part;
      process.stderr.write(`${done} of ${total} in ${((now - began) / 1000).toFixed(0)} s\n`);
      return;
    }
    if (!end && now - shown < 100) return;
    shown = now;
    const share = Math.min(1, done / Math.max(1, total));
    const filled = '#'.repeat(Math.round(share * BAR)).padEnd(BAR, '.');
    const left = done === 0 ? 0 : ((now - began) / done) * (total - done);
    const words = end ? `${((now - began) / 1000).toFixed(0)} s\n` : `${(left / 1000).toFixed(0)} s left `;
    process.stderr.write(`\r[${filled}] ${done} of ${total}, ${words}`);
  };
}

/**
 * The process that reads recorded matches for the pages, at low priority, so that no live table waits for it. Speaks with
 * `archive.ts` alone and ends when that does.
 */
import { setPriority } from 'node:os';
import { TableFault, wordsOf } from '../fault.ts';
import { systemDisk } from '../journal/disk.ts';
import { PARTS } from '../parts.ts';
import type { FromRoom, ToRoom } from './archive-jobs.ts';
import { type ArchiveRoom, openArchiveRoom } from './archive-room.ts';

/** Below everything that a live table does; where that may not be asked for, the scheduler decides. */
const LOW_PRIORITY = 10;

const [dataDir = '', madeDir = ''] = process.argv.slice(2);
const room = openArchiveRoom({
  ...{ disk: systemDisk, dataDir, madeDir, parts: PARTS },
  nowMs: () => performance.now(),
  wall: () => new Date().toISOString(),
});
try {
  setPriority(LOW_PRIORITY);
} catch {
  // Windows without the right, or a sandbox: it runs as it is.
}

let last: Promise<void> = Promise.resolve();
process.on('message', (message: ToRoom) => {
  // One after the other: what a second one would gain it would take from the first.
  last = last.then(async () => {
    const answer = await answerTo(room, message);
    process.send?.(answer);
  });
});
process.on('disconnect', () => process.exit(0));

async function answerTo(at: ArchiveRoom, { id, job }: ToRoom): Promise<FromRoom> {
  try {
    return { id, value: await done(at, job) };
  } catch (error) {
    if (error instanceof TableFault) {
      const { code, sentence, remedy } = error;
      return { id, fault: { code, sentence, remedy } };
    }
    return { id, fault: { code: 'journal/unreadable', sentence: wordsOf(error), remedy: '' } };
  }
}

function done(at: ArchiveRoom, job: ToRoom['job']): Promise<unknown> {
  switch (job.do) {
    case 'library':
      return at.library(job.ask);
    case 'outline':
      return at.outline(job.name);
    case 'stretch':
      return at.stretch(job.name, job.ask);
    case 'trace':
      return at.trace(job.name, job.roll, job.ruledMs);
    case 'make':
      return at.make(job.ask);
    case 'to-remove':
      return at.toRemove(job.ask);
    case 'remove':
      return at.remove(job.ask);
    case 'open':
      return at.open(job.path, job.table);
    case 'prune':
      return at.prune(job.name);
    default:
      return job satisfies never;
  }
}

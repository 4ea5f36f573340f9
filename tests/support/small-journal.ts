import { openJournal } from '../../host/journal/capture.ts';
import { diskOver } from '../../host/journal/disk.ts';
import { type Log, silentLog } from '../../host/log.ts';
import { type PowerCutFiles, powerCutFiles } from './power-cut-files.ts';

/** A clock that is set by hand. */
export function handClock(ms = 0, wallMs = Date.UTC(2026, 0, 1)) {
  return {
    ms,
    wallMs,
    now() {
      return this.ms;
    },
    wall() {
      return new Date(this.wallMs + this.ms).toISOString();
    },
    after: () => () => {},
  };
}

export const SMALL_HEAD = {
  host: '0.1.0',
  protocol: 1,
  ruleset: { name: 'bakugan', version: '1' },
  configHash: 'abc',
  layout: { name: 'fixed-12' },
  calibration: null,
};

/** Time of a table goes on over restarts, as the host has it. */
const clocks = new WeakMap<PowerCutFiles, ReturnType<typeof handClock>>();

/** Writes so many records into a folder in memory and stops; again to go on. */
export async function writeJournal(
  records: number,
  files: PowerCutFiles = powerCutFiles(),
  options: {
    readonly log?: Log;
    readonly clock?: ReturnType<typeof handClock>;
    readonly stop?: boolean;
  } = {},
): Promise<PowerCutFiles> {
  const disk = diskOver(files);
  const clock = options.clock ?? clocks.get(files) ?? handClock();
  clocks.set(files, clock);
  const journal = await openJournal({
    dataDir: '/data',
    table: 't1',
    head: SMALL_HEAD,
    clock,
    log: options.log ?? silentLog,
    disk,
  });
  for (let i = 0; i < records; i += 1) {
    clock.ms += 1.25;
    if (i % 50 === 49)
      journal.append('ruling', clock.ms, { ruling: { roll: `t${i}.1`, confidence: 0.1 * i } });
    else journal.append('line', clock.ms, { link: 'a', line: `E1,${i}` });
    if (i % 20 === 19) await journal.flush();
  }
  if (options.stop === false) await journal.flush();
  else await journal.close(clock.ms);
  return files;
}

export const FIRST_SEGMENT = '/data/t1/000000000000.jsonl';

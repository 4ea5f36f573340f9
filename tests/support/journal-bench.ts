import type { Input, Output } from '../../host/advance/input.ts';
import type { TableFault } from '../../host/fault.ts';
import { openJournal } from '../../host/journal/capture.ts';
import { openOutbox } from '../../host/journal/outbox.ts';
import { collectingLog } from '../../host/log.ts';
import { FailingDisk } from './failing-disk.ts';
import { SMALL_HEAD } from './small-journal.ts';
import { testClock } from './transports.ts';

/** A line from a board, at `n` ms. */
export const line = (n: number): Input => ({ kind: 'line', atMs: n, link: 'a', raw: { line: `E1,${n}` } });
/** A command of the operator, at `n` ms, its id `c` and the number. */
export const command = (n: number): Input => ({
  kind: 'command',
  atMs: n,
  id: `c${n}`,
  command: { do: 'identify', by: { role: 'operator' }, cell: 'q0r0' },
});
/** An event of the game, at `n` ms. */
export const event = (n: number): Output => ({
  kind: 'event',
  atMs: n,
  event: { type: 'roll/opened', rules: ['5.7'], text: `Event ${n}.`, data: {} },
});
/** A line for a board, at `n` ms. */
export const send = (n: number): Output => ({
  kind: 'send',
  atMs: n,
  link: 'a',
  device: '7F3A0001',
  line: `L1,${n}`,
});

/** A journal on a disk in memory, its outbox, and all that has left it. */
export async function journalBench(disk = new FailingDisk()) {
  const clock = testClock();
  const log = collectingLog();
  const troubles: (TableFault | undefined)[] = [];
  const journal = await openJournal({
    dataDir: '/data',
    table: 't1',
    head: SMALL_HEAD,
    clock,
    log,
    disk,
    onTrouble: (trouble) => troubles.push(trouble),
  });
  const left: Output[] = [];
  const outbox = openOutbox(journal, (output) => left.push(output));
  return { disk, clock, log, troubles, journal, outbox, left };
}

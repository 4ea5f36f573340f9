import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Output } from '../host/advance/input.ts';
import { openOutbox } from '../host/journal/outbox.ts';
import { FailingDisk } from './support/failing-disk.ts';
import { command, event, journalBench, line, send } from './support/journal-bench.ts';
import { settle } from './support/transports.ts';

describe('outbox', () => {
  it('lets nothing leave that rests on a command, ruling or event before it is safe', async () => {
    const disk = new FailingDisk();
    const { clock, outbox, left } = await journalBench(disk);
    disk.hold = true;
    outbox.heard(command(1));
    outbox.put([{ kind: 'accepted', atMs: 1, id: 'c1' }, send(1), event(1)]);
    await clock.pass(10);
    expect(left).toEqual([]);
    expect(outbox.waiting).toBe(3);
    disk.hold = false;
    disk.release?.();
    await settle();
    expect(left.map(({ kind }) => kind)).toEqual(['accepted', 'send', 'event']);
    expect(disk.records.map(({ kind }) => kind)).toEqual(['open', 'command', 'event', 'sent', 'event']);
  });

  it('does not hold lights back that rest on lines alone', async () => {
    const { outbox, left, disk } = await journalBench();
    outbox.heard(line(1));
    outbox.put([send(1)]);
    expect(left).toEqual([send(1)]);
    expect(disk.records).toHaveLength(1);
  });

  it('never lets a later output overtake one that waits', async () => {
    const disk = new FailingDisk();
    const { outbox, left } = await journalBench(disk);
    disk.hold = true;
    outbox.put([event(1)]);
    await settle();
    outbox.heard(line(2));
    outbox.put([send(2)]);
    expect(left).toEqual([]);
    disk.hold = false;
    disk.release?.();
    await settle();
    expect(left).toEqual([event(1), send(2)]);
  });

  it('keeps order when what is released makes the table say more', async () => {
    const { journal } = await journalBench();
    const left: number[] = [];
    const waiting: number[] = [];
    const outbox = openOutbox(journal, (output) => {
      left.push(output.atMs);
      waiting.push(outbox.waiting);
      if (output.atMs === 1) outbox.put([send(3)]);
    });
    outbox.put([send(1), send(2)]);
    expect(left).toEqual([1, 2, 3]);
    expect(waiting).toEqual([0, 0, 0]);
    outbox.put([event(4), send(5)]);
    expect(outbox.waiting).toBe(2);
    await settle();
    expect(left).toEqual([1, 2, 3, 4, 5]);
    expect(outbox.waiting).toBe(0);
  });

  it('keeps order and releases all, whatever is put when', async () => {
    const deeds = fc.array(fc.constantFrom('line', 'command', 'event', 'send', 'pass', 'settle'), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(deeds, async (order) => {
        const { clock, outbox, left, journal, disk } = await journalBench();
        const put: Output[] = [];
        let n = 0;
        const say = (output: Output): void => {
          put.push(output);
          outbox.put([output]);
        };
        for (const deed of order) {
          n++;
          if (deed === 'line') outbox.heard(line(n));
          if (deed === 'command') outbox.heard(command(n));
          if (deed === 'event') say(event(n));
          if (deed === 'send') say(send(n));
          if (deed === 'pass') await clock.pass(30);
          if (deed === 'settle') await settle(1);
          const safe = new Set(disk.records.map(({ atMs, kind }) => `${kind} ${atMs}`));
          for (const one of left) if (one.kind === 'event') expect(safe.has(`event ${one.atMs}`)).toBe(true);
          expect(left).toEqual(put.slice(0, left.length));
        }
        await journal.close(n);
        expect(left).toEqual(put);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});

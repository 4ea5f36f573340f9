import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { verifyLines } from '../host/audit/verify.ts';
import { openJournal } from '../host/journal/capture.ts';
import { diskOver } from '../host/journal/disk.ts';
import { LOW_SPACE_BYTES, openFolder } from '../host/journal/folder.ts';
import { processIsAlive, thisProcess } from '../host/journal/holder.ts';
import { linesOf } from '../host/journal/lines.ts';
import { recoverJournal } from '../host/journal/recover.ts';
import { journalChunks, segmentsIn } from '../host/journal/segments.ts';
import { collectingLog, silentLog } from '../host/log.ts';
import { drawFrom, type PowerCutFiles, powerCutFiles } from './support/power-cut-files.ts';
import { FIRST_SEGMENT, handClock, SMALL_HEAD, writeJournal } from './support/small-journal.ts';
import { virtualClock } from './support/table-run.ts';

const verdictOf = async (files: PowerCutFiles) => {
  const disk = diskOver(files);
  return verifyLines(linesOf(journalChunks(disk, await segmentsIn(disk, '/data/t1'))), NODE_TOOLS);
};

describe('a start on what was there before', () => {
  it('goes on in one sequence, in a segment of its own, with one tree over all', async () => {
    const files = await writeJournal(300);
    await writeJournal(300, files);
    await writeJournal(0, files);
    const disk = diskOver(files);
    expect((await segmentsIn(disk, '/data/t1')).map(({ firstSeq }) => firstSeq)).toEqual([0, 304, 609]);
    expect(await verdictOf(files)).toMatchObject({ state: 'intact', records: 613 });
  });

  it('keeps a torn tail aside, trims it, and says so in log and journal', async () => {
    const files = await writeJournal(40, powerCutFiles(), { stop: false });
    const whole = files.text(FIRST_SEGMENT);
    files.put(FIRST_SEGMENT, Buffer.from(`${whole}{"atMs":51,"data":{"li`));
    await diskOver(files).remove('/data/t1/in-use.json');
    const log = collectingLog();
    await writeJournal(5, files, { log });
    expect(files.text(FIRST_SEGMENT)).toBe(whole);
    const [aside = ''] = await files.readdir('/data/t1/aside');
    expect(files.text(`/data/t1/aside/${aside}`)).toBe('{"atMs":51,"data":{"li');
    expect(log.lines.map(({ text }) => text).join()).toMatch(/22 bytes are kept in/);
    expect(await verdictOf(files)).toMatchObject({ state: 'intact' });
  });

  it('finds the last good record wherever the file ends', async () => {
    const files = await writeJournal(12);
    const whole = Buffer.from(files.text(FIRST_SEGMENT));
    const ends = [...whole].flatMap((byte, i) => (byte === 10 && whole[i - 1] !== 10 ? [i + 1] : []));
    for (let cut = 0; cut <= whole.length; cut += 7) {
      const cutFiles = powerCutFiles();
      await cutFiles.mkdir('/data/t1', { recursive: true });
      cutFiles.put(FIRST_SEGMENT, whole.subarray(0, cut));
      const found = await recoverJournal(diskOver(cutFiles), '/data/t1');
      expect(found.end.nextSeq).toBe(ends.filter((end) => end <= cut).length);
    }
  });

  it('locates a damaged record in the middle, reads the rest, and goes on with the right tree', async () => {
    const files = await writeJournal(100);
    const lines = files.text(FIRST_SEGMENT).split('\n');
    const at = lines.findIndex((line) => line.includes('"E1,30"'));
    const seq = JSON.parse(lines[at] ?? '').seq;
    lines[at] = `${lines[at]?.slice(0, 40)}#${lines[at]?.slice(41)}`.replace('"kind"', '"k\u0000nd"');
    files.put(FIRST_SEGMENT, Buffer.from(lines.join('\n')));
    const found = await recoverJournal(diskOver(files), '/data/t1');
    expect(found.damaged).toEqual([seq]);
    expect(found.end.nextSeq).toBe(103);
    const log = collectingLog();
    await writeJournal(10, files, { log });
    expect(log.lines.map(({ text }) => text).join()).toMatch(
      new RegExp(`Record ${seq} of the journal .* cannot be read`),
    );
    expect((await verdictOf(files)).broken).toMatchObject({ what: 'not-a-record', seq });
    // With the damage mended, every later checkpoint fits.
    const original = await recoverJournal(diskOver(await writeJournal(100)), '/data/t1');
    expect(original.end.nextSeq).toBe(found.end.nextSeq);
  });

  it('loses nothing that was synced, whatever the platter makes of the rest', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 400 }), async (seed, calls) => {
        const files = powerCutFiles();
        await diskOver(files).makeFolder('/data');
        const clock = handClock();
        let safe = -1;
        let cut = false;
        const gone = new Promise<void>((done) => {
          files.cutAt(calls, () => {
            cut = true;
            done();
          });
        });
        const writing = (async () => {
          const journal = await openJournal({
            ...{ dataDir: '/data', table: 't1', head: SMALL_HEAD, clock, log: silentLog },
            disk: diskOver(files),
          });
          for (let i = 0; i < 600 && !cut; i += 1) {
            clock.ms += 1;
            journal.append(i % 9 === 8 ? 'event' : 'line', clock.ms, { link: 'a', line: 'x'.repeat(i % 90) });
            if (i % 5 === 4) await journal.flush();
            if (!cut) safe = journal.safeSeq;
          }
        })();
        await Promise.race([gone, writing]);
        const after = files.afterCut(drawFrom(seed));
        const found = await recoverJournal(diskOver(after), '/data/t1').catch((error) => error);
        expect(found.end.nextSeq).toBeGreaterThan(safe);
        expect(found.damaged).toEqual([]);
        if (found.end.nextSeq > 0) expect((await verdictOf(after)).state).not.toBe('broken');
      }),
      { numRuns: 60 },
    );
  });
});

describe('a folder that cannot be used as it is', () => {
  const open = (files: PowerCutFiles, isAlive?: () => boolean | undefined) =>
    openFolder({
      ...{ dataDir: '/data', table: 't1', log: silentLog, disk: diskOver(files) },
      ...(isAlive === undefined ? {} : { isAlive }),
    });

  it('refuses a second host and names the first; nothing is touched', async () => {
    const files = await writeJournal(20);
    const first = await open(files);
    const before = files.text(FIRST_SEGMENT);
    await expect(open(files)).rejects.toMatchObject({
      code: 'journal/in-use',
      sentence: expect.stringContaining(`process ${process.pid}`),
      remedy: expect.stringContaining('in-use.json'),
    });
    expect(files.text(FIRST_SEGMENT)).toBe(before);
    await first.release();
    await (await open(files)).release();
  });

  it('takes over from a dead host at once, and from nobody whose life it cannot know', async () => {
    const files = await writeJournal(20);
    await open(files);
    await expect(open(files, () => undefined)).rejects.toMatchObject({ code: 'journal/in-use' });
    await (await open(files, () => false)).release();
    const self = thisProcess();
    expect(processIsAlive(self)).toBe(true);
    expect(processIsAlive({ ...self, started: '1' })).toBe(false);
    expect(processIsAlive({ ...self, boot: 'another' })).toBe(false);
    expect(processIsAlive({ ...self, machine: 'another' })).toBeUndefined();
  });

  it('waits on its clock for a host that is going down', async () => {
    const files = await writeJournal(20);
    const ask = { dataDir: '/data', table: 't1', log: silentLog, disk: diskOver(files) };
    await openFolder(ask);
    const clock = virtualClock();
    const another = { ...thisProcess(), pid: 1 };
    files.put('/data/t1/in-use.json', Buffer.from(JSON.stringify(another)));
    let opened = false;
    const opening = openFolder({ ...ask, clock, isAlive: () => clock.ms < 300 }).then((folder) => {
      opened = true;
      return folder;
    });
    while (clock.ms < 290) await clock.tick();
    expect(opened).toBe(false);
    while (!opened && clock.ms < 1000) await clock.tick();
    expect(opened).toBe(true);
    await (await opening).release();
  });

  it('refuses a disk without room, says how much is free, and leaves no lock', async () => {
    const files = await writeJournal(20);
    files.full = true;
    await expect(open(files)).rejects.toMatchObject({ code: 'journal/disk-full' });
    files.full = false;
    await (await open(files)).release();
    expect(LOW_SPACE_BYTES).toBe(256 * 1024 * 1024);
  });

  it('refuses a folder that may only be read', async () => {
    const files = await writeJournal(20);
    const readOnly = {
      ...diskOver(files),
      claim: async () => {
        throw Object.assign(new Error('no'), { code: 'EROFS' });
      },
    };
    await expect(
      openFolder({ dataDir: '/data', table: 't1', log: silentLog, disk: readOnly }),
    ).rejects.toMatchObject({ code: 'journal/not-writable', remedy: expect.stringContaining('dataDir') });
  });

  it('goes on with a new key when the old one is lost or changed, and says so for ever', async () => {
    for (const lost of [true, false]) {
      const files = await writeJournal(20);
      if (lost) await diskOver(files).remove('/data/journal-key.pem');
      else {
        const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
        files.put('/data/journal-key.pem', Buffer.from(pem));
      }
      const log = collectingLog();
      await writeJournal(20, files, { log });
      const told = log.lines.map(({ text }) => text).join();
      expect(told).toMatch(lost ? /old key is lost/ : /key was replaced/);
      const verdict = await verdictOf(files);
      expect(verdict.state).toBe('intact');
      expect(verdict.keys).toHaveLength(2);
      expect(verdict.notes.join()).toMatch(/signed with another key/);
      const segments = await segmentsIn(diskOver(files), '/data/t1');
      const newest = segments.at(-1)?.path ?? '';
      expect(files.text(newest)).toContain('journal/key-changed');
    }
  });

  it('reports a clock that was set back, and keeps its own time going forward', async () => {
    const clock = handClock();
    const files = await writeJournal(50, powerCutFiles(), { clock });
    const log = collectingLog();
    const back = handClock(clock.ms, Date.UTC(2025, 0, 1));
    await writeJournal(5, files, { clock: back, log });
    expect(log.lines.map(({ text }) => text).join()).toMatch(/set back/);
    expect((await verdictOf(files)).notes.join()).toMatch(/wall clock was set back/);
  });
});

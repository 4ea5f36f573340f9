/** The built program on a data folder in which older segments are missing or cut off: it says so, and starts all the same. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { diskOver } from '../host/journal/disk.ts';
import { openFolder } from '../host/journal/folder.ts';
import { compressClosed } from '../host/journal/retain.ts';
import { collectingLog, silentLog } from '../host/log.ts';
import { oldCaptureFolder } from './support/old-capture.ts';
import { powerCutFiles } from './support/power-cut-files.ts';
import { type Program, program } from './support/program.ts';
import { writeJournal } from './support/small-journal.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder = '';
let table = '';
let config = '';
const running: Program[] = [];

beforeEach(async () => {
  ({ folder, config } = oldCaptureFolder('holes'));
  table = join(folder, 'data/t1');
  // Four evenings: each start begins a segment of its own and packs those before.
  for (let i = 0; i < 4; i += 1) expect(await session(i)).not.toMatch(/journal\/damaged/);
});
afterEach(async () => {
  for (const one of running.splice(0)) if (one.alive) await one.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts, waits until it runs and so many segments at least are packed, stops; gives what it said. */
async function session(segments = 0): Promise<string> {
  const one = program(['start', '--config', config, '--json'], { cwd: folder });
  running.push(one);
  await one.port();
  await vi.waitFor(() => expect(packed().length).toBeGreaterThanOrEqual(segments), 60_000);
  expect((await one.stop('SIGTERM')).code).toBe(0);
  return one.stderr;
}

const packed = (): readonly string[] => readdirSync(table).filter((name) => name.endsWith('.jsonl.gz'));
/** Warnings of damage in what a start said. */
const warnings = (said: string): readonly string[] =>
  said.split('\n').flatMap((line) => (line.includes('journal/damaged') ? [JSON.parse(line).msg] : []));

describe('a start', () => {
  it('names a segment that was cut off, what that means and what to do, each time; and runs', async () => {
    const [, second = '', third = ''] = packed();
    const path = join(table, second);
    const { length } = readFileSync(path);
    truncateSync(path, length - 10);
    for (let i = 0; i < 2; i += 1) {
      const [said, ...more] = warnings(await session());
      expect(said).toContain(`${second} in ${table} has ${length - 10} bytes, not ${length} as it was left`);
      const last = Number.parseInt(third, 10) - 1;
      expect(said).toContain(
        `records ${Number.parseInt(second, 10)} to ${last} cannot be replayed or proven`,
      );
      expect(said).toMatch(/The table goes on\. Put the file back from a copy/);
      expect(more).toEqual([]);
    }
    // The journal has it too: whoever looks at the match later sees that it was known.
    const newest = readdirSync(table).filter((name) => name.endsWith('.jsonl') && /^\d/.test(name));
    expect(readFileSync(join(table, newest.at(-1) ?? ''), 'utf8')).toContain('journal/damaged');
  });

  it('names one that is missing in the middle, or at the beginning', async () => {
    const [first = '', second = '', third = ''] = packed();
    const kept = readFileSync(join(table, second));
    rmSync(join(table, second));
    const [said = ''] = warnings(await session());
    expect(said).toContain(`${second} is missing from ${table}`);
    expect(said).toContain(`records ${Number.parseInt(second, 10)} to ${Number.parseInt(third, 10) - 1} `);
    writeFileSync(join(table, second), kept);
    expect(warnings(await session())).toEqual([]);
    // Also where nobody noted that there was one: a journal begins with record 0.
    rmSync(join(table, first));
    rmSync(join(table, 'closed.json'));
    expect(warnings(await session())).toEqual([expect.stringContaining('000000000000.jsonl is missing')]);
  });

  it('names one that is empty where nobody noted how long it was', async () => {
    const [, second = ''] = packed();
    truncateSync(join(table, second), 0);
    rmSync(join(table, 'closed.json'));
    expect(warnings(await session())[0]).toContain(`${second} in ${table} is empty`);
  });
});

describe('how closed segments were left', () => {
  it('is noted whenever power goes while they are packed: no start warns of what is whole', async () => {
    for (let cut = 0; ; cut += 1) {
      const files = powerCutFiles();
      for (let i = 0; i < 3; i += 1) await writeJournal(20, files);
      const disk = diskOver(files);
      let left = cut;
      // From some call on nothing is written any more, as when the power goes.
      const failing = {
        ...disk,
        replace: async (path: string, bytes: Uint8Array) => {
          left -= 1;
          if (left < 0) throw new Error('no power');
          await disk.replace(path, bytes);
        },
        remove: async (path: string) => {
          left -= 1;
          if (left < 0) throw new Error('no power');
          await disk.remove(path);
        },
      };
      await compressClosed(failing, '/data/t1', silentLog);
      const log = collectingLog();
      const found = await openFolder({ dataDir: '/data', table: 't1', log, disk, isAlive: () => false });
      await found.release();
      expect(log.lines.filter(({ fields }) => fields.code === 'journal/damaged')).toEqual([]);
      // All was written.
      if (left > 0) return;
    }
  });
});

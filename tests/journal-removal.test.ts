import { beforeAll, describe, expect, it } from 'vitest';
import { searchMatches } from '../host/audit/match-search.ts';
import { INDEX_FILE, type Match, matchesIn } from '../host/audit/matches.ts';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { pruneMatch, removeMatch } from '../host/audit/remove-match.ts';
import { retain } from '../host/audit/retention.ts';
import { verifyLines } from '../host/audit/verify.ts';
import { isDamage } from '../host/journal/damage.ts';
import { type Disk, diskOver } from '../host/journal/disk.ts';
import { entryOfText } from '../host/journal/entry.ts';
import { linesOf } from '../host/journal/lines.ts';
import { REWRITE_LOCK, whileRewriting } from '../host/journal/rewriting.ts';
import { journalChunks, segmentsIn } from '../host/journal/segments.ts';
import { collectingLog, silentLog } from '../host/log.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSimTable, type SimTable } from '../sim/table.ts';
import { type PowerCutFiles, powerCutFiles } from './support/power-cut-files.ts';
import { type TableRun, tableRun, virtualClock } from './support/table-run.ts';
import { demoFor, settingFor } from './support/virtual-table.ts';

const FOLDER = '/data/t1';
const MORNING_MS = Date.UTC(2026, 10, 30, 10);
const DAY_MS = 86_400_000;
/** Who plays in the match that is removed. */
const NAMES = ['Xanthippe', 'Quentin'];

let files: PowerCutFiles;
let sim: SimTable;

async function begin(at: PowerCutFiles, days: number, more: object = {}): Promise<TableRun> {
  const setting = settingFor(sim, demoFor(6));
  return tableRun({
    ...{ sim, setting, disk: diskOver(at), clock: virtualClock(0, MORNING_MS + days * DAY_MS), seed: 6 },
    ...{ isAlive: () => false, auto: false, ...more },
  });
}

async function recordsIn(disk: Disk, match: Match): Promise<readonly string[]> {
  const kinds: string[] = [];
  for await (const lines of linesOf(journalChunks(disk, await segmentsIn(disk, FOLDER)))) {
    for (const { bytes } of lines) {
      const entry = entryOfText(Buffer.from(bytes).toString('utf8'));
      if (entry === undefined || !('record' in entry)) continue;
      const { seq, kind } = entry.record;
      if (seq >= match.from && seq < match.to) kinds.push(kind);
    }
  }
  return kinds;
}

async function verdictOf(disk: Disk) {
  return verifyLines(linesOf(journalChunks(disk, await segmentsIn(disk, FOLDER))), NODE_TOOLS);
}

/** The match between the two named players: the second of three. */
async function named(disk: Disk): Promise<Match> {
  const [match] = searchMatches(await matchesIn(disk, FOLDER), [NAMES[0] ?? '']);
  if (match === undefined) throw new Error('the match is in the journal');
  return match;
}

const tombstoneOf = ({ id, from, to }: Match) => ({
  match: id,
  from,
  to,
  who: 'A. Keeper',
  why: 'asked for',
});

beforeAll(async () => {
  files = powerCutFiles();
  await diskOver(files).makeFolder('/data');
  sim = createSimTable({ layout: FIXED_12, seed: 6 });
  const first = await begin(files, 0, { auto: true });
  await first.run(9000);
  const concede = { do: 'play', input: { type: 'concede', by: { role: 'player', player: 'A' } } } as const;
  first.table.command('c1', concede);
  const players = { A: { name: NAMES[0] ?? '' }, B: { name: NAMES[1] ?? '' } };
  const begun = demoFor(6) as { readonly players: { readonly A: object; readonly B: object } };
  const options = {
    ...begun,
    players: { A: { ...begun.players.A, ...players.A }, B: { ...begun.players.B, ...players.B } },
  };
  first.table.command('n1', { do: 'new-game', by: { role: 'operator', name: 'Op' }, options } as never);
  await first.run(4000);
  await first.close();
  const second = await begin(files, 1, { newMatch: true });
  await second.run(3000);
  await second.close();
}, 60_000);

describe('the removal of a match', () => {
  it('leaves no name of its players in the list, in searches, nor anywhere in the folder', async () => {
    const copy = files.afterCut(() => 0);
    const disk = diskOver(copy);
    const match = await named(disk);
    expect(match.players).toEqual({ A: NAMES[0], B: NAMES[1] });
    expect(copy.text(`${FOLDER}/${INDEX_FILE}`)).toContain(NAMES[0]);
    await removeMatch({
      ...{ disk, dataDir: '/data', table: 't1', match: match.id, who: 'A. Keeper', why: 'asked for' },
      ...{ wall: () => new Date(MORNING_MS + 2 * DAY_MS).toISOString(), log: silentLog },
    });
    const after = await matchesIn(disk, FOLDER);
    expect(after.find(({ id }) => id === match.id)).toMatchObject({
      removed: { who: 'A. Keeper' },
      gone: true,
    });
    for (const name of NAMES) {
      expect(searchMatches(after, [name])).toEqual([]);
      for (const file of await disk.list(FOLDER)) {
        if (!file.endsWith('.gz') && file !== 'snapshots' && file !== 'aside')
          expect(copy.text(`${FOLDER}/${file}`)).not.toContain(name);
      }
      for await (const chunk of journalChunks(disk, await segmentsIn(disk, FOLDER))) {
        if (isDamage(chunk)) throw new Error(chunk.why);
        expect(Buffer.from(chunk).includes(name)).toBe(false);
      }
    }
    // A list that was lost is made anew without them.
    await disk.remove(`${FOLDER}/${INDEX_FILE}`);
    expect(searchMatches(await matchesIn(disk, FOLDER), [NAMES[0] ?? ''])).toEqual([]);
    // Signed under the one name that the host has signed with: who checks by that key finds it.
    const { broken, keys } = await verdictOf(disk);
    expect(broken).toBeUndefined();
    expect(keys).toEqual([expect.stringMatching(/^bakucore\/test\/t1\+/)]);
  });

  it('that a crash cut short after its tombstone is done at the next start', async () => {
    const copy = files.afterCut(() => 0);
    const match = await named(diskOver(copy));
    const run = await begin(copy, 2);
    await run.run(200);
    const entombed = run.table.entomb(tombstoneOf(match));
    await run.run(200);
    await entombed;
    expect(await recordsIn(diskOver(copy), match)).toContain('command');
    await run.close();
    const log = collectingLog();
    const again = await begin(copy, 3, { log });
    await again.run(60_000, () => log.lines.some(({ text }) => /cut short is done/.test(text)));
    await again.close();
    const disk = diskOver(copy);
    // What has to stay says nothing of its course.
    const stays = ['snapshot', 'checkpoint', 'segment', 'close'];
    expect((await recordsIn(disk, match)).filter((kind) => !stays.includes(kind))).toEqual([]);
    expect(copy.text(`${FOLDER}/${INDEX_FILE}`)).not.toContain(NAMES[0]);
    expect((await verdictOf(disk)).state).not.toBe('broken');
    // The next start finds nothing to do.
    const third = collectingLog();
    const last = await begin(copy, 4, { log: third });
    await last.run(300);
    await last.close();
    expect(third.lines.map(({ text }) => text).join()).not.toMatch(/cut short/);
  });
});

describe('two who write closed segments again', () => {
  /** A disk whose first replacing of a segment waits until it is let go, with all bytes read before. */
  function held(disk: Disk): { readonly disk: Disk; readonly reached: Promise<void>; go(): void } {
    let go = (): void => {};
    let reach = (): void => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    let isFirst = true;
    const replace: Disk['replace'] = async (path, bytes, mode) => {
      if (isFirst && path.includes('.jsonl')) {
        isFirst = false;
        reach();
        await wait;
      }
      await disk.replace(path, bytes, mode);
    };
    return { disk: { ...disk, replace }, reached, go: () => go() };
  }

  it('go one after the other: retention puts nothing back that a removal took out', async () => {
    const copy = files.afterCut(() => 0);
    const disk = diskOver(copy);
    const match = await named(disk);
    const slow = held(disk);
    const wall = new Date(MORNING_MS + 400 * DAY_MS).toISOString();
    const retaining = retain(slow.disk, FOLDER, { mostBytes: 1 }, wall);
    await slow.reached;
    let waited = 0;
    const pause = async (): Promise<void> => {
      waited += 1;
      if (waited === 3) slow.go();
      await new Promise((done) => setImmediate(done));
    };
    const pruned = await pruneMatch(disk, FOLDER, match, { pause });
    expect(waited).toBeGreaterThanOrEqual(3);
    expect(pruned).toBeGreaterThan(0);
    expect((await retaining).records).toBeGreaterThan(0);
    expect(await recordsIn(disk, match)).not.toContain('command');
    expect(await disk.list(FOLDER)).not.toContain(REWRITE_LOCK);
  });

  it('waits no longer when the work is not wanted any more, and says who is at it when it does not end', async () => {
    const disk = diskOver(files.afterCut(() => 0));
    await whileRewriting(disk, FOLDER, {}, async () => {
      let asked = 0;
      const mayGoOn = (): boolean => {
        asked += 1;
        return asked < 3;
      };
      const pause = async (): Promise<void> => {};
      const unwanted = whileRewriting(disk, FOLDER, { mayGoOn, pause }, async () => 'done');
      expect(await unwanted).toBeUndefined();
      await expect(whileRewriting(disk, FOLDER, { pause }, async () => 'done')).rejects.toMatchObject({
        code: 'journal/in-use',
        remedy: expect.stringContaining(REWRITE_LOCK),
      });
      // One that died meanwhile holds nobody up.
      expect(await whileRewriting(disk, FOLDER, { isAlive: () => false }, async () => 'done')).toBe('done');
    });
  });
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../host/audit/archive.ts';
import { type ArchiveRoom, openArchiveRoom } from '../host/audit/archive-room.ts';
import { verifyProof } from '../host/audit/check-proof.ts';
import { makeBundle } from '../host/audit/make-bundle.ts';
import { matchesIn } from '../host/audit/matches.ts';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { proveInMatch } from '../host/audit/prove-in-match.ts';
import { openSource } from '../host/audit/source.ts';
import { verifySource } from '../host/audit/verify-source.ts';
import type { FilmStretch, MatchName } from '../host/displays/archive-messages.ts';
import type { ServerMessage } from '../host/displays/feed-messages.ts';
import { systemDisk } from '../host/journal/disk.ts';
import { silentLog } from '../host/log.ts';
import { PARTS } from '../host/parts.ts';
import type { Scene } from '../host/scene/scene.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { createSimTable } from '../sim/table.ts';
import { quickDisk } from './support/quick-disk.ts';
import { type TableRun, tableRun, virtualClock } from './support/table-run.ts';
import { demoFor, settingFor } from './support/virtual-table.ts';

let folder = '';
let run: TableRun;
let room: ArchiveRoom;
/** What a judge and the public saw live, by moment. */
const live: { readonly atMs: number; readonly judge: Scene; readonly public: Scene }[] = [];
let first: MatchName;

const openRoom = (): ArchiveRoom =>
  openArchiveRoom({
    ...{ disk: systemDisk, dataDir: folder, madeDir: join(folder, '.made'), parts: PARTS },
    nowMs: () => performance.now(),
    wall: () => new Date(Date.UTC(2026, 10, 30)).toISOString(),
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-archive-'));
  const sim = createSimTable({ layout: FIXED_12, seed: 6 });
  const clock = virtualClock();
  const disk = quickDisk();
  const setting = settingFor(sim, demoFor(6));
  run = await tableRun({
    ...{ sim, setting, clock, seed: 6, disk, dataDir: folder, isAlive: () => false },
  });
  const { table } = run;
  const rolling = (): boolean => sim.thrown().length === 2 && table.decided().activity.kind === 'roll';
  const look = async (): Promise<void> => {
    // Virtual time stands still until all that was decided is safe and may be shown.
    await disk.idle();
    const [judge, open] = [table.scene({ kind: 'judge' }), table.scene({ kind: 'public' })];
    live.push({ atMs: clock.ms, judge, public: open });
  };
  // Before anybody rolls, while the balls of the first roll are on their way, and when it is over.
  await run.run(2000);
  await look();
  await run.run(30_000, rolling);
  await run.run(420);
  await look();
  await run.run(9000);
  await look();
  table.command('next', { do: 'new-game', by: { role: 'operator', name: 'Op' } });
  // No such deck: it is refused, and the match that goes on keeps its players.
  const options = { players: { A: { name: 'Nobody', deck: 1e9 } } };
  table.command('refused', { do: 'new-game', by: { role: 'operator', name: 'Op' }, options });
  await run.run(9000);
  await disk.idle();
  room = openRoom();
  const [oldest] = (await room.library({ words: '', from: 0, most: 50 })).matches.slice(-1);
  first = { table: 't1', match: oldest?.id ?? '' };
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The scene at the end of a stretch, as a page puts it together. */
function sceneOf({ frames }: FilmStretch): Scene {
  let scene: Scene | undefined;
  for (const { message } of frames) {
    const told = message as ServerMessage;
    if (told.op === 'snapshot') scene = told.scene;
    else if (told.op === 'change' && scene !== undefined) scene = { ...scene, ...told.set };
  }
  if (scene === undefined) throw new Error('no scene');
  return scene;
}

const shown = ({ view, cues, levels, rulings, retracted, links, lights, simulated }: Scene): object =>
  JSON.parse(JSON.stringify({ view, cues, levels, rulings, retracted, links, lights, simulated }));

describe('a recorded match looked at again', () => {
  it('shows judge and public at each moment what they saw live, in any order of looking', async () => {
    expect(live[1]?.judge.cues.some(({ cue }) => cue === 'rolling')).toBe(true);
    for (const one of [live[2], live[0], live[1]]) {
      if (one === undefined) throw new Error('no moment');
      for (const seen of ['judge', 'public'] as const) {
        const ask = { fromMs: one.atMs, toMs: one.atMs, everyMs: 50, seen };
        expect(shown(sceneOf(await room.stretch(first, ask)))).toEqual(shown(one[seen]));
      }
    }
  });

  it('is listed with those who play it, whatever new game was asked for and refused meanwhile', async () => {
    const { matches } = await room.library({ words: '', from: 0, most: 50 });
    const names = matches.map(({ players }) => players);
    expect(names).toEqual([names.at(-1), names.at(-1)]);
    expect(JSON.stringify(names)).not.toContain('Nobody');
    expect(run.told).toContainEqual(expect.objectContaining({ kind: 'refused', id: 'refused' }));
  });

  it('plays a stretch to the same picture as a leap to its end', async () => {
    const toMs = live[2]?.atMs ?? 0;
    const stretch = await room.stretch(first, { fromMs: toMs - 4000, toMs, everyMs: 50, seen: 'judge' });
    expect(stretch.toMs).toBe(toMs);
    expect(stretch.frames.length).toBeGreaterThan(10);
    const leap = await room.stretch(first, { fromMs: toMs, toMs, everyMs: 50, seen: 'judge' });
    const { links: _, ...played } = shown(sceneOf(stretch)) as Record<string, unknown>;
    const { links: __, ...leapt } = shown(sceneOf(leap)) as Record<string, unknown>;
    expect(played).toEqual(leapt);
  });

  it('marks every ruling, turn and end, with the wall time of each moment', async () => {
    const outline = await room.outline(first);
    const finals = run.told.flatMap((one) =>
      one.kind === 'ruling' && one.ruling.stage === 'final' ? [one.ruling] : [],
    );
    const marks = outline.marks.filter(({ kind }) => kind === 'ruling' || kind === 'undetermined');
    const own = finals.filter(({ atMs }) => atMs <= outline.toMs);
    expect(marks.map(({ roll, atMs }) => [roll, atMs])).toEqual(own.map(({ roll, atMs }) => [roll, atMs]));
    const [newest] = (await room.library({ words: '', from: 0, most: 1 })).matches;
    const next = await room.outline({ table: 't1', match: newest?.id ?? '' });
    expect(next.marks[0]).toMatchObject({ kind: 'turn', text: expect.stringMatching(/^Turn 1: /) });
    expect(outline.walls[0]?.wallMs).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 30, 10));
    const [mark] = marks;
    const trace = await room.trace(first, mark?.roll ?? '', mark?.atMs ?? 0);
    expect(trace.tiles.length).toBeGreaterThan(0);
    expect(trace.fromMs).toBeLessThan(mark?.atMs ?? 0);
    expect(trace.tiles[0]?.picture).toMatch(/<path d="M/);
    await expect(room.trace(first, 't9.9', 1)).rejects.toMatchObject({ code: 'library/no-such-match' });
  });
});

describe('the process that reads recorded matches', () => {
  it('answers as the code itself does, keeps the codes of faults, and is gone once it is closed', async () => {
    const archive = openArchive({ dataDir: folder, tables: new Map(), verifyFile: '', log: silentLog });
    try {
      const ask = { words: '', from: 0, most: 50 };
      const at = live[1]?.atMs ?? 0;
      const moment = { fromMs: at, toMs: at, everyMs: 50, seen: 'judge' } as const;
      const [page, stretch] = await Promise.all([archive.library(ask), archive.stretch(first, moment)]);
      expect(page.matches.map(({ id }) => id)).toEqual((await room.library(ask)).matches.map(({ id }) => id));
      expect(stretch).toEqual(await room.stretch(first, moment));
      await expect(archive.outline({ table: 't1', match: 't1-7' })).rejects.toMatchObject({
        code: 'library/no-such-match',
      });
      expect(await archive.verifyPage()).toBeUndefined();
    } finally {
      await archive.close();
    }
    await expect(archive.library({ words: '', from: 0, most: 1 })).rejects.toMatchObject({
      code: 'http/failed',
    });
  });
});

describe('the library of a running table', () => {
  it('lists newest first and finds by words', async () => {
    const { matches, all } = await room.library({ words: '', from: 0, most: 50 });
    expect(all).toBe(2);
    expect(matches.map(({ closed }) => closed)).toEqual([false, true]);
    expect(matches[0]?.players).toEqual(matches[1]?.players);
    expect((await room.library({ words: 'ember 2026-11-30', from: 0, most: 50 })).found).toBe(2);
    expect((await room.library({ words: 'nobody', from: 0, most: 50 })).found).toBe(0);
    const one = await room.library({ words: '', from: 0, most: 1 });
    expect(one.next).toBe(1);
  });

  it('passes over files, and says of a table that it cannot be read without hiding the others', async () => {
    writeFileSync(join(folder, 'notes'), 'no table');
    mkdirSync(join(folder, 't8'));
    writeFileSync(join(folder, 't8/000000000000.jsonl.gz'), 'no gzip');
    const page = await room.library({ words: '', from: 0, most: 50 });
    expect(page.all).toBe(2);
    expect(page.unread).toEqual([expect.stringMatching(/^t8: ./)]);
    rmSync(join(folder, 't8'), { recursive: true });
    expect(await room.library({ words: '', from: 0, most: 50 })).not.toHaveProperty('unread');
  });

  it('makes evidence of a match, with a proof of every ruling that holds alone', async () => {
    const { path } = await room.make({ make: 'match', ...first });
    const source = await openSource(path);
    expect(await verifySource(source, NODE_TOOLS)).toMatchObject({
      state: 'intact',
    });
    const { match } = source;
    if (match === undefined) throw new Error('no match file');
    const seqs = new Set([match.from, match.from + 7, match.to - 1]);
    const proofs = await proveInMatch({ ...source, match }, seqs, NODE_TOOLS);
    for (const [seq, proof] of proofs) {
      expect(await verifyProof(proof, NODE_TOOLS, undefined)).toMatchObject({ ok: true });
      const moved = proof.replace(`"seq":${seq},"record"`, `"seq":${seq + 1},"record"`);
      expect(await verifyProof(moved, NODE_TOOLS, undefined)).toMatchObject({ ok: false });
    }
    expect(proofs.size).toBeGreaterThanOrEqual(2);
    const html = await makeBundle(source, { parts: PARTS });
    // Every ruling that the page shows is proven.
    const shown = new Set([...html.matchAll(/record (\d+)<\/span>/g)].map(([, seq]) => seq));
    expect(shown.size).toBeGreaterThan(new Set(html.match(/id="roll-\d+"/g)).size);
    expect(html.match(/&quot;bakucore-proof&quot;/g)).toHaveLength(shown.size);
  });

  it('leaves no copy of a match behind when what was asked for cannot be made', async () => {
    const made = join(folder, '.made');
    const before = readdirSync(made);
    await expect(room.make({ make: 'bundle', ...first, roll: 't99.9' })).rejects.toThrow();
    const matches = [first, { table: 't1', match: 't1-999' }];
    await expect(room.make({ make: 'report', form: 'json', title: 'Day', matches })).rejects.toThrow();
    expect(readdirSync(made)).toEqual(before);
  });

  it('reports on chosen matches and exports their events', async () => {
    const report = await room.make({ make: 'report', form: 'csv', title: 'Day', matches: [first] });
    expect(report.name).toBe('report.csv');
    const events = await room.make({ make: 'events', ...first });
    const text = Buffer.from(await systemDisk.read(events.path)).toString('utf8');
    const types = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toContain('io.bakucore.ruling.v1');
  });

  it('removes a match through the journal of its table; a tombstone stays and all else is proven', async () => {
    const ask = { ...first, who: 'A. Keeper (judge)', why: 'asked for', confirm: 't1-999' };
    await expect(room.toRemove(ask)).rejects.toMatchObject({ code: 'library/no-such-match' });
    const match = await room.toRemove({ ...ask, confirm: first.match });
    const { from, to } = match;
    await run.table.entomb({ match: match.id, from, to, who: ask.who, why: ask.why });
    // Whoever is told that it failed after the tombstone may ask again: the records are still to go.
    room = openRoom();
    expect(await room.toRemove({ ...ask, confirm: first.match })).toMatchObject({
      id: first.match,
      removed: { who: ask.who },
    });
    expect((await room.prune(first)).records).toBeGreaterThan(100);
    expect((await room.prune(first)).records).toBe(0);
    const listed = (await room.library({ words: '', from: 0, most: 50 })).matches;
    expect(listed.map(({ removed }) => removed)).toEqual([false, true]);
    await expect(room.outline(first)).resolves.toMatchObject({ dark: expect.any(String) });
    // The table goes on, and so does its journal.
    await run.run(3000);
    await run.close();
    const verdict = await verifySource(await openSource(join(folder, 't1')), NODE_TOOLS);
    expect(verdict.state).toBe('intact');
    const again = await matchesIn(systemDisk, join(folder, 't1'));
    expect(again[0]?.removed).toMatchObject({ who: 'A. Keeper (judge)', why: 'asked for' });
    const texts: string[] = [];
    for await (const batch of (await openSource(join(folder, 't1'))).records(() => {})) {
      for (const { seq, kind } of batch) if (seq >= from && seq < to) texts.push(kind);
    }
    expect(texts).not.toContain('line');
    expect(texts).not.toContain('ruling');
  });
});

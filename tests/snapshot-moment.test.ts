import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportMatch } from '../host/audit/export-match.ts';
import { openFilm } from '../host/audit/film.ts';
import { type Match, matchesIn } from '../host/audit/matches.ts';
import { replaySource } from '../host/audit/replay.ts';
import { openSource } from '../host/audit/source.ts';
import { openJournal } from '../host/journal/capture.ts';
import { diskOver, systemDisk } from '../host/journal/disk.ts';
import { entryOfOutput } from '../host/journal/records.ts';
import { collectingLog, silentLog } from '../host/log.ts';
import { PARTS } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { hashOfSaved, savedWithHash } from '../host/state-hash.ts';
import { runTable } from '../host/table.ts';
import type { TransportEvents } from '../host/transports/transport.ts';
import { createSimTable, type SimTable } from '../sim/table.ts';
import { finalsIn } from './support/chain.ts';
import { powerCutFiles } from './support/power-cut-files.ts';
import { SMALL_HEAD } from './support/small-journal.ts';
import { tableRun, virtualClock } from './support/table-run.ts';
import { demoFor, settingFor, virtualTable } from './support/virtual-table.ts';

const MORNING_MS = Date.UTC(2026, 10, 30, 10);
let folder = '';
let table = '';
let sim: SimTable;
/** What play had come to when the table stopped. */
let stoppedAt = '';

const begin = (hours: number, more: object = {}) =>
  tableRun({
    ...{ sim, setting: settingFor(sim, demoFor(6)), disk: systemDisk, dataDir: folder, seed: 6 },
    ...{ clock: virtualClock(0, MORNING_MS + hours * 3_600_000), ...more },
  });

// A game, and one that is begun after it without a restart.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-snapshots-'));
  table = join(folder, 't1');
  sim = createSimTable({ layout: FIXED_12, seed: 6 });
  const run = await begin(0);
  await run.run(36_000);
  run.table.command('n1', { do: 'new-game', by: { role: 'operator', name: 'Op' } });
  await run.run(8000);
  await run.close();
  stoppedAt = JSON.stringify(run.table.decided().play.state);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a state that is kept in calm', () => {
  it('is taken when nothing that was ruled or told still waits to leave', async () => {
    const recorded = virtualTable({ seed: 7, judge: true });
    recorded.runUntil(() => finalsIn(recorded.outputs).length >= 2, 60_000);
    recorded.run(500);
    const files = powerCutFiles();
    const clock = virtualClock();
    const log = silentLog;
    const open = { dataDir: '/data', table: 't1', head: SMALL_HEAD, clock, log, disk: diskOver(files) };
    const journal = await openJournal(open);
    let said = 0;
    let told = 0;
    const heldUp: number[] = [];
    const isSaid = (kind: string): boolean => kind === 'ruling' || kind === 'event';
    let events: TransportEvents | undefined;
    const running = await runTable({
      ...{ setting: recorded.setting, clock, log },
      journal: {
        ...journal,
        get safeSeq() {
          return journal.safeSeq;
        },
        append(kind, atMs, data) {
          if (isSaid(kind)) said += 1;
          return journal.append(kind, atMs, data);
        },
      },
      listener: {
        told(output) {
          if (isSaid(entryOfOutput(output).kind)) told += 1;
        },
        changed() {},
      },
      // Due at every step of which nothing else came.
      snapshots: {
        everyMs: 100,
        async save(_atMs, _state, _hash, why) {
          if (why === 'calm') heldUp.push(said - told);
        },
      },
      async openLinks(given) {
        events = given;
        return recorded.sim.links.map((link) => ({ link, send: () => true, close: async () => {} }));
      },
    });
    for (const input of recorded.inputs) {
      while (clock.ms < input.atMs) await clock.tick();
      if (input.kind === 'command') running.command(input.id, input.command);
      if (input.kind === 'line') events?.line(input.link, input.raw);
      if (input.kind === 'link' && input.up) events?.up(input.link, input.reason);
    }
    expect(told).toBeGreaterThan(5);
    expect(heldUp.length).toBeGreaterThan(20);
    expect(heldUp.filter((count) => count > 0)).toEqual([]);
  });

  it('has the hash that its text has, however often it was taken before', () => {
    const one = virtualTable({ seed: 7 });
    for (let n = 0; n < 4; n += 1) {
      one.run(3000);
      const { text, hash } = savedWithHash(one.state);
      expect(hash).toBe(hashOfSaved(text));
      expect(savedWithHash(one.state)).toEqual({ text, hash });
    }
  });
});

async function firstSeen(match: Match | undefined): Promise<string> {
  if (match === undefined) throw new Error('a second match was begun');
  const film = openFilm({ disk: systemDisk, folder: table, match, parts: PARTS });
  const fromMs = match.fromMs + 500;
  return JSON.stringify(await film.stretch({ fromMs, toMs: fromMs + 2000, everyMs: 100, seen: 'judge' }));
}

describe.each([
  ['of an older form', '{"saved":0}'],
  ['of which parts are missing', '{"saved":1}'],
])('states %s', (_what, state) => {
  let second: Match | undefined;
  /** The first pictures of the second match, from states as they were kept. */
  let seen = '';
  const kept = new Map<string, Buffer>();

  beforeAll(async () => {
    second = (await matchesIn(systemDisk, table)).at(-1);
    seen = await firstSeen(second);
    for (const name of readdirSync(join(table, 'snapshots'))) {
      const path = join(table, 'snapshots', name);
      const bytes = readFileSync(path);
      kept.set(path, bytes);
      const snapshot = { ...JSON.parse(gunzipSync(bytes).toString('utf8')), state };
      writeFileSync(path, gzipSync(JSON.stringify(snapshot)));
    }
    expect(kept.size).toBeGreaterThan(1);
  });
  afterAll(() => {
    for (const [path, bytes] of kept) writeFileSync(path, bytes);
  });

  it('stop no start: the match goes on from its records', async () => {
    const log = collectingLog();
    const copy = mkdtempSync(join(tmpdir(), 'bakucore-older-'));
    cpSync(folder, copy, { recursive: true });
    const run = await begin(1, { log, auto: false, dataDir: copy });
    expect(JSON.stringify(run.table.decided().play.state)).toBe(stoppedAt);
    expect(log.lines.map(({ text }) => text).join()).toMatch(
      /cannot be resumed from snapshot \d+: This .*saved/,
    );
    expect(log.lines.map(({ text }) => text).join()).toMatch(/match in progress goes on/);
    await run.close();
    rmSync(copy, { recursive: true, force: true });
  });

  it('stop no export: the journal is run again up to the start', async () => {
    if (second === undefined) throw new Error('a second match was begun');
    const text = await exportMatch(systemDisk, table, second, PARTS);
    const path = join(folder, 'second.match');
    writeFileSync(path, text);
    expect(
      (await replaySource(await openSource(path), { parts: PARTS, check: true })).difference,
    ).toBeUndefined();
    // A file that was written with such a state is refused in words.
    const [head = '', ...rest] = text.split('\n');
    writeFileSync(path, [JSON.stringify({ ...JSON.parse(head), start: state }), ...rest].join('\n'));
    await expect(replaySource(await openSource(path), { parts: PARTS })).rejects.toMatchObject({
      code: 'journal/unknown-form',
      sentence: expect.stringContaining('begins from is not understood'),
    });
  });

  it('stop no film: the records before the match give the state it began from', async () => {
    expect(seen).toMatch(/"frames":\[\{/);
    expect(await firstSeen(second)).toBe(seen);
  });
});

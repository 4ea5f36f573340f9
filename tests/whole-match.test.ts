import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkJournal, type JournalCheck } from '../bin/match/check-journal.ts';
import { GOALS } from '../bin/match/goals.ts';
import { logLines } from '../bin/match/match-log.ts';
import { type MatchRun, runMatch } from '../bin/match/run-match.ts';
import type { Output } from '../host/advance/input.ts';
import { openSource } from '../host/audit/source.ts';
import type { GameEvent } from '../host/game/ruleset.ts';
import type { JournalRecord } from '../host/record.ts';
import type { RollRuling } from '../host/sensing/ruling.ts';
import { program } from './support/program.ts';
import { quickFolder } from './support/rig-config.ts';

// One whole match, from the deck check to its end: simulated balls on a simulated mat, boards, lines, detector, rules,
// journal. Nobody tells the game what a ball did but the sensors, and a judge where they are in doubt.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const folder = mkdtempSync(join(quickFolder(), 'bakucore-match-'));
const outputs: Output[] = [];
let run: MatchRun;
let journal: JournalCheck;
let records: readonly JournalRecord[];

/** Matches to play until one shows everything: rolls go as the dice of the simulated world fall. */
const SEEDS = [1, 7, 2, 3, 4, 5, 6, 8];
let seed = 0;

beforeAll(async () => {
  for (seed of SEEDS) {
    outputs.length = 0;
    const dataDir = join(folder, `match-${seed}`);
    run = await runMatch({ seed, dataDir, boards: 'scripted', told: (output) => outputs.push(output) });
    if (run.met.size === Object.keys(GOALS).length) break;
  }
  journal = await checkJournal(join(folder, `match-${seed}`));
  const read: JournalRecord[] = [];
  const source = await openSource(join(folder, `match-${seed}/t1`));
  for await (const batch of source.records(() => {})) read.push(...batch);
  records = read;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const events = (type: string): readonly GameEvent[] =>
  outputs.flatMap((output) => (output.kind === 'event' && output.event.type === type ? [output.event] : []));
const finals = (): readonly RollRuling[] =>
  outputs.flatMap((output) =>
    output.kind === 'ruling' && output.ruling.stage === 'final' ? [output.ruling] : [],
  );
type Given = { readonly do: string; readonly basis?: string; readonly input?: PlayedInput };
type PlayedInput = { readonly type: string; readonly by: { readonly role: string } };

const commands = (): readonly Given[] =>
  records.flatMap(({ kind, data }) =>
    kind === 'command' ? [(data as unknown as { readonly command: Given }).command] : [],
  );

describe('a whole match on the simulated mat', () => {
  it('begins with a deck check that names every fault with its rule (1.1.2, 1.2.1, 1.2.2)', () => {
    const refused = outputs.flatMap((output) => (output.kind === 'refused' ? [output.refusal] : []));
    expect(refused).toHaveLength(1);
    expect(refused[0]?.code).toBe('new-game/options');
    for (const rule of ['1.1.2', '1.2.1', '1.2.2']) expect(refused[0]?.message).toContain(`(${rule}`);
  });

  it('lays twelve cores, each side to side with one that lies there (1.4.3, 4.7.3)', () => {
    const laid = events('field/placed').slice(0, 12);
    expect(new Set(laid.map(({ data }) => data.core)).size).toBe(12);
    const lying = new Set<string>();
    for (const { data, rules } of laid) {
      expect(rules).toContain('4.7.3');
      const [, q = '', r = ''] = /^q(-?\d+)r(-?\d+)$/.exec(String(data.cell)) ?? [];
      const near = [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
        [1, -1],
        [-1, 1],
      ].map(([dq = 0, dr = 0]) => `q${Number(q) + dq}r${Number(r) + dr}`);
      expect(lying.size === 0 || near.some((cell) => lying.has(cell))).toBe(true);
      lying.add(String(data.cell));
    }
  });

  it('is told what balls did by the sensors alone, and by a judge where they are in doubt', () => {
    const inputs = commands().flatMap((command) =>
      command.do === 'play' && command.input !== undefined ? [command.input] : [],
    );
    const types = new Set(inputs.map(({ type }) => type));
    expect(types.has('rolled')).toBe(false);
    for (const { type, by } of inputs) if (type === 'judge-roll') expect(by.role).toBe('judge');
    // Whoever opened was ruled to have opened, by the sensors in a final ruling or by a judge.
    const ruled = new Set(finals().map(({ roll }) => roll));
    expect(run.truth.every(({ roll }) => ruled.has(roll))).toBe(true);
    // Passes come over the studs of the boards.
    expect(types.has('pass')).toBe(false);
    expect(events('window/passed').length).toBeGreaterThan(20);
  });

  it('rules nothing that did not happen', () => {
    for (const ruling of finals()) {
      const truth = run.truth.findLast(({ roll }) => roll === ruling.roll);
      for (const ball of ruling.balls) {
        const real = truth?.balls.find(({ player }) => player === ball.player);
        if (ball.opened === 'undetermined' || ball.player === 'undetermined') continue;
        expect([ruling.roll, ball.player, ball.opened]).toEqual([
          ruling.roll,
          real?.player,
          real?.opened === true ? 'yes' : 'no',
        ]);
        if (ball.opened === 'yes')
          expect([...ball.attached.sure].sort()).toEqual([...(real?.attached ?? [])].sort());
      }
    }
  });

  it('has a fallen roll: over the field, off the table, not opened (5.7.1.4, 5.7.2)', () => {
    const fallen = run.truth.flatMap(({ roll, balls }) =>
      balls
        .filter(({ restXMm }) => restXMm === undefined)
        .map(({ player, path }) => ({ roll, player, path })),
    );
    const [first] = fallen;
    expect(first?.path.length).toBeGreaterThan(0);
    const ball = finals()
      .find(({ roll }) => roll === first?.roll)
      ?.balls.find(({ player }) => player === first?.player);
    expect(ball?.opened).toBe('no');
    expect(events('roll/not-opened')[0]?.rules).toEqual(['5.7.1.4', '5.7.2']);
  });

  it('has a shared core: both balls sensed on it, both get its bonus (5.7.2.2, AM-08)', () => {
    const [shared] = events('roll/shared-core');
    expect(shared?.rules).toEqual(['5.7.2.2', 'AM-08']);
    const both = finals().find(({ balls }) =>
      balls.every(
        ({ opened, attached }) => opened === 'yes' && attached.sure.includes(String(shared?.data.core)),
      ),
    );
    expect(both?.balls).toHaveLength(2);
    // 5.13.2 with AM-08: it stays with its last holder when the loser retracts.
    expect(events('retract/core-stays').map(({ data }) => data.core)).toContain(shared?.data.core);
  });

  it('has a Flip card that stops an attack (5.11.2)', () => {
    const [stopped] = events('damage/stopped');
    expect(stopped?.rules).toContain('5.11.2');
    expect(events('damage/flip-card').map(({ data }) => data.card)).toContain('BB-141');
  });

  it('has a roll in doubt that a judge rules, and a correction after its effect was shown (AM-39)', () => {
    const doubtful = finals().filter(({ balls }) => balls.some(({ opened }) => opened === 'undetermined'));
    expect(doubtful.length).toBeGreaterThan(0);
    const judged = events('roll/judged');
    // None becomes a result by itself: a judge rules it, or it was void anyhow (AM-09).
    const settled = [...judged, ...events('roll/void')].map(({ data }) => data.roll);
    for (const { roll } of doubtful) expect(settled).toContain(roll);
    expect(judged[0]?.data).toMatchObject({ who: 'judge (Ines)', reason: 'The cable was out' });
    const [made] = events('correction/made');
    expect(made?.rules).toEqual(['5.7.2', 'AM-39']);
    const [correction] = commands().filter((command) => command.do === 'replace-ruling');
    expect(correction?.basis).toMatch(/^\d+\.\d+\.[0-9a-f]+$/);
    // After it the roll is as it really was.
    const told = outputs.flatMap((output) => (output.kind === 'event' ? [output.event] : []));
    const after = told.slice(told.findIndex(({ type }) => type === 'correction/made'));
    const truth = run.truth.findLast(({ roll }) => roll === made?.data.roll);
    const real = truth?.balls.find(({ player }) => player === 'A');
    const opened = after.find(({ type, data }) => type === 'roll/opened' && data.player === 'A');
    expect(opened?.data.cores).toEqual(real?.attached);
  });

  it('is played with cards that the game knows and with one that it does not', () => {
    expect(events('modify/applied').map(({ text }) => text)).toContainEqual(
      expect.stringContaining('entered by player A'),
    );
    expect(events('batch/resolved').map(({ text }) => text)).toContain('Greater Water Boost happens.');
  });

  it('ends with a Team Attack that the deck does not outlast (5.12.1, 5.12.2, 5.11.1)', () => {
    const [attack] = events('damage/team-attack');
    expect(attack?.rules).toContain('5.12.2');
    const order = outputs.flatMap((output) => (output.kind === 'event' ? [output.event.type] : []));
    expect(order.indexOf('game/over')).toBeGreaterThan(order.indexOf('damage/team-attack'));
    expect(order.slice(order.indexOf('damage/team-attack')).includes('turn/started')).toBe(false);
    expect(events('game/over').map(({ data }) => data.winner)).toEqual(['A']);
    expect(run.winner).toBe('A');
  });

  it('prints a log in which whatever happened carries its rule', () => {
    const log = outputs.flatMap(logLines);
    expect(log.length).toBeGreaterThan(150);
    for (const output of outputs) {
      if (output.kind === 'event')
        expect([output.event.text, output.event.rules.length > 0]).toEqual([output.event.text, true]);
    }
    expect(log.filter((line) => /^\d+:\d\d\.\d\d {2}Turn \d+/.test(line))).toHaveLength(run.turns);
  });

  it('leaves a journal that is intact and says the same, word for word, when it is played once more', () => {
    expect(journal).toMatchObject({ state: 'intact', same: true });
    expect(journal.marks).toBeGreaterThan(2);
    expect(journal.stateHash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('bakucore sim match', () => {
  it('plays it from the command line, the same again for the same seed, and leaves other matches alone', async () => {
    const out = join(folder, 'cli');
    const first = program(['sim', 'match', '--seed', String(seed), '--out', out, '--json'], { cwd: folder });
    expect(await first.ended).toMatchObject({ code: 0 });
    const lines = first.stdout.trimEnd().split('\n');
    const last = JSON.parse(lines.at(-1) ?? '');
    expect(last).toMatchObject({ kind: 'summary', winner: 'A', turns: run.turns, tableMs: run.tableMs });
    expect(last.journal).toMatchObject({ state: 'intact', same: true, outputsHash: journal.outputsHash });
    expect(Object.keys(last.met).sort()).toEqual(Object.keys(GOALS).sort());
    const again = program(['sim', 'match', '--out', out], { cwd: folder });
    expect(await again.ended).toMatchObject({ code: 1 });
    expect(again.stderr).toContain('--out');
  });
});

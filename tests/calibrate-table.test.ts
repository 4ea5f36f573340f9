import { beforeAll, describe, expect, it, vi } from 'vitest';
import { firmataBoards } from '../bin/bench/firmata-rolls.ts';
import { advance, startTable } from '../host/advance/advance.ts';
import type { Command, Output } from '../host/advance/input.ts';
import { decidedIn, knownOf } from '../host/advance/known.ts';
import { loadTable, saveTable } from '../host/advance/save.ts';
import type { TableState } from '../host/advance/state.ts';
import { uncalibrated } from '../host/calibration-file.ts';
import { keepingCutShort } from '../host/kept-calibration.ts';
import { handFor } from '../host/pages/operator/sim-hand.ts';
import { composeScene } from '../host/scene/compose.ts';
import type { CalibratingSeen } from '../host/sensing/calibrate-seen.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import { FIXED_12, HEX_19, layoutHash } from '../host/sensing/layout.ts';
import { hashOfSaved } from '../host/state-hash.ts';
import { drawBodies } from '../sim/bodies.ts';
import { differences } from './support/chain.ts';
import { type VirtualTable, type VirtualTableAsk, virtualTable } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const SEED = 23;
const operator = { role: 'operator', name: 'Olga' } as const;
const balls = drawBodies({ seed: SEED }).map(({ bakugan }) => bakugan);
const [reference = 'A/1', ...others] = balls;
const START: Command = { do: 'calibrate', by: operator, act: 'start', reference, balls: others };

const seen = (table: VirtualTable): CalibratingSeen | null => table.scene({ kind: 'operator' }).calibrating;

const madeIn = (outputs: readonly Output[]): Calibration | undefined =>
  outputs.flatMap((output) => (output.kind === 'calibrated' ? [output.calibration] : [])).at(-1);

/** A person reads, and reaches, in this time before every single thing: takes a ball away, puts it down, ms. */
const HAND_MS = 1000;

/** One whole calibration by the simulated hand; the shell's part is done by the test. */
function led(ask: Partial<VirtualTableAsk> = {}) {
  const table = virtualTable({
    seed: SEED,
    auto: false,
    setting: { calibration: uncalibrated(ask.layout ?? FIXED_12), checksSensors: true },
    ...ask,
  });
  table.run(4000);
  const beganMs = table.nowMs;
  const accepted = table.command(START);
  const prompts: CalibratingSeen[] = [];
  const lit: string[] = [];
  let said = '';
  let wanted: string | undefined;
  let dueMs = 0;
  const done = table.runUntil(() => {
    if (table.nowMs % 20 !== 0) return false;
    const now = seen(table);
    if (now === null) return false;
    prompts.push(now);
    const shining = table.scene({ kind: 'operator' }).lights.filter(({ level }) => level > 0);
    lit.push(`${now.step} ${now.cell ?? ''} ${shining.map(({ cell }) => cell).join(' ')}`);
    const next = handFor(now, said);
    if (next?.did !== wanted) {
      wanted = next?.did;
      dueMs = table.nowMs + HAND_MS;
    }
    if (next !== undefined && table.nowMs >= dueMs) {
      said = next.did;
      table.sim.act(next.action);
    }
    return now.step === 'done';
  }, 200_000);
  const tookMs = table.nowMs - beganMs;
  return { table, accepted, done, prompts, lit, tookMs };
}

const whole = led();

describe('a calibration on a table that runs', () => {
  it('leads through to its report within two minutes and a half', () => {
    expect(whole.accepted).toBe(true);
    expect(whole.done).toBe(true);
    expect(whole.tookMs).toBeLessThan(150_000);
    const last = seen(whole.table);
    expect(last).toMatchObject({ step: 'done', progress: 1, problem: '' });
    expect(last?.report).toHaveLength(12);
    for (const tile of last?.report ?? []) expect(tile).toMatchObject({ pass: true, fix: [] });
    expect(last?.gates).toEqual([
      { side: 'A', work: true },
      { side: 'B', work: true },
    ]);
  });

  it('leads through on generic boards under Firmata too, one hall a tile and no lights', () => {
    const layout = { ...FIXED_12, sensors: 'axis' } as const;
    const { table, done } = led({ layout, boards: firmataBoards });
    expect(done).toBe(true);
    const report = seen(table)?.report ?? [];
    expect(report.map(({ cell, fix }) => [cell, fix])).toEqual(layout.cells.map(({ cell }) => [cell, []]));
  });

  it('lights the tile to touch next and no other, all for the pattern, none while the mat must be dark', () => {
    for (const line of whole.lit) {
      const [step = '', cell = '', ...shining] = line.split(' ');
      if (step === 'seat') expect(shining.filter((one) => one !== '')).toEqual([cell]);
    }
    const pattern = whole.lit.findLast((line) => line.startsWith('lit '));
    expect(pattern?.split(' ').filter((word) => word.startsWith('q'))).toHaveLength(12);
    expect(whole.lit.find((line) => line.startsWith('empty'))).toMatch(/^empty +$/);
  });

  it('lets the boards light what it asks for', () => {
    // White on one tile only is a line that nothing but a calibration sends.
    const lines = whole.table.outputs.filter((output) => output.kind === 'send');
    expect(lines.length).toBeGreaterThan(24);
  });

  it('holds play back meanwhile, with the reason', () => {
    const state = loadTable(whole.table.setting, saveTable(whole.table.state));
    const select: Command = { do: 'play', input: { type: 'pass', by: { role: 'judge' } } };
    expect(refusalOf(give(whole.table, state, select))).toBe('calibrate/going-on');
    expect(refusalOf(give(whole.table, state, { do: 'new-game', by: operator }))).toBe('calibrate/going-on');
  });

  it('shows nothing of it to those who only watch', () => {
    expect(whole.table.scene({ kind: 'public' }).calibrating).toBeNull();
    expect(whole.table.scene({ kind: 'player', player: 'A' }).calibrating).toBeNull();
  });
});

function give(table: VirtualTable, state: TableState, command: Command): readonly Output[] {
  return advance(state, { kind: 'command', atMs: state.atMs, id: 'x', command }, table.setting);
}

function refusalOf(outputs: readonly Output[]): string | undefined {
  return outputs.flatMap((output) => (output.kind === 'refused' ? [output.refusal.code] : []))[0];
}

describe('saving, loading and replaying in the middle of a calibration', () => {
  it('gives the same state from there on, at moments all over it', () => {
    const { setting, inputs } = whole.table;
    const marks = [0.07, 0.2, 0.5, 0.8, 0.97].map((share) => Math.floor(share * inputs.length));
    const state = startTable(setting, 0);
    for (const [n, input] of inputs.entries()) {
      advance(state, input, setting);
      if (!marks.includes(n)) continue;
      const loaded = loadTable(setting, saveTable(state));
      expect(differences(loaded, state)).toEqual([]);
      for (const next of inputs.slice(n + 1, n + 400)) advance(loaded, next, setting);
      const again = loadTable(setting, saveTable(state));
      for (const next of inputs.slice(n + 1, n + 400)) advance(again, next, setting);
      expect(saveTable(again)).toBe(saveTable(loaded));
    }
    expect(hashOfSaved(saveTable(state))).toBe(hashOfSaved(saveTable(whole.table.state)));
  });
});

describe('taking a calibration into use', () => {
  const { table } = whole;
  const kept: { made: Calibration | undefined; cutShort: string } = { made: undefined, cutShort: '' };
  beforeAll(() => {
    expect(table.command({ do: 'calibrate', by: operator, act: 'save' })).toBe(true);
    // What is being kept goes into use: it cannot be called off any more.
    expect(table.command({ do: 'calibrate', by: operator, act: 'cancel' })).toBe(false);
    expect(table.state.calibrating?.saving).toBe(true);
    const made = madeIn(table.outputs);
    kept.cutShort = saveTable(table.state);
    if (made !== undefined) table.command({ do: 'use-calibration', by: operator, calibration: made });
    kept.made = made;
  });

  it('can be kept once more when the host stopped before it was in use', () => {
    const { setting } = table;
    const state = loadTable(setting, kept.cutShort);
    expect(state.calibrating?.saving).toBe(true);
    const command = keepingCutShort(state);
    if (command === undefined) throw new Error('nothing was cut short');
    advance(state, { kind: 'command', atMs: state.atMs, id: 'cut-short', command }, setting);
    expect(state.calibrating).toMatchObject({ saving: false, trouble: expect.stringContaining('once more') });
    expect(keepingCutShort(state)).toBeUndefined();
    const save: Command = { do: 'calibrate', by: operator, act: 'save' };
    const said = advance(state, { kind: 'command', atMs: state.atMs, id: 'again', command: save }, setting);
    expect(madeIn(said)).toEqual(kept.made);
  });

  it('hands out what was made, for this layout, and is in force once it was kept', () => {
    expect(kept.made?.layoutHash).toBe(layoutHash(FIXED_12));
    expect(table.state.calibration).toEqual(kept.made);
    expect(table.state.calibrating).toBeNull();
    expect(table.state.sensing.setting.calibration).toEqual(kept.made);
    const codes = table.scene({ kind: 'operator' }).health.map(({ code }) => code);
    expect(codes).not.toContain('health/uncalibrated');
  });

  it('lets the match begin and be played on it, and the whole replays to the same hash', () => {
    table.run(3000);
    expect(table.scene({ kind: 'operator' }).start).toMatchObject({ begun: false, blocks: [] });
    expect(table.command({ do: 'start-match', by: operator })).toBe(true);
    table.run(500);
    const again = startTable(table.setting, 0);
    for (const input of table.inputs) advance(again, input, table.setting);
    expect(hashOfSaved(saveTable(again))).toBe(hashOfSaved(saveTable(table.state)));
    expect(again.calibration).toEqual(kept.made);
  });

  it.each<[string, unknown, string]>([
    ['made on another layout', { ...uncalibrated(HEX_19) }, 'calibrate/unusable'],
    [
      'half of one',
      { version: 1, layout: 'fixed-12', layoutHash: layoutHash(FIXED_12), tiles: [{}], balls: {} },
      'calibrate/unusable',
    ],
    ['of nothing', null, 'command/not-understood'],
  ])('refuses one %s', (_what, calibration, code) => {
    const state = loadTable(table.setting, saveTable(table.state));
    const command = { do: 'use-calibration', by: operator, calibration } as Command;
    expect(refusalOf(give(table, state, command))).toBe(code);
    expect(state.calibration).toEqual(table.state.calibration);
  });
});

describe('who may calibrate, and when', () => {
  const fresh = (): TableState => startTable(whole.table.setting, 0);
  it.each(['player', 'judge', 'automatic', 'sensing'] as const)('not the %s', (role) => {
    const said = give(whole.table, fresh(), { ...START, by: { role } } as Command);
    expect(refusalOf(said)).toBe('calibrate/not-yours');
  });

  it('goes on, ends and saves only where one is going on', () => {
    for (const act of ['skip', 'save', 'cancel'] as const) {
      expect(refusalOf(give(whole.table, fresh(), { do: 'calibrate', by: operator, act }))).toBe(
        'calibrate/not-begun',
      );
    }
    const state = fresh();
    give(whole.table, state, START);
    expect(refusalOf(give(whole.table, state, START))).toBe('calibrate/begun');
    expect(refusalOf(give(whole.table, state, { do: 'calibrate', by: operator, act: 'save' }))).toBe(
      'calibrate/unfinished',
    );
    give(whole.table, state, { do: 'calibrate', by: operator, act: 'cancel' });
    expect(state.calibrating).toBeNull();
    expect(state.calibration).toEqual(whole.table.setting.calibration);
  });

  it('says that a side is not heard, instead of waiting in silence', () => {
    const state = fresh();
    give(whole.table, state, START);
    const scene = composeScene(knownOf(state, decidedIn(state), whole.table.setting), { kind: 'operator' });
    expect(scene.calibrating?.problem).toMatch(/side A and B/);
  });
});

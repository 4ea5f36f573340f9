import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeLine, encodeDown } from '../firmware-protocol/line.ts';
import type { LegalInput } from '../host/game/ruleset.ts';
import type { RawLine } from '../host/record.ts';
import type { Activity } from '../host/sensing/activity.ts';
import { FIXED_12, layoutHash } from '../host/sensing/layout.ts';
import type { SimAction } from '../host/sim-action.ts';
import { autoplay, type Doing, QUICK_PACE, type Seen, startAutoplay } from '../sim/autoplay.ts';
import { drawBodies } from '../sim/bodies.ts';
import { calibrationOf, ownCores } from '../sim/calibration.ts';
import { createVirtualClock } from '../sim/clock.ts';
import { captureRoll, writeCorpus } from '../sim/corpus.ts';
import { createMat } from '../sim/mat.ts';
import { createRollSource } from '../sim/sample.ts';
import { createSimTable, type SimTable } from '../sim/table.ts';
import { simTransport } from '../sim/transport.ts';

function rollOf(table: SimTable, roll: string): Activity {
  return {
    kind: 'roll',
    roll,
    balls: [
      { player: 'A', bakugan: 'A/1' },
      { player: 'B', bakugan: 'B/2' },
    ],
    cores: ownCores(table.mat),
  };
}

const toss = (player: 'A' | 'B', aim: string, more: Partial<Extract<SimAction, { act: 'throw' }>> = {}) =>
  ({ act: 'throw', player, aim, speedMPerS: 0.8, open: 'yes', stays: 'yes', ...more }) satisfies SimAction;

describe('a simulated table', () => {
  it('throws as asked and knows what happened', () => {
    const table = createSimTable({ layout: FIXED_12, seed: 3 });
    table.runTo(2_000_000);
    table.know(rollOf(table, 't1.1'));
    expect(table.act(toss('A', 'q0r1'))).toEqual({ ok: true });
    expect(table.act(toss('B', 'q0r-1', { stays: 'no' }))).toEqual({ ok: true });
    expect(table.act(toss('A', 'q1r0'))).toMatchObject({ ok: false });
    expect(table.thrown()).toEqual(['A', 'B']);
    table.runTo(6_000_000);
    const [truth] = table.truth();
    expect(truth?.roll).toBe('t1.1');
    expect(truth?.balls.map((b) => [b.bakugan, b.ending, b.opened])).toEqual([
      ['A/1', 'attach', true],
      ['B/2', 'off', true],
    ]);
    expect(truth?.balls[0]?.latchCell).toBe('q0r1');
    const core = ownCores(table.mat).find((c) => c.cell === 'q0r1')?.core;
    expect(truth?.balls[0]?.attached).toEqual([core]);
  });

  it('leaves closed balls closed when asked, and a ball on a vacant cell is no opening', () => {
    const table = createSimTable({ layout: FIXED_12, seed: 4 });
    const activity = rollOf(table, 't1.1');
    if (activity.kind !== 'roll') throw new Error('it is a roll');
    table.know({ ...activity, cores: activity.cores.filter((c) => c.cell !== 'q0r1') });
    expect(table.act(toss('A', 'q0r1'))).toEqual({ ok: true });
    expect(table.act(toss('B', 'q0r-1', { open: 'no' }))).toEqual({ ok: true });
    const [truth] = table.truth();
    expect(truth?.balls.map((b) => [b.ending, b.opened, b.attached.length])).toEqual([
      ['vacant', false, 0],
      [expect.stringMatching(/pass|rest/), false, 0],
    ]);
  });

  it('clears balls that did not stay once the roll is over, and lifts one that stands when asked', () => {
    const table = createSimTable({ layout: FIXED_12, seed: 5 });
    table.know(rollOf(table, 't1.1'));
    table.act(toss('A', 'q0r1'));
    table.act(toss('B', 'q0r0', { stays: 'no' }));
    table.runTo(5_000_000);
    table.know({ kind: 'idle' });
    table.runTo(9_000_000);
    expect(table.standing().map((b) => [b.player, b.cell])).toEqual([['A', 'q0r1']]);
    expect(table.mat.track('B/2')).toBeUndefined();
    expect(table.act({ act: 'lift', player: 'A', cell: 'q0r0' })).toMatchObject({ ok: false });
    expect(table.act({ act: 'lift', player: 'A', cell: 'q0r1' })).toEqual({ ok: true });
    table.runTo(11_000_000);
    expect(table.standing()).toEqual([]);
    expect(Math.abs(table.mat.cleanMt('q0r1', 0, 10_900_000))).toBe(0);
    expect(table.truth().length).toBe(1);
  });

  it('sends lines through the in-process transport, drops out when unplugged and starts anew after', async () => {
    const table = createSimTable({ layout: FIXED_12, seed: 6, boots: 500 });
    const kind = simTransport(table);
    const place = {
      store: 'home',
      table: 'one',
      link: 'serial-a',
      folder: '/',
      broker: { url: 'mqtt://localhost' },
    };
    expect(() => kind.parse({ bord: 'sim-a' }, place)).toThrow();
    const said: string[] = [];
    const lines: RawLine[] = [];
    const transport = await kind.open(
      'serial-a',
      kind.parse({ board: 'sim-a' }, place),
      {
        line: (_link, raw) => lines.push(raw),
        up: () => said.push('up'),
        down: (_link, reason) => said.push(reason),
        dropped: (_link, what) => said.push(what),
      },
      createVirtualClock(),
    );
    table.runTo(1_500_000);
    expect(transport.send(encodeDown({ kind: 'ping', tag: 7 }))).toBe(true);
    table.runTo(1_600_000);
    const frames = lines.map((raw) => ('line' in raw ? decodeLine(raw.line) : undefined));
    expect(frames.every((f) => f?.ok)).toBe(true);
    expect(frames.some((f) => f?.ok && f.frame.kind === 'answer' && f.frame.tag === 7)).toBe(true);
    table.act({ act: 'fault', fault: 'unplug', player: 'A', on: true });
    const before = lines.length;
    table.runTo(3_600_000);
    expect(lines.length).toBe(before);
    expect(transport.send(encodeDown({ kind: 'ping', tag: 8 }))).toBe(false);
    table.act({ act: 'fault', fault: 'unplug', player: 'A', on: false });
    table.runTo(5_000_000);
    expect(said).toEqual(['up', 'The simulated cable is out.', 'up']);
    const hellos = lines.slice(before).flatMap((raw) => {
      const decoded = 'line' in raw ? decodeLine(raw.line) : undefined;
      return decoded?.ok && decoded.frame.kind === 'hello' ? [decoded.frame] : [];
    });
    // The first boot and the one after the cable.
    expect(hellos[0]?.bootId).toBe(502);
    await transport.close();
    const closed = lines.length;
    table.runTo(5_500_000);
    expect(lines.length).toBe(closed);
  });

  it('lets contacts and halls fail and heal', () => {
    const table = createSimTable({ layout: FIXED_12, seed: 7 });
    const world = table.mat.world('A');
    table.runTo(1_000_000);
    table.act({ act: 'fault', fault: 'stuck-contact', player: 'A', on: true, tile: 3 });
    expect(world.contact(3, 1_500_000)).toBe(true);
    table.runTo(2_000_000);
    table.act({ act: 'fault', fault: 'stuck-contact', player: 'A', on: false, tile: 3 });
    expect(world.contact(3, 2_500_000)).toBe(false);
    table.act({ act: 'fault', fault: 'dead-hall', player: 'A', on: true, tile: 1 });
    expect(world.fieldMt(2, 2_500_000)).toBe(-60);
    table.act({ act: 'fault', fault: 'dead-hall', player: 'A', on: false, tile: 1 });
    expect(Math.abs(world.fieldMt(2, 2_500_000))).toBeLessThan(3);
    expect(table.act({ act: 'fault', fault: 'dead-hall', player: 'A', on: true, tile: 9 })).toMatchObject({
      ok: false,
    });
    table.act({ act: 'stud', player: 'B' });
    expect(table.mat.world('B').stud(0, 2_050_000)).toBe(true);
    expect(table.mat.world('B').stud(0, 2_500_000)).toBe(false);
    expect(table.mat.world('both').stud(1, 2_050_000)).toBe(true);
  });

  it('gives one board all tiles when asked', () => {
    const table = createSimTable({ layout: FIXED_12, seed: 8, oneBoard: true });
    const hellos: string[] = [];
    table.listen('sim', {
      up: () => {},
      down: () => {},
      chunk: ({ bytes }) => {
        const text = Buffer.from(bytes).toString('latin1').trimEnd();
        if (text.startsWith('H1')) hellos.push(text);
      },
    });
    table.runTo(1_200_000);
    const hello = decodeLine(hellos[0] ?? '');
    expect(hello.ok && hello.frame).toMatchObject({ side: 'both', tiles: 12 });
  });
});

describe('calibration', () => {
  it('measures what the mat is, within what a person can', () => {
    for (const sensors of ['axis', 'collector', 'collector+offset'] as const) {
      const layout = { ...FIXED_12, sensors };
      const mat = createMat(layout, 5);
      const bodies = drawBodies({ seed: 5 });
      const calibration = calibrationOf(mat, bodies);
      expect(calibration).toMatchObject({ version: 1, layout: 'fixed-12', layoutHash: layoutHash(layout) });
      expect(calibration.tiles.map((t) => t.tile)).toEqual([
        ...['A0', 'A1', 'A2', 'A3', 'A4', 'A5'],
        ...['B0', 'B1', 'B2', 'B3', 'B4', 'B5'],
      ]);
      calibration.tiles.forEach((tile, t) => {
        expect(tile.contactWorks).toBe(true);
        tile.halls.forEach((hall, h) => {
          const secret = mat.tiles[t]?.spread.halls[h];
          const offset = 511.5 + (secret?.offsetMt ?? 0) * 10.24;
          expect(Math.abs(hall.restCounts - offset)).toBeLessThan(3);
          expect(hall.noiseCounts).toBeGreaterThan(0.4);
          expect(hall.noiseCounts).toBeLessThan(0.8);
          expect(Math.abs(hall.ledCounts - (secret?.lightMt ?? 0) * 10.24)).toBeLessThan(0.4);
          if (h === 0) expect(hall.seatedCounts).toBeGreaterThan(90);
        });
        for (const share of Object.values(tile.neighbours)) expect(Math.abs(share)).toBeLessThan(0.02);
        expect(Object.keys(tile.neighbours).length).toBeGreaterThan(1);
      });
      const [reference] = bodies;
      for (const body of bodies) {
        const ball = calibration.balls[body.bakugan];
        expect(ball?.polarity).toBe(body.polarity);
        expect(
          Math.abs((ball?.strength ?? 0) / (body.strength / (reference?.strength ?? 1)) - 1),
        ).toBeLessThan(0.06);
      }
    }
  }, 20_000);
});

describe('automatic play', () => {
  const legal = (player: 'A' | 'B', types: readonly string[]): LegalInput[] =>
    types.map((type) => ({ player, label: type, rules: [], input: { type } }));
  const nothing: Seen = {
    atMs: 0,
    activity: { kind: 'idle' },
    legal: { A: [], B: [] },
    thrown: [],
    standing: [],
  };
  const played = (seen: (atMs: number) => Seen, toMs: number, seed = 1) => {
    let state = startAutoplay(seed);
    const done: { readonly atMs: number; readonly doing: Doing }[] = [];
    for (let atMs = 0; atMs <= toMs; atMs += 5) {
      const step = autoplay(state, seen(atMs), QUICK_PACE);
      state = step.state;
      for (const doing of step.doings) done.push({ atMs, doing });
    }
    return done;
  };

  it('does nothing when there is nothing to do, and takes its time when there is', () => {
    expect(played((atMs) => ({ ...nothing, atMs }), 500)).toEqual([]);
    const done = played((atMs) => ({ ...nothing, atMs, legal: { A: legal('A', ['energize']), B: [] } }), 400);
    expect(done.length).toBe(1);
    expect(done[0]?.atMs).toBeGreaterThanOrEqual(5);
    expect(done[0]?.doing).toMatchObject({
      kind: 'command',
      player: 'A',
      command: { do: 'play', input: { type: 'energize', by: { role: 'automatic', player: 'A' } } },
    });
  });

  it('never concedes or corrects by hand', () => {
    const aside: LegalInput = {
      player: 'A',
      label: 'Concede',
      rules: [],
      input: { type: 'concede' },
      aside: true,
    };
    expect(played((atMs) => ({ ...nothing, atMs, legal: { A: [aside], B: [] } }), 3000)).toEqual([]);
  });

  it('throws each ball of a roll that has not been thrown, at a core', () => {
    const cores = [{ cell: 'q0r1', core: 'A1' }];
    const balls = [
      { player: 'A', bakugan: 'A/1' },
      { player: 'B', bakugan: 'B/1' },
    ] as const;
    const thrown: ('A' | 'B')[] = [];
    let state = startAutoplay(2);
    for (let atMs = 0; atMs < 1000; atMs += 5) {
      const seen: Seen = { ...nothing, atMs, activity: { kind: 'roll', roll: 't1.1', balls, cores }, thrown };
      const step = autoplay(state, seen, QUICK_PACE);
      state = step.state;
      for (const doing of step.doings) {
        expect(doing).toMatchObject({ kind: 'act', action: { act: 'throw', aim: 'q0r1' } });
        if (doing.kind === 'act' && doing.action.act === 'throw') thrown.push(doing.action.player);
      }
    }
    expect([...thrown].sort()).toEqual(['A', 'B']);
  });

  it('lifts the ball before it places the cores that the ball held', () => {
    const done = played(
      (atMs) => ({
        ...nothing,
        atMs,
        activity: { kind: 'hands', why: 'retract' },
        legal: { A: legal('A', ['place']), B: [] },
        standing: atMs < 200 ? [{ player: 'A', cell: 'q1r0' }] : [],
      }),
      400,
    );
    expect(done[0]?.doing).toEqual({ kind: 'act', action: { act: 'lift', player: 'A', cell: 'q1r0' } });
    expect(done.at(-1)?.doing).toMatchObject({ kind: 'command', command: { input: { type: 'place' } } });
  });

  it('passes on the stud or on a page, tries again when nothing came of it, the same way for the same seed', () => {
    const seen = (atMs: number): Seen => ({ ...nothing, atMs, legal: { A: legal('A', ['pass']), B: [] } });
    const ways = Array.from({ length: 40 }, (_, seed) => played(seen, 60, seed)[0]?.doing.kind);
    expect(ways).toContain('act');
    expect(ways).toContain('command');
    expect(played(seen, 4000).length).toBeGreaterThan(2);
    expect(played(seen, 4000, 9)).toEqual(played(seen, 4000, 9));
  });
});

describe('corpora', () => {
  it('hold whole lines in order of time, with the truth and what play knew beside them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
    try {
      const { lines } = writeCorpus(folder, 20, 2);
      expect(lines).toBeGreaterThan(500);
      const text = readFileSync(join(folder, 'roll-20.jsonl'), 'utf8').trimEnd().split('\n');
      let before = 0;
      for (const one of text) {
        const { atMs, via, line } = JSON.parse(one) as { atMs: number; via: string; line: string };
        expect(atMs).toBeGreaterThanOrEqual(before);
        expect(['sim-a', 'sim-b']).toContain(via);
        expect(decodeLine(line).ok).toBe(true);
        before = atMs;
      }
      const truths = readFileSync(join(folder, 'truth.jsonl'), 'utf8').trimEnd().split('\n');
      expect(truths.map((t) => (JSON.parse(t) as { seed: number }).seed)).toEqual([20, 21]);
      expect(readFileSync(join(folder, 'activity.jsonl'), 'utf8')).toContain('"kind":"roll"');
      expect(readFileSync(join(folder, 'calibration.json'), 'utf8')).toContain(layoutHash(FIXED_12));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('say in lines what the same roll gives as frames and as samples', () => {
    const source = createRollSource();
    const captured = captureRoll(33);
    const { frames, truth } = source.frames(33);
    expect(truth).toEqual(captured.truth);
    const spelled = captured.lines.flatMap((line) => {
      const decoded = 'line' in line ? decodeLine(line.line) : undefined;
      return decoded?.ok && line.via === 'sim-a' ? [decoded.frame] : [];
    });
    const direct = frames.filter((f) => f.side === 'A').map((f) => f.frame);
    // The last lines may still be on the wire when the capture ends.
    expect(direct.length - spelled.length).toBeLessThan(8);
    expect(spelled).toEqual(direct.slice(0, spelled.length));
    const samples = source.samples(33);
    const burst = direct.find((f) => f.kind === 'burst');
    if (burst?.kind !== 'burst') throw new Error('a roll onto the field wakes a tile');
    const tile = Math.round(31 - Math.clz32(burst.tileMask & -burst.tileMask));
    const ms = burst.deviceUs / 1000 + 1000 - samples.fromMs;
    if (ms >= 0) {
      expect(burst.samples[0]).toBe(samples.counts[(ms * samples.tiles.length + tile) * samples.halls]);
    }
  });
});

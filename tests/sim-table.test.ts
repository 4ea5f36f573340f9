import { describe, expect, it } from 'vitest';
import { decodeLine, encodeDown } from '../firmware-protocol/line.ts';
import type { RawLine } from '../host/record.ts';
import type { Activity } from '../host/sensing/activity.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import type { SimAction } from '../host/sim-action.ts';
import { ownCores } from '../sim/calibration.ts';
import { createVirtualClock } from '../sim/clock.ts';
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

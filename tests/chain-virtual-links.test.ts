import { describe, expect, it, vi } from 'vitest';
import type { Output } from '../host/advance/input.ts';
import type { LinkId } from '../host/ids.ts';
import { MQTT_WIRE, SERIAL_WIRE } from '../host/sensing/links.ts';
import { createChance } from '../sim/random.ts';
import { createScriptedBoard } from '../sim/scripted-board.ts';
import type { BoardFactory } from '../sim/table.ts';
import { finalsIn, rulingsIn, wrongIn } from './support/chain.ts';
import { type VirtualTable, type VirtualTableAsk, virtualTable, type Way } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const SEED = 9;
const PLAY_MS = 13_000;
/** By then the first roll is ruled and its windows are passed. */
const FIRST_ROLL_MS = 6000;

const straight: readonly Way[] = [
  { link: 'serial-a', board: 'sim-a', wire: SERIAL_WIRE },
  { link: 'serial-b', board: 'sim-b', wire: SERIAL_WIRE },
];

/** The same boards over a broker that delays, doubles, loses and mixes up what it carries. */
function broker(seed: number, delays: readonly [number, number], lossy = true): readonly Way[] {
  const chance = createChance(seed);
  return (['A', 'B'] as const).map((side) => ({
    link: 'mqtt',
    board: `sim-${side.toLowerCase()}`,
    wire: MQTT_WIRE,
    device: `${side}0000001`,
    arrivals() {
      if (lossy && chance.happens(0.05)) return [];
      const delay = (): number => Math.floor(chance.between(...delays));
      return lossy && chance.happens(0.2)
        ? [delay(), delay() + Math.floor(chance.between(0, 3000))]
        : [delay()];
    },
  }));
}

function play(ways: readonly Way[], ms = PLAY_MS, more: Partial<VirtualTableAsk> = {}): VirtualTable {
  const table = virtualTable({ seed: SEED, judge: true, ways, ...more });
  table.run(ms);
  return table;
}

const countsOf = (table: VirtualTable, link: LinkId) =>
  table.scene({ kind: 'operator' }).links.find((one) => one.link === link)?.counts ?? {};

/** Lines that boards sent: each number of each boot once. */
function linesMade(table: VirtualTable): number {
  const made = new Set<string>();
  for (const input of table.inputs) {
    if (input.kind !== 'line' || !('line' in input.raw)) continue;
    const [, stamp] = input.raw.line.split(',');
    const device = input.device ?? (input.link === 'serial-a' ? 'A0000001' : 'B0000001');
    made.add(`${device} ${stamp}`);
  }
  return made.size;
}

function linesUsed(table: VirtualTable): number {
  const links = new Set(table.scene({ kind: 'operator' }).links.map(({ link }) => link));
  return [...links].reduce((sum, link) => sum + (countsOf(table, link).fresh ?? 0), 0);
}

/**
 * Every ruling and event as told, times to a tenth of a millisecond and without the measures: the host asks on both
 * wires who is there, and more answers tell a board's clock a little better.
 */
const said = (outputs: readonly Output[]): readonly object[] =>
  outputs.flatMap((output): readonly object[] => {
    const atMs = Math.round(output.atMs * 10) / 10;
    if (output.kind === 'event') return [{ atMs, event: output.event }];
    if (output.kind !== 'ruling') return [];
    const { roll, revision, stage, illegal } = output.ruling;
    const balls = output.ruling.balls.map(({ audit, ...ball }) => ({ ...ball, path: audit.path.cells }));
    return [{ atMs, roll, revision, stage, illegal, balls }];
  });

const withoutTimes = (outputs: readonly Output[]) =>
  finalsIn(outputs).map(({ roll, balls }) => ({
    roll,
    balls: balls.map(({ player, opened, contact, attached }) => ({ player, opened, contact, attached })),
  }));

describe('one controller on two wires at once', () => {
  it('is heard once: cable and broker together rule as the cable alone does, to the last reason', () => {
    const one = play(straight);
    const two = play([...straight, ...broker(11, [1, 180])]);
    expect(finalsIn(one.outputs).length).toBeGreaterThan(1);
    expect(said(two.outputs)).toEqual(said(one.outputs));
    expect(linesUsed(two)).toBe(linesMade(two));
    expect(countsOf(two, 'mqtt').repeats).toBeGreaterThan(700);
    expect(countsOf(two, 'mqtt').fresh ?? 0).toBe(0);
  });

  it('plays on over the other wire when one is lost in mid-roll, and every line is used once', () => {
    const table = virtualTable({ seed: SEED, judge: true, ways: [...cut(), ...broker(12, [2, 30], false)] });
    let lostAt = Number.POSITIVE_INFINITY;
    function cut(): readonly Way[] {
      return straight.map((way) => ({ ...way, arrivals: (atMs: number) => (atMs < lostAt ? [0] : []) }));
    }
    const rolling = (): boolean =>
      table.state.activity.kind === 'roll' &&
      (table.sim
        .truth()
        .at(-1)
        ?.balls.some(({ releaseMs }) => releaseMs < table.nowMs - 100) ??
        false);
    expect(table.runUntil(rolling, 20_000)).toBe(true);
    lostAt = table.nowMs;
    for (const { link } of straight) table.wire(link, false, 'The port is gone.');
    table.run(PLAY_MS);
    const finals = finalsIn(table.outputs);
    expect(finals.length).toBeGreaterThan(1);
    for (const ruling of finals) {
      const truth = table.sim.truth().find(({ roll }) => roll === ruling.roll);
      if (truth === undefined) throw new Error(`${ruling.roll} never happened`);
      expect(wrongIn(ruling, truth)).toEqual([]);
      expect(ruling.balls.map(({ opened }) => opened)).not.toContain('undetermined');
    }
    // Lines down take the wire that is left.
    const after = table.outputs.filter((o) => o.kind === 'send' && o.atMs > lostAt + 300);
    expect(after.length).toBeGreaterThan(0);
    for (const output of after) expect(output).toMatchObject({ link: 'mqtt' });
    expect(linesUsed(table)).toBe(linesMade(table));
    for (const link of ['serial-a', 'mqtt']) expect(countsOf(table, link).lost ?? 0).toBe(0);
  });

  it('over a broker alone rolls are in doubt until its clock is known, then ruled right', () => {
    const table = play(broker(13, [2, 30], false));
    const [first, ...later] = finalsIn(table.outputs);
    expect(first?.balls[0]?.reasons.map((reason) => reason.code)).toContain('doubt/clock');
    expect(later.length).toBeGreaterThan(0);
    for (const ruling of later) {
      const truth = table.sim.truth().find(({ roll }) => roll === ruling.roll);
      if (truth === undefined) throw new Error(`${ruling.roll} never happened`);
      expect(wrongIn(ruling, truth)).toEqual([]);
      expect(ruling.balls.map(({ opened }) => opened)).not.toContain('undetermined');
    }
  });

  it('a broker that doubles and mixes up everything loses no line and uses none twice', () => {
    const chance = createChance(14);
    const ways = broker(14, [0, 0], false).map((way) => ({
      ...way,
      arrivals: () => [Math.floor(chance.between(1, 9)), Math.floor(chance.between(1, 3100))],
    }));
    const table = play(ways);
    expect(linesUsed(table)).toBe(linesMade(table));
    expect(countsOf(table, 'mqtt').lost ?? 0).toBe(0);
    expect(countsOf(table, 'mqtt').late).toBeGreaterThan(10);
    expect(finalsIn(table.outputs).length).toBeGreaterThan(1);
    for (const ruling of finalsIn(table.outputs)) {
      const truth = table.sim.truth().find(({ roll }) => roll === ruling.roll);
      if (truth === undefined) throw new Error(`${ruling.roll} never happened`);
      expect(wrongIn(ruling, truth)).toEqual([]);
    }
  });
});

describe('the device clock wraps after 71.6 min', () => {
  const boardsThatWrapAt =
    (wrapMs: number): BoardFactory =>
    (ask) =>
      // The firmware starts after a second of boot loader; its clock has 32 bits of µs.
      createScriptedBoard({ ...ask, clockStartUs: 2 ** 32 - (wrapMs - 1000) * 1000 });

  it('and nothing is noticed, in whatever part of a roll it falls', () => {
    const plain = play(straight, FIRST_ROLL_MS);
    const roll = plain.sim.truth()[0];
    const ball = roll?.balls[0];
    const final = finalsIn(plain.outputs)[0];
    if (roll === undefined || ball === undefined || final === undefined) throw new Error('a roll is ruled');
    const moments = {
      'in the hand': ball.releaseMs - 50,
      'on a tile': (ball.path.at(-1)?.fromMs ?? 0) + 10,
      'at rest': ball.restMs + 300,
    };
    for (const [when, wrapMs] of Object.entries(moments)) {
      const wrapped = play(straight, FIRST_ROLL_MS, { boards: boardsThatWrapAt(Math.round(wrapMs)) });
      const clocks = wrapped.inputs.flatMap((input) =>
        input.kind === 'line' && 'line' in input.raw && input.raw.line.startsWith('Q')
          ? [Number.parseInt(input.raw.line.split(',')[2] ?? '', 16)]
          : [],
      );
      expect(Math.max(...clocks), when).toBeGreaterThan(0xff000000);
      expect(Math.min(...clocks), when).toBeLessThan(0x00ffffff);
      expect(withoutTimes(wrapped.outputs), when).toEqual(withoutTimes(plain.outputs));
      expect(
        rulingsIn(wrapped.outputs).map(({ atMs }) => Math.round(atMs)),
        when,
      ).toEqual(rulingsIn(plain.outputs).map(({ atMs }) => Math.round(atMs)));
      expect(
        wrapped.outputs.filter(({ kind }) => kind === 'fault'),
        when,
      ).toEqual([]);
    }
  });
});

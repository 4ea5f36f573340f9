import { describe, expect, it, vi } from 'vitest';
import { advance, startTable } from '../host/advance/advance.ts';
import type { Output } from '../host/advance/input.ts';
import {
  type ArmedWatch,
  eventsIn,
  finalsIn,
  fiveMinutesOn,
  rulingsIn,
  type StripWatch,
  watchArmed,
  watchStrips,
  wrongIn,
  wrongLeds,
} from './support/chain.ts';
import { type VirtualTable, virtualTable, winnerIn } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const MINUTE = 60_000;
/** Virtual time in which every game of automatic players has ended, with room. */
const LONGEST = 6 * MINUTE;

type Game = {
  readonly table: VirtualTable;
  readonly armed: ArmedWatch;
  readonly strips: StripWatch;
};

function playGame(seed: number): Game {
  const armed = watchArmed();
  const strips = watchStrips();
  const table = virtualTable({
    seed,
    judge: true,
    onTurn(now) {
      armed.look(now);
      strips.look(now);
    },
  });
  expect(table.runUntil(() => winnerIn(table.state) !== undefined, LONGEST)).toBe(true);
  table.run(3000);
  return { table, armed, strips };
}

describe('a whole game by automatic play', () => {
  const games = new Map<number, Game>();
  const game = (seed: number): Game => {
    const known = games.get(seed) ?? playGame(seed);
    games.set(seed, known);
    return known;
  };
  const SEEDS = [2, 4];

  it.each(SEEDS)('seed %i: ends with a loser, and no ruling says what did not happen', (seed) => {
    const { table } = game(seed);
    const truths = table.sim.truth();
    const finals = finalsIn(table.outputs);
    expect(finals.map(({ roll }) => roll)).toEqual(truths.map(({ roll }) => roll));
    const wrong = finals.flatMap((ruling) => {
      const truth = truths.find(({ roll }) => roll === ruling.roll);
      return truth === undefined ? [`${ruling.roll} never happened`] : wrongIn(ruling, truth);
    });
    expect(wrong).toEqual([]);
    expect(finals.length).toBeGreaterThan(2);
  });

  it.each(SEEDS)('seed %i: what the game counts as opened is what stood open on the mat', (seed) => {
    const { table } = game(seed);
    const told = eventsIn(table.outputs, 'roll/opened').length;
    const truths = table.sim.truth();
    // A core that a ball perhaps holds is a question to the judge as well, who may have both roll again.
    const settled = finalsIn(table.outputs).filter(
      ({ balls, illegal }) =>
        illegal.length === 0 &&
        balls.every(({ opened, attached }) => opened !== 'undetermined' && attached.possible.length === 0),
    );
    const really = settled.flatMap(
      ({ roll }) => truths.find((truth) => truth.roll === roll)?.balls.filter(({ opened }) => opened) ?? [],
    );
    expect(told).toBe(really.length);
  });

  it.each(SEEDS)('seed %i: the strips show the scene whenever they have had time to', (seed) => {
    const { strips } = game(seed);
    expect(strips.wrong).toEqual([]);
    expect(strips.looks).toBeGreaterThan(100);
  });

  it.each(SEEDS)(
    'seed %i: boards are armed from before the throw to the ruling, and write no strip then',
    (seed) => {
      const { table, armed } = game(seed);
      const finals = finalsIn(table.outputs);
      for (const truth of table.sim.truth()) {
        const final = finals.find(({ roll }) => roll === truth.roll);
        const firstMs = Math.min(...truth.balls.map(({ releaseMs }) => releaseMs));
        for (const side of ['A', 'B'] as const) {
          const covers = armed.spans[side].some(
            ({ fromMs, toMs }) => fromMs <= firstMs && toMs >= (final?.atMs ?? 0) - 20,
          );
          expect(covers, `side ${side} in ${truth.roll}`).toBe(true);
        }
      }
      expect(armed.writesWhileArmed).toBe(0);
    },
  );

  it('speaks to each board one line at a time: answered, or 250 ms later the same line again', () => {
    for (const seed of SEEDS) {
      const { table } = game(seed);
      const sent = new Map<string, { readonly atMs: number; readonly line: string }>();
      for (const output of table.outputs) {
        if (output.kind !== 'send' || output.device === '') continue;
        const before = sent.get(output.device);
        const tag = before?.line.split(',')[1];
        const answered = table.inputs.some(
          (input) =>
            input.kind === 'line' &&
            input.atMs >= (before?.atMs ?? 0) &&
            input.atMs <= output.atMs &&
            input.link === output.link &&
            'line' in input.raw &&
            input.raw.line.startsWith('A1') &&
            input.raw.line.split(',')[3] === tag,
        );
        const again = before?.line === output.line && output.atMs - before.atMs >= 250;
        const gaveUp = before !== undefined && output.atMs - before.atMs >= 250;
        expect(before === undefined || answered || again || gaveUp).toBe(true);
        sent.set(output.device, output);
      }
    }
  });

  it('is over for good: five minutes on, with boards that still speak, nothing is decided and nothing sticks', () => {
    const { table } = game(4);
    const before = table.outputs.length;
    const winner = winnerIn(table.state);
    table.run(5 * MINUTE);
    expect(table.outputs.slice(before)).toEqual([]);
    expect(winnerIn(table.state)).toBe(winner);
    expect(wrongLeds(table)).toEqual([]);
    expect(table.state.activity.kind).not.toBe('roll');
  });

  it('five minutes on, with boards that fell silent, only their silence is told', () => {
    const { table } = game(2);
    const said = fiveMinutesOn(table.state, table.setting);
    expect(said.filter(({ kind }) => kind !== 'fault')).toEqual([]);
    expect(new Set(said.map((output) => (output.kind === 'fault' ? output.code : output.kind)))).toEqual(
      new Set(['link/stall', 'link/silent']),
    );
  });

  it('two tables in one process do not touch each other', () => {
    const runs = [game(2).table, game(4).table];
    const states = runs.map(({ setting }) => startTable(setting, 0));
    const said: Output[][] = [[], []];
    const order = runs
      .flatMap(({ inputs }, which) => inputs.map((input) => ({ which, input })))
      .sort((a, b) => a.input.atMs - b.input.atMs);
    for (const { which, input } of order) {
      const [state, setting] = [states[which], runs[which]?.setting];
      if (state === undefined || setting === undefined) throw new Error('two tables');
      said[which]?.push(...advance(state, input, setting));
    }
    expect(rulingsIn(said[0] ?? []).length).toBeGreaterThan(5);
    // What was recorded is what each said alone.
    expect(said[0]).toEqual(runs[0]?.outputs.slice(0, said[0]?.length));
    expect(said[1]).toEqual(runs[1]?.outputs.slice(0, said[1]?.length));
    expect(said[1]?.length).toBe(runs[1]?.outputs.length);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { advance } from '../host/advance/advance.ts';
import { loadTable, saveTable } from '../host/advance/save.ts';
import { blockedCells } from '../host/advance/standing.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import { healthOf } from '../host/sensing/health.ts';
import { neighboursOf } from '../host/sensing/layout.ts';
import { differences } from './support/chain.ts';
import { type VirtualTable, virtualTable } from './support/virtual-table.ts';

// 4.7.3 on a mat whose tiles stay where they are: a returned core goes to any vacant cell beside another core, but a
// ball that still stands on a cell is in the way. Balls are seen by the sensors of the simulated mat.
vi.setConfig({ testTimeout: 120_000 });

const gameOf = (table: VirtualTable): GameState => table.state.play.state as never;

/** Play up to the moment when a player has to lay a core while a ball stands on another vacant cell. */
function withBallInTheWay(): VirtualTable {
  for (let seed = 1; seed < 20; seed += 1) {
    const table = virtualTable({ seed, judge: true });
    const found = table.runUntil(() => {
      const game = gameOf(table);
      const [head] = game.returning;
      if (head === undefined || table.state.standing.length === 0) return false;
      // The player's own ball is off the mat; what stands is the other one's.
      const own = table.sim.standing().some(({ player }) => player === head.player);
      return !own && blockedCells(table.setting.ruleset.cues(game as never), table.state).size > 0;
    }, 60_000);
    if (found) return table;
  }
  throw new Error('no such moment');
}

describe('a returned core and a ball that still stands', () => {
  const table = withBallInTheWay();
  const { state, setting, sim } = table;
  const game = gameOf(table);
  const [head] = game.returning;
  const player = head?.player ?? 'A';
  const core = head?.cores[0] ?? '';
  const ball = sim.standing().find((one) => one.player !== player);
  const cell = ball?.cell ?? '';
  const place = (at: string, role: 'player' | 'judge' = 'player') =>
    ({ do: 'play', input: { type: 'place', core, cell: at, by: { role, player } } }) as const;
  const cells = (who: 'A' | 'B'): readonly string[] =>
    table
      .scene({ kind: 'player', player: who })
      .legal.flatMap(({ input }) => (input.type === 'place' ? [String(input.cell)] : []));
  const free = (): readonly string[] =>
    table.scene({ kind: 'venue' }).cues.flatMap((cue) => (cue.cue === 'may-place' ? [cue.cell] : []));

  it('is a cell that the rules alone would allow: vacant, and side to side with a core (4.7.3)', () => {
    expect(game.cores.some((one) => one.cell === cell)).toBe(false);
    const [, q = '', r = ''] = /^q(-?\d+)r(-?\d+)$/.exec(cell) ?? [];
    const near = neighboursOf({ q: Number(q), r: Number(r) });
    expect(game.cores.some((one) => one.cell !== null && near.includes(one.cell))).toBe(true);
    const legal = setting.ruleset.legalInputs(state.play.state, player);
    expect(legal.map(({ input }) => input.cell)).toContain(cell);
  });

  it('is not offered, not lit, and refused to the player; the other vacant cells are', () => {
    expect(state.standing).toContain(cell);
    expect(cells(player)).not.toContain(cell);
    expect(free()).not.toContain(cell);
    expect(free().length).toBeGreaterThan(0);
    expect([...new Set(cells(player))].sort()).toEqual([...free()].sort());
    const green = (at: string): boolean =>
      state.lights.some((light) => light.cell === at && light.rgb === 0x00ff40);
    expect(green(cell)).toBe(false);
    for (const one of free()) expect(green(one)).toBe(true);
    const before = state.play;
    expect(table.command(place(cell))).toBe(false);
    expect(state.play).toBe(before);
    const refused = table.outputs.findLast((output) => output.kind === 'refused');
    expect(refused).toMatchObject({ refusal: { code: 'place/ball-stands', rules: ['4.7.3'] } });
  });

  it('is saved and comes back with the table', () => {
    expect(differences(loadTable(setting, saveTable(state)), state)).toEqual([]);
  });

  it('is the judge’s to overrule, whose eyes are better than a sensor', () => {
    const copy = loadTable(setting, saveTable(state));
    expect(copy.standing).toContain(cell);
    expect(blockedCells(setting.ruleset.cues(copy.play.state), copy).has(cell)).toBe(true);
    const command = place(cell, 'judge');
    const said = advance(copy, { kind: 'command', atMs: copy.atMs + 1, id: 'j', command }, setting);
    expect(said.map(({ kind }) => kind)).toContain('accepted');
    expect((copy.play.state as unknown as GameState).cores.find((one) => one.core === core)?.cell).toBe(cell);
  });

  it('becomes free when the ball is lifted', () => {
    const quiet = table.sim.act({ act: 'lift', player: player === 'A' ? 'B' : 'A', cell });
    expect(quiet.ok).toBe(true);
    const was = gameOf(table).returning.length;
    expect(
      table.runUntil(() => !state.standing.includes(cell) || gameOf(table).returning.length < was, 3000),
    ).toBe(true);
    if (gameOf(table).returning.length === was) expect(free()).toContain(cell);
  });
});

describe('cells where balls stand', () => {
  const cues = (...cells: readonly string[]) =>
    cells.map((cell) => ({ cue: 'may-place' as const, cell, player: 'A' as const }));

  it('block those of them where a core may go', () => {
    expect([...blockedCells(cues('q0r0', 'q1r0'), { standing: ['q1r0', 'q2r0'], alone: [] })]).toEqual([
      'q1r0',
    ]);
  });

  it('block nothing where no other cell is left: play never stands still for a sensor', () => {
    expect([...blockedCells(cues('q0r0', 'q1r0'), { standing: ['q0r0'], alone: ['q1r0'] })]).toEqual([]);
  });
});

describe('a ball that stands on a tile', () => {
  it('is a magnet in the way before a match, and play while it is on', () => {
    const table = virtualTable({ seed: 2, judge: true });
    const { state } = table;
    const isMagnet = ({ code }: { readonly code: string }): boolean => code === 'health/magnet-near';
    expect(
      table.runUntil(
        () => state.standing.length > 0 && healthOf(state.sensing, [], 0).some(isMagnet),
        60_000,
      ),
    ).toBe(true);
    const shown = (begun: boolean): boolean => {
      state.start = { begun, overrode: null };
      return table.scene({ kind: 'operator' }).health.some(isMagnet);
    };
    expect([shown(false), shown(true)]).toEqual([true, false]);
  });
});

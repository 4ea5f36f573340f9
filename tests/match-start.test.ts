import { describe, expect, it, vi } from 'vitest';
import { advance, startTable } from '../host/advance/advance.ts';
import type { Command, Output } from '../host/advance/input.ts';
import { loadTable, saveTable } from '../host/advance/save.ts';
import type { TableState } from '../host/advance/state.ts';
import { hashOfSaved } from '../host/state-hash.ts';
import { drawBodies } from '../sim/bodies.ts';
import { legalIn, type VirtualTable, virtualTable } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const SEED = 31;
const operator = { role: 'operator', name: 'Olga' } as const;
const judge = { role: 'judge', name: 'Ines' } as const;

function table(): VirtualTable {
  return virtualTable({ seed: SEED, auto: false, setting: { checksSensors: true } });
}

function give(
  one: VirtualTable,
  command: Command,
): { code: string | undefined; message: string; said: readonly Output[] } {
  const from = one.outputs.length;
  one.command(command);
  const said = one.outputs.slice(from);
  const refusal = said.flatMap((output) => (output.kind === 'refused' ? [output.refusal] : []))[0];
  return { code: refusal?.code, message: refusal?.message ?? '', said };
}

/** The first thing that may be played. */
function firstMove(one: VirtualTable): Command {
  for (const player of ['A', 'B'] as const) {
    const legal = legalIn(one.state, player).find(({ aside }) => aside !== true);
    if (legal !== undefined) return { do: 'play', input: { ...legal.input, by: { role: 'player', player } } };
  }
  throw new Error('nobody may do anything');
}

const start = (one: VirtualTable) => one.scene({ kind: 'operator' }).start;
const codes = (one: VirtualTable): readonly string[] => start(one).blocks.map(({ code }) => code);

describe('the start of a match', () => {
  it('waits until every side was listened to for two seconds, then begins with the first thing played', () => {
    const one = table();
    expect(codes(one)).toEqual(['health/board-missing', 'health/board-missing']);
    expect(give(one, firstMove(one))).toMatchObject({ code: 'match/blocked' });
    one.runUntil(() => one.nowMs % 50 === 0 && codes(one).includes('health/listening'), 4000);
    expect(new Set(codes(one))).toEqual(new Set(['health/listening']));
    // What the match should begin in spite of is not known yet: no reason helps, whatever a page offers.
    for (const command of ['start-match', 'new-game'] as const) {
      expect(give(one, { do: command, by: operator, despite: 'go on' }).code).toBe('match/listening');
    }
    expect(start(one).begun).toBe(false);
    expect(one.runUntil(() => one.nowMs % 50 === 0 && codes(one).length === 0, 5000)).toBe(true);
    const { code, said } = give(one, firstMove(one));
    expect(code).toBeUndefined();
    const types = said.flatMap((output) => (output.kind === 'event' ? [output.event.type] : []));
    expect(types[0]).toBe('match/begun');
    expect(start(one)).toEqual({ begun: true, blocks: [], overrode: null });
  });

  it('is refused with the list while a ball lies on the mat, and goes once it is gone', () => {
    const one = table();
    one.run(5000);
    const cell = one.setting.layout.cells[7]?.cell ?? '';
    one.sim.act({ act: 'seat', bakugan: drawBodies({ seed: SEED })[0]?.bakugan ?? '', cell });
    one.run(3000);
    const refused = give(one, firstMove(one));
    expect(refused.code).toBe('match/blocked');
    expect(refused.message).toContain(cell);
    expect(refused.message).toMatch(/Lift what lies there/);
    expect(give(one, { do: 'new-game', by: operator }).code).toBe('match/blocked');
    one.sim.act({ act: 'clear' });
    one.run(3000);
    expect(codes(one)).toEqual([]);
    expect(give(one, { do: 'start-match', by: judge }).code).toBeUndefined();
    expect(give(one, { do: 'start-match', by: judge }).code).toBe('match/begun');
  });

  it('is begun all the same by an operator or a judge who says why, and the record says what spoke against it', () => {
    for (const by of [operator, judge]) {
      const one = table();
      one.sim.act({ act: 'fault', fault: 'dead-hall', player: 'A', tile: 2, on: true });
      one.run(9000);
      expect(codes(one)).toEqual(['health/hall-dead']);
      expect(give(one, { do: 'start-match', by, despite: '   ' }).code).toBe('match/blocked');
      const { said } = give(one, { do: 'start-match', by, despite: 'tile 3 stays without a core' });
      const event = said.flatMap((output) => (output.kind === 'event' ? [output.event] : []))[0];
      expect(event).toMatchObject({
        type: 'match/begun-all-the-same',
        data: { by, why: 'tile 3 stays without a core', blocks: [expect.stringMatching(/hall/)] },
      });
      expect(start(one).overrode).toMatchObject({ by, why: 'tile 3 stays without a core' });
      expect(one.scene({ kind: 'public' }).start).toEqual({ begun: true, blocks: [], overrode: null });
    }
  });

  it('is no business of a player', () => {
    const one = table();
    const by = { role: 'player', player: 'A' } as const;
    expect(give(one, { do: 'start-match', by, despite: 'go on' }).code).toBe('match/not-yours');
  });

  it('passes over what only warns', () => {
    const one = table();
    one.sim.act({ act: 'fault', fault: 'stuck-contact', player: 'B', tile: 1, on: true });
    one.run(20_000);
    const health = one.scene({ kind: 'operator' }).health;
    expect(health.map(({ code, blocks }) => [code, blocks])).toEqual([['health/contact-stuck', false]]);
    expect(give(one, firstMove(one)).code).toBeUndefined();
  });

  it('starts a new game over a block when a reason is given with it', () => {
    const one = table();
    one.run(6000);
    one.sim.act({ act: 'fault', fault: 'unplug', player: 'B', on: true });
    one.run(5000);
    expect(give(one, { do: 'new-game', by: operator }).code).toBe('match/blocked');
    expect(give(one, { do: 'new-game', by: operator, despite: 'one board is away' }).code).toBeUndefined();
    expect(start(one).overrode?.blocks).toContain('Nothing is heard of side B.');
    expect(one.state.game).toBe(2);
  });

  it('replays to the same hash, and is kept when saved', () => {
    const one = table();
    give(one, firstMove(one));
    one.run(5000);
    give(one, firstMove(one));
    one.run(200);
    const again: TableState = startTable(one.setting, 0);
    for (const input of one.inputs) advance(again, input, one.setting);
    const hash = hashOfSaved(saveTable(one.state));
    expect(hashOfSaved(saveTable(again))).toBe(hash);
    expect(hashOfSaved(saveTable(loadTable(one.setting, saveTable(again))))).toBe(hash);
  });

  it('asks nothing where a setting does not want it', () => {
    const one = virtualTable({ seed: SEED, auto: false });
    expect(start(one).begun).toBe(true);
    expect(give(one, firstMove(one)).code).toBeUndefined();
  });
});

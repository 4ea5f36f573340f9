import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { by, position, Table } from './support/bakugan-game.ts';
import { PLAIN, powerStep } from './support/bakugan-vectors.ts';

describe('windows of a turn', () => {
  it('ST-4, ST-8, ST-9, ST-11 and ST-13 open with the starting player as holder and close by two passes', () => {
    const table = new Table(position(PLAIN, PLAIN));
    for (const side of ['A', 'B'] as const) table.do(by(side, 'energize', { energize: false }));
    for (const side of ['A', 'B'] as const) table.do(by(side, 'select', { bakugan: `${side}/1` }));
    const visited: string[] = [];
    const roll = () => ({
      type: 'rolled',
      by: { role: 'sensing' as const },
      roll: 't1.1',
      results: [
        { player: 'A', opened: 'yes' },
        { player: 'B', opened: 'no' },
      ],
    });
    while (table.state.turn === 1) {
      const { at, window } = table.state;
      if (window === null) {
        table.do(at === 'ST-5' ? roll() : by('B', 'flip', { count: 5 }));
        continue;
      }
      visited.push(at);
      expect(window).toMatchObject({ holder: 'A', passes: 0, batch: [] });
      expect(table.refused(by('B', 'pass'))).toBe('window/not-holder');
      table.do(by('A', 'pass'));
      expect(table.state.window).toMatchObject({ holder: 'B', passes: 1 });
      table.do(by('B', 'pass'));
    }
    expect(visited).toEqual(['ST-4', 'ST-8', 'ST-9', 'ST-11', 'ST-13']);
  });

  it("a stud passes for its player when it is that player's turn, and is nothing otherwise", () => {
    const table = powerStep();
    expect(bakugan.studInput(table.state, 'B')).toBeUndefined();
    const pass = bakugan.studInput(table.state, 'A');
    expect(pass).toEqual({ type: 'pass', by: { role: 'sensing', player: 'A' } });
    if (pass !== undefined) table.do(pass);
    expect(table.state.window?.holder).toBe('B');
    expect(bakugan.studInput(position(PLAIN, PLAIN), 'A')).toBeUndefined();
  });
});

describe('conceding and the end', () => {
  it('is possible at any time, and then nothing is', () => {
    const table = powerStep().do(by('B', 'concede'));
    expect(table.state).toMatchObject({ at: 'GO', winner: 'A' });
    expect(bakugan.over(table.state)).toBe('A');
    expect(table.refused(by('A', 'pass'))).toBe('game/over');
    for (const who of ['A', 'B', 'judge'] as const) expect(bakugan.legalInputs(table.state, who)).toEqual([]);
    expect(bakugan.cues(table.state)).toContainEqual({ cue: 'game-over', winner: 'A' });
  });
});

describe('who may do what', () => {
  it('sensors pass and report, they do not decide', () => {
    const table = new Table(position(PLAIN, PLAIN));
    const input = { type: 'energize', energize: true };
    expect(table.refused({ ...input, by: { role: 'sensing', player: 'A' } })).toBe('who/not-for-sensors');
    expect(table.refused({ ...input, by: { role: 'judge' } })).toBe('who/no-player');
    table.do({ ...input, by: { role: 'judge', player: 'A' } });
  });
  it('an input without a place in this state is refused with the rules of the state', () => {
    const { state } = new Table(position(PLAIN, PLAIN));
    for (const type of [
      'flip',
      'select',
      'place',
      'tie-flip',
      'rolled',
      'judge-roll',
      'nonsense',
      'toString',
    ]) {
      const outcome = bakugan.step(state, by('A', type));
      expect(outcome.ok === false && outcome.refusal).toMatchObject({
        code: 'step/not-now',
        rules: ['5.2.1', '5.4.1'],
      });
    }
  });
});

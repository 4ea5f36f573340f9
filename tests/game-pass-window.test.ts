import { describe, expect, it } from 'vitest';
import { addToBatch, enterTriggered, openWindow, pass } from '../host/game/pass-window.ts';

describe('priority window (digest 3.2)', () => {
  it('W-0: the first player holds priority and nobody has passed', () => {
    expect(openWindow('B')).toEqual({ first: 'B', holder: 'B', passes: 0, batch: [] });
  });
  it('W-1: adding keeps priority and forgets passes (AM-16)', () => {
    const passed = pass(openWindow<string>('A'));
    if (passed.to !== 'opponent') throw new Error(passed.to);
    expect(addToBatch(passed.window, 'x')).toEqual({ first: 'A', holder: 'B', passes: 0, batch: ['x'] });
  });
  it('W-2: a pass hands priority over', () => {
    expect(pass(openWindow('A'))).toEqual({
      to: 'opponent',
      window: { first: 'A', holder: 'B', passes: 1, batch: [] },
    });
  });
  it('W-3: two passes resolve the top object only, and the first player has priority again (AM-17)', () => {
    const window = {
      ...addToBatch(addToBatch(openWindow<string>('A'), 'low'), 'top'),
      holder: 'B',
      passes: 1,
    } as const;
    expect(pass(window)).toEqual({
      to: 'resolve',
      item: 'top',
      window: { first: 'A', holder: 'A', passes: 0, batch: ['low'] },
    });
  });
  it('W-4: two passes on an empty batch close', () => {
    expect(pass({ first: 'A', holder: 'B', passes: 1, batch: [] })).toEqual({ to: 'closed' });
  });
  it('W-5: triggers of the first player lie lowest, so that the other player has theirs happen first', () => {
    const window = enterTriggered(openWindow<string>('B'), { A: ['a1', 'a2'], B: ['b'] });
    expect(window.batch).toEqual(['b', 'a1', 'a2']);
    expect(window).toMatchObject({ holder: 'B', passes: 0 });
  });
});

import { describe, expect, it } from 'vitest';
import type { LegalInput } from '../host/game/ruleset.ts';
import { autoplay, type Doing, QUICK_PACE, type Seen, startAutoplay } from '../sim/autoplay.ts';

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

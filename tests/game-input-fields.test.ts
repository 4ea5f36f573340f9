import { describe, expect, it } from 'vitest';
import { bakugan } from '../host/game/bakugan/bakugan.ts';
import { dice, nextInput } from '../host/game/bakugan/bot.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import type { GameState } from '../host/game/bakugan/state.ts';
import type { GameInput } from '../host/game/ruleset.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { randomOptions } from './support/bakugan-soak.ts';

const refusalOf = (state: GameState, input: GameInput) => {
  const outcome = bakugan.step(state, input);
  return outcome.ok ? undefined : outcome.refusal;
};

describe('a field that no step reads', () => {
  it('refuses every kind of input that whole games are made of, and changes nothing', () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= 6; seed += 1) {
      const pick = dice(seed * 31);
      let { state } = bakugan.setup(seed % 2 ? randomOptions(seed) : demoOptions(FIXED_12.cells, seed));
      for (;;) {
        const input = nextInput(state, { A: 'random', B: 'random' }, pick);
        if (input === undefined) break;
        const before = JSON.stringify(state);
        expect(refusalOf(state, { ...input, note: 'x' })).toMatchObject({
          code: 'step/unknown-field',
          message: expect.stringContaining(`"${input.type}" has no field note`),
        });
        expect(JSON.stringify(state)).toBe(before);
        seen.set(input.type, (seen.get(input.type) ?? 0) + 1);
        const outcome = bakugan.step(state, input);
        if (!outcome.ok) throw new Error(outcome.refusal.message);
        state = outcome.state;
      }
    }
    const kinds = ['energize', 'select', 'pass', 'play', 'decide', 'rolled', 'flip', 'place', 'tie-flip'];
    expect(kinds.filter((type) => !seen.has(type))).toEqual([]);
  });

  it('is named where it stands: in the input, its actor, a result or an offence', () => {
    const { state } = bakugan.setup(demoOptions(FIXED_12.cells, 3));
    const pass: GameInput = { type: 'pass', by: { role: 'player', player: 'A' } };
    const said = (input: unknown) => refusalOf(state, input as GameInput)?.message;
    expect(said({ ...pass, crd: 1 })).toBe('Input "pass" has no field crd; it has none of its own.');
    expect(said({ ...pass, by: { ...pass.by, rank: 'head judge' } })).toContain('no field by.rank;');
    const rolled = { type: 'rolled', by: { role: 'sensing' }, roll: 't1.1', results: [] as unknown[] };
    expect(said({ ...rolled, results: [{ player: 'A', opened: 'no', core: 'A1' }] })).toContain(
      'no field results[0].core; it has roll, revision, results, illegal.',
    );
    expect(said({ ...rolled, illegal: [{ who: 'A' }] })).toContain('no field illegal[0].who;');
  });
});

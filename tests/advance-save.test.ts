import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { advance, startTable } from '../host/advance/advance.ts';
import type { Output } from '../host/advance/input.ts';
import { decidedIn, knownOf } from '../host/advance/known.ts';
import { loadTable, saveTable } from '../host/advance/save.ts';
import type { TableState } from '../host/advance/state.ts';
import { composeScene } from '../host/scene/compose.ts';
import { differences, finalsIn } from './support/chain.ts';
import { virtualTable } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const recorded = (() => {
  const table = virtualTable({ seed: 19, judge: true });
  const retracts = (): boolean => {
    const { activity } = table.state;
    return activity.kind === 'hands' && activity.why === 'retract';
  };
  expect(table.runUntil(retracts, 40_000)).toBe(true);
  table.run(500);
  return table;
})();
const { setting, inputs } = recorded;

/** What is going on after each input, in one word. */
const moments = (() => {
  const state = startTable(setting, 0);
  return inputs.map((input) => {
    advance(state, input, setting);
    const { activity, play } = state;
    const { window } = play.state as { window: unknown };
    // Balls of the roll before still lie on the tiles.
    if (activity.kind === 'roll' && state.sensing.live.leftover.includes(2)) return 'called again';
    if (activity.kind === 'roll') {
      return state.rulings.some((ruling) => ruling.roll === activity.roll) ? 'mid-roll' : 'called';
    }
    if (activity.kind === 'hands') return activity.why;
    return window === null ? 'idle' : 'window';
  });
})();

const at = (what: string): readonly number[] => moments.flatMap((moment, i) => (moment === what ? [i] : []));

function run(state: TableState, from: number, to: number): readonly Output[] {
  const said: Output[] = [];
  for (const input of inputs.slice(from, to)) said.push(...advance(state, input, setting));
  return said;
}

const sceneOf = (state: TableState) =>
  composeScene(knownOf(state, decidedIn(state), setting), { kind: 'operator' });

/** Saves after input `n`, goes on with both for a while, and compares all that is said and shown. */
function compare(n: number, further = 500): void {
  const state = startTable(setting, 0);
  run(state, 0, n + 1);
  const loaded = loadTable(setting, saveTable(state));
  expect(differences(loaded, state)).toEqual([]);
  expect(sceneOf(loaded)).toEqual(sceneOf(state));
  const until = Math.min(inputs.length, n + 1 + further);
  expect(run(loaded, n + 1, until)).toEqual(run(state, n + 1, until));
  expect(differences(loaded, state)).toEqual([]);
  expect(sceneOf(loaded)).toEqual(sceneOf(state));
}

describe('a table that is saved and loaded', () => {
  it.each(['called', 'called again', 'mid-roll', 'window', 'retract', 'selection', 'idle'])(
    'in a moment of %s: says and shows the same from then on',
    (what) => {
      const moment = at(what);
      expect(moment.length, what).toBeGreaterThan(0);
      for (const share of [0.4]) compare(moment[Math.floor(share * (moment.length - 1))] ?? 0);
    },
  );

  it('at any moment: says and shows the same from then on', () => {
    fc.assert(
      fc.property(fc.nat(inputs.length - 1), (n) => compare(n, 400)),
      { numRuns: 6 },
    );
  });

  it('saved and loaded again and again all along: rules as if nothing had happened', () => {
    let state = startTable(setting, 0);
    const said: Output[] = [];
    inputs.forEach((input, i) => {
      said.push(...advance(state, input, setting));
      if (i % 90 === 0) state = loadTable(setting, saveTable(state));
    });
    expect(finalsIn(said).length).toBeGreaterThan(1);
    expect(said).toEqual(recorded.outputs);
  });

  it.each([
    ['no JSON', '{"saved":1'],
    ['no table', '{}'],
    ['null', 'null'],
    ['another version', '{"saved":2}'],
  ])('refuses %s with a plain sentence', (_, text) => {
    expect(() => loadTable(setting, text)).toThrow(RangeError);
    expect(() => loadTable(setting, text)).toThrow(/\.$/);
  });
});

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { advance, nextWake, startTable } from '../host/advance/advance.ts';
import type { Command, Input, Output } from '../host/advance/input.ts';
import { loadTable, saveTable } from '../host/advance/save.ts';
import type { TableState } from '../host/advance/state.ts';
import { type Chance, createChance } from '../sim/random.ts';
import { differences, finalsIn, fiveMinutesOn, rulingsIn } from './support/chain.ts';
import { type VirtualTable, virtualTable } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

/** A few turns of automatic play with a judge: rolls, re-rolls, windows, retracts, a board that resets and one that is away. */
function record(): VirtualTable {
  const table = virtualTable({ seed: 10, judge: true });
  table.run(9000);
  table.sim.act({ act: 'fault', fault: 'reset', player: 'B', on: true });
  table.run(3000);
  table.sim.act({ act: 'fault', fault: 'unplug', player: 'A', on: true });
  table.run(1500);
  table.sim.act({ act: 'fault', fault: 'unplug', player: 'A', on: false });
  table.run(13_000);
  return table;
}

const recorded = record();
const { setting } = recorded;
/** What came from outside; when the host woke itself is not part of it. */
const heard = recorded.inputs.filter(({ kind }) => kind !== 'tick');

const hashOf = (outputs: readonly Output[]): string => {
  const hash = createHash('sha256');
  for (const output of outputs) hash.update(`${JSON.stringify(output)}\n`);
  return hash.digest('hex');
};

/** Everything that a table will ever do differently hangs on this. */
const whole = (state: TableState): string => saveTable(state);

function replay(inputs: readonly Input[], from: TableState = startTable(setting, 0)): Output[] {
  const said: Output[] = [];
  for (const input of inputs) for (const output of advance(from, input, setting)) said.push(output);
  return said;
}

describe('the recorded run', () => {
  it('holds what the tests below speak of', () => {
    expect(finalsIn(recorded.outputs).length).toBeGreaterThan(2);
    const kinds = recorded.outputs.map(({ kind }) => kind);
    for (const kind of ['send', 'ruling', 'event', 'accepted', 'fault']) expect(kinds).toContain(kind);
    const types = recorded.outputs.flatMap((o) => (o.kind === 'event' ? [o.event.type] : []));
    for (const type of ['window/opened', 'roll/called', 'roll/opened', 'roll/judged'])
      expect(types).toContain(type);
    expect(heard.length).toBeGreaterThan(2000);
  });
});

describe('the same inputs', () => {
  it('give the same outputs, to the last byte, with or without any tick', () => {
    const hash = hashOf(recorded.outputs);
    const withoutTicks = replay([...heard, { kind: 'tick', atMs: recorded.nowMs }]);
    expect(hashOf(replay(recorded.inputs))).toBe(hash);
    expect(hashOf(withoutTicks)).toBe(hash);
  });

  it('leave the same state', () => {
    const again = startTable(setting, 0);
    replay([...heard, { kind: 'tick', atMs: recorded.state.atMs }], again);
    expect(differences(again, recorded.state)).toEqual([]);
  });
});

describe('late alarms', () => {
  /** Inputs in one schedule of ticks: about a quarter of a second of play. */
  const STRETCH = 35;
  const SCHEDULES = 2000;

  /**
   * The run with a schedule of ticks of its own for every stretch: none, at every due moment, or at random ones, a few
   * or many, some a hair before or after a due moment.
   */
  function withTicks(
    chance: Chance,
    state: TableState,
  ): { readonly said: Output[]; readonly schedules: number } {
    const said: Output[] = [];
    const take = (input: Input): void => {
      for (const output of advance(state, input, setting)) said.push(output);
    };
    let style = 0;
    for (const [i, input] of heard.entries()) {
      if (i % STRETCH === 0) style = chance.below(4);
      if (style > 0 && (style !== 1 || chance.happens(0.2))) {
        const ticks = style === 3 ? 1 + chance.below(4) : 1;
        for (let n = 0; n < ticks; n++) {
          const due = nextWake(state, setting);
          const near = due + (chance.below(3) - 1) * 0.001;
          const at = style === 2 ? due : chance.happens(0.3) ? near : chance.between(state.atMs, input.atMs);
          if (at >= state.atMs && at <= input.atMs) take({ kind: 'tick', atMs: at });
        }
      }
      take(input);
    }
    take({ kind: 'tick', atMs: recorded.state.atMs });
    return { said, schedules: Math.ceil(heard.length / STRETCH) };
  }

  it('change nothing: 2,000 random schedules of ticks say the same and leave the same', () => {
    const hash = hashOf(recorded.outputs);
    let schedules = 0;
    for (let seed = 1; schedules < SCHEDULES; seed++) {
      const state = startTable(setting, 0);
      const run = withTicks(createChance(seed), state);
      if (hashOf(run.said) !== hash) expect(run.said).toEqual(recorded.outputs);
      if (seed % 8 === 1) expect(differences(state, recorded.state)).toEqual([]);
      schedules += run.schedules;
    }
    expect(schedules).toBeGreaterThanOrEqual(SCHEDULES);
  });

  it('an alarm that comes minutes late settles everything at its own time', () => {
    const onTime = startTable(setting, 0);
    const late = startTable(setting, 0);
    const cut = Math.floor(heard.length / 2);
    replay(heard.slice(0, cut), onTime);
    replay(heard.slice(0, cut), late);
    const end = onTime.atMs + 300_000;
    const said = fiveMinutesOn(onTime, setting);
    const saidLate = replay([{ kind: 'tick', atMs: end }], late);
    expect(saidLate).toEqual(said);
    replay([{ kind: 'tick', atMs: end }], onTime);
    expect(differences(late, onTime)).toEqual([]);
  });
});

describe('the next wake', () => {
  it('moves on with every tick, and a tick before it says nothing and changes nothing but the time', () => {
    const state = startTable(setting, 0);
    let ticks = 0;
    let idle = 0;
    for (const [i, input] of heard.entries()) {
      for (let due = nextWake(state, setting); due <= input.atMs; ) {
        const before = due;
        advance(state, { kind: 'tick', atMs: Math.max(due, state.atMs) }, setting);
        due = nextWake(state, setting);
        expect(due).toBeGreaterThan(before);
        ticks++;
      }
      if (i % 100 === 0) {
        const due = nextWake(state, setting);
        const early = state.atMs + (Math.min(due, input.atMs) - state.atMs) * 0.999;
        const { atMs, ...before } = JSON.parse(whole(state)).plain;
        expect(advance(state, { kind: 'tick', atMs: early }, setting)).toEqual([]);
        const { atMs: later, ...after } = JSON.parse(whole(state)).plain;
        expect(later).toBeGreaterThanOrEqual(atMs);
        expect(after).toEqual(before);
        expect(nextWake(state, setting)).toBe(due);
        idle++;
      }
      advance(state, input, setting);
    }
    expect(ticks).toBeGreaterThan(100);
    expect(idle).toBeGreaterThan(20);
  });

  it('is read from the state alone: a loaded table wakes when the saved one would', () => {
    const state = startTable(setting, 0);
    for (const [i, input] of heard.entries()) {
      advance(state, input, setting);
      if (i % 300 !== 0) continue;
      expect(nextWake(loadTable(setting, whole(state)), setting)).toBe(nextWake(state, setting));
    }
  });

  it('five minutes after the last line, nothing wakes the table any more', () => {
    const state = startTable(setting, 0);
    const before = rulingsIn(replay(heard, state));
    const said = fiveMinutesOn(state, setting);
    // A roll that was live when all fell silent is ruled once: only what was seen to open before did open, and nothing
    // is known to have stayed.
    for (const { roll, balls } of rulingsIn(said)) {
      const seen = before.findLast((ruling) => ruling.roll === roll)?.balls ?? [];
      const opened = balls.filter((ball) => ball.opened === 'yes').map(({ player }) => player);
      expect(seen.filter((ball) => ball.opened === 'yes').map(({ player }) => player)).toEqual(
        expect.arrayContaining(opened),
      );
      expect(balls.flatMap(({ attached }) => attached.sure)).toEqual([]);
    }
    expect(nextWake(state, setting)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('clocks at the edge', () => {
  it('an input that is older than the table counts as of now', () => {
    const state = startTable(setting, 0);
    replay(heard.slice(0, 1500), state);
    const { atMs } = state;
    advance(state, { kind: 'tick', atMs: atMs - 5000 }, setting);
    expect(state.atMs).toBe(atMs);
    const [accepted] = advance(
      state,
      { kind: 'command', atMs: atMs - 5000, id: 'x', command: { do: 'new-game', by: { role: 'operator' } } },
      setting,
    ).filter(({ kind }) => kind === 'accepted');
    expect(accepted).toMatchObject({ atMs });
  });
});

describe('commands that are refused', () => {
  const operator = { role: 'operator' } as const;
  const playerA = { role: 'player', player: 'A' } as const;
  const roll = finalsIn(recorded.outputs)[0]?.roll ?? '';
  const again = { type: 'judge-roll', by: { role: 'judge' }, roll, verdict: 'again', reason: 'x' } as const;
  const refused: readonly (readonly [string, Command, string])[] = [
    ['an input that the game does not know', { do: 'play', input: { type: 'fly', by: playerA } }, ''],
    ['a ruling by a player', { do: 'play', input: { ...again, by: playerA } }, ''],
    [
      'a replacement by a player',
      { do: 'replace-ruling', by: playerA, roll, input: again, reason: 'I opened' },
      'replace/not-a-judge',
    ],
    [
      'a replacement of a roll that was never ruled',
      { do: 'replace-ruling', by: operator, roll: 't99.1', input: { ...again, roll: 't99.1' }, reason: 'x' },
      'replace/no-such-roll',
    ],
    [
      'a replacement by an input that settles another roll',
      { do: 'replace-ruling', by: operator, roll, input: { ...again, roll: 't99.1' }, reason: 'x' },
      'replace/other-roll',
    ],
    [
      'a replacement by an input that settles none',
      {
        do: 'replace-ruling',
        by: operator,
        roll,
        input: { type: 'count', by: { role: 'judge' }, player: 'A', zone: 'deck', count: 3, reason: 'x' },
        reason: 'x',
      },
      'replace/other-roll',
    ],
    ['a new game by a player', { do: 'new-game', by: playerA }, 'new-game/not-yours'],
    [
      'a new game with options that are none',
      { do: 'new-game', by: operator, options: { players: {} } },
      'new-game/options',
    ],
    ['a cell that is not there', { do: 'identify', by: operator, cell: 'q9r9' }, 'identify/no-such-cell'],
  ];

  const midGame = (() => {
    const state = startTable(setting, 0);
    replay(heard.slice(0, Math.floor(heard.length * 0.6)), state);
    return whole(state);
  })();

  it.each(refused)('%s: says why, and nothing is different afterwards', (_, command, code) => {
    const state = loadTable(setting, midGame);
    const before = whole(state);
    const said = advance(state, { kind: 'command', atMs: state.atMs, id: 'c1', command }, setting);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({ kind: 'refused', id: 'c1', atMs: state.atMs });
    if (said[0]?.kind !== 'refused') return;
    expect(said[0].refusal.message).toMatch(/[.!?]$/);
    if (code !== '') expect(said[0].refusal.code).toBe(code);
    expect(differences(state, loadTable(setting, before))).toEqual([]);
  });

  it('junk in a command is refused or taken, but never thrown', () => {
    const state = startTable(setting, 0);
    replay(heard.slice(0, 1500), state);
    const saved = whole(state);
    fc.assert(
      fc.property(
        fc.record({
          type: fc.constantFrom('pass', 'rolled', 'judge-roll', 'count', 'modify', 'place', 'flip', '', 'x'),
          by: fc.record({
            role: fc.constantFrom('player', 'judge', 'operator', 'sensing', 'automatic'),
            player: fc.constantFrom('A', 'B', undefined),
          }),
          roll: fc.constantFrom(roll, 't1.1', '', undefined, null),
          results: fc.oneof(fc.jsonValue(), fc.constant(undefined)),
          player: fc.jsonValue(),
          count: fc.jsonValue(),
        }),
        (input) => {
          const table = loadTable(setting, saved);
          const command = { do: 'play', input } as unknown as Command;
          const said = advance(table, { kind: 'command', atMs: table.atMs, id: 'j', command }, setting);
          const answers = said.filter(({ kind }) => kind === 'accepted' || kind === 'refused');
          expect(answers).toHaveLength(1);
          if (answers[0]?.kind === 'refused') expect(whole(table) === saved).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });
});

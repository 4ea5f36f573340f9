import { describe, expect, it, vi } from 'vitest';
import type { Side } from '../host/ids.ts';
import type { RollTruth } from '../sim/truth.ts';
import { eventsIn, finalsIn, fiveMinutesOn, untilShown, wrongIn, wrongLeds } from './support/chain.ts';
import { legalIn, type VirtualTable, type VirtualTableAsk, virtualTable } from './support/virtual-table.ts';

// Virtual time costs real time on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });

const complaintsOf = (table: VirtualTable): readonly string[] =>
  table.scene({ kind: 'operator' }).links.flatMap(({ complaints }) => complaints);

const faultsOf = (table: VirtualTable): ReadonlySet<string> =>
  new Set(table.outputs.flatMap((output) => (output.kind === 'fault' ? [output.code] : [])));

/** Runs until a final ruling of this roll is out and settled in play. */
function untilRuled(table: VirtualTable, roll: string): void {
  expect(table.runUntil(() => finalsIn(table.outputs).some((ruling) => ruling.roll === roll), 40_000)).toBe(
    true,
  );
}

/** Runs until balls of the next roll are on their way, `afterMs` after the first release. Gives the roll. */
function untilRolling(table: VirtualTable, afterMs: number): RollTruth {
  const going = (): RollTruth | undefined => {
    const last = table.sim.truth().at(-1);
    const live = table.state.activity;
    if (live.kind !== 'roll' || last?.roll !== live.roll || last.balls.length < 2) return undefined;
    return last;
  };
  expect(table.runUntil(() => going() !== undefined, 60_000)).toBe(true);
  const roll = going();
  if (roll === undefined) throw new Error('no roll');
  const firstMs = Math.min(...roll.balls.map(({ releaseMs }) => releaseMs));
  expect(table.runUntil(() => table.nowMs >= firstMs + afterMs, 5000)).toBe(true);
  return roll;
}

/** Whether this side's board is heard again and its clock is known. */
function isHeard(table: VirtualTable, side: Side): boolean {
  const name = `sim-${side.toLowerCase()}`;
  const seen = table.scene({ kind: 'operator' }).links.find(({ link }) => link === name);
  return seen?.up === true && seen.side === side && seen.complaints.length === 0;
}

/** Played when first asked for. */
function once(play: () => VirtualTable): () => VirtualTable {
  let table: VirtualTable | undefined;
  return () => {
    table ??= play();
    return table;
  };
}

describe('a board that nobody has named', () => {
  const play = once(() => {
    const table = virtualTable({ seed: 3, devices: { B: '00000000' }, tells: { B: 'unset' } });
    // A ball of which nothing is heard is waited for, 20 s.
    table.run(40_000);
    return table;
  });

  it('is complained of with the remedy, refused, and rules nothing', () => {
    const table = play();
    expect(complaintsOf(table).join(' ')).toMatch(/sim-b.*no identity.*bakucore doctor --assign/);
    const seen = table.scene({ kind: 'operator' }).links.find(({ link }) => link === 'sim-b');
    expect(seen).toMatchObject({ up: true, side: 'unset' });
    expect(seen?.counts['refused.unset']).toBeGreaterThan(500);
    expect(seen?.counts.fresh).toBeUndefined();
    // Side A alone tells of a roll: only what stands whole on its own tiles is ruled, and with the doubt named.
    const finals = finalsIn(table.outputs);
    const own = table.setting.layout.cells.filter((cell) => cell.side === 'A').map(({ cell }) => cell);
    expect(finals.length).toBeGreaterThan(0);
    for (const ruling of finals) {
      const truth = table.sim.truth().find(({ roll }) => roll === ruling.roll);
      if (truth === undefined) throw new Error('every ruling is of a roll');
      expect(wrongIn(ruling, truth)).toEqual([]);
      const ownCores = truth.cores.filter(({ cell }) => own.includes(cell)).map(({ core }) => core);
      for (const ball of ruling.balls) {
        // What opened in full sight is not in doubt; what the silent side can have hidden is, by name.
        const codes = ball.reasons.map((reason) => reason.code);
        if (ball.opened !== 'yes') expect(codes).toContain('doubt/board-silent');
        expect(ball.opened).not.toBe('no');
        for (const core of ball.attached.sure) expect(ownCores).toContain(core);
      }
    }
    expect(finals.some(({ balls }) => balls.some(({ opened }) => opened === 'undetermined'))).toBe(true);
    expect(eventsIn(table.outputs, 'roll/judge-needed')).toHaveLength(1);
  });

  it('is told nothing but the question who it is', () => {
    const sent = play().outputs.filter((output) => output.kind === 'send' && output.link === 'sim-b');
    expect(sent.length).toBeGreaterThan(0);
    for (const output of sent)
      expect(output).toMatchObject({ device: '', line: expect.stringMatching(/^G1,/) });
  });
});

describe('two boards that claim one side', () => {
  const play = once(() => {
    const table = virtualTable({ seed: 3, tells: { B: 'A' } });
    table.run(20_000);
    return table;
  });

  it('are both named in the complaint; the first stays in use', () => {
    const table = play();
    const text = complaintsOf(table).join(' ');
    expect(text).toMatch(/A0000001/);
    expect(text).toMatch(/B0000001/);
    expect(text).toMatch(/both claim side A/);
    const counts = table
      .scene({ kind: 'operator' })
      .links.map(({ counts: c }) => c['refused.side-taken'] ?? 0);
    expect(counts.filter((n) => n > 500)).toHaveLength(1);
  });

  it('leave the game going on the first: its lights are right, its studs pass, a judge rules', () => {
    const table = play();
    const first = table.outputs.find((output) => output.kind === 'send' && output.device !== '');
    expect(first).toMatchObject({ link: 'sim-a', device: 'A0000001' });
    expect(new Set(table.outputs.map((output) => (output.kind === 'send' ? output.device : '')))).toEqual(
      new Set(['', 'A0000001']),
    );
    expect(untilShown(table)).toBe(true);
    expect(
      wrongLeds(table).filter(
        (text) => table.setting.layout.cells.find((c) => text.startsWith(`${c.cell} `))?.side === 'A',
      ),
    ).toEqual([]);
    const { turn } = table.state.play.state as { turn: number };
    const noBrawl = legalIn(table.state, 'judge').find(({ input }) => input.verdict === 'no-brawl');
    if (noBrawl === undefined) throw new Error('a judge is asked');
    expect(table.command({ do: 'play', input: { ...noBrawl.input, by: { role: 'judge' } } })).toBe(true);
    const again = (): boolean => (table.state.play.state as { turn: number }).turn > turn;
    expect(table.runUntil(again, 20_000)).toBe(true);
  });
});

type Blow = { readonly name: string; readonly strike: (table: VirtualTable, side: Side) => void };

const BLOWS: readonly (Blow & { readonly code: RegExp })[] = [
  {
    name: 'resets in mid-roll',
    code: /^doubt\/(board-reset|board-silent)$/,
    strike: (table, player) => {
      table.sim.act({ act: 'fault', fault: 'reset', player, on: true });
    },
  },
  {
    name: 'is unplugged in mid-roll and back 2 s later',
    code: /^doubt\/(link-lost|board-silent|board-reset)$/,
    strike: (table, player) => {
      table.sim.act({ act: 'fault', fault: 'unplug', player, on: true });
      table.run(1000);
      const seen = table
        .scene({ kind: 'operator' })
        .links.find(({ link }) => link === `sim-${player.toLowerCase()}`);
      expect(seen?.up).toBe(false);
      expect(seen?.complaints.join(' ')).not.toBe('');
      table.run(1000);
      table.sim.act({ act: 'fault', fault: 'unplug', player, on: false });
    },
  },
];

describe.each(BLOWS)('a board that $name', ({ strike, code }) => {
  const CASES = [
    [1, 'A'],
    [3, 'B'],
  ] as const;

  it.each(CASES)(
    'seed %i, side %s: that roll is in doubt, the next one with the board back is not on its account, nothing counts twice',
    (seed, side) => {
      const ask: VirtualTableAsk = { seed, judge: true };
      const table = virtualTable(ask);
      const struck = untilRolling(table, 150);
      expect(finalsIn(table.outputs).some(({ roll }) => roll === struck.roll)).toBe(false);
      strike(table, side);
      untilRuled(table, struck.roll);
      const doubtful = finalsIn(table.outputs).find(({ roll }) => roll === struck.roll);
      const open = doubtful?.balls.filter(({ opened }) => opened === 'undetermined') ?? [];
      expect(open.length).toBeGreaterThan(0);
      for (const ball of open) {
        expect(ball.reasons.some((reason) => code.test(reason.code) && reason.text !== '')).toBe(true);
        expect(ball.attached.sure).toEqual([]);
      }
      // What is said of the other ball in spite of it is what happened.
      if (doubtful !== undefined) expect(wrongIn(doubtful, struck)).toEqual([]);

      // The judge orders a new roll. The first one that is called with the board back bears no trace of its absence.
      expect(table.runUntil(() => isHeard(table, side), 20_000)).toBe(true);
      const rolls = table.sim.truth().length;
      expect(table.runUntil(() => table.sim.truth().length > rolls, 20_000)).toBe(true);
      const next = table.sim.truth().at(-1)?.roll ?? '';
      expect(next).not.toBe(struck.roll);
      untilRuled(table, next);
      const truth = table.sim.truth().find(({ roll }) => roll === next);
      const ruling = finalsIn(table.outputs).find(({ roll }) => roll === next);
      if (truth === undefined || ruling === undefined) throw new Error('the next roll is ruled');
      expect(wrongIn(ruling, truth)).toEqual([]);
      const told = ruling.balls.flatMap(({ reasons }) => reasons.map((reason) => reason.code));
      expect(told.filter((one) => code.test(one) || one === 'doubt/clock')).toEqual([]);

      // Every roll is ruled finally once, and every line is used once.
      const finals = table.outputs.filter((o) => o.kind === 'ruling' && o.ruling.stage === 'final');
      expect(finals).toHaveLength(finalsIn(table.outputs).length);
      for (const { counts } of table.scene({ kind: 'operator' }).links) {
        expect(counts.repeats ?? 0).toBe(0);
        expect(counts.fresh).toBeLessThanOrEqual(counts.lines ?? 0);
      }
      const opened = eventsIn(table.outputs, 'roll/opened').map(({ data }) => `${data.player}`);
      expect(opened.length).toBeLessThanOrEqual(2 * finals.length);
      expect(eventsIn(table.outputs, 'roll/judged')).not.toHaveLength(0);
      expect(faultsOf(table)).toContain('link/reset');

      // The strips of the board that was away show the scene again.
      expect(untilShown(table)).toBe(true);
      expect(wrongLeds(table)).toEqual([]);
      expect(fiveMinutesOn(table.state, table.setting).filter(({ kind }) => kind === 'ruling').length).toBe(
        0,
      );
    },
  );
});

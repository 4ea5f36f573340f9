import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runRoll } from '../bin/bench/roll-runs.ts';
import {
  CALL_MS,
  createScene,
  launch,
  opens,
  rollOf,
  rollOver,
  type Scene,
  signalCalibration,
  watchScene,
} from '../bin/bench/signals.ts';
import type { WatchAsk, Watched } from '../bin/bench/watch.ts';
import { CAPABILITY, type HelloFrame } from '../firmware-protocol/frame.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import type { RollRuling } from '../host/sensing/ruling.ts';
import type { LinkNotice } from '../host/sensing/seen.ts';
import {
  createSensing,
  dueAt,
  hearFrame,
  hearNotice,
  levelsOf,
  loadSensing,
  type SenseOutput,
  type Sensing,
  saveSensing,
  setActivity,
  settle,
} from '../host/sensing/sensing.ts';

function bothOpen(): Scene {
  const scene = createScene();
  launch(scene, 'A', 1700);
  launch(scene, 'B', 1720);
  opens(scene, 'q0r1', 1950, 1.1);
  opens(scene, 'q1r-1', 1990, -1.1);
  return scene;
}

function rulingsOf(watched: Watched): readonly RollRuling[] {
  return watched.said.flatMap((s) => (s.output.kind === 'ruling' ? [s.output.ruling] : []));
}

const opened = (watched: Watched): readonly string[] => watched.final?.balls.map((b) => b.opened) ?? [];
const codesOf = (watched: Watched): readonly string[] =>
  watched.final?.balls.flatMap((b) => b.reasons.map((r) => r.code)) ?? [];

describe('end of a roll', () => {
  it('is final when both balls have rested T_rest (AM-07), and dated then', () => {
    const watched = watchScene(bothOpen());
    // Latch at 2005, ringing and chatter over within 100 ms.
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(2005 + 700);
    expect(watched.final?.atMs).toBeLessThanOrEqual(2005 + 700 + 150);
    const said = watched.said.find((s) => s.output.kind === 'ruling' && s.output.ruling.stage === 'final');
    expect((said?.outMs ?? 0) - (watched.final?.atMs ?? 0)).toBeLessThanOrEqual(20);
  });

  it('T_rest is a setting', () => {
    const watched = watchScene(bothOpen(), { limits: { restMs: 1500 } });
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(2005 + 1500);
  });

  it('a ball that was launched and never seen again is out once it can come to no tile any more', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    rollOver(scene, 'q1r-1', 1900, 60);
    const watched = watchScene(scene);
    expect(opened(watched)).toEqual(['no', 'no']);
    // 250 mm from the gate to the last tile, at half of 0.6 m/s: a ball that slows down evenly and gets there is no slower.
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(1720 + 250 / 0.3);
    expect(watched.final?.atMs).toBeLessThanOrEqual(1720 + 250 / 0.3 + 700);
    expect(codesOf(watched)).toContain('open/rolled-out');
  });

  it('where a hand stayed in the far gate that is 3 s after the last motion', () => {
    const scene = createScene();
    launch(scene, 'A', 1700, 0.08);
    launch(scene, 'B', 1720);
    rollOver(scene, 'q1r-1', 1900, 60);
    const watched = watchScene(scene);
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(1700 + 36 / 0.08 + 3000);
    expect(watched.final?.atMs).toBeLessThanOrEqual(1700 + 36 / 0.08 + 3100);
  });

  it('a slow ball is waited for until its speed is spent, at 0.2 m/s each second', () => {
    const scene = createScene();
    opens(scene, 'q1r-1', 1990, -1.1);
    launch(scene, 'B', 1720);
    // 0.3 m/s at the gate: it stands 225 mm on, after 1.5 s, and opens with the last of its speed.
    launch(scene, 'A', 1700, 0.3);
    opens(scene, 'q0r0', 1700 + 1450, 1.1);
    const watched = watchScene(scene);
    expect(opened(watched)).toEqual(['yes', 'yes']);
    expect(watched.said.some(({ output }) => output.kind === 'retraction')).toBe(false);
  });

  it('a ball that opened and left its core is waited for no longer than for one that rests (5.7.2.3)', () => {
    const scene = createScene();
    launch(scene, 'A', 1700, 0.3);
    launch(scene, 'B', 1720, 0.3);
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q1r-1', 1990, -1.1, { dwellMs: 200 });
    const watched = watchScene(scene);
    expect(watched.final?.balls.map((b) => [b.opened, b.attached.sure])).toEqual([
      ['yes', ['A3']],
      ['yes', []],
    ]);
    // Its latch lets go at 2005, it is gone 200 ms later.
    expect(watched.final?.atMs).toBeGreaterThanOrEqual(2005 + 200 + 700);
    expect(watched.final?.atMs).toBeLessThanOrEqual(2005 + 200 + 700 + 150);
  });

  it('of a ball that nobody ever saw nothing is claimed, and that after 20 s', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    opens(scene, 'q0r1', 1950, 1.1);
    const watched = watchScene(scene);
    expect(opened(watched)).toEqual(['yes', 'undetermined']);
    expect(watched.final?.atMs).toBeGreaterThan(CALL_MS + 20_000);
    expect(codesOf(watched)).toContain('doubt/never-seen');
  });

  it('nothing at all: undetermined for both, once, after 20 s', () => {
    const watched = watchScene(createScene());
    expect(opened(watched)).toEqual(['undetermined', 'undetermined']);
    expect(rulingsOf(watched)).toHaveLength(1);
  });

  it('a single ball (reroll, 1.18) has one entry', () => {
    const scene = createScene();
    launch(scene, 'B', 1700);
    opens(scene, 'q1r-1', 1950, -1.1);
    const activity = { ...rollOf(), balls: [{ player: 'B', bakugan: 'B/1' }] } as const;
    const watched = watchScene(scene, { activity });
    expect(watched.final?.balls.map((b) => [b.player, b.opened])).toEqual([['B', 'yes']]);
    expect(codesOf(watched)).toContain('owner/only-ball');
  });

  it('nothing is said outside a roll, whatever happens on the mat', () => {
    const watched = watchScene(bothOpen(), { activity: { kind: 'hands', why: 'set-up' }, untilMs: 6000 });
    expect(watched.said).toEqual([]);
  });

  it('an open that comes after the final ruling takes it back', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    opens(scene, 'q1r-1', 1950, -1.1);
    rollOver(scene, 'q0r1', 1900, 40);
    opens(scene, 'q0r1', 5600, 1.1);
    const watched = watchScene(scene, { goOn: true, untilMs: 8000 });
    const finals = rulingsOf(watched).filter((r) => r.stage === 'final');
    expect(finals.map((r) => r.balls[0]?.opened)).toEqual(['no', 'yes']);
    const retraction = watched.said.find((s) => s.output.kind === 'retraction')?.output;
    expect(retraction).toMatchObject({ roll: 't1.1', revision: finals[0]?.revision });
  });
});

describe('roll rules', () => {
  it('measures the skew of the near gates and calls more than 1.0 s void (AM-10)', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 2850);
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q1r-1', 3100, -1.1);
    const watched = watchScene(scene);
    expect(watched.final?.illegal.map((r) => [r.code, r.rules])).toEqual([
      ['illegal/not-together', ['5.7.1', 'AM-10']],
    ]);
    const skew = watched.final?.balls[0]?.audit.releaseSkew;
    expect(skew?.measured === true && Math.abs(skew.value + 1150) <= skew.plusMinus).toBe(true);
  });

  it('0.4 s apart is legal (TV-24)', () => {
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 2100);
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q1r-1', 2350, -1.1);
    expect(watchScene(scene).final?.illegal).toEqual([]);
  });

  it('a ball rolled just before the call is void (AM-09)', () => {
    const scene = createScene();
    launch(scene, 'A', 900);
    launch(scene, 'B', 1700);
    opens(scene, 'q0r1', 1150, 1.1);
    opens(scene, 'q1r-1', 1950, -1.1);
    const watched = watchScene(scene);
    expect(watched.final?.illegal.map((r) => r.code)).toEqual(['illegal/early']);
  });

  it('measures speed and zone by the gates, and says why not where it cannot', () => {
    const a = watchScene(bothOpen()).final?.balls[0]?.audit;
    expect(a?.speed.measured === true && Math.abs(a.speed.value - 0.6) <= a.speed.plusMinus).toBe(true);
    expect(a?.releaseZone).toMatchObject({ measured: true, value: 177.8, unit: 'mm' });
    expect(a?.path).toEqual({ cells: ['q0r1'], coverage: 1 });
    const scene = bothOpen();
    scene.gates.length = 0;
    const blind = watchScene(scene).final?.balls[0]?.audit;
    expect(blind?.releaseSkew).toMatchObject({ measured: false });
    expect(blind?.speed).toMatchObject({ measured: false });
  });
});

describe('doubt', () => {
  const silent = (side: string, fromMs: number, toMs: number): NonNullable<WatchAsk['wire']> => {
    return (arrived, from) => from !== side || arrived.arriveMs < fromMs || arrived.arriveMs >= toMs;
  };

  it('a board lost in mid-roll leaves its ball undetermined; the next roll is right', () => {
    const watched = watchScene(bothOpen(), { wire: silent('A', 1900, 3900) });
    const a = watched.final?.balls.find((b) => b.player !== 'B');
    expect(a?.opened).toBe('undetermined');
    expect(codesOf(watched)).toContain('doubt/board-silent');
    expect(a?.confidence.opened).toBeLessThanOrEqual(0.5);
    expect(opened(watchScene(bothOpen()))).toEqual(['yes', 'yes']);
  });

  it('a board that never comes back leaves a doubt, not a guess', () => {
    const watched = watchScene(bothOpen(), { wire: silent('A', 1900, Infinity) });
    expect(watched.final?.balls.find((b) => b.player !== 'B')?.opened).toBe('undetermined');
  });

  it('both sides missing are treated alike', () => {
    for (const side of ['A', 'B']) {
      const watched = watchScene(bothOpen(), { wire: silent(side, 1900, 2600) });
      const other = side === 'A' ? 'B' : 'A';
      const lost = watched.final?.balls.find((b) => b.player !== other);
      expect(lost?.opened, side).toBe('undetermined');
    }
  });

  const notice = (code: string, fromMs: number, toMs: number): LinkNotice => ({
    code,
    link: 'serial-a',
    side: 'A',
    fromMs,
    toMs,
    text: `test of ${code}`,
  });

  /** Hears a notice at its time. */
  const noticed = (n: LinkNotice): NonNullable<WatchAsk['before']> => {
    let done = false;
    return (sensing, atMs, out) => {
      if (!done && atMs >= n.toMs) {
        done = true;
        hearNotice(sensing, n, out);
      }
      return sensing;
    };
  };

  it.each([
    ['link/reset', 2000, 2300, 'doubt/board-reset', 'undetermined'],
    ['link/lost', 2000, 2300, 'doubt/link-lost', 'undetermined'],
    ['link/clock', 2000, 2010, 'doubt/clock', 'undetermined'],
    ['link/gap', 2000, 2200, 'doubt/samples-missing', 'undetermined'],
    // One lost line heals at the next.
    ['link/gap', 2000, 2008, undefined, 'yes'],
    // Before the roll it is no matter.
    ['link/reset', 600, 900, undefined, 'yes'],
  ])('%s from %i to %i ms in mid-roll', (code, from, to, doubt, verdict) => {
    const watched = watchScene(bothOpen(), { before: noticed(notice(code, from, to)) });
    expect(watched.final?.balls.find((b) => b.player !== 'B')?.opened).toBe(verdict);
    if (doubt === undefined) expect(codesOf(watched).filter((c) => c.startsWith('doubt/'))).toEqual([]);
    else expect(codesOf(watched)).toContain(doubt);
  });

  it('two lost lines in a hundred change nothing', () => {
    let n = 0;
    const wire = (): boolean => {
      n += 1;
      return n % 50 !== 0;
    };
    const watched = watchScene(bothOpen(), { wire });
    expect(opened(watched)).toEqual(['yes', 'yes']);
  });

  it('a magnet that lay on a core before the roll makes an open there doubtful', () => {
    const scene = createScene();
    scene.fields.push({ cell: 'q0r1', mt: () => 8, side: () => 1 });
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q1r-1', 1990, -1.1);
    const watched = watchScene(scene);
    expect(codesOf(watched)).toContain('doubt/magnet-before-roll');
    expect(opened(watched)).toEqual(['undetermined', 'yes']);
  });
});

describe('state and time', () => {
  const gist = (run: Watched): string =>
    JSON.stringify(run.said.filter((s) => s.output.kind !== 'stud').map((s) => s.output));

  it('the same frames give the same outputs', () => {
    expect(gist(runRoll({ seed: 2_000_003 }))).toBe(gist(runRoll({ seed: 2_000_003 })));
  });

  it('late ticks: settling late gives what settling on time gives', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000_000, max: 2_000_200 }), (seed) => {
        const conditions = seed % 2 === 0 ? 'clean' : 'impaired';
        expect(gist(runRoll({ seed, conditions, lateSettle: true }))).toBe(
          gist(runRoll({ seed, conditions })),
        );
      }),
      { numRuns: 4 },
    );
  });

  it('saved and loaded in mid-roll it goes on the same, at any moment', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2_000_000, max: 2_000_100 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seed, share) => {
          const plain = runRoll({ seed });
          const atMs = 3000 + share * (plain.truth.toMs - 3000);
          let done = false;
          const swapped = runRoll({
            seed,
            before(sensing: Sensing, nowMs: number) {
              if (done || nowMs < atMs) return sensing;
              done = true;
              const saved = saveSensing(sensing);
              const text = JSON.stringify(saved);
              const loaded = loadSensing(sensing.setting, JSON.parse(text));
              expect(JSON.stringify(saveSensing(loaded))).toBe(text);
              return loaded;
            },
          });
          expect(gist(swapped)).toBe(gist(plain));
        },
      ),
      { numRuns: 4 },
    );
  });

  it('refuses what was saved for another layout or in another form', () => {
    const setting = { layout: FIXED_12, calibration: signalCalibration() };
    const saved = saveSensing(createSensing(setting));
    const other = { ...setting, layout: { ...FIXED_12, name: 'other' } };
    expect(() => loadSensing(other, saved)).toThrow(/fixed-12/);
    expect(() => loadSensing(setting, { form: 9 })).toThrow(/form/);
    expect(() => loadSensing(setting, null)).toThrow(/form/);
  });

  it('wants no wake while idle, and at a roll the latest moment of an answer', () => {
    const sensing = createSensing({ layout: FIXED_12, calibration: signalCalibration() });
    const out: SenseOutput[] = [];
    expect(dueAt(sensing)).toBeUndefined();
    setActivity(sensing, rollOf(), 1000, out);
    expect(dueAt(sensing)).toBe(1000 + 20_000 + 15);
    setActivity(sensing, { kind: 'idle' }, 1100, out);
    expect(dueAt(sensing)).toBeUndefined();
    settle(sensing, 1e6, out);
    expect(out).toEqual([]);
  });
});

describe('boards and studs', () => {
  it('a press of the stud is said once, chatter and quiet lines and all', () => {
    const scene = createScene();
    for (const span of [
      [1200, 1203],
      [1204, 1350],
      [1351, 1352],
      [1700, 1800],
    ] as const) {
      scene.studs.push({ side: 'B', span });
    }
    const watched = watchScene(scene, { activity: { kind: 'idle' }, untilMs: 2500 });
    const studs = watched.said.flatMap((s) => (s.output.kind === 'stud' ? [s.output] : []));
    expect(studs.map((s) => [s.player, Math.round(s.atMs / 10) * 10])).toEqual([
      ['B', 1200],
      ['B', 1700],
    ]);
  });

  it('frames of an unset board change nothing; a board for both sides serves both', () => {
    const sensing = createSensing({ layout: FIXED_12, calibration: signalCalibration() });
    const out: SenseOutput[] = [];
    const stamp = { boot: 1, seq: 1, deviceUs: 0 };
    const means = new Uint16Array(24).fill(2048);
    means[2 * 6] = 2048 + 400;
    const frame = { kind: 'quiet', ...stamp, inputs: 1 << 11, means } as const;
    hearFrame(sensing, 'unset', frame, 1000, 0, out);
    expect(levelsOf(sensing).every((cell) => cell.fieldMt[0] === 0 && !cell.contact)).toBe(true);
    hearFrame(sensing, 'both', frame, 1000, 0, out);
    const levels = levelsOf(sensing);
    // Board tile 6 is B's first, tile 11 B's last; 100 counts are 9.77 mT.
    expect(levels.find((l) => l.cell === 'q2r-2')?.fieldMt[0]).toBeCloseTo(9.77, 2);
    expect(levels.find((l) => l.cell === 'q-1r0')?.contact).toBe(true);
    expect(out).toEqual([]);
  });

  it('without launch gates nothing about the launch is claimed, and a lost ball is out by time', () => {
    const scene = createScene();
    opens(scene, 'q0r1', 1950, 1.1);
    rollOver(scene, 'q1r-1', 1990, 60);
    const noGates = (hello: HelloFrame): HelloFrame => ({
      ...hello,
      capabilities: hello.capabilities & ~CAPABILITY.gates,
    });
    const watched = watchScene(scene, {
      wire(arrived) {
        if (arrived.frame.kind === 'hello') Object.assign(arrived.frame, noGates(arrived.frame));
        return true;
      },
    });
    expect(opened(watched)).toEqual(['yes', 'no']);
    expect(watched.final?.balls[0]?.audit.releaseSkew).toMatchObject({ measured: false });
    expect(watched.final?.illegal).toEqual([]);
  });
});

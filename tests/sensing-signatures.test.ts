import { describe, expect, it } from 'vitest';
import {
  createScene,
  hand,
  launch,
  opens,
  restsClosed,
  rollOf,
  rollOver,
  signalCalibration,
  watchScene,
} from '../bin/bench/signals.ts';
import type { Watched } from '../bin/bench/watch.ts';
import type { BallRuling, RollRuling } from '../host/sensing/ruling.ts';
import { codesOf } from './support/watched-rolls.ts';

// A's near row: A1 q-1r2, A3 q0r1, A4 q1r1, A6 q2r0. B's: B1 q2r-2, B3 q1r-1, B4 q0r-1, B6 q-1r0. A5 is q1r0.

function finalOf(watched: Watched): RollRuling {
  const { final } = watched;
  if (final === undefined) throw new Error('no final ruling');
  return final;
}

function ballOf(watched: Watched, player: 'A' | 'B'): BallRuling {
  const ball = finalOf(watched).balls.find((b) => b.player === player);
  if (ball === undefined) throw new Error(`no ruling for ${player}`);
  return ball;
}

/** B opens on its own near row, so that A's ball is the one looked at. */
function withB() {
  const scene = createScene();
  launch(scene, 'B', 1700);
  opens(scene, 'q1r-1', 1950, -1.1);
  return scene;
}

describe('signatures of a roll', () => {
  it('roll-over: contact, no open', () => {
    const scene = withB();
    launch(scene, 'A', 1700);
    rollOver(scene, 'q0r1', 1880, 60);
    const a = ballOf(watchScene(scene), 'A');
    expect(a.opened).toBe('no');
    expect(a.contact.sure).toEqual(['A3']);
    expect(a.attached.sure).toEqual([]);
    expect(codesOf(a)).toContain('open/not-seen');
  });

  it('closed ball at rest on a core: contact, no open, nothing attached', () => {
    const scene = withB();
    launch(scene, 'A', 1700);
    restsClosed(scene, 'q0r1', 1900);
    const watched = watchScene(scene);
    const a = ballOf(watched, 'A');
    expect(a.opened).toBe('no');
    expect(a.contact.sure).toEqual(['A3']);
    expect(a.attached).toEqual({ sure: [], possible: [] });
    // It is seen to rest: no need to wait for the roll timeout.
    expect(finalOf(watched).atMs).toBeLessThan(3200);
  });

  it('opening, attached: open, on that core, for the ball whose gate and polarity it is', () => {
    const scene = withB();
    launch(scene, 'A', 1700);
    opens(scene, 'q0r1', 1950, 1.1);
    const watched = watchScene(scene);
    const a = ballOf(watched, 'A');
    const b = ballOf(watched, 'B');
    expect([a.opened, a.attached.sure]).toEqual(['yes', ['A3']]);
    expect([b.opened, b.attached.sure]).toEqual(['yes', ['B3']]);
    expect(codesOf(a)).toEqual(
      expect.arrayContaining(['open/seen', 'owner/polarity', 'attached/still-there']),
    );
    expect(finalOf(watched).illegal).toEqual([]);
  });

  it('a slow ball lies on the tile long before its latch goes', () => {
    const scene = withB();
    launch(scene, 'A', 1700, 0.4);
    opens(scene, 'q0r1', 2050, 1.1, { latchMs: 130 });
    expect(ballOf(watchScene(scene), 'A').attached.sure).toEqual(['A3']);
  });

  it.each([60, 200, 500])('opened and off after %i ms: open, nothing attached (5.7.2.3)', (dwellMs) => {
    const scene = withB();
    launch(scene, 'A', 1700);
    opens(scene, 'q0r1', 1950, 1.2, { dwellMs });
    const a = ballOf(watchScene(scene), 'A');
    expect(a.opened).toBe('yes');
    expect(a.attached.sure).toEqual([]);
    expect(a.reasons.find((r) => r.code === 'attached/left')?.rules).toEqual(['5.7.2.3']);
  });

  it.each([
    ['opposite polarities', -0.95],
    ['opposite polarities that cancel', -1],
  ])('both on one core, %s: both hold it (5.7.2.2)', (_, second) => {
    const scene = createScene();
    launch(scene, 'A', 1600);
    launch(scene, 'B', 1750);
    opens(scene, 'q1r0', 1900, 1);
    opens(scene, 'q1r0', 2100, second, { joined: true });
    const watched = watchScene(scene);
    expect(ballOf(watched, 'A').attached.sure).toEqual(['A5']);
    expect(ballOf(watched, 'B').attached.sure).toEqual(['A5']);
  });

  it('both on one core, equal polarities: two arrivals, polarity is switched off and says so', () => {
    const scene = createScene();
    launch(scene, 'A', 1500);
    launch(scene, 'B', 1800);
    opens(scene, 'q0r1', 1700, 1);
    opens(scene, 'q0r1', 2160, 0.9, { joined: true });
    const watched = watchScene(scene, { calibration: signalCalibration({ A: 1, B: 1 }) });
    const balls = finalOf(watched).balls;
    expect(balls.map((b) => [b.opened, b.attached.sure])).toEqual([
      ['yes', ['A3']],
      ['yes', ['A3']],
    ]);
    for (const b of balls) expect(codesOf(b)).toContain('owner/equal-polarities');
  });

  // A hand in the far gate behind A's ball makes it look slow: only what lies on the core can tell that two balls are there.
  function handInGateOfA() {
    const scene = createScene();
    launch(scene, 'B', 1700);
    scene.gates.push({ side: 'A', gate: 'far', span: [1640, 1826] });
    return scene;
  }

  it('more field than one magnet makes: nobody is said to have stayed shut', () => {
    const scene = handInGateOfA();
    opens(scene, 'q0r1', 1950, 1.1);
    opens(scene, 'q0r1', 1952, 1.1, { joined: true });
    const watched = watchScene(scene, { calibration: signalCalibration({ A: 1, B: 1 }) });
    expect(finalOf(watched).balls.map((b) => b.opened)).not.toContain('no');
  });

  it('a level that has risen and turns over under closed contact is a second magnet', () => {
    const scene = handInGateOfA();
    opens(scene, 'q0r1', 1950, 0.42);
    opens(scene, 'q0r1', 1980, -1.06, { joined: true });
    expect(finalOf(watchScene(scene)).balls.map((b) => b.opened)).not.toContain('no');
  });

  it('across two cores: one ball may hold both', () => {
    const scene = withB();
    launch(scene, 'A', 1700);
    opens(scene, 'q0r1', 1950, 0.28);
    opens(scene, 'q-1r2', 1966, 0.26, { latchMs: 0 });
    const a = ballOf(watchScene(scene), 'A');
    expect(a.opened).toBe('yes');
    expect([...a.attached.sure].sort()).toEqual(['A1', 'A3']);
    expect(codesOf(a)).toContain('attached/two-cores');
  });

  it('vacant cell: an open there is a non-open (5.7.1.4.1)', () => {
    const scene = withB();
    launch(scene, 'A', 1700);
    opens(scene, 'q0r1', 1950, 1.1);
    const a = ballOf(watchScene(scene, { activity: rollOf(['q0r1']) }), 'A');
    expect(a.opened).toBe('no');
    expect(a.contact).toEqual({ sure: [], possible: [] });
    expect(a.attached.sure).toEqual([]);
    expect(a.reasons.find((r) => r.code === 'open/no-core-contact')?.rules).toEqual(['5.7.1.4.1']);
  });

  it('hand on a tile: no contact of anybody', () => {
    const scene = withB();
    launch(scene, 'A', 1700);
    hand(scene, 'q-1r2', 1900, 2300);
    const watched = watchScene(scene);
    for (const ball of finalOf(watched).balls) {
      expect([...ball.contact.sure, ...ball.contact.possible]).not.toContain('A1');
    }
    expect(ballOf(watched, 'A').opened).toBe('no');
  });

  it('dead contact: the field alone shows open and attached', () => {
    const scene = withB();
    launch(scene, 'A', 1700);
    opens(scene, 'q0r1', 1950, 1.2, { contact: false });
    const a = ballOf(watchScene(scene), 'A');
    expect(a.opened).not.toBe('no');
    expect([...a.attached.sure, ...a.attached.possible]).toEqual(a.opened === 'yes' ? ['A3'] : []);
  });

  it('provisional open first, then the final', () => {
    const scene = withB();
    launch(scene, 'A', 1700);
    opens(scene, 'q0r1', 1950, 1.1);
    const { said } = watchScene(scene);
    const stages = said.flatMap((s) => (s.output.kind === 'ruling' ? [s.output.ruling] : []));
    const first = said.find(
      (s) =>
        s.output.kind === 'ruling' &&
        s.output.ruling.balls.some((b) => b.player === 'A' && b.opened === 'yes'),
    );
    expect(first?.outMs).toBeLessThan(1950 + 15 + 150);
    expect(stages.map((r) => r.revision)).toEqual(stages.map((_, i) => i + 1));
    expect(stages.filter((r) => r.stage === 'final')).toHaveLength(1);
    expect(said.some((s) => s.output.kind === 'retraction')).toBe(false);
  });
});

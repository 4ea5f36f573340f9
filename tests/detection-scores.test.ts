import { describe, expect, it } from 'vitest';
import { type Claims, NOTHING_BACK, takenBackIn } from '../bin/bench/detection-claims.ts';
import { runIdle } from '../bin/bench/detection-idle.ts';
import { addUp, freshScore, scoreRoll } from '../bin/bench/detection-score.ts';
import { matched } from '../bin/bench/detection-times.ts';
import { f1, f1Interval, type Hits } from '../bin/bench/hits.ts';
import type { BallRuling, RollRuling } from '../host/sensing/ruling.ts';
import { ballTruth, claim, rollTruth } from './support/scored-rolls.ts';

function claims(balls: Claims['balls'], finalMs = 3000): Claims {
  return { balls, finalMs, takenBack: NOTHING_BACK, watchedOn: false, flips: 0 };
}

/** A opens on A1 at 2010 ms, having touched it at 2000 ms, and rests there from 2060 ms on; B touches B1 and rolls off. */
const A = ballTruth('A', { latchMs: 2010, restMs: 2060, path: [{ cell: 'q0r1', core: 'A1', fromMs: 2000 }] });
const STANDS_B = ballTruth('B', {
  restMs: 2300,
  path: [{ cell: 'q1r-1', core: 'B1', fromMs: 2100 }],
});
const GOES_B = ballTruth('B', {
  restMs: 2900,
  path: [{ cell: 'q1r-1', core: 'B1', fromMs: 2100, toMs: 2150 }],
});
const SAID_A = claim('A', {
  opened: 'yes',
  contact: ['A1'],
  attached: ['A1'],
  touchedMs: new Map([['A1', 2004]]),
  openedMs: 2020,
  touchSaidMs: 2030,
  openSaidMs: 2120,
  attachSaidMs: new Map([['A1', 2300]]),
});
const SAID_B = claim('B', { contact: ['B1'], touchedMs: new Map([['B1', 2100]]), touchSaidMs: 2140 });

describe('moments that are said against those that are true', () => {
  it('match one to one, the nearest first, and only within the window', () => {
    const hits: Hits = [0, 0, 0];
    matched(hits, [100, 140], [130, 300], 50);
    expect(hits).toEqual([1, 1, 1]);
  });

  it('count an answer as right in time only when its moment fits', () => {
    const score = freshScore();
    scoreRoll(score, rollTruth([A, STANDS_B]), claims([SAID_A, SAID_B]));
    expect([score.contactInTime, score.openInTime, score.attachInTime]).toEqual([
      [2, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
    ]);
    const late = freshScore();
    const off = { ...SAID_A, touchedMs: new Map([['A1', 2051]]), openedMs: 2161 };
    scoreRoll(late, rollTruth([A, STANDS_B]), claims([off, SAID_B], 3301));
    expect([late.contactInTime, late.openInTime, late.attachInTime]).toEqual([
      [1, 1, 1],
      [0, 1, 1],
      [0, 1, 1],
    ]);
    expect([late.contact, late.open, late.attach]).toEqual([
      [2, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
    ]);
  });

  it('gives how soon touches, opens and cores were said', () => {
    const score = freshScore();
    scoreRoll(score, rollTruth([A, STANDS_B]), claims([SAID_A, SAID_B]));
    expect([score.contactMs, score.openMs, score.attachMs]).toEqual([[30, 40], [120], [290]]);
  });

  it('counts the wait for both at rest from there, and that for a ball that left the tiles from its last touch', () => {
    const score = freshScore();
    scoreRoll(score, rollTruth([A, STANDS_B]), claims([SAID_A, SAID_B], 3150));
    expect([score.finalMs, score.finalInTime, score.outMs]).toEqual([[850], [1, 1], []]);
    const out = freshScore();
    scoreRoll(out, rollTruth([A, GOES_B]), claims([SAID_A, SAID_B], 5301));
    expect([out.finalMs, out.outMs, out.outInTime]).toEqual([[], [3151], [0, 1]]);
  });
});

describe('whose ball opened and left', () => {
  const left = ballTruth('A', {
    latchMs: 2010,
    offMs: 2200,
    restMs: 2500,
    attached: [],
    path: [{ cell: 'q0r1', core: 'A1', fromMs: 2000, toMs: 2200 }],
  });

  it('counts it for its own player, for the other one, and not where nobody was named', () => {
    const score = freshScore();
    const named = claim('A', { opened: 'yes' });
    scoreRoll(score, rollTruth([left, GOES_B]), claims([named, claim('B', {})]));
    expect(score.ownerOff).toEqual([1, 1]);
    scoreRoll(score, rollTruth([left, GOES_B]), claims([claim('A', {}), claim('B', { opened: 'yes' })]));
    expect(score.ownerOff).toEqual([1, 2]);
    scoreRoll(score, rollTruth([left, GOES_B]), claims([claim('A', {}), claim('B', {})]));
    expect(score.ownerOff).toEqual([1, 2]);
  });
});

describe('rulings that were taken back', () => {
  const ball = (opened: BallRuling['opened']): BallRuling =>
    ({ player: 'A', opened, attached: { sure: [], possible: [] } }) as unknown as BallRuling;
  const ruling = (revision: number, stage: RollRuling['stage'], opened: BallRuling['opened']) => ({
    output: {
      kind: 'ruling' as const,
      ruling: { roll: 'r', revision, stage, balls: [ball(opened)] } as unknown as RollRuling,
    },
    outMs: revision,
  });
  const back = (revision: number) => ({
    output: { kind: 'retraction' as const, roll: 'r', revision, atMs: 0, why: '' },
    outMs: revision,
  });

  it('are counted by what they were: a provisional open, another provisional one, a final one', () => {
    const said = [
      ruling(1, 'provisional', 'yes'),
      back(1),
      ruling(2, 'provisional', 'undetermined'),
      ruling(3, 'provisional', 'no'),
      back(3),
      ruling(4, 'final', 'no'),
      back(4),
      ruling(5, 'final', 'yes'),
    ];
    expect(takenBackIn(said)).toEqual({ opens: 1, otherProvisional: 1, finals: 1 });
  });
});

describe('the interval of an F1', () => {
  it('holds the F1, narrows with more of the same, and is everything where nothing was found', () => {
    const few = f1Interval([9, 1, 0]);
    const many = f1Interval([900, 100, 0]);
    expect(few[0]).toBeLessThan(f1([9, 1, 0]));
    expect(few[1]).toBeGreaterThan(f1([9, 1, 0]));
    expect(many[1] - many[0]).toBeLessThan((few[1] - few[0]) / 5);
    expect(f1Interval([0, 0, 0])).toEqual([0, 1]);
  });
});

describe('armed windows in which nobody rolls', () => {
  it('run on from one to the next on one table for a quarter of the time at the least', () => {
    const result = runIdle('hands', 61_000_000, 1 / 6);
    expect(result.hours).toBeCloseTo(1 / 6, 6);
    expect(result.runningHours).toBeGreaterThanOrEqual(result.hours / 4);
    expect(result.falseOpens).toBe(0);
    expect(result.events).toBeGreaterThan(60);
  }, 300_000);

  it('count the same when they are added up', () => {
    const one = { hours: 1, runningHours: 0.5, falseOpens: 1, falseFinals: 0, events: 2 };
    expect(addUp(one, one)).toEqual({ hours: 2, runningHours: 1, falseOpens: 2, falseFinals: 0, events: 4 });
  });
});

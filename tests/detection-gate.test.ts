import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { committedScore, type GateRun, IDLE, runGate, TURNED_AWAY } from '../bin/bench/detection-gate.ts';
import { GATE, GATE_IDLE } from '../bin/bench/detection-gate-rows.ts';
import { gateFailures, idleFailures, mostOf, timed } from '../bin/bench/detection-gate-score.ts';

/** Some 3000 rolls and more than an armed hour, on as many threads as there are cores. */
const SLOW_MS = 1_800_000;
/** A detector made worse on purpose has to be worse by more than twice what noise allows. */
const CLEARLY_NOISES = 2;

describe('the detection gate', () => {
  let run: GateRun;
  beforeAll(async () => {
    const script = pathToFileURL(resolve('dist/bin/bench/detection-gate-worker.js'));
    run = await runGate({ script, quiet: true });
  }, SLOW_MS);

  for (const name of Object.keys(GATE)) {
    it(`holds the committed scores: ${name}`, () => {
      const now = run.scores[name];
      if (now === undefined) throw new Error(`${name} was not run`);
      expect(gateFailures(name, committedScore(name), now).map(({ text }) => text)).toEqual([]);
    });
  }

  it('invents no more opens than committed in an armed hour of quiet, light, warmth, hands, magnets and lifted tiles', () => {
    expect(Object.keys(run.idle.counts)).toEqual(Object.keys(GATE_IDLE));
    expect(run.idleHours).toBeGreaterThanOrEqual(1);
    expect(idleFailures(committedScore(IDLE), run.idle)).toEqual([]);
  });

  // It can fail: detectors made worse on purpose do not pass, and not by one count.
  for (const [variant, name] of TURNED_AWAY) {
    it(`turns away a detector with ${variant}`, () => {
      const worse = run.worse[variant];
      if (worse === undefined) throw new Error(`${variant} was not run`);
      const [worst] = gateFailures(name, committedScore(name), worse);
      expect(worst?.noises ?? 0, worst?.text).toBeGreaterThan(CLEARLY_NOISES);
    });
  }
});

describe('the committed figures of the gate', () => {
  it('have no invented open where nothing is done to the table, and one of a kind at the most elsewhere', () => {
    const { counts } = committedScore(IDLE);
    expect(Object.keys(counts)).toEqual(Object.keys(GATE_IDLE));
    for (const [kind, [opens]] of Object.entries(counts)) {
      const most = ['quiet', 'led-show', 'warm-up'].includes(kind) ? 0 : 1;
      expect(opens, kind).toBeLessThanOrEqual(most);
    }
  });

  it('have no more wrong rulings on clean rolls than the power of the gate is reckoned for', () => {
    expect(committedScore('clean').counts.wrong?.[1]).toBe(3000);
    expect(committedScore('clean').counts.wrong?.[0]).toBeLessThanOrEqual(3);
  });
});

describe('what the gate allows', () => {
  it('is no invented open more than committed', () => {
    const idle = (opens: number) => ({ counts: { magnets: [opens, 45] as const }, times: {} });
    expect(idleFailures(idle(0), idle(1))).toEqual(['magnets: opens invented 0 -> 1 of 45 armed windows']);
    expect(idleFailures(idle(1), idle(1))).toEqual([]);
  });

  it('is the upper end of the 95 % interval of the committed count', () => {
    expect([0, 1, 2, 3].map((count) => mostOf([count, 3000]))).toEqual([3, 5, 7, 8]);
    expect(mostOf([40, 40])).toBe(40);
    expect(mostOf([0, 0])).toBe(0);
  });

  it('is the upper end of the 95 % interval of a quantile, and never less than the quantile', () => {
    const values = Array.from({ length: 100 }, (_, i) => i);
    expect(timed(values, 0.5)).toEqual([50, 60]);
    expect(timed([7], 0.99)).toEqual([7, 7]);
  });

  it('names what is worse with both figures and the limit', () => {
    const before = { counts: { wrong: [1, 3000] }, times: { 'open said p50': [120, 126] } } as const;
    const now = { counts: { wrong: [6, 3000] }, times: { 'open said p50': [127, 131] } } as const;
    expect(gateFailures('clean', before, now).map(({ text }) => text)).toEqual([
      'clean: wrong 1 -> 6 of 3000, at most 5',
      'clean: open said p50 120 -> 127 ms, at most 126',
    ]);
    expect(gateFailures('clean', before, before)).toEqual([]);
  });

  it('takes a measure that is no longer made for the worst', () => {
    const before = { counts: { wrong: [0, 10] }, times: {} } as const;
    expect(gateFailures('clean', before, { counts: {}, times: {} })).toHaveLength(1);
  });
});

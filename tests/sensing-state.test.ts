import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runRoll } from '../bin/bench/roll-runs.ts';
import { rollOf, signalCalibration } from '../bin/bench/signals.ts';
import type { Watched } from '../bin/bench/watch.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import {
  createSensing,
  dueAt,
  loadSensing,
  type SenseOutput,
  type Sensing,
  saveSensing,
  setActivity,
  settle,
} from '../host/sensing/sensing.ts';

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

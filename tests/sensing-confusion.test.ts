import { describe, expect, it } from 'vitest';
import { benchRolls } from '../bin/bench/rolls.ts';
import { CLEAN } from '../sim/shares.ts';

const said = (
  table: ReadonlyMap<string, ReadonlyMap<string, number>>,
  truth: string,
  ruling: string,
): number => table.get(truth)?.get(ruling) ?? 0;

describe('rulings against ground truth', () => {
  // Seeds that nothing was fitted on; 1,000 rolls are counted by tests/bench/confusion.ts.
  it('on forty clean rolls claims nothing wrong and asks about next to none', () => {
    const result = benchRolls(40, 7_000_000, { conditions: 'clean' });
    expect(result.unfinished).toBe(0);
    expect(result.wrongBalls, result.misses.join('\n')).toBe(0);
    expect(result.doubtfulBalls / result.balls).toBeLessThanOrEqual(0.05);
    expect(said(result.opened, 'yes', 'yes')).toBeGreaterThan(25);
    expect(said(result.opened, 'no', 'no')).toBeGreaterThan(15);
  });

  it('on fields with every second cell vacant, an open beside the cores is never an open (5.7.1.4.1)', () => {
    const endings = { attach: 0, 'two-cores': 0, off: 0, vacant: 1, pass: 0, rest: 0, miss: 0, shut: 0 };
    const shares = {
      ...CLEAN,
      endings,
      join: 0,
      strike: 0,
      bounced: 0,
      apart: 0,
      beyond: 0,
      early: 0,
      hand: 0,
    };
    const result = benchRolls(12, 7_100_000, { shares, vacantCells: 6 });
    expect(said(result.opened, 'no', 'yes')).toBe(0);
    expect(said(result.opened, 'no', 'no')).toBeGreaterThan(18);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfirmedBall, flipsOf, proposeLimits, saidOf, tallyOf } from '../host/sensing/learn.ts';

const NOW = { openYes: 0.9, openNo: 0.05 };
const ball = (
  i: number,
  score: number,
  opened: 'yes' | 'no',
  looked: ConfirmedBall['looked'] = 'confirmed',
): ConfirmedBall => ({
  looked,
  roll: `t${i}.1`,
  player: 'A',
  score,
  opened,
});

describe('learning from confirmed rulings', () => {
  it('proposes nothing from a handful of rolls', () => {
    const few = Array.from({ length: 30 }, (_, i) => ball(i, 0.8, i % 2 === 0 ? 'yes' : 'no'));
    const proposal = proposeLimits(NOW, few);
    expect(proposal.proposed).toEqual(NOW);
    expect(proposal.note).toMatch(/Too few/);
  });

  it('proposes a lower limit where this mat scores its opens lower, and previews every flip', () => {
    const balls = Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0 ? ball(i, i < 20 ? 0.82 : 0.99, 'yes') : ball(i, 0.01, 'no'),
    );
    const proposal = proposeLimits(NOW, balls);
    expect(proposal.before).toEqual({ wrong: 0, undetermined: 10, of: 60 });
    expect(proposal.after).toEqual({ wrong: 0, undetermined: 0, of: 60 });
    expect(proposal.proposed.openYes).toBeLessThanOrEqual(0.82);
    expect(proposal.flips).toHaveLength(10);
    for (const flip of proposal.flips) expect(flip).toMatchObject({ before: 'undetermined', after: 'yes' });
  });

  it('makes no proposal of balls that nobody looked at, however many', () => {
    const unseen = Array.from({ length: 400 }, (_, i) =>
      ball(i, i % 2 === 0 ? 0.82 : 0.01, i % 2 === 0 ? 'yes' : 'no', 'unseen'),
    );
    const proposal = proposeLimits(NOW, unseen);
    expect(proposal).toMatchObject({ proposed: NOW, balls: { confirmed: 0, corrected: 0, unseen: 400 } });
    expect(proposal.note).toMatch(/a judge looked at: 0 opened and 0 not/);
    expect(proposal.unseenBefore).toEqual({ wrong: 0, undetermined: 200, of: 400 });
  });

  it('lets balls that nobody looked at hold limits back, each a little', () => {
    const judged = Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0
        ? ball(i, i === 0 ? 0.8 : 0.99, 'yes', i === 0 ? 'corrected' : 'confirmed')
        : ball(i, 0, 'no'),
    );
    // Lower limits would save one question; they would call opens what this host ruled to be none.
    const against = (n: number) => Array.from({ length: n }, (_, i) => ball(100 + i, 0.85, 'no', 'unseen'));
    expect(proposeLimits(NOW, judged).proposed.openYes).toBeLessThanOrEqual(0.8);
    expect(proposeLimits(NOW, [...judged, ...against(1)]).proposed).toEqual(NOW);
    const few = Array.from({ length: 5 }, (_, i) => ball(100 + i, 0.85, 'yes', 'unseen'));
    expect(proposeLimits(NOW, [...judged, ...few]).proposed.openYes).toBeLessThanOrEqual(0.8);
  });

  it('keeps what nothing speaks against', () => {
    const balls = Array.from({ length: 60 }, (_, i) =>
      ball(i, i % 2 === 0 ? 0.99 : 0.01, i % 2 === 0 ? 'yes' : 'no'),
    );
    expect(proposeLimits(NOW, balls)).toMatchObject({ proposed: NOW, flips: [] });
  });

  it('never does worse on the rolls it was made from, and previews just the flips there are', () => {
    const any = fc.array(
      fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), open: fc.boolean() }),
      { minLength: 60, maxLength: 120 },
    );
    fc.assert(
      fc.property(any, (drawn) => {
        const balls = drawn.map(({ score, open }, i) => ball(i, score, open ? 'yes' : 'no'));
        const { proposed, before, after, flips } = proposeLimits(NOW, balls);
        const cost = (t: typeof before): number => t.wrong * 20 + t.undetermined;
        expect(cost(after)).toBeLessThanOrEqual(cost(before));
        expect(after).toEqual(tallyOf(proposed, balls));
        expect(flips).toEqual(flipsOf(NOW, proposed, balls));
        for (const b of balls) {
          const changed = saidOf(NOW, b.score) !== saidOf(proposed, b.score);
          expect(flips.some((f) => f.roll === b.roll)).toBe(changed);
        }
      }),
      { numRuns: 25 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { Correction } from '../host/audit/corrections.ts';
import type { RollCase } from '../host/audit/rolls.ts';
import { standingOf } from '../host/audit/standing-result.ts';
import type { BallRuling } from '../host/sensing/ruling.ts';

describe('what stands of a roll', () => {
  const words = (input: object, by = 'play'): Correction => ({
    ...{ seq: 9, seqs: [9], atMs: 0, answer: [], record: null, wallTime: undefined },
    by: { role: 'judge' },
    command: JSON.parse(JSON.stringify({ do: by, roll: 't1.1', input: { roll: 't1.1', ...input } })),
  });
  const unseen = { measured: false, why: 'unseen' } as const;
  /** Both balls opened, and the sensors were sure of it. */
  const sure = (): Pick<RollCase, 'final' | 'roll'> => {
    const balls = (['A', 'B'] as const).map(
      (player): BallRuling => ({
        ...{ player, opened: 'yes', reasons: [] },
        contact: { sure: [`${player}2`], possible: [] },
        attached: { sure: [`${player}2`], possible: [] },
        confidence: { player: 1, opened: 1, contact: 1, attached: 1 },
        audit: {
          ...{ releaseSkew: unseen, releaseZone: unseen, bounces: unseen, speed: unseen },
          path: { cells: [], coverage: 0 },
        },
      }),
    );
    const window = { fromMs: 0, toMs: 900 };
    return {
      roll: 't1.1',
      final: { roll: 't1.1', revision: 2, stage: 'final', balls, atMs: 900, window, illegal: [] },
    };
  };

  it('tells what a judge confirmed, settled and overruled, ball by ball', () => {
    const { final } = sure();
    const held = final?.balls.map(({ player, attached }) => ({
      player,
      opened: 'yes',
      cores: attached.sure,
    }));
    const same = standingOf({ ...sure(), corrections: [words({ results: held })] });
    expect(same.judged).toBe('confirmed');
    const [a] = held ?? [];
    const one = standingOf({
      ...sure(),
      corrections: [words({ results: [{ ...a, opened: 'no', cores: [] }] })],
    });
    expect(one.balls.map(({ opened, judged }) => [opened, judged])).toEqual([
      ['no', 'overridden'],
      ['yes', undefined],
    ]);
    const again = standingOf({ ...sure(), corrections: [words({ verdict: 'again' })] });
    expect([again.judged, again.instead, again.balls]).toEqual(['overridden', 'again', []]);
    const open = { roll: 't1.1', final: undefined, corrections: [words({ results: held })] };
    expect(standingOf(open).balls.map(({ judged }) => judged)).toEqual(['settled', 'settled']);
  });

  it('goes by the newest word: a roll taken back and ruled on again stands by the judge alone', () => {
    const back: Correction = { ...words({}), command: { do: 'undo', to: 3 } };
    const ruled = words({ results: [{ player: 'B', opened: 'no', cores: [] }] }, 'replace-ruling');
    expect(standingOf({ ...sure(), corrections: [back] })).toMatchObject({ judged: 'withdrawn', balls: [] });
    const { balls, instead } = standingOf({ ...sure(), corrections: [back, ruled] });
    expect(instead).toBeUndefined();
    expect(balls.map(({ player, opened }) => player + opened)).toEqual(['Bno']);
  });
});

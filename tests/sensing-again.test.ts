import { describe, expect, it } from 'vitest';
import { signalCalibration } from '../bin/bench/signals.ts';
import { createGates } from '../host/sensing/gates.ts';
import { agree, begin, compare, createGrounds } from '../host/sensing/grounds.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { medianOf, thirdLargest } from '../host/sensing/medians.ts';
import { shareOut } from '../host/sensing/owners.ts';
import { createSharing, shareAgain } from '../host/sensing/sharing.ts';
import { tilesOf } from '../host/sensing/tiles.ts';
import type { Runner, Token } from '../host/sensing/tracks.ts';
import { hash32 } from '../sim/random.ts';

const ascending = (a: number, b: number): number => a - b;

describe('middle and third largest', () => {
  it('are those of the values in order, however many and however they lie', () => {
    for (let n = 1; n <= 260; n += 7) {
      for (const way of ['any', 'alike', 'falling'] as const) {
        const values = Float64Array.from({ length: n }, (_, i) => {
          if (way === 'falling') return (n - i) / 4;
          return (Math.abs(hash32(n, i, 3)) % (way === 'alike' ? 3 : 4096)) / 4;
        });
        const ordered = [...values].sort(ascending);
        const [below = 0, above = 0] = [ordered[Math.ceil(n / 2) - 1], ordered[Math.floor(n / 2)]];
        expect(thirdLargest(values, n)).toBe(n < 3 ? 0 : ordered[n - 3]);
        expect(medianOf(values, n)).toBe(n % 2 === 1 ? above : (below + above) / 2);
      }
    }
    expect(medianOf(new Float64Array(4), 0)).toBeNaN();
  });
});

describe('grounds', () => {
  const asked = (grounds: ReturnType<typeof createGrounds>, ...numbers: number[]): boolean => {
    begin(grounds);
    for (const number of numbers) compare(grounds, number);
    return agree(grounds);
  };

  it('agree only with the very numbers of the time before', () => {
    const grounds = createGrounds(4);
    expect(asked(grounds, 1, NaN)).toBe(false);
    expect(asked(grounds, 1, NaN)).toBe(true);
    expect(asked(grounds, 1, NaN, 0)).toBe(false);
    expect(asked(grounds, 1, NaN)).toBe(false);
    expect(asked(grounds, 1, 0)).toBe(false);
    expect(asked(grounds, 1, -0)).toBe(false);
    expect(asked(grounds)).toBe(false);
    expect(asked(grounds)).toBe(true);
  });

  it('never agree where there was no room for all of them', () => {
    const grounds = createGrounds(2);
    expect(asked(grounds, 1, 2, 3)).toBe(false);
    expect(asked(grounds, 1, 2, 4)).toBe(false);
  });
});

describe('a sharing that is asked again', () => {
  it('is that of the balls and arrivals it is asked for, whichever of their numbers changed', () => {
    const tiles = tilesOf(FIXED_12, signalCalibration());
    const gates = createGates();
    gates.A.far.blockedMs = 1700;
    gates.B.far.blockedMs = 1720;
    const runner = (side: 'A' | 'B', more: Partial<Runner> = {}): Runner => {
      const own = side === 'A' ? 1 : -1;
      const { middleX } = tiles;
      const known = { side, polarity: own, strength: 1, gates: gates[side], gatesKnown: true } as const;
      return { ...known, gateY: own * 172, own, speed: 0.6, middleX, ...more };
    };
    const token = (cell: number, atMs: number, more: Partial<Token> = {}): Token => {
      const stays = { untilMs: Infinity, midMs: atMs, opened: 1, openedMs: atMs + 15, nth: 0 };
      return { cell, atMs, peak: cell < 6 ? 1 : -1, ...stays, ...more };
    };
    const sharing = createSharing();
    const asks: (readonly [readonly Runner[], readonly Token[]])[] = [
      [[runner('A'), runner('B')], [token(2, 1950)]],
      [
        [runner('A'), runner('B')],
        [token(2, 1950), token(8, 1990)],
      ],
      [
        [runner('A'), runner('B')],
        [token(2, 1950), token(8, 1990, { peak: 1 })],
      ],
      [
        [runner('A', { polarity: 0 }), runner('B')],
        [token(2, 1950), token(8, 1990, { peak: 1 })],
      ],
      [
        [runner('A', { speed: NaN }), runner('B')],
        [token(2, 1950), token(8, 1990)],
      ],
      [[runner('A')], [token(2, 1950), token(8, 1990)]],
    ];
    for (const [runners, tokens] of asks) {
      for (let times = 0; times < 2; times += 1)
        expect(shareAgain(sharing, tiles, runners, tokens)).toEqual(shareOut(tiles, runners, tokens));
    }
    const both = [runner('A'), runner('B')];
    const seen = [token(2, 1950), token(8, 1990)];
    shareAgain(sharing, tiles, both, seen);
    gates.B.far.blockedMs = 1400;
    expect(shareAgain(sharing, tiles, both, seen)).toEqual(shareOut(tiles, both, seen));
  });
});

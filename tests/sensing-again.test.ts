import { describe, expect, it } from 'vitest';
import { runRoll } from '../bin/bench/roll-runs.ts';
import { signalCalibration } from '../bin/bench/signals.ts';
import { createContacts } from '../host/sensing/contact.ts';
import { createGates } from '../host/sensing/gates.ts';
import { agree, begin, compare, createGrounds } from '../host/sensing/grounds.ts';
import { judgeAnew } from '../host/sensing/judging.ts';
import { LAID_MS, layLevels } from '../host/sensing/laid-levels.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { medianOf, thirdLargest } from '../host/sensing/medians.ts';
import { shareOut } from '../host/sensing/owners.ts';
import { movedMs } from '../host/sensing/rest.ts';
import { writeDense, writeMean, writeShift } from '../host/sensing/rings.ts';
import { createSharing, shareAgain } from '../host/sensing/sharing.ts';
import { createSensing, type Sensing } from '../host/sensing/state.ts';
import { tilesOf } from '../host/sensing/tiles.ts';
import type { Runner, Token } from '../host/sensing/tracks.ts';
import { BIN_MS, beginVisit, createVisit, extendTrace, LEAD_MS, TOGETHER } from '../host/sensing/visits.ts';
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

describe('a trace that is looked through again and again', () => {
  it('was last in motion when a fresh look says, however it grew and was filled anew', () => {
    const visit = createVisit();
    beginVisit(visit, 0, 1000);
    const contacts = createContacts(1);
    const levelAt = (i: number, draw: number): number => {
      const jitter = (Math.abs(hash32(i, draw, 7)) % 100) / 1000;
      if (Math.abs(hash32(i, draw, 8)) % 9 === 0) return NaN;
      return (i < 60 ? 0.2 : i < 140 ? 0.9 : 0.6) + jitter * (i % 50 < 5 ? 4 : 1);
    };
    const { source } = createSensing({ layout: FIXED_12, calibration: signalCalibration() });
    for (let looks = 0; visit.bins < 400; looks += 1) {
      // Bins that no sample was heard of are filled anew at every look, as they would be by late lines.
      extendTrace(source, visit, 1000 + looks * 24);
      for (let i = Math.max(0, visit.bins - 10); i < visit.bins; i += 1)
        visit.level[i] = levelAt(i, looks >> 4);
      visit.middles = Math.min(visit.middles, Math.max(0, visit.bins - 10 - TOGETHER + 1));
      const fresh = createVisit();
      Object.assign(fresh, visit, { middles: 0, middle: new Float64Array(fresh.middle.length) });
      const toMs = visit.fromMs + visit.bins * BIN_MS;
      expect(movedMs(visit, contacts, toMs)).toBe(movedMs(fresh, contacts, toMs));
    }
  });

  it('has the same levels laid in all eight ways at once as laid in each', () => {
    const { source } = createSensing({ layout: FIXED_12, calibration: signalCalibration() });
    const { rings, tiles } = source;
    const samples = new Uint16Array(16);
    for (let ms = 1000; ms < 1500; ms += 8) {
      for (let cell = 0; cell < tiles.cells.length; cell += 1) {
        // Lines are lost, and quiet tiles say one mean every 20 ms.
        if (Math.abs(hash32(ms, cell, 1)) % 6 === 0) continue;
        const quiet = Math.abs(hash32(cell, 5, 2)) % 3 === 0;
        samples.forEach((_, i) => {
          samples[i] = 512 + (Math.abs(hash32(ms + i, cell, 3)) % (ms > 1250 ? 60 : 4));
        });
        if (quiet)
          writeMean(
            rings,
            cell,
            ms - 12,
            ms + 8,
            samples.map((v) => v * 4),
            0,
            2,
          );
        else writeDense(rings, cell, ms, samples, 0, 2, 8);
      }
    }
    for (const [shiftedCell, sees] of [
      [-1, 3],
      [-1, 2],
      [-1, 0],
      [2, 3],
    ] as const) {
      if (shiftedCell >= 0) writeShift(rings, shiftedCell, 1100, 1300, 1.5);
      for (let cell = 0; cell < tiles.cells.length; cell += 1) {
        source.sees[cell] = sees;
        const levels = new Float64Array(LAID_MS);
        layLevels(source, cell, 1010, 400, levels);
        for (let phase = 0; phase < BIN_MS; phase += 1) {
          const visit = createVisit();
          beginVisit(visit, cell, 1010 + LEAD_MS + phase);
          extendTrace(source, visit, 1010 + 400 + BIN_MS - 1);
          const laid = Float32Array.from(
            { length: visit.bins },
            (_, bin) => levels[phase + bin * BIN_MS] ?? 0,
          );
          expect(visit.level.slice(0, visit.bins)).toEqual(laid);
        }
        source.sees[cell] = 3;
      }
    }
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
      const known = {
        side,
        polarity: own,
        strength: 1,
        exchanged: -4.5,
        gates: gates[side],
        gatesKnown: true,
      } as const;
      return { ...known, gateY: own * 172, own, speed: 0.6, middleX, ...more };
    };
    const token = (cell: number, atMs: number, more: Partial<Token> = {}): Token => {
      const stays = { untilMs: Infinity, midMs: atMs, opened: 1, openedMs: atMs + 15, nth: 0, laid: 0 };
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
      // A level and a score that grow while a ball lands, past what they say of its owner and short of it.
      ...[0.02, 0.04, 0.06, 0.1, 0.2, 0.39, 0.41, 1.2, -0.3, -0.31].flatMap((peak) =>
        [0, 0.4, 0.6, 0.97].map((opened) => {
          const lands = token(8, 1990, { peak, opened, openedMs: 1990 + 100 * opened });
          return [
            [runner('A'), runner('B')],
            [token(2, 1950), lands, token(3, 2040, { nth: 1 })],
          ] as const;
        }),
      ),
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

describe('a roll that is reviewed again and again', () => {
  const forget = (sensing: Sensing): Sensing => {
    judgeAnew(sensing.judging);
    sensing.sharing.shared = undefined;
    for (const { visit } of sensing.live.stands) visit.middles = 0;
    return sensing;
  };

  it('says what it says when nothing is kept from one look to the next', () => {
    const opens = { attach: 3, 'two-cores': 2, off: 2, vacant: 1, pass: 2, rest: 1, miss: 1, shut: 0 };
    const busy = { endings: opens, join: 0.2, strike: 0.2, bounced: 0.2, hand: 0.2 };
    let rulings = 0;
    for (let i = 0; i < 24; i += 1) {
      const sensors = (['collector+offset', 'axis', 'collector'] as const)[i % 3] ?? 'axis';
      const conditions = i % 4 === 3 ? 'impaired' : 'clean';
      const roll = { seed: 2_040_000 + i, sensors, conditions, shares: busy, longestMs: 6000 } as const;
      const kept = runRoll(roll).said;
      expect(kept).toEqual(runRoll({ ...roll, before: forget }).said);
      rulings += kept.length;
    }
    expect(rulings).toBeGreaterThan(60);
  });
});

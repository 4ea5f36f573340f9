import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signalCalibration } from '../bin/bench/signals.ts';
import { packQuickly } from '../host/pack-quickly.ts';
import { createBaseline, learnLevel, magnetAt } from '../host/sensing/baseline.ts';
import { checkLayout } from '../host/sensing/check-layout.ts';
import {
  addBits,
  addEdge,
  addLevel,
  closedAt,
  closedMs,
  createContacts,
  EDGES_KEPT,
  edgesIn,
  flightsIn,
  lastClosedMs,
} from '../host/sensing/contact.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../host/sensing/limits.ts';
import { createOnsets, setThreshold, watchMean, watchSamples } from '../host/sensing/onset.ts';
import { createRings, holesIn, readHall, writeDense, writeMean } from '../host/sensing/rings.ts';
import { packBytes, unpackBytes } from '../host/sensing/save-bytes.ts';
import { cellsOfBoard, tilesOf } from '../host/sensing/tiles.ts';

const tiles = tilesOf(FIXED_12, signalCalibration());
const limits = DEFAULT_LIMITS;

describe('contact track', () => {
  const track = createContacts(2);
  // Bounce of 1 ms, a flight of 41 ms (20 cm/s), then open for good; lines out of order.
  for (const [ms, closed] of [
    [100, true],
    [101, false],
    [101.4, true],
    [160, false],
    [201, true],
    [130, false],
    [130.2, true],
    [260, false],
  ] as const) {
    addEdge(track, 0, ms, closed);
  }

  it.each([
    [99, false],
    [100.5, true],
    [101.2, false],
    [120, true],
    [130.1, false],
    [180, false],
    [210, true],
    [300, false],
  ])('at %d ms closed is %s', (ms, closed) => {
    expect(closedAt(track, 0, ms)).toBe(closed);
  });

  it.each([
    [90, 100, 0],
    [100, 102, 1.6],
    [101.4, 160, 58.4],
    [0, 1000, 0.999 + 28.6 + 29.8 + 59 + 0.001],
    [300, 400, 0],
  ])('from %d to %d ms it was closed for %d ms', (from, to, ms) => {
    expect(closedMs(track, 0, from, to)).toBeCloseTo(ms, 6);
  });

  it('counts edges and tells flights from bounce and from departure', () => {
    expect(edgesIn(track, 0, 100, 102)).toBe(3);
    expect(flightsIn(track, 0, 90, 400, 10, 80)).toBe(1);
    expect(lastClosedMs(track, 0, 0, 400)).toBe(260);
    expect(lastClosedMs(track, 1, 0, 400)).toBe(-Infinity);
  });

  it('puts in what three sample bits in a row say against the edges known, and no less', () => {
    const own = createContacts(1);
    addBits(own, 0, 1000, 0b0011_0000, 8);
    expect(own.counts[0]).toBe(0);
    addBits(own, 0, 1008, 0b1111_1100, 8);
    expect(closedAt(own, 0, 1009.5)).toBe(false);
    expect(closedAt(own, 0, 1012)).toBe(true);
    addBits(own, 0, 1016, 0, 8);
    expect(closedAt(own, 0, 1020)).toBe(false);
  });

  it('tells of what they put in also where the oldest ones make room for it', () => {
    const own = createContacts(1);
    for (let i = 0; i < EDGES_KEPT; i += 1) addEdge(own, 0, i, i % 2 === 0);
    expect(addBits(own, 0, 1000, 0b1111_0000, 8)).toBe(true);
    expect(closedAt(own, 0, 1006)).toBe(true);
    expect(addBits(own, 0, 1008, 0b1111_1111, 8)).toBe(false);
  });

  it('heals at the next quiet line', () => {
    const own = createContacts(1);
    expect(addLevel(own, 0, 20, false)).toBe(false);
    expect(addLevel(own, 0, 40, true)).toBe(true);
    expect(addLevel(own, 0, 60, true)).toBe(false);
    expect(closedMs(own, 0, 0, 60)).toBe(20);
  });

  it('forgets the oldest edges when there is no room, never the newest', () => {
    const own = createContacts(1);
    for (let i = 0; i < 3 * EDGES_KEPT; i += 1) addEdge(own, 0, i, i % 2 === 0);
    expect(closedAt(own, 0, 3 * EDGES_KEPT - 2)).toBe(true);
    expect(edgesIn(own, 0, 3 * EDGES_KEPT - 100, 3 * EDGES_KEPT)).toBe(100);
  });
});

describe('onset of a field', () => {
  // 4.1 counts (0.4 mT) begin a field, 60 % of that keep it.
  const run = (counts: readonly number[]) => {
    const watch = createOnsets(1);
    setThreshold(watch, createBaseline(tiles), tiles, limits, 0);
    const samples = Uint16Array.from(counts, (c) => 512 + c);
    const began = watchSamples(watch, 0, 1000, samples, 0, 1, counts.length, limits.onsetHoldMs, 40);
    return [began, watch.sinceMs[0], watch.aboveMs[0]];
  };

  it.each([
    ['rest', [0, 1, -1, 0, 1, 0, 0, 1], false, NaN, -Infinity],
    ['one spike of 60 counts', [0, 0, 60, 0, 0, 0, 0, 0], false, NaN, 1002],
    ['two samples', [0, 0, 9, 9, 0, 0, 0, 0], false, NaN, 1003],
    ['three samples in a row', [0, 0, 9, 9, 9, 0, 0, 0], true, 1002, 1004],
    ['either sign', [0, 0, -9, -9, -9, 0, 0, 0], true, 1002, 1004],
    ['below the threshold', [4, 4, 4, 4, 4, 4, 4, 4], false, NaN, 1007],
    ['three above, broken by one between on and off', [9, 9, 3, 9, 9, 3, 9, 9], false, NaN, 1007],
    ['hysteresis: a field that has begun lasts down to 60 %', [9, 9, 9, 3, 3, 3, 2, 2], true, 1000, 1005],
  ])('%s', (_, counts, began, since, above) => {
    expect(run(counts)).toEqual([began, since, above]);
  });

  it('begins anew after a pause longer than a flight', () => {
    const watch = createOnsets(1);
    setThreshold(watch, createBaseline(tiles), tiles, limits, 0);
    const field = new Uint16Array(8).fill(530);
    watchSamples(watch, 0, 0, field, 0, 1, 8, 3, 40);
    expect(watchSamples(watch, 0, 40, field, 0, 1, 8, 3, 40)).toBe(false);
    expect(watchSamples(watch, 0, 96, field, 0, 1, 8, 3, 40)).toBe(true);
    expect(watch.sinceMs[0]).toBe(96);
  });

  it('does not begin twice', () => {
    const watch = createOnsets(1);
    setThreshold(watch, createBaseline(tiles), tiles, limits, 0);
    const samples = new Uint16Array(8).fill(530);
    expect(watchSamples(watch, 0, 0, samples, 0, 1, 8, 3, 40)).toBe(true);
    expect(watchSamples(watch, 0, 8, samples, 0, 1, 8, 3, 40)).toBe(false);
  });

  it('takes a quiet mean for tiles that send no bursts', () => {
    const watch = createOnsets(1);
    setThreshold(watch, createBaseline(tiles), tiles, limits, 0);
    expect(watchMean(watch, tiles, 0, 0, 20, (512 + 4) * 4)).toBe(false);
    expect(watchMean(watch, tiles, 0, 20, 40, (512 + 5) * 4)).toBe(true);
    expect(watch.sinceMs[0]).toBe(20);
  });
});

describe('baseline', () => {
  /** Quiet lines of one level from 0 on. */
  const learn = (
    levels: readonly (readonly [untilMs: number, counts: number])[],
    mode: 'drift' | 'zero' | 'frozen',
  ) => {
    const base = createBaseline(tiles);
    base.disturbedMs.fill(0);
    base.steppedMs.fill(0);
    let ms = 0;
    for (const [until, counts] of levels) {
      for (; ms < until; ms += 20) learnLevel(base, tiles, limits, 0, 0, counts, ms, 20, mode);
    }
    return base;
  };

  it.each([
    ['within ten seconds of a disturbance it stands still', [[9_000, 515]], 512],
    ['a drift under half a count is noise', [[60_000, 512.4]], 512],
    // 13 counts (1.27 mT) times 1 - e^(-10/30); 0.05 mT/s would allow 5.
    ['a larger drift is followed no faster than 0.05 mT/s', [[20_000, 525]], 512 + 3.7],
    ['it follows with a time constant of 30 s', [[10_000 + 30_000, 514]], 512 + 2 * 0.63],
    ['a magnet is not learnt', [[60_000, 512 + 20]], 512],
  ] as const)('%s', (_, levels, expected) => {
    const slow = learn(levels, 'drift').slow[0] ?? 0;
    expect(Math.abs(slow - expected)).toBeLessThanOrEqual(0.45);
  });

  it('is frozen in a roll once something has been seen', () => {
    const base = learn([[60_000, 530]], 'frozen');
    expect([base.slow[0], base.zero[0]]).toEqual([512, 512]);
  });

  it('takes the level before a roll as its zero, whatever it is, and tells a magnet', () => {
    const base = learn([[400, 512 + 30]], 'zero');
    expect(base.zero[0]).toBeCloseTo(542, 1);
    expect(base.slow[0]).toBe(512);
    expect(magnetAt(base, tiles, limits, 0)).toBe(true);
    expect(magnetAt(base, tiles, limits, 1)).toBe(false);
  });

  it('takes one step of remanence after a visit, after two seconds of quiet, up to 1 mT', () => {
    const base = createBaseline(tiles);
    base.disturbedMs.fill(1000);
    const at = (ms: number, counts: number): number | undefined => {
      learnLevel(base, tiles, limits, 0, 0, counts, ms, 20, 'drift');
      return base.slow[0];
    };
    expect(at(2980, 518)).toBe(512);
    expect(at(3000, 518)).toBeCloseTo(518, 0);
    expect(at(3020, 522)).toBeCloseTo(518, 0);
  });
});

describe('sample rings', () => {
  it('prefers dense samples to quiet means, leaves holes as holes and forgets after two seconds', () => {
    const rings = createRings(1, 2);
    writeMean(rings, 0, 100, 120, Uint16Array.of(2048, 2052), 0, 2);
    const samples = new Uint16Array(16).map((_, i) => (i % 2 === 0 ? 600 + i / 2 : 400));
    writeDense(rings, 0, 104, samples, 0, 2, 8);
    writeMean(rings, 0, 100, 120, Uint16Array.of(2048, 2052), 0, 2);
    const into = new Float64Array(64);
    expect(readHall(rings, 0, 0, 102, 114, into)).toBe(12);
    expect([...into.subarray(0, 12)]).toEqual([512, 512, 600, 601, 602, 603, 604, 605, 606, 607, 512, 512]);
    expect(readHall(rings, 0, 1, 104, 106, into)).toBe(2);
    expect([...into.subarray(0, 2)]).toEqual([400, 400]);
    expect(holesIn(rings, 0, 90, 130)).toBe(20);
    expect(readHall(rings, 0, 0, 2048 + 100, 2048 + 120, into)).toBe(0);
  });
});

describe('tiles of a layout', () => {
  it.each([
    ['A', 0, 'q-1r2'],
    ['A', 5, 'q2r0'],
    ['B', 0, 'q2r-2'],
    ['both', 5, 'q2r0'],
    ['both', 6, 'q2r-2'],
    ['both', 11, 'q-1r0'],
  ] as const)('board %s, tile %i watches %s', (side, tile, cell) => {
    expect(FIXED_12.cells[cellsOfBoard(FIXED_12, side)[tile] ?? -1]?.cell).toBe(cell);
  });

  it('an unset board watches nothing', () => {
    expect([...cellsOfBoard(FIXED_12, 'unset')].every((cell) => cell === -1)).toBe(true);
  });
});

describe('layout check', () => {
  const [first, second, ...rest] = FIXED_12.cells;
  if (first === undefined || second === undefined) throw new Error('the reference mat has cells');

  it('finds nothing wrong with the reference mat', () => {
    expect(checkLayout(FIXED_12)).toEqual([]);
  });

  it.each([
    ['a cell twice', { cells: [first, { ...first, tile: 7 }, second, ...rest] }, /q-1r2 is there twice/],
    [
      'a tile twice',
      { cells: [first, { ...second, tile: 0 }, ...rest] },
      /Tile 0 of side A watches two cells/,
    ],
    ['a wrong name', { cells: [{ ...first, cell: 'q9r9' }, second, ...rest] }, /call it q-1r2/],
    [
      'a tile out of range',
      { cells: [{ ...first, tile: 12 }, second, ...rest] },
      /tile 12 is not one of 0 to 11/,
    ],
    ['half a coordinate', { cells: [{ ...first, q: 0.5 }, second, ...rest] }, /whole numbers/],
    ['no cells', { cells: [] }, /no cell/],
    ['no pitch', { pitchMm: 0 }, /pitchMm/],
    ['gates in the wrong order', { gatesMm: { near: 200, far: 100 } }, /near must come before far/],
  ])('%s', (_, change, message) => {
    expect(checkLayout({ ...FIXED_12, ...change }).join(' ')).toMatch(message);
  });
});

describe('saved bytes', () => {
  it('come back bit for bit, runs of zeros and all', () => {
    const array = new Float64Array(300);
    array[0] = NaN;
    array[7] = -Infinity;
    array[150] = Math.PI;
    array[299] = -0;
    const back = new Float64Array(300).fill(3);
    unpackBytes(packBytes(array), back);
    expect(new Uint8Array(back.buffer)).toEqual(new Uint8Array(array.buffer));
    for (const length of [1, 2, 3, 4, 5, 13, 25]) {
      const bytes = new Uint8Array(length).map((_, i) => (i * 37 + 1) & 255);
      const copy = new Uint8Array(length);
      unpackBytes(packBytes(bytes), copy);
      expect(copy).toEqual(bytes);
    }
  });

  it("are the same text from the machine's own base64", () => {
    const stretch = fc.oneof(
      fc.nat(40).map((zeros) => new Uint8Array(zeros)),
      fc.uint8Array({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 12 }), (stretches) => {
        const bytes = Uint8Array.from(stretches.flatMap((one) => [...one]));
        expect(packQuickly(bytes)).toBe(packBytes(bytes));
      }),
      { numRuns: 2000 },
    );
    const halls = Int16Array.from({ length: 3000 }, (_, i) => (i % 7 === 0 ? i * 11 - 9000 : 0));
    expect(packQuickly(halls.subarray(5, 2901))).toBe(packBytes(halls.subarray(5, 2901)));
  });
});

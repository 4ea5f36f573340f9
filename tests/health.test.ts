import { describe, expect, it } from 'vitest';
import { signalCalibration } from '../bin/bench/signals.ts';
import type { QuietFrame } from '../firmware-protocol/frame.ts';
import type { Calibration } from '../host/sensing/calibration.ts';
import { healthOf, readyToPlay, unheard } from '../host/sensing/health.ts';
import { heldByLatencyTimer } from '../host/sensing/latency-timer.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import type { LinkSeen } from '../host/sensing/seen.ts';
import { createSensing, hearFrame } from '../host/sensing/sensing.ts';
import { tileFaults } from '../host/sensing/tile-faults.ts';

const REST = 512;
const HALLS = 2;

/** What a tile shows in every quiet line: quarter counts of one hall, the first by default, and its contact. */
type Shown = {
  readonly counts?: (line: number) => number;
  readonly hall?: number;
  readonly closed?: boolean;
};

/** Noise of a 20 ms mean, quarter counts: half a count a sample over the root of twenty. */
const noise = (line: number, hall: number): number => ((line * 7 + hall * 5) % 3) - 1;

function quiet(line: number, side: 'A' | 'B', odd: Readonly<Record<string, Shown>>): QuietFrame {
  const means = new Uint16Array(6 * HALLS);
  let inputs = 0;
  for (let tile = 0; tile < 6; tile += 1) {
    const shown = odd[`${side}${tile}`];
    for (let h = 0; h < HALLS; h += 1) {
      const usual = REST * 4 + noise(line, tile * HALLS + h);
      means[tile * HALLS + h] =
        shown?.counts === undefined || (shown.hall !== undefined && shown.hall !== h)
          ? usual
          : shown.counts(line);
    }
    if (shown?.closed === true) inputs |= 1 << tile;
  }
  return { kind: 'quiet', boot: 1, seq: line & 0xffff, deviceUs: line * 20_000, inputs, means };
}

function findings(
  odd: Readonly<Record<string, Shown>>,
  links: readonly LinkSeen[] = [],
  sides = 'AB',
  calibration = signalCalibration(),
) {
  const sensing = createSensing({ layout: FIXED_12, calibration });
  const lines = 600;
  for (let line = 0; line < lines; line += 1) {
    for (const side of ['A', 'B'] as const) {
      if (sides.includes(side)) hearFrame(sensing, side, quiet(line, side, odd), line * 20, 0.5, []);
    }
  }
  return healthOf(sensing, links, lines * 20);
}

const codes = (found: ReturnType<typeof findings>): readonly string[] => found.map((f) => f.code);
const cellOf = (tile: string): string | undefined =>
  FIXED_12.cells.find((c) => `${c.side}${c.tile}` === tile)?.cell;

describe('health before play', () => {
  it('finds nothing on a sound mat, and lets the match start', () => {
    const found = findings({});
    expect(found).toEqual([]);
    expect(readyToPlay(found)).toBe(true);
  });

  it.each<[string, string, Shown, boolean]>([
    ['a dead hall that never moves', 'health/hall-dead', { counts: () => REST * 4, hall: 0 }, true],
    ['a tile that is not there', 'health/tile-missing', { counts: () => 0 }, true],
    [
      'a noisy hall',
      'health/hall-noisy',
      { counts: (n) => REST * 4 + (n % 2 === 0 ? 16 : -16), hall: 0 },
      false,
    ],
    ['a magnet nearby', 'health/magnet-near', { counts: (n) => (REST + 40) * 4 + noise(n, 0) }, true],
    ['a stuck contact', 'health/contact-stuck', { closed: true }, false],
  ])('names %s with its cell and what to do', (_what, code, shown, blocks) => {
    const found = findings({ A3: shown });
    expect(codes(found)).toEqual([code]);
    expect(found[0]).toMatchObject({ blocks, cell: cellOf('A3') });
    expect(found[0]?.remedy.length).toBeGreaterThan(20);
    expect(readyToPlay(found)).toBe(!blocks);
  });

  const jumping = (n: number): number => REST * 4 + ((n * 97) % 321) - 160;
  describe.each([
    [0, 'collector'],
    [1, 'offset'],
  ] as const)('of hall %i, the %s', (hall, name) => {
    it.each<[string, string, (line: number) => number]>([
      ['that never moves', 'health/hall-dead', () => REST * 4],
      ['that lies at a rail', 'health/hall-dead', (n) => 4092 + (n % 2)],
      ['whose means go to and fro by 4 counts', 'health/hall-noisy', (n) => REST * 4 + (n % 2 ? 16 : -16)],
      ['whose means jump by up to 40 counts', 'health/hall-noisy', jumping],
    ])('names one %s with its cell, tile and remedy', (_what, code, counts) => {
      const found = findings({ A2: { counts, hall } });
      expect(codes(found)).toEqual([code]);
      expect(found[0]).toMatchObject({ cell: cellOf('A2'), hall: name });
      expect(found[0]?.text).toContain(`The ${name} hall of tile ${cellOf('A2')} (A2)`);
      expect(found[0]?.remedy.length).toBeGreaterThan(20);
    });

    it('names a noisy one once though its calibration was made with that noise', () => {
      const sound = signalCalibration();
      const spoilt = {
        ...sound,
        tiles: sound.tiles.map((tile) =>
          tile.tile === 'A2'
            ? { ...tile, halls: tile.halls.map((h, i) => (i === hall ? { ...h, noiseCounts: 100 } : h)) }
            : tile,
        ),
      };
      for (const found of [
        findings({ A2: { counts: jumping, hall } }, [], 'AB', spoilt),
        // It is quiet now; that the calibration is none is still to be said.
        findings({}, [], 'AB', spoilt),
      ]) {
        expect(codes(found)).toEqual(['health/hall-noisy']);
        expect(found[0]).toMatchObject({ cell: cellOf('A2'), hall: name });
      }
    });
  });

  it('takes no ball that is put down and taken away for noise', () => {
    const ball = (n: number): number => (n > 300 && n < 500 ? (REST + 200) * 4 : REST * 4) + noise(n, 0);
    expect(codes(findings({ A2: { counts: ball, hall: 0 } }))).toEqual([]);
  });

  it('says that a board is missing', () => {
    expect(codes(findings({}, [], 'A'))).toEqual(['health/board-missing']);
  });

  it('names a tile that no board tells of before a match may start', () => {
    const sensing = createSensing({ layout: FIXED_12, calibration: signalCalibration() });
    for (let line = 0; line < 200; line += 1) {
      for (const side of ['A', 'B'] as const)
        hearFrame(sensing, side, quiet(line, side, {}), line * 20, 0.5, []);
    }
    expect(unheard(sensing, 200 * 20)).toEqual([]);
    sensing.health.heard[FIXED_12.cells.findIndex(({ side, tile }) => side === 'B' && tile === 5)] = 0;
    const found = unheard(sensing, 200 * 20);
    expect(found.map(({ code, cell, blocks }) => ({ code, cell, blocks }))).toEqual([
      { code: 'health/tile-unwatched', cell: cellOf('B5'), blocks: true },
    ]);
    expect(found[0]?.text).toContain('q-1r0');
    expect(readyToPlay(found)).toBe(false);
  });

  it('tells a shift of the whole mat from a magnet', () => {
    const all = Object.fromEntries(
      FIXED_12.cells.map((c) => [
        `${c.side}${c.tile}`,
        { counts: (n: number) => (REST + 20) * 4 + noise(n, c.tile) },
      ]),
    );
    expect(codes(findings(all))).toEqual(['health/all-shifted']);
  });

  it('passes on what a link complains of, the wrong baud rate by name', () => {
    const link: LinkSeen = {
      link: 'usb-a',
      up: true,
      complaints: ["Mostly noise on usb-a: check baud 500000 and that this is the board's port."],
      counts: {},
    };
    expect(codes(findings({}, [link]))).toEqual(['health/wrong-baud']);
  });
});

describe('faults that a calibration shows', () => {
  const sound = signalCalibration();
  const change = (
    tile: string,
    seatedCounts: number,
    neighbours?: Readonly<Record<string, number>>,
  ): Calibration => ({
    ...sound,
    tiles: sound.tiles.map((t) =>
      t.tile === tile
        ? {
            ...t,
            halls: t.halls.map((h) => ({ ...h, seatedCounts })),
            neighbours: neighbours ?? t.neighbours,
          }
        : t,
    ),
  });

  it.each<[string, Calibration, readonly string[]]>([
    ['none on a sound mat', sound, []],
    ['a sensor turned over', change('A2', -205), ['health/hall-reversed']],
    ['a weak sensor', change('A2', 40), ['health/hall-weak']],
    ['two plugs changed over', change('A2', 2, { A1: 100 }), ['health/tiles-swapped']],
  ])('finds %s', (_what, calibration, expected) => {
    expect(tileFaults(FIXED_12, calibration).map((f) => f.finding.code)).toEqual(expected);
  });
});

describe('latency timer of a USB-serial chip', () => {
  // Lines leave every 20 ms; a chip that looks every 16 ms lets them through on its own grid.
  const arrivals = (grid: number): number[] =>
    Array.from({ length: 200 }, (_, i) => {
      const at = i * 20.01 + 1 + (i % 3) * 0.2;
      return grid === 0 ? at : Math.ceil(at / grid) * grid;
    });
  const gaps = (times: readonly number[]): number[] => times.slice(1).map((t, i) => t - (times[i] ?? 0));

  it('is known by arrivals 16 and 32 ms apart', () => {
    expect(heldByLatencyTimer(gaps(arrivals(16)))).toBe(true);
  });
  it('is not suspected of a prompt wire, nor of one that looks every 1 or 2 ms', () => {
    for (const grid of [0, 1, 2]) expect(heldByLatencyTimer(gaps(arrivals(grid)))).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import {
  createScene,
  launch,
  opens,
  rollOver,
  type Scene,
  signalCalibration,
  watchScene,
} from '../bin/bench/signals.ts';
import type { Watched } from '../bin/bench/watch.ts';
import { createBaseline, learnLevel } from '../host/sensing/baseline.ts';
import { commonShift } from '../host/sensing/common-shift.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../host/sensing/limits.ts';
import { createOnsets, setThreshold, sizeUp, takeCross, watchSamples } from '../host/sensing/onset.ts';
import type { BallRuling } from '../host/sensing/ruling.ts';
import { tilesOf } from '../host/sensing/tiles.ts';
import { bothOpen } from './support/watched-rolls.ts';

const limits = DEFAULT_LIMITS;

function ballOf({ final }: Watched, player: 'A' | 'B'): BallRuling {
  const ball = final?.balls.find((b) => b.player === player);
  if (ball === undefined) throw new Error(`no final ruling for ${player}`);
  return ball;
}

describe('what a whole board moves by', () => {
  it.each([
    ['nothing', [0, 0.2, -0.3, 0.1, 0, 0, 0.2, 0, 0, -0.1, 0, 0], 0],
    ['all halls by the same', [8, 8.2, 7.9, 8, 8.1, 8, 8, 7.8, 8, 8, 8.3, 8], 8],
    ['all but the four of two balls', [8, 8, 120, -30, 8, 8, 8, 8, -90, 12, 8, 8], 8],
    ['one ball and no shift', [120, -20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0],
    ['halls that do not agree: light, not supply', [6, -6, 4, -4, 5, -7, 3, -3, 6, -5, 4, -4], 0],
    ['too few halls to say', [8, 8, 8], 0],
  ])('%s', (_, offs, shift) => {
    expect(commonShift(Float64Array.from(offs), offs.length)).toBe(shift);
  });

  it('is followed within seconds while idle and is no magnet on any tile', () => {
    const tiles = tilesOf(FIXED_12, signalCalibration());
    const base = createBaseline(tiles);
    for (let ms = 0; ms < 6000; ms += 20) {
      const common = 532 - (base.slow[0] ?? 0);
      learnLevel(base, tiles, limits, 0, 0, 532, ms, 20, 'drift', common < 1.5 ? 0 : common);
    }
    expect(base.slow[0]).toBeGreaterThan(530);
    expect(base.disturbedMs[0]).toBe(-Infinity);
  });

  it.each([0.8, -1.2])('a supply step of %d mT in mid-roll changes no ruling', (step) => {
    const scene = bothOpen();
    const mt = (ms: number): number => (ms >= 1800 ? step : 0);
    for (const { cell, side } of FIXED_12.cells) if (side === 'A') scene.fields.push({ cell, mt, side: mt });
    const watched = watchScene(scene);
    for (const [player, core] of [
      ['A', 'A3'],
      ['B', 'B3'],
    ] as const) {
      const ball = ballOf(watched, player);
      expect(ball.opened).toBe('yes');
      expect(ball.contact).toEqual({ sure: [core], possible: [] });
      expect(ball.attached).toEqual({ sure: [core], possible: [] });
    }
  });
});

describe('crosstalk in the onset threshold', () => {
  const calibration = signalCalibration();
  const row = { A0: 0.1 };
  const tiles = tilesOf(FIXED_12, {
    ...calibration,
    tiles: calibration.tiles.map((tile) => (tile.tile === 'A1' ? { ...tile, neighbours: row } : tile)),
  });
  const of = (tile: number): number =>
    FIXED_12.cells.findIndex((cell) => cell.side === 'A' && cell.tile === tile);
  const block = (counts: number): Uint16Array => new Uint16Array(8).fill(512 + counts);
  /** Whether a field of so many counts on A1 begins beside one of so many on A0. */
  const begins = (own: number, there: number): boolean => {
    const watch = createOnsets(tiles.cells.length);
    const base = createBaseline(tiles);
    for (const cell of [of(0), of(1)]) setThreshold(watch, base, tiles, limits, cell);
    sizeUp(watch, of(0), block(there), 0, 1, 8);
    if (!sizeUp(watch, of(1), block(own), 0, 1, 8)) return false;
    takeCross(watch, tiles, of(1));
    return watchSamples(watch, of(1), 0, block(own), 0, 1, 8, limits.onsetHoldMs, limits.pauseMs);
  };

  // A tenth of 200 counts is 20; three times that must be passed.
  it.each([
    [20, 0, true],
    [20, 200, false],
    [20, -200, false],
    [59, 200, false],
    [70, 200, true],
  ])('%d counts beside a ball of %d begin a field: %s', (own, there, began) => {
    expect(begins(own, there)).toBe(began);
  });
});

describe('a dead hall', () => {
  const dead = (scene: Scene, cell: string): Scene => {
    scene.fields.push({ cell, mt: () => -60, side: () => 0 });
    return scene;
  };

  it('is no magnet: what happens on other tiles is ruled as ever', () => {
    const watched = watchScene(dead(bothOpen(), 'q1r1'));
    expect(ballOf(watched, 'A')).toMatchObject({ opened: 'yes', attached: { sure: ['A3'] } });
    expect(ballOf(watched, 'B')).toMatchObject({ opened: 'yes', attached: { sure: ['B3'] } });
  });

  it('leaves contact and the other hall to tell an open from a pass, and never denies an open', () => {
    const open = ballOf(watchScene(dead(bothOpen(), 'q0r1')), 'A');
    expect(open.opened).not.toBe('no');
    expect([...open.attached.sure, ...open.attached.possible]).toEqual(open.opened === 'yes' ? ['A3'] : []);
    const scene = createScene();
    launch(scene, 'A', 1700);
    launch(scene, 'B', 1720);
    rollOver(scene, 'q0r1', 1880, 60);
    opens(scene, 'q1r-1', 1990, -1.1);
    expect(ballOf(watchScene(dead(scene, 'q0r1')), 'A').opened).not.toBe('yes');
  });
});

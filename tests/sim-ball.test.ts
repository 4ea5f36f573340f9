import { describe, expect, it } from 'vitest';
import {
  AT_REST,
  type Body,
  createGround,
  createPose,
  groundAt,
  poseAt,
  type Stretch,
  speedAt,
  type Track,
} from '../sim/ball.ts';
import { dipoleMt } from '../sim/field.ts';
import { lifted, standing } from '../sim/tracks.ts';

const BODY: Body = { player: 'A', bakugan: 'A/1', radiusMm: 18, polarity: 1, strength: 1, latchMm: 7 };

function track(stretch: Partial<Stretch>, restUs = 10_000_000): Track {
  const first: Stretch = { ...AT_REST, fromUs: 0, x: 0, y: 0, headX: 1, headY: 0, ...stretch };
  return { body: BODY, stretches: [first], hops: [], restUs, goneUs: Infinity };
}

function pose(of: Track, atUs: number) {
  const out = createPose();
  expect(poseAt(of, atUs, out)).toBe(true);
  return out;
}

describe('rolling', () => {
  const rolling = track({ speed: 1, turning: 'roll' });

  it('turns once in 113 mm', () => {
    const turnUs = 2 * Math.PI * 18 * 1000;
    const before = pose(rolling, 0);
    const after = pose(rolling, turnUs);
    expect(after.ballX - before.ballX).toBeCloseTo(113.1, 1);
    expect(after.z).toBeCloseTo(before.z, 6);
    expect(after.axisZ).toBeCloseTo(before.axisZ, 6);
  });

  it('keeps the magnet 4 mm over the tile at the bottom and 32 mm at the top, axis along the radius', () => {
    expect(pose(rolling, 0)).toMatchObject({ z: 4, axisZ: -1 });
    const top = pose(rolling, Math.PI * 18 * 1000);
    expect(top.z).toBeCloseTo(32, 6);
    expect(top.axisZ).toBeCloseTo(1, 6);
  });

  it('lets the magnet linger: at the bottom it moves at 0.22 of the ball', () => {
    const a = pose(rolling, 0);
    const b = pose(rolling, 100);
    expect((b.x - a.x) / (b.ballX - a.ballX)).toBeCloseTo(1 - 14 / 18, 2);
  });

  it('has the magnet at x − a·sin φ', () => {
    const quarter = pose(rolling, (Math.PI / 2) * 18 * 1000);
    expect(quarter.ballX - quarter.x).toBeCloseTo(14, 6);
    expect(quarter.axisX).toBeCloseTo(-1, 6);
  });

  it('stops after v²/2a and stays there', () => {
    const slowing = track({ speed: 1, loss: 0.0005, turning: 'roll' });
    expect(pose(slowing, 2_000_000).ballX).toBeCloseTo(1000, 6);
    expect(pose(slowing, 9_000_000).ballX).toBeCloseTo(1000, 6);
    expect(speedAt(slowing, 1_000_000)).toBeCloseTo(0.5, 6);
    expect(speedAt(slowing, 3_000_000)).toBe(0);
  });
});

describe('other ways over the table', () => {
  it('keeps the tilt when it slides, and turns the tilted axis about the vertical when it spins', () => {
    const sliding = track({ speed: 1, tilt: 1.2 });
    expect(pose(sliding, 300_000).tilt).toBe(1.2);
    const spinning = track({ speed: 0.2, tilt: 1.2, spin: 0.01 });
    const a = pose(spinning, 0);
    const b = pose(spinning, Math.round((Math.PI / 0.01) * 1000));
    expect(b.axisX).toBeCloseTo(-a.axisX, 3);
    expect(b.axisZ).toBeCloseTo(a.axisZ, 9);
  });

  it('is seen for as long as it is high: 6 ms at 1 m/s, 3 ms at 2 m/s, 6 mm up', () => {
    for (const [speed, ms] of [
      [1, 6],
      [2, 3],
    ] as const) {
      const sliding = track({ x: -50, speed });
      const at = (us: number) => dipoleMt(pose(sliding, us), 0, 0, -2);
      const peak = at((50 / speed) * 1000);
      let closed = 0;
      for (let us = 0; us < 100_000 / speed; us += 10) if (at(us) > peak / 2) closed += 0.01;
      expect(Math.abs(closed / ms - 1)).toBeLessThan(0.08);
    }
  });
});

describe('letting go', () => {
  const opening = track({
    going: 'stop',
    way: 10,
    tilt: -0.6,
    turning: 'upright',
    jump: 1.5,
    ring: 0.2,
    ringHz: 100,
    open: true,
  });

  it('stops, turns upright and jumps with time constants of 12, 10 and 3 ms', () => {
    const share = 1 - Math.exp(-1);
    expect(pose(opening, 12_000).ballX).toBeCloseTo(10 * share, 6);
    expect(pose(opening, 10_000).tilt).toBeCloseTo(-0.6 * Math.exp(-1), 6);
    const still = pose(opening, 400_000);
    expect(still.ballX).toBeCloseTo(10, 6);
    expect(still.z).toBeCloseTo(4 - 1.5, 6);
    const jumpAt = pose(track({ going: 'stop', jump: 1.5, turning: 'upright' }), 3000);
    expect(jumpAt.z).toBeCloseTo(4 - 1.5 * share, 6);
  });

  it('rings 1 + α·e^(−t/30 ms)·sin(2πft) and no more after it has died away', () => {
    const at = 7500;
    const expected = 1 + 0.2 * Math.exp(-at / 30_000) * Math.sin(2 * Math.PI * 100 * (at / 1e6));
    expect(pose(opening, at).k / 8000).toBeCloseTo(expected, 6);
    expect(pose(opening, 400_000).k).toBe(8000);
  });

  it('lets a hand lift it smoothly, and is then gone', () => {
    const up = lifted(standing(BODY, 0, 0, 0), 1_000_000, 300);
    let before = -1;
    const ground = createGround();
    for (let us = 1_000_000; us < 1_300_000; us += 10_000) {
      expect(groundAt(up, us, ground)).toBe(true);
      expect(ground.lift).toBeGreaterThan(before);
      before = ground.lift;
    }
    expect(poseAt(up, 1_300_000, createPose())).toBe(false);
  });
});

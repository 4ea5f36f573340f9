import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { closingBounce } from '../sim/contacts.ts';
import { captureRoll } from '../sim/corpus.ts';
import { type Effects, roomUnder, sharesUnder, wireUnder } from '../sim/effects.ts';
import { createMat, type MatOptions } from '../sim/mat.ts';
import { bodiesOf, playRoll } from '../sim/played.ts';
import { createChance } from '../sim/random.ts';
import { CLEAN, WORN } from '../sim/shares.ts';
import { USUAL_WIRE } from '../sim/wire-faults.ts';
import { drawRolls, expectRange, expectShare } from './support/drawn.ts';

/** Shares and ranges that the world is known to have: asked here, and counted as drawn in the tests beside. */
describe('shares asked for', () => {
  it('are those of worn toys and contacts', () => {
    expect(WORN).toMatchObject({ deadContact: 0.05, dirtyContact: 0.12, stuckContact: 0.01 });
    expect(CLEAN.dwellMs).toEqual([30, 600]);
    expect(CLEAN.joinGapMs[0]).toBe(20);
    expect(CLEAN.join).toBeGreaterThanOrEqual(0.06);
    expect(CLEAN.strike).toBeGreaterThanOrEqual(0.04);
    expect(CLEAN.bounced).toBeGreaterThanOrEqual(0.05);
    expect(CLEAN.apart).toBeGreaterThanOrEqual(0.05);
    expect(CLEAN.beyond).toBeGreaterThanOrEqual(0.04);
    expect(CLEAN.early).toBeGreaterThanOrEqual(0.01);
    expect(CLEAN.hand).toBeGreaterThanOrEqual(0.04);
    const { endings } = CLEAN;
    const all = Object.values(endings).reduce((sum, weight) => sum + weight, 0);
    // Hard on purpose: no more than half of the balls simply open and stay.
    expect((endings.attach + endings['two-cores']) / all).toBeLessThan(0.5);
    expect(endings.off / all).toBeGreaterThan(0.1);
    expect(endings.rest / all).toBeGreaterThanOrEqual(0.1);
  });
});

/** All tiles of forty mats. */
function spreads(options: MatOptions) {
  const mats = Array.from({ length: 40 }, (_, seed) => createMat(FIXED_12, seed, seed, options));
  const tiles = mats.flatMap((mat) => mat.tiles.map(({ spread }) => spread));
  return { tiles: tiles.map(({ depthMm }) => depthMm), halls: tiles.flatMap(({ halls }) => halls) };
}

describe('ranges drawn', () => {
  it('of tiles: gain ±15 %, depth ±1 mm, offset ±1.5 mT', () => {
    const { tiles, halls } = spreads({});
    expectRange(tiles, -1, 1, 'depth');
    expectRange(
      halls.map(({ gain }) => gain),
      0.85,
      1.15,
      'gain',
    );
    expectRange(
      halls.map(({ offsetMt }) => offsetMt),
      -1.5,
      1.5,
      'offset',
    );
    const drifts = halls.map(({ driftMtPerK }) => Math.abs(driftMtPerK));
    expectRange(drifts, 0.002, 0.01, 'drift');
    const generic = spreads({ unchopped: true }).halls;
    expectRange(
      generic.map(({ offsetMt }) => offsetMt),
      -8,
      8,
      'offset without a chopper',
    );
    const generics = generic.map(({ driftMtPerK }) => Math.abs(driftMtPerK));
    expectRange(generics, 0.02, 0.23, 'drift without a chopper');
    expectShare(halls.filter(({ driftMtPerK }) => driftMtPerK < 0).length, halls.length, 0.5, 'drift down');
  });
});

describe('effects by name', () => {
  it('draw rooms in the ranges named', () => {
    const rooms = Array.from({ length: 300 }, (_, seed) =>
      roomUnder(['noise', 'leds', 'spikes', 'drift', 'hum'], seed),
    );
    const range = (of: readonly number[], least: number, most: number): void => {
      expect(Math.min(...of)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...of)).toBeLessThanOrEqual(most);
      expect(Math.max(...of) - Math.min(...of)).toBeGreaterThan(0.8 * (most - least));
    };
    range(
      rooms.map((r) => r.whiteMt),
      0.05,
      0.3,
    );
    range(
      rooms.map((r) => r.flickerCounts),
      3,
      6,
    );
    range(
      rooms.map((r) => r.spikeShare),
      0.001,
      0.01,
    );
    range(
      rooms.map((r) => r.extraK),
      0,
      16,
    );
    range(
      rooms.map((r) => r.humMt),
      0.1,
      0.3,
    );
    expect(roomUnder(['warm'], 1).extraK).toBe(16);
  });

  it('make wires and clocks as bad as named', () => {
    expect(wireUnder(['lost-lines']).plan.lost).toBe(0.02);
    expect(wireUnder(['clock']).clockError).toBe(0.005);
    expect(wireUnder(['mqtt'])).toMatchObject({ clockError: 0.03, delivery: 'mqtt' });
    expect(wireUnder(['mqtt']).plan.doubled).toBe(0.5);
    // Good wires lose a line in a thousand too: no row of the bench has better ones.
    for (const effects of [[], ['usb'], ['clock'], ['damaged-lines'], ['mqtt'], ['lost-lines']] as const) {
      const { plan } = wireUnder(effects);
      for (const key of ['lost', 'damaged', 'spell'] as const) {
        expect(plan[key], `${effects[0]} ${key}`).toBeGreaterThanOrEqual(USUAL_WIRE[key]);
      }
    }
    expect(wireUnder([]).plan).toEqual(USUAL_WIRE);
  });

  it('reach the balls: crooked magnets, rocking, late and shut latches, wider ranges', () => {
    const rolls = Array.from({ length: 60 }, (_, i) =>
      playRoll(910_000 + i, {
        matSeed: 1 + Math.floor(i / 5),
        effects: ['crooked', 'worn', 'wobble', 'displaced', 'wide'],
      }),
    );
    const tracks = rolls.flatMap(({ mat }) => [...mat.tracks()]);
    for (const { body } of tracks) {
      const { straight, along, across } = body.crooked ?? { straight: 0, along: 0, across: 0 };
      expect(straight * straight + along * along + across * across).toBeCloseTo(1, 9);
      expect(straight).toBeGreaterThan(0.92);
    }
    expect(tracks.some((track) => track.stretches.some((s) => s.wobbleMm > 0))).toBe(true);
    expect(rolls.some(({ truth }) => truth.balls.some((ball) => ball.ending === 'shut'))).toBe(true);
    const beyond = tracks
      .flatMap((t) => t.stretches)
      .filter((s) => s.jump > 2 || (s.jump > 0 && s.jump < 0.5));
    expect(beyond.length).toBeGreaterThan(3);
    expect(tracks.some(({ body }) => Math.abs(body.strength - 1) > 0.2)).toBe(true);
    expect(sharesUnder(['worn']).late).toBeGreaterThan(0);
    for (const { truth } of rolls) {
      for (const ball of truth.balls.filter((b) => b.ending === 'shut')) {
        expect(ball.opened).toBe(false);
        expect(ball.attached).toEqual([]);
        expect(ball.contact.length).toBeGreaterThan(0);
      }
    }
  });

  it('stretch everything by a fifth at both ends where all is wide', () => {
    const tracks = drawRolls(915_000, 400, { effects: ['wide'] }).flatMap((drawn) => drawn.tracks);
    const bodies = Array.from({ length: 150 }, (_, matSeed) =>
      bodiesOf({ matSeed, effects: ['wide'] }),
    ).flat();
    const latches = tracks.flatMap((track) => track.stretches.filter((s) => s.jump > 0));
    const hopping = tracks.filter(({ hops }) => hops.length > 1).map(({ hops }) => hops[0]);
    const { tiles, halls } = spreads({ stretch: 0.2 });
    const rooms = Array.from({ length: 300 }, (_, seed) =>
      roomUnder(['wide', 'noise', 'leds', 'spikes', 'drift', 'hum'], seed),
    );
    const own = Array.from({ length: 200 }, (_, seed) => roomUnder(['wide'], seed));
    for (const [what, values, least, most] of [
      ['radius', bodies.map((b) => b.radiusMm), 14, 26.4],
      ['latch', bodies.map((b) => b.latchMm), 4.8, 9.6],
      ['strength', bodies.map((b) => b.strength), 0.64, 1.44],
      ['jump', latches.map((s) => s.jump), 0.4, 2.4],
      ['ringing', latches.map((s) => s.ring), 0.024, 0.24],
      ['ringing, Hz', latches.map((s) => s.ringHz), 48, 180],
      ['loss', tracks.map((t) => t.stretches[0]?.loss ?? 0), 0.00016, 0.00072],
      ['depth', tiles, -1.2, 1.2],
      ['gain', halls.map((h) => h.gain), 0.82, 1.18],
      ['offset', halls.map((h) => h.offsetMt), -1.8, 1.8],
      ['white noise', rooms.map((r) => r.whiteMt), 0.04, 0.36],
      ['LED step', rooms.map((r) => r.flickerCounts), 2.4, 7.2],
      ['spikes', rooms.map((r) => r.spikeShare), 0.0008, 0.012],
      ['warmth', rooms.map((r) => r.extraK), 8 - 9.6, 8 + 9.6],
      ['hum', rooms.map((r) => r.humMt), 0.08, 0.36],
      ['own noise', own.map((r) => r.whiteMt), 0.04, 0.06],
      ['own walk', own.map((r) => r.walkMtPerRootS), 0.0016, 0.0024],
      ['warm-up', own.map((r) => r.warmUpK), 6.4, 9.6],
    ] as const) {
      expectRange(values, least, most, what, 0.1);
    }
    expect(hopping.some((hop) => hop !== undefined && hop.toUs - hop.fromUs > 80_000)).toBe(true);
    for (const room of rooms) {
      expect(room.spikeCounts).toEqual([8, 72]);
      expect(Math.abs(room.roomKPerHour)).toBe(6);
    }
    const bounce = (stretch: number): number =>
      Math.max(
        ...Array.from({ length: 2000 }, (_, seed) =>
          Math.max(0, ...closingBounce(createChance(seed, stretch), 0, false).map(({ toUs }) => toUs)),
        ),
      );
    expect(bounce(0)).toBeLessThanOrEqual(3000);
    expect(bounce(0.2)).toBeGreaterThan(3300);
    expect(bounce(0.2)).toBeLessThanOrEqual(3600);
  });

  it('give the same bytes on the wire for the same seed, everywhere', () => {
    const hash = createHash('sha256');
    const sets: readonly Effects[] = [
      ['contacts', 'leds', 'spikes', 'usb'],
      ['damaged-lines', 'clock', 'reset'],
      ['mqtt', 'crooked', 'worn', 'wobble', 'displaced', 'hum', 'wide', 'coupled'],
    ];
    for (const effects of sets) hash.update(JSON.stringify(captureRoll(7, { effects, matSeed: 3 })));
    // Taken once; a change of model changes it on purpose, a change of engine must not.
    expect(hash.digest('hex')).toBe('3ea83718ccc31cc18a321295b59800195e362a2b63e47370f0616fdb221bcef0');
  });

  it('leave a roll the same to the last bit where none is named', () => {
    const [plain, named] = [playRoll(920_001, {}), playRoll(920_001, { effects: [] })];
    expect(named.truth).toEqual(plain.truth);
  });
});

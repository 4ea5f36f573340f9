import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AT_REST, type Body, type Track } from '../sim/ball.ts';
import { closingBounce, dirtyGaps, openingChatter, touchesOf, wiredTouches } from '../sim/contacts.ts';
import { beamBlocked } from '../sim/gates.ts';
import { createChance } from '../sim/random.ts';
import { lineOf, type Span, spansWhere, union, without } from '../sim/spans.ts';

const BODY: Body = { player: 'A', bakugan: 'A/1', radiusMm: 18, polarity: 1, strength: 1, latchMm: 7 };
const TILE = { x: 0, y: 0 };

function sliding(speed: number, more: Partial<Track> = {}): Track {
  return {
    body: BODY,
    stretches: [{ ...AT_REST, fromUs: 0, x: -100, y: 0, headX: 1, headY: 0, speed, tilt: 2 }],
    hops: [],
    restUs: Math.round((200 / speed) * 1000),
    goneUs: Infinity,
    ...more,
  };
}

const spans = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 1, max: 200 })), { maxLength: 12 })
  .map((list) => list.map(([fromUs, length]): Span => ({ fromUs, toUs: fromUs + length })));
const inside = (list: readonly Span[], at: number) => list.some((s) => at >= s.fromUs && at < s.toUs);

describe('spans', () => {
  it('are joined and cut as sets of moments are', () => {
    fc.assert(
      fc.property(spans, spans, (a, b) => {
        const both = union([...a, ...b]);
        const cut = without(union(a), b);
        for (let at = -1; at < 1250; at += 7) {
          expect(inside(both, at)).toBe(inside(a, at) || inside(b, at));
          expect(inside(cut, at)).toBe(inside(a, at) && !inside(b, at));
        }
        for (let i = 1; i < both.length; i += 1) {
          expect(both[i]?.fromUs).toBeGreaterThan(both[i - 1]?.toUs ?? 0);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are found to the microsecond and read back by a line', () => {
    const found = spansWhere((at) => at >= 12_345 && at < 67_890, 0, 100_000, 1000);
    expect(found).toEqual([{ fromUs: 12_345, toUs: 67_890 }]);
    const line = lineOf(found);
    expect([12_344, 12_345, 67_889, 67_890].map((at) => line.at(at))).toEqual([false, true, true, false]);
  });
});

describe('electrical bounce', () => {
  it('of a closing contact is over within 3 ms, 10 ms for slow parts, and always ends closed', () => {
    for (let seed = 0; seed < 2000; seed += 1) {
      const chance = createChance(seed);
      for (const [slow, most] of [
        [false, 3000],
        [true, 10_000],
      ] as const) {
        for (const gap of closingBounce(chance, 1_000_000, slow)) {
          expect(gap.fromUs).toBeGreaterThan(1_000_000);
          expect(gap.toUs).toBeLessThanOrEqual(1_000_000 + most);
        }
      }
    }
  });

  it('has about as many gaps as measured: 3 on average, some closings clean', () => {
    const counts = Array.from(
      { length: 3000 },
      (_, seed) => closingBounce(createChance(seed), 0, false).length,
    );
    const mean = counts.reduce((a, b) => a + b, 0) / counts.length;
    expect(mean).toBeGreaterThan(2);
    expect(mean).toBeLessThan(3.2);
    expect(counts.some((c) => c === 0)).toBe(true);
  });
});

describe('chatter under an opening ball', () => {
  it('lasts 10 to 80 ms and has at least four edges after the first 3 ms', () => {
    for (let seed = 0; seed < 1000; seed += 1) {
      const gaps = openingChatter(createChance(seed), 500_000);
      expect(2 * gaps.length).toBeGreaterThanOrEqual(4);
      for (const gap of gaps) {
        expect(gap.toUs).toBeGreaterThan(gap.fromUs);
        expect(gap.fromUs).toBeGreaterThanOrEqual(503_000);
        expect(gap.toUs).toBeLessThanOrEqual(580_000);
      }
    }
  });
});

describe('a ball over a plate', () => {
  it('closes the contact from flat to flat: 36 mm at 1 m/s is 36 ms, in the middle of its way', () => {
    // Along x the hexagon is widest at its corners: 41.6 mm.
    const [touch] = touchesOf(sliding(1), [TILE])[0] ?? [];
    expect(((touch?.toUs ?? 0) - (touch?.fromUs ?? 0)) / 1000).toBeCloseTo(41.6, 1);
    expect(((touch?.toUs ?? 0) + (touch?.fromUs ?? 0)) / 2000).toBeCloseTo(100, 1);
  });

  it('shows 10 to 300 ms of contact over the range of speeds', () => {
    for (const speed of [0.14, 0.5, 2]) {
      const [touch] = touchesOf(sliding(speed), [TILE])[0] ?? [];
      const ms = ((touch?.toUs ?? 0) - (touch?.fromUs ?? 0)) / 1000;
      expect(ms).toBeGreaterThan(10);
      expect(ms).toBeLessThan(300);
    }
  });

  it('opens the contact while it flies', () => {
    const hops = [
      { fromUs: 90_000, toUs: 110_000 },
      { fromUs: 110_000, toUs: 120_000 },
    ];
    const touches = touchesOf(sliding(1, { hops }), [TILE])[0] ?? [];
    expect(touches.length).toBe(3);
    const gap = (touches[1]?.fromUs ?? 0) - (touches[0]?.toUs ?? 0);
    expect(gap / 1000).toBeGreaterThan(18);
    expect(gap / 1000).toBeLessThanOrEqual(20);
  });

  it('bounces the same way whenever it is asked', () => {
    const of = sliding(1);
    const touches = touchesOf(of, [TILE])[0] ?? [];
    const wired = () => wiredTouches(of, touches, false, (at) => createChance(at));
    expect(wired()).toEqual(wired());
    expect(wired().at(-1)?.toUs).toBe(touches.at(-1)?.toUs);
  });
});

it('a dirty contact is on for about 80 ms and off for about 40', () => {
  const gaps = dirtyGaps(createChance(1), 0, 100_000_000);
  const off = gaps.reduce((sum, gap) => sum + gap.toUs - gap.fromUs, 0) / gaps.length / 1000;
  expect(off).toBeGreaterThan(35);
  expect(off).toBeLessThan(45);
  expect(100_000 / gaps.length - off).toBeGreaterThan(70);
  expect(100_000 / gaps.length - off).toBeLessThan(90);
});

it('a ball breaks a beam for its diameter', () => {
  const across: Track = {
    body: BODY,
    stretches: [{ ...AT_REST, fromUs: 0, x: 0, y: 300, headX: 0, headY: -1, speed: 0.9, tilt: 2 }],
    hops: [],
    restUs: 600_000,
    goneUs: Infinity,
  };
  const [span] = beamBlocked(across, 172.2);
  expect(((span?.toUs ?? 0) - (span?.fromUs ?? 0)) / 1000).toBeCloseTo(36 / 0.9, 1);
  expect(beamBlocked(across, 330)).toEqual([]);
});

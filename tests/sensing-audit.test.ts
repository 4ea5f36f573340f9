import { describe, expect, it } from 'vitest';
import { crossingSkew, launchSpeed, releaseSkew, releaseZone } from '../host/sensing/audit.ts';
import { wayTimes } from '../host/sensing/crossing.ts';
import { beamChanged, createGates, type Gates } from '../host/sensing/gates.ts';
import { type LaunchAsk, launchOf } from '../host/sensing/launch.ts';
import { DEFAULT_LIMITS } from '../host/sensing/limits.ts';
import { marksOn, offencesIn, type Released } from '../host/sensing/offences.ts';
import type { Measure } from '../host/sensing/ruling.ts';

const CALL_MS = 1000;
const FAR_MM = 177.8;
const FIELD_MM = 350;
/** From the far gate to the middle of a tile of the first row. */
const FIRST_ROW_MM = 105;

type Span = readonly [fromMs: number, toMs: number];

function gatesOf(near: readonly Span[], far: readonly Span[], edgeErrorMs = 0): Gates {
  const { A } = createGates();
  for (const [beam, spans] of [
    [A.near, near],
    [A.far, far],
  ] as const) {
    for (const [fromMs, toMs] of spans) {
      beamChanged(beam, true, fromMs, 0.5, fromMs >= CALL_MS, edgeErrorMs);
      if (toMs < Infinity) beamChanged(beam, false, toMs, 0.5, fromMs >= CALL_MS, edgeErrorMs);
    }
  }
  return A;
}

function launch(
  near: readonly Span[],
  far: readonly Span[],
  touchMs?: number,
  more: Partial<LaunchAsk> = {},
) {
  return launchOf({
    gates: gatesOf(near, far),
    fromMs: CALL_MS,
    betweenMm: FAR_MM,
    acrossMm: 2 * (FIELD_MM - FAR_MM),
    touch: touchMs === undefined ? undefined : { atMs: touchMs, wayMm: FIRST_ROW_MM, sure: 1, leastSpeed: 0 },
    ...more,
  });
}

const released = (of: ReturnType<typeof launch>, player: 'A' | 'B' = 'A'): Released => ({
  player,
  launch: of,
  bounces: { sureMs: [], doubtful: 0 },
});
const value = (measure: Measure): number => (measure.measured ? measure.value : NaN);
const codes = (list: readonly { code: string }[]): string[] => list.map(({ code }) => code);

describe('a launch as the gates tell it (5.7.1.2)', () => {
  it('a ball of 0.8 m/s blocks the far beam for 45 ms: free, released before it', () => {
    const free = launch([[1300, 1600]], [[1500, 1545]], 1650);
    expect(free.kind).toBe('free');
    expect(releaseZone(free, FAR_MM)).toMatchObject({ measured: true, value: FAR_MM, unit: 'mm' });
  });

  it('a slow free ball blocks it for as long as a hand does, and comes late enough to its tile', () => {
    // 0.45 m/s: 36 mm in 80 ms, 120 mm further with 0.4 m/s² of loss in about 330 ms.
    expect(launch([], [[1500, 1580]], 1830).kind).toBe('free');
  });

  it('a hand that follows its ball over the line looks like one that carries it: not measurable, marked, no offence', () => {
    const hand = launch([[1300, 1600]], [[1450, 1600]], 1560);
    expect(hand.kind).toBe('hand');
    const zone = releaseZone(hand, FAR_MM);
    expect(zone.measured === false && zone.why).toContain('swung on');
    expect(offencesIn([released(hand)], undefined, CALL_MS, DEFAULT_LIMITS)).toEqual([]);
    const marks = marksOn(released(hand), { measured: false, why: '' }, CALL_MS, DEFAULT_LIMITS);
    expect(codes(marks)).toEqual(['audit/perhaps-beyond']);
    // It may have been let go before the line, so the moment is not bounded by the far gate.
    expect(hand.release?.fromMs).toBeLessThan(1450);
  });

  it('a ball that comes to its tile long after one of its speed would have was held in the far gate', () => {
    const touch = { atMs: 1950, wayMm: FIRST_ROW_MM, sure: 1, leastSpeed: 0.6 };
    const near: Span[] = [[1300, 1980]];
    const held = launch(near, [[1450, 1900]], undefined, { touch });
    expect(held.heldBeyond).toBe(true);
    const zone = releaseZone(held, FAR_MM);
    expect(zone.measured === false && zone.why).toContain('beyond');
    const said = offencesIn([released(held)], undefined, CALL_MS, DEFAULT_LIMITS);
    expect(said).toMatchObject([{ code: 'illegal/beyond-zone', player: 'A', rules: ['5.7.1.2', 'AM-09'] }]);
    expect(said[0]?.text).toContain('450 ms');
    // In time for its speed, or its speed unknown, or whose it was in doubt: nothing is shown.
    for (const more of [{ atMs: 1690 }, { leastSpeed: 0 }, { sure: 0.95 }]) {
      const open = launch(near, [[1450, 1900]], undefined, { touch: { ...touch, ...more } });
      expect(open.heldBeyond).toBe(false);
    }
  });

  it('what may be either is not measurable, and no offence', () => {
    const { fromMs } = wayTimes(120, FIRST_ROW_MM);
    const unclear = launch([[1300, 1700]], [[1450, 1570]], 1450 + 1.1 * fromMs);
    expect(unclear.kind).toBe('unclear');
    expect(releaseZone(unclear, FAR_MM).measured).toBe(false);
    expect(offencesIn([released(unclear)], undefined, CALL_MS, DEFAULT_LIMITS)).toEqual([]);
  });

  it('a hand over the mat for a second is no launch', () => {
    expect(launch([[1200, 2600]], [[1300, 2400]], 1500).kind).toBe('unclear');
  });

  it('a touch whose ball is not quite sure shows no hand: a void roll needs more', () => {
    const touch = { atMs: 1560, wayMm: FIRST_ROW_MM, sure: 0.95, leastSpeed: 0 };
    expect(launch([[1300, 1600]], [[1450, 1600]], undefined, { touch }).kind).toBe('unclear');
  });

  it('edges that were lost say no length', () => {
    const gates = gatesOf([], [[1500, 1545]], 20);
    expect(launch([], [], 1650, { gates }).kind).toBe('unclear');
  });

  it("the other player's ball that rolls out through the gate is not the launch", () => {
    const other = launch([[1100, 1300]], [[1200, 1225]], 1290);
    // 1.5 m/s: 344 mm from gate to gate.
    const own = launch(
      [[1380, 1700]],
      [
        [1430, 1458],
        [1600, 1645],
      ],
      1760,
      { other },
    );
    expect(own.far?.fromMs).toBe(1600);
  });

  it('a ball let go before the call is not taken for the other one that rolls out after it', () => {
    // The own hand had drawn back long before 1500; what goes out through the near gate after the far one is no hand.
    const early = launch(
      [
        [700, 950],
        [1620, 1650],
      ],
      [
        [880, 920],
        [1500, 1525],
      ],
    );
    expect(early.far?.fromMs).toBe(880);
    // A hand that reaches in after the call throws after it.
    expect(
      launch(
        [[1300, 1600]],
        [
          [880, 920],
          [1500, 1525],
        ],
      ).far?.fromMs,
    ).toBe(1500);
  });

  it('a hand that holds the far gate over the call is the launch, not what rolls out later', () => {
    expect(
      launch(
        [[900, 1800]],
        [
          [950, 1700],
          [2050, 2140],
        ],
      ).far?.fromMs,
    ).toBe(950);
  });

  it('blocks whose ends were lost on the way are one, from the first of their beginnings', () => {
    const hand = launch(
      [
        [1300, Infinity],
        [1400, Infinity],
        [1650, 1700],
      ],
      [[1500, 1545]],
      1650,
      {},
    );
    expect(hand.release?.fromMs).toBe(1300);
  });

  it('nothing at the far gate: the release is unseen, and that is said', () => {
    const unseen = launch([[1300, 1600]], [], 1800);
    const zone = releaseZone(unseen, FAR_MM);
    expect(zone.measured === false && zone.why).toContain('unseen');
  });
});

describe('when it was released', () => {
  it('lies between the hand over the near gate and the ball in the far one', () => {
    const { release } = launch([[1300, 1700]], [[1500, 1545]], 1650);
    expect(release).toMatchObject({ fromMs: 1300, toMs: 1500 });
  });

  it('is no earlier than the ball needs from the near gate on at its speed there', () => {
    // 0.75 m/s or more: 160 mm take at most 220 ms.
    const fromMs = launch([[900, 1700]], [[1500, 1545]], 1650).release?.fromMs ?? 0;
    expect(fromMs).toBeGreaterThan(1250);
    expect(fromMs).toBeLessThan(1300);
  });

  it('is no later than the hand draws back', () => {
    expect(launch([[1300, 1450]], [[1500, 1545]], 1650).release?.toMs).toBe(1450);
  });

  it('skew is that of the releases, wide; the far gates give theirs to a few ms', () => {
    const a = launch([[1300, 1700]], [[1500, 1545]], 1650);
    const b = launch([[1700, 2100]], [[1900, 1945]], 2050);
    const skew = releaseSkew(a, b);
    expect(value(skew)).toBe(-400);
    expect(skew.measured && skew.plusMinus).toBeGreaterThan(50);
    const crossing = crossingSkew(a, b);
    expect(value(crossing)).toBe(-400);
    expect(crossing.measured && crossing.plusMinus).toBeLessThanOrEqual(3);
  });

  it('more than 1.0 s apart by more than the bounds leave open is void; 0.4 s is marked at most (AM-10)', () => {
    const at = (ms: number) => launch([[ms - 200, ms + 200]], [[ms, ms + 45]], ms + 150);
    const judge = (apartMs: number) => {
      const [a, b] = [at(1500), at(1500 + apartMs)];
      const balls = [released(a), released(b, 'B')];
      return {
        void: codes(offencesIn(balls, releaseSkew(a, b), CALL_MS, DEFAULT_LIMITS)),
        marks: codes(marksOn(released(a), releaseSkew(a, b), CALL_MS, DEFAULT_LIMITS)),
      };
    };
    expect(judge(1300)).toEqual({ void: ['illegal/not-together'], marks: [] });
    expect(judge(600)).toEqual({ void: [], marks: ['audit/released-apart'] });
    expect(judge(250)).toEqual({ void: [], marks: [] });
    // 1.05 s measured, but the hands' moments leave less than 1.0 s open.
    expect(judge(1050).void).toEqual([]);
  });

  it('before the call is void with its time; what leaves both open is marked (5.6.2, AM-09)', () => {
    const early = launch([[600, 960]], [[900, 945]], 1050);
    const said = offencesIn([released(early)], undefined, CALL_MS, DEFAULT_LIMITS);
    expect(codes(said)).toEqual(['illegal/early']);
    expect(said[0]?.text).toMatch(/before the call/);
    const perhaps = launch([[700, 1100]], [[1050, 1095]], 1200);
    expect(offencesIn([released(perhaps)], undefined, CALL_MS, DEFAULT_LIMITS)).toEqual([]);
    const skew: Measure = { measured: false, why: '' };
    expect(codes(marksOn(released(perhaps), skew, CALL_MS, DEFAULT_LIMITS))).toEqual(['audit/perhaps-early']);
  });

  it('a beam last heard blocked long before the call, and free again after a silence, tells no release', () => {
    const late = { fromMs: 20_000 };
    const stale = launch([[1300, 1700]], [[1500, 21_000]], 21_200, late);
    const sound = launch([[20_800, 21_200]], [[21_000, 21_045]], 21_150, late);
    expect(stale.release).toBeUndefined();
    expect(releaseSkew(sound, stale).measured).toBe(false);
    const balls = [released(sound), released(stale, 'B')];
    expect(offencesIn(balls, releaseSkew(sound, stale), 20_000, DEFAULT_LIMITS)).toEqual([]);
  });

  it('a hand that waits over the near gate before the call is no early release', () => {
    const waiting = launch([[500, 1700]], [[1500, 1545]], 1650);
    expect(offencesIn([released(waiting)], undefined, CALL_MS, DEFAULT_LIMITS)).toEqual([]);
  });
});

describe('speed', () => {
  it('is the width of the ball over the time in the beam, within the spread of balls and ways', () => {
    const tiles = { x: new Float64Array(), y: new Float64Array(), cells: [] } as never;
    for (const [mm, mPerS] of [
      [35, 0.6],
      [36, 1.2],
      [43, 0.8],
    ] as const) {
      const lasted = mm / mPerS;
      const speed = launchSpeed(launch([], [[1500, 1500 + lasted]], 1500 + 250 / mPerS), tiles, []);
      expect(speed.measured && Math.abs(speed.value - mPerS) <= speed.plusMinus).toBe(true);
    }
  });
});

describe('offences by flight (5.7.1.3)', () => {
  it('from 5 mm on they make the roll void, lower ones mark it (AM-09)', () => {
    const free = launch([[1300, 1600]], [[1500, 1545]], 1650);
    const judge = (flightMs: number) => {
      const one = { ...released(free), bounces: { sureMs: [flightMs], doubtful: 0 } };
      const skew: Measure = { measured: false, why: '' };
      return [
        codes(offencesIn([one], undefined, CALL_MS, DEFAULT_LIMITS)),
        codes(marksOn(one, skew, CALL_MS, DEFAULT_LIMITS)),
      ];
    };
    expect(judge(70)).toEqual([['illegal/bounced'], []]);
    expect(judge(40)).toEqual([[], ['audit/hopped']]);
  });
});

/** What rolls truly draw, counted on the mat and in the truth: kinder draws than the world's would test nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { speedAt, type Track } from '../sim/ball.ts';
import { openedUs } from '../sim/encounters.ts';
import { CLEAN, type LoneEnding, WORN } from '../sim/shares.ts';
import type { BallTruth } from '../sim/truth.ts';
import {
  type Drawn,
  drawRolls,
  expectLogEven,
  expectRange,
  expectShare,
  ROLLS_A_MAT,
} from './support/drawn.ts';

const ROLLS = 1600;
const FAR_GATE_MM = 177.8;
/** How far the front of a ball was past the limit when it was let go, mm. */
const beyondMm = (ball: BallTruth): number => ball.releaseMm + ball.radiusMm - FAR_GATE_MM;

let drawn: readonly Drawn[] = [];

beforeAll(() => {
  drawn = drawRolls(900_000, ROLLS, { conditions: 'worn' });
}, 300_000);

const has = (of: Drawn, ...endings: readonly string[]): boolean =>
  of.truth.balls.some(({ ending }) => endings.includes(ending));
/** Rolls in which each ball went its own way. */
const lone = (): readonly Drawn[] => drawn.filter((d) => !has(d, 'join', 'strike'));
const balls = (of: readonly Drawn[] = drawn): readonly BallTruth[] => of.flatMap((d) => d.truth.balls);
const releases = (d: Drawn): readonly number[] => d.truth.balls.map(({ releaseMs }) => releaseMs);

/** Share of an ending among balls that go their own way, given how many vacant cells those rolls have. */
function endingShare(ending: LoneEnding, of: readonly Drawn[]): number {
  const { endings } = CLEAN;
  const all = Object.values(endings).reduce((sum, weight) => sum + weight, 0);
  if (ending !== 'attach' && ending !== 'vacant') return endings[ending] / all;
  // Where no cell is vacant none can end there; where one is, only one ball can.
  const vacant = endings.vacant / all;
  const none = of.filter((d) => d.vacant === 0).length / of.length;
  const one = of.filter((d) => d.vacant === 1).length / of.length;
  const moved = vacant * none + (one * vacant * vacant) / 2;
  return ending === 'vacant' ? vacant - moved : endings.attach / all + moved;
}

describe('shares that rolls draw', () => {
  it('of endings: what is hard to bring about is not left out', () => {
    const of = lone();
    for (const ending of Object.keys(CLEAN.endings) as LoneEnding[]) {
      const hits = balls(of).filter((ball) => ball.ending === ending).length;
      expectShare(hits, 2 * of.length, endingShare(ending, of), ending);
    }
  });

  it('of balls that meet', () => {
    expectShare(drawn.filter((d) => has(d, 'join')).length, ROLLS, CLEAN.join, 'join');
    expectShare(drawn.filter((d) => has(d, 'strike')).length, ROLLS, CLEAN.strike, 'strike');
    const struck = drawn.filter((d) => has(d, 'strike'));
    expectShare(struck.filter((d) => has(d, 'struck-off')).length, struck.length, 0.5, 'struck off');
  });

  it('of rolled, slid and spun balls, all of them legal (5.7.1.1)', () => {
    const all = Object.values(CLEAN.modes).reduce((sum, weight) => sum + weight, 0);
    const of = balls(lone());
    for (const mode of ['rolled', 'slid', 'spun'] as const) {
      const hits = of.filter((ball) => ball.mode === mode).length;
      expectShare(hits, of.length, CLEAN.modes[mode] / all, mode);
    }
  });

  it('of throws against the rules: bounced, apart, beyond two card lengths, before the call', () => {
    const of = balls();
    expectShare(of.filter((ball) => ball.bounces > 0).length, of.length, CLEAN.bounced, 'bounced');
    expectShare(of.filter((ball) => beyondMm(ball) > 0).length, of.length, CLEAN.beyond, 'beyond');
    const own = lone();
    const apart = own.filter((d) => Math.abs(d.truth.skewMs ?? 0) > 240);
    expectShare(apart.length, own.length, CLEAN.apart, 'apart');
    // The first ball is never early alone: the second one is thrown before or after it.
    const early = drawn.filter((d) => (releases(d)[0] ?? 0) < d.truth.fromMs);
    expectShare(early.length, ROLLS, CLEAN.early, 'early');
  });

  it('of hands, and of contacts that lie where a tile is touched', () => {
    expectShare(drawn.filter((d) => d.truth.hands.length > 0).length, ROLLS, CLEAN.hand, 'hand');
    const touching = drawn.filter((d) => balls([d]).some((ball) => ball.path.length > 0));
    for (const [fault, share] of [
      ['dead', WORN.deadContact],
      ['dirty', WORN.dirtyContact],
      ['stuck', WORN.stuckContact],
    ] as const) {
      const hits = touching.filter((d) => d.truth.contactFaults.some((f) => f.fault === fault)).length;
      expectShare(hits, touching.length, share, fault);
    }
  });

  it('of balls that are not of 36 mm: one in seven is larger', () => {
    const bodies = new Map(drawn.flatMap(({ tracks }, i) => tracks.map(({ body }) => [body, i] as const)));
    const names = new Set([...bodies].map(([body, i]) => `${body.bakugan} ${Math.floor(i / ROLLS_A_MAT)}`));
    const large = [...bodies].filter(([body]) => body.radiusMm > 18.5);
    const largeNames = new Set(large.map(([body, i]) => `${body.bakugan} ${Math.floor(i / ROLLS_A_MAT)}`));
    expectShare(largeNames.size, names.size, 0.15, 'larger balls');
  });
});

describe('ranges that rolls draw', () => {
  const opening = (...endings: readonly string[]): readonly { ball: BallTruth; track: Track }[] =>
    lone().flatMap(({ truth, tracks }) =>
      truth.balls.flatMap((ball, i) => {
        const track = tracks[i];
        return track !== undefined && endings.includes(ball.ending) ? [{ ball, track }] : [];
      }),
    );

  it('of magnets and balls', () => {
    const bodies = drawn.flatMap(({ tracks }) => tracks.map(({ body }) => body));
    const of = (what: (body: (typeof bodies)[number]) => number): readonly number[] => bodies.map(what);
    expectRange(
      of((b) => b.radiusMm),
      17.5,
      22,
      'radius',
    );
    expectRange(
      of((b) => b.strength),
      0.8,
      1.2,
      'strength',
    );
    expectRange(
      of((b) => b.latchMm),
      6,
      8,
      'latch distance',
      0.15,
    );
  });

  it('of the latch: jump 0.5 to 2 mm, ringing 3 to 20 % at 60 to 150 Hz, a stop within 2 to 14 mm', () => {
    const latches = drawn.flatMap(({ tracks }) =>
      tracks.flatMap((t) => t.stretches.filter((s) => s.jump > 0)),
    );
    const of = (what: (s: (typeof latches)[number]) => number): readonly number[] => latches.map(what);
    expectRange(
      of((s) => s.jump),
      0.5,
      2,
      'jump',
    );
    expectRange(
      of((s) => s.ring),
      0.03,
      0.2,
      'ringing',
    );
    expectRange(
      of((s) => s.ringHz),
      60,
      150,
      'ringing, Hz',
    );
    expectRange(
      of((s) => s.way),
      2,
      14,
      'stop',
    );
  });

  it('of bounces: flights of up to 77 ms, each 0.3 to 0.6 of the one before', () => {
    const hopping = drawn.flatMap(({ tracks }) => tracks.filter(({ hops }) => hops.length > 0));
    const lengths = hopping.map(({ hops }) => hops.map(({ fromUs, toUs }) => (toUs - fromUs) / 1000));
    expectRange(
      lengths.map(([first = 0]) => first),
      19.9,
      77,
      'first flight',
      0.1,
    );
    const ratios = lengths.flatMap((of) => of.slice(1).map((ms, i) => ms / (of[i] ?? NaN)));
    expectRange(ratios, 0.299, 0.601, 'ratio', 0.1);
  });

  it('of the speed at which balls reach the core that opens them: 0.12 to 2 m/s, even on a log scale', () => {
    const speeds = opening('attach', 'off', 'vacant').map(({ track }) => {
      const before = { ...track, stretches: track.stretches.slice(0, 1), restUs: Infinity };
      return speedAt(before, openedUs(track));
    });
    // What the way rounds to microseconds and tenths of millimetres is no draw.
    expectRange(speeds, 0.119, 2.01, 'speed', 0.01);
    expectLogEven(speeds, 0.12, 2, 'speed');
  });

  it('of the loss by rolling: 0.2 to 0.6 m/s²', () => {
    const losses = balls().map(({ lossMPerS2 }) => lossMPerS2);
    expectRange(losses, 0.2, 0.6, 'loss', 0.01);
  });

  it('of dwells before a ball falls off: 30 to 600 ms, even on a log scale', () => {
    const dwells = balls(lone())
      .filter(({ ending }) => ending === 'off')
      .map((ball) => (ball.offMs ?? 0) - (ball.latchMs ?? 0));
    expectRange(dwells, 29.9, 600.1, 'dwell', 0.02);
    expectLogEven(dwells, 30, 600, 'dwell');
  });

  it('of balls that fall off: at 0.06 to 0.5 m/s, half of them to a stand 24 to 80 mm away', () => {
    const leaving = opening('off').map(({ track }) => track.stretches.at(-1));
    const speeds = leaving.map((s) => s?.speed ?? 0);
    expectRange(speeds, 0.06, 0.5, 'leaving speed', 0.05);
    const ways = leaving.map((s) => ((s?.speed ?? 0) * (s?.speed ?? 0)) / (2 * (s?.loss ?? 1)));
    const near = ways.filter((way) => way <= 80);
    expectRange(near, 24, 80, 'way', 0.05);
    expect(near.length / ways.length).toBeGreaterThan(0.4);
  });

  it('of second arrivals: from 20 ms after the first on', () => {
    const gaps = drawn
      .filter((d) => has(d, 'join'))
      .map(({ truth }) => Math.abs((truth.balls[0]?.latchMs ?? 0) - (truth.balls[1]?.latchMs ?? 0)));
    // Released within a quarter of a second, no two balls arrive two seconds apart.
    expectRange(gaps, 19.9, 1000, 'gap', 0.4);
    expect(gaps.filter((gap) => gap < 60).length / gaps.length).toBeGreaterThan(0.1);
  });

  it('of throws too early, too far apart or from too far', () => {
    const early = drawn.flatMap((d) => {
      const [first = 0] = releases(d);
      return first < d.truth.fromMs ? [d.truth.fromMs - first] : [];
    });
    // Each release comes up to 30 ms later than the scenario has it.
    expectRange(early, -10, 250, 'early', 0.3);
    const skews = lone().flatMap(({ truth }) => Math.abs(truth.skewMs ?? 0));
    expectRange(
      skews.filter((skew) => skew > 240),
      240,
      630,
      'apart',
      0.15,
    );
    expectRange(
      balls()
        .map(beyondMm)
        .filter((mm) => mm > 0),
      0,
      78,
      'beyond',
      0.1,
    );
    // Legal ones come from anywhere before the limit: near it is where they are hardest to tell.
    expectRange(
      balls()
        .map(beyondMm)
        .filter((mm) => mm <= 0),
      25 + 17.5 - FAR_GATE_MM,
      0,
      'legal',
      0.1,
    );
  });
});

/** What a report marks as unusual, and that it marks nothing where only chance is at work. */
import { describe, expect, it } from 'vitest';
import type { BallRow, SeenBall, SeenRoll } from '../host/audit/report-balls.ts';
import { inOrderOfTime } from '../host/audit/report-balls.ts';
import { summaryOf } from '../host/audit/report-summary.ts';
import { drawFrom } from './support/power-cut-files.ts';

type Odds = {
  readonly opens?: number;
  readonly attaches?: number;
  readonly lands?: number;
  /** How much likelier than another core A1 is. */
  readonly toA1?: number;
  readonly mPerS?: number;
  readonly skewMs?: number;
  readonly beyond?: number;
};
type Later = {
  readonly doubts?: number;
  readonly closes?: number;
  readonly noiseCounts?: number;
  readonly offRestCounts?: number;
  readonly lost?: number;
  readonly damaged?: number;
};

const CORES = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3'];
const CELLS = ['q0r0', 'q1r0', 'q0r1', 'q1r-1', 'q-1r0', 'q-1r1'];

/** Rolls of two players on one table, all alike but for Ember's odds and for what is so in the second half. */
function played(seed: number, odds: Odds = {}, later: Later = {}, count = 120, table = 'store/t1') {
  const draw = drawFrom(seed);
  const chance = (p: number): boolean => draw(10_000) < 10_000 * p;
  const spread = (): number => (draw(2001) + draw(2001) + draw(2001) - 3000) / 1000;
  return Array.from({ length: count }, (_, i): SeenRoll => {
    const wallTime = new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString();
    const isLate = i >= count / 2;
    const late = isLate ? later : {};
    const skewMs = 30 * spread();
    const ball = (player: string): SeenBall => {
      const own: Odds = player === 'Ember' ? odds : {};
      const at = draw(CORES.length + (own.toA1 ?? 1) - 1);
      const landed = chance(own.lands ?? 0.8) ? (CORES[Math.max(0, at - (own.toA1 ?? 1) + 1)] ?? '') : '';
      const cell = CELLS[CORES.indexOf(landed)] ?? '';
      const opened = chance(own.opens ?? 0.5);
      const cores = opened && chance(own.attaches ?? 0.7) ? landed || 'A2' : '';
      const row: BallRow = {
        wallTime,
        player,
        side: player === 'Ember' ? 'A' : 'B',
        bakugan: `${player}'s`,
        opened: opened ? 'yes' : 'no',
        cores,
        stands: opened ? 'yes' : 'no',
        standsCores: cores,
        judged: '',
        tile: cell,
        touched: landed,
        releaseSkewMs: (own.skewMs ?? 0) + (player === 'Ember' ? skewMs : -skewMs),
        releaseZoneMm: 100,
        speedMPerS: (own.mPerS ?? 0.8) + 0.1 * spread(),
        turning: '',
        path: cell,
        doubts: chance(late.doubts ?? 0.1) ? 'doubt/x' : '',
      };
      const visits = cell === '' ? [] : [{ cell, closed: chance(late.closes ?? 0.9) }];
      const offences = chance(own.beyond ?? 0.02) ? ['illegal/beyond-zone'] : [];
      return { row, table, landed, standing: CORES, visits, offences };
    };
    return {
      table,
      source: 'x.match',
      wallTime,
      balls: [ball('Ember'), ball('Gale')],
      quiet: CELLS.map((one) => ({
        cell: one,
        noiseCounts: (late.noiseCounts ?? 0.5) + 0.05 * spread(),
        offRestCounts: (late.offRestCounts ?? 0) + 0.3 * spread(),
      })),
      links: [
        {
          ...{ link: 'side-a', up: true, complaints: [] },
          counts: {
            lines: 1000,
            ...(chance(late.lost ?? 0.05) ? { lost: 3 } : {}),
            ...(chance(late.damaged ?? 0.05) ? { 'fault.bad-checksum': 1 } : {}),
          },
        },
      ],
    };
  });
}

const marksOf = (odds: Odds, later: Later = {}) => summaryOf(played(1, odds, later)).unusual;

describe('what stands out', () => {
  it.each([
    ['opened', 'Ember', { opens: 0.9 }],
    ['stayed attached', 'Ember', { opens: 0.9, attaches: 0.1 }],
    ['came to a core', 'Ember', { lands: 0.3 }],
    ['landed on', 'core A1', { toA1: 8 }],
    ['came to this core', 'Ember on core A1', { toA1: 8 }],
    ['speed', 'Ember', { mPerS: 1 }],
    ['release', 'Ember', { skewMs: -80 }],
    ['illegal/beyond-zone', 'Ember', { beyond: 0.4 }],
  ] as const)('is a player whose figures differ: %s of %s', (what, name, odds) => {
    const found = marksOf(odds).find((one) => one.what === what && one.name === name);
    expect(found).toBeDefined();
    expect(found?.text).toMatch(/Expected .*, seen .*95 % from .* to .*\(n = \d+/);
    expect(found?.chance).toBeLessThan(0.01 / summaryOf(played(1, odds)).comparisons);
    expect(found?.text).not.toMatch(/cheat|suspic|manipul|accus|fraud|rigged|unfair/i);
    expect(Number.isFinite(found?.low) && Number.isFinite(found?.high)).toBe(true);
  });

  it.each([
    ['doubts', { doubts: 0.95 }],
    ['contact', { closes: 0.1 }],
    ['noise', { noiseCounts: 1.5 }],
    ['baseline', { offRestCounts: -9 }],
    ['lines lost', { lost: 0.6 }],
    ['lines damaged', { damaged: 0.6 }],
  ] as const)('is a tile or a link that changed: %s', (what, later) => {
    const found = marksOf({}, later).filter((one) => one.what === what);
    expect(found.length).toBeGreaterThan(0);
    for (const { text, name } of found) {
      expect(name).toMatch(/^(tile q|link side-a)/);
      expect(text).toMatch(/in the second half of the record than in the first\. Expected .* seen /);
    }
    // Nothing but that is marked.
    expect(new Set(marksOf({}, later).map((one) => one.what))).toEqual(new Set([what]));
  });

  it('is no drift too small to touch a ruling, however certain', () => {
    expect(marksOf({}, { offRestCounts: 2, noiseCounts: 0.7 })).toEqual([]);
  });

  it('is hardly ever anything where all are alike', () => {
    let marked = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      if (summaryOf(played(seed, {}, {}, 40)).unusual.length > 0) marked += 1;
    }
    // At most one report in a hundred: three of sixty would come with a chance of 0.02.
    expect(marked).toBeLessThan(3);
  });
});

describe('tiles of two tables', () => {
  it('are never one: the one that changed is named with its table', () => {
    const rolls = inOrderOfTime([
      ...played(1, {}, { closes: 0.1 }, 120, 'store/t1'),
      ...played(2, {}, {}, 120, 'store/t2'),
    ]);
    const { trends, tiles, unusual } = summaryOf(rolls);
    expect(trends.map(({ tile }) => tile)).toHaveLength(2 * CELLS.length);
    expect(tiles.every(({ name, at }) => name === `${at?.table} ${at?.cell}`)).toBe(true);
    const named = unusual.filter(({ what }) => what === 'contact').map(({ name }) => name);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(name).toContain('tile store/t1 ');
  });
});

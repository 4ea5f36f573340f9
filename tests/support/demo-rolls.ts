import type { Side } from '../../host/ids.ts';
import type { BallRuling, RollRuling } from '../../host/sensing/ruling.ts';

function ball(player: Side, opened: BallRuling['opened'], more: Partial<BallRuling> = {}): BallRuling {
  const none = { sure: [], possible: [] };
  const missing = { measured: false as const, why: 'no gate fitted' };
  return {
    player,
    opened,
    contact: none,
    attached: none,
    confidence: { player: 0.998, opened: 0.991, contact: 0.97, attached: 0.96 },
    reasons: [],
    audit: {
      releaseSkew: { measured: true, value: 180, plusMinus: 4, unit: 'ms' },
      releaseZone: missing,
      bounces: { measured: true, value: 0, plusMinus: 0, unit: '' },
      speed: { measured: true, value: 0.62, plusMinus: 0.05, unit: 'm/s' },
      path: { cells: [], coverage: 0.9 },
    },
    ...more,
  };
}

/** Both opened, nothing in doubt. */
export const CLEAN_ROLL: RollRuling = {
  roll: 't3.1',
  revision: 2,
  stage: 'final',
  atMs: 81_200,
  window: { fromMs: 79_800, toMs: 81_200 },
  illegal: [],
  balls: [
    ball('A', 'yes', {
      contact: { sure: ['A3', 'B3'], possible: [] },
      attached: { sure: ['A3', 'B3'], possible: [] },
      reasons: [
        {
          code: 'open/contact-before-open',
          rules: ['5.7.1.4'],
          text: 'It touched core A3 38 ms before it opened.',
        },
      ],
    }),
    ball('B', 'yes', {
      contact: { sure: ['B1'], possible: [] },
      attached: { sure: ['B1'], possible: [] },
      reasons: [
        {
          code: 'open/contact-before-open',
          rules: ['5.7.1.4'],
          text: 'It touched core B1 52 ms before it opened.',
        },
      ],
    }),
  ],
};
/** The roll of the turn before: A stayed closed, B opened and rolled on. */
export const EARLIER_ROLL: RollRuling = {
  ...CLEAN_ROLL,
  roll: 't2.1',
  revision: 1,
  atMs: 40_000,
  balls: [
    ball('A', 'no', {
      reasons: [
        { code: 'closed/no-open', rules: ['5.7.1.4'], text: 'It rolled over two cores and stayed closed.' },
      ],
    }),
    ball('B', 'yes', {
      contact: { sure: ['B5'], possible: [] },
      reasons: [
        { code: 'open/did-not-stay', rules: ['5.7.2.3'], text: 'It opened on B5 and rolled on: no bonus.' },
      ],
    }),
  ],
};
/** B may have opened: lines of its side are missing. */
export const DOUBTFUL_ROLL: RollRuling = {
  ...CLEAN_ROLL,
  roll: 't3.2',
  revision: 2,
  atMs: 92_000,
  balls: [
    ball('A', 'yes', {
      contact: { sure: ['A3'], possible: ['B3'] },
      attached: { sure: ['A3'], possible: ['B3'] },
      confidence: { player: 0.99, opened: 0.97, contact: 0.8, attached: 0.71 },
      reasons: [
        { code: 'attach/shared-level', rules: ['5.7.2'], text: 'The level of B3 fits one core or two.' },
      ],
    }),
    ball('B', 'undetermined', {
      confidence: { player: 0.93, opened: 0.52, contact: 0.6, attached: 0.4 },
      reasons: [
        {
          code: 'doubt/link-lost',
          rules: ['5.7.1.4'],
          text: '120 ms of side B are missing around the open.',
        },
        {
          code: 'doubt/contact-missing',
          rules: ['5.7.1.4.1'],
          text: 'No contact of the tile was seen before the field rose.',
        },
      ],
    }),
  ],
};

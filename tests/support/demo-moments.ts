import type { BakuganSeen, BakuganView } from '../../host/game/bakugan/view.ts';
import type { Cue, LegalInput } from '../../host/game/ruleset.ts';
import type { Scene } from '../../host/scene/scene.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import type { LinkSeen } from '../../host/sensing/seen.ts';
import { JUDGING, legal, PASSES } from './demo-inputs.ts';
import { LINKS_ILL } from './demo-links.ts';
import { CLEAN_ROLL, DOUBTFUL_ROLL, EARLIER_ROLL } from './demo-rolls.ts';
import { cellOf, OPEN_DRAGONOID, OPEN_TURTONIUM, TEAM_A } from './demo-teams.ts';

/** Moments of a match worth a picture. */
export type DemoMoment =
  | 'set-up'
  | 'selection'
  | 'rolling'
  | 'undetermined'
  | 'brawl'
  | 'victor'
  | 'team-attack'
  | 'game-over'
  | 'link-lost';

export const DEMO_MOMENTS: readonly DemoMoment[] = [
  'set-up',
  'selection',
  'rolling',
  'undetermined',
  'brawl',
  'victor',
  'team-attack',
  'game-over',
  'link-lost',
];

type Sketch = {
  readonly state: BakuganView['state'];
  readonly phase: BakuganView['phase'];
  readonly step: string;
  readonly a?: readonly Partial<BakuganSeen>[];
  readonly b?: readonly Partial<BakuganSeen>[];
  readonly held?: Readonly<Record<string, readonly string[]>>;
  readonly more?: Partial<BakuganView>;
  readonly cues?: readonly Cue[];
  readonly legal?: readonly LegalInput[];
  readonly levels?: Readonly<Record<string, readonly [number, number, boolean]>>;
  readonly rulings?: readonly RollRuling[];
  readonly links?: readonly LinkSeen[];
  readonly retracted?: Scene['retracted'];
};

const BRAWL_HELD = { A3: ['A/1'], B3: ['A/1'], B1: ['B/1'] };
const BRAWL_CUES: readonly Cue[] = [
  { cue: 'attached', cell: cellOf('A3'), player: 'A' },
  { cue: 'attached', cell: cellOf('B3'), player: 'A' },
  { cue: 'attached', cell: cellOf('B1'), player: 'B' },
];
const SEATED = {
  [cellOf('A3')]: [21.4, 12.2, true],
  [cellOf('B3')]: [8.1, 4.4, true],
  [cellOf('B1')]: [-19.6, -11.8, true],
} as const;
const BRAWL = { a: [OPEN_DRAGONOID], b: [OPEN_TURTONIUM], held: BRAWL_HELD, levels: SEATED };

/** What differs from moment to moment; all else of the scene stays. */
export const SKETCHES: Readonly<Record<DemoMoment, Sketch>> = {
  'set-up': {
    state: 'SU-4',
    phase: 'Set-up',
    step: 'Core placement',
    more: { turn: 0, log: [], waitingFor: [{ who: 'A', what: 'place core A1 on the middle line' }] },
    rulings: [],
    legal: ['q0r0', 'q1r0'].flatMap((cell) =>
      ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'].map((core) =>
        legal('A', `Place core ${core} on ${cell}`, ['1.4.3', '4.7.3'], { type: 'place', core, cell }),
      ),
    ),
    cues: [
      { cue: 'may-place', cell: 'q0r0', player: 'A' },
      { cue: 'may-place', cell: 'q1r0', player: 'A' },
      { cue: 'acts', player: 'A' },
    ],
  },
  selection: {
    state: 'ST-3',
    phase: 'Roll Phase',
    step: 'Selection Step',
    b: [{ selected: true }],
    more: { waitingFor: [{ who: 'A', what: 'choose an unopened Bakugan' }] },
    rulings: [EARLIER_ROLL],
    legal: TEAM_A.map(([id, name]) =>
      legal('A', `Select ${name}`, ['5.6.1'], { type: 'select', bakugan: id }),
    ),
    cues: [{ cue: 'acts', player: 'A' }],
  },
  rolling: {
    state: 'ST-5',
    phase: 'Roll Phase',
    step: 'Rolling Step',
    a: [{ selected: true }],
    b: [{ selected: true }],
    more: {
      waitingFor: [{ who: 'sensors', what: 'both Bakugan to come to rest' }],
      roll: {
        id: 't3.1',
        attempt: 1,
        results: [
          { player: 'A', opened: 'pending', cores: [] },
          { player: 'B', opened: 'pending', cores: [] },
        ],
      },
    },
    rulings: [EARLIER_ROLL],
    cues: [{ cue: 'rolling' }],
    levels: {
      [cellOf('A4')]: [14.2, 6.3, true],
      [cellOf('A3')]: [3.1, 1.2, false],
      [cellOf('B4')]: [-9.4, -4.2, false],
    },
  },
  undetermined: {
    ...BRAWL,
    state: 'ST-6',
    phase: 'Roll Phase',
    step: 'Roll evaluation',
    more: {
      waitingFor: [{ who: 'judge', what: 'say whether Turtonium opened (roll t3.2)' }],
      roll: {
        id: 't3.2',
        attempt: 2,
        results: [
          { player: 'A', opened: 'yes', cores: ['A3'], possible: ['B3'] },
          { player: 'B', opened: 'undetermined', cores: [], possible: ['B1'] },
        ],
        judge: 'The sensors cannot tell whether Turtonium opened.',
      },
    },
    rulings: [EARLIER_ROLL, CLEAN_ROLL, DOUBTFUL_ROLL],
    retracted: [{ roll: 't3.2', revision: 1, why: 'lines of side B came late' }],
    cues: [{ cue: 'judge-needed' }],
    legal: JUDGING,
  },
  brawl: {
    ...BRAWL,
    state: 'ST-8',
    phase: 'Brawl Phase',
    step: 'Power Step',
    more: {
      window: { id: 'ST-8', holder: 'A', passes: 1 },
      batch: [{ controller: 'B', label: 'Fixation: Turtonium gets +100 B-Power' }],
      waitingFor: [{ who: 'A', what: 'play a card or pass' }],
    },
    cues: [...BRAWL_CUES, { cue: 'acts', player: 'A' }],
    legal: PASSES,
  },
  victor: {
    ...BRAWL,
    state: 'ST-10',
    phase: 'Brawl Phase',
    step: 'Damage Step',
    more: {
      victor: 'A',
      damage: { to: 'B', amount: 8, flipped: 5 },
      waitingFor: [{ who: 'B', what: 'flip 3 more cards' }],
    },
    cues: [...BRAWL_CUES, { cue: 'victor', player: 'A', cells: [cellOf('A3'), cellOf('B3')] }],
    legal: [legal('B', 'Cards flipped', ['5.11.1'], { type: 'damage/done' })],
  },
  'team-attack': {
    ...BRAWL,
    state: 'ST-10',
    phase: 'Brawl Phase',
    step: 'Damage Step',
    a: [
      OPEN_DRAGONOID,
      { open: true, cores: ['A5'], damageParts: [{ source: 'core', label: 'BakuCore #47', amount: 3 }] },
      { open: true, cores: ['B4'], bPowerParts: [{ source: 'core', label: 'BakuCore #43', amount: 500 }] },
    ],
    held: { ...BRAWL_HELD, A5: ['A/2'], B4: ['A/3'] },
    more: {
      victor: 'A',
      teamAttack: true,
      damage: { to: 'B', amount: 19, flipped: 6 },
      waitingFor: [{ who: 'B', what: 'flip 13 more cards' }],
    },
    cues: [
      ...BRAWL_CUES,
      { cue: 'vacant', cell: cellOf('A5') },
      { cue: 'vacant', cell: cellOf('B4') },
      { cue: 'victor', player: 'A', cells: [cellOf('A3'), cellOf('B3')] },
    ],
    legal: [legal('B', 'Cards flipped', ['5.11.1'], { type: 'damage/done' })],
  },
  'game-over': {
    ...BRAWL,
    state: 'GO',
    phase: 'Game over',
    step: 'Game over',
    more: { winner: 'A', victor: 'A', waitingFor: [] },
    cues: [{ cue: 'game-over', winner: 'A' }],
  },
  'link-lost': {
    state: 'ST-5',
    phase: 'Roll Phase',
    step: 'Rolling Step',
    a: [{ selected: true }],
    b: [{ selected: true }],
    more: { waitingFor: [{ who: 'sensors', what: 'the board of side B to come back' }] },
    cues: [{ cue: 'rolling' }],
    links: LINKS_ILL,
  },
};

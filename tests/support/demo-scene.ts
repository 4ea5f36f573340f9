import type {
  BakuganSeen,
  BakuganView,
  CoreSeen,
  CoreType,
  Faction,
  LogLine,
} from '../../host/game/bakugan/view.ts';
import type { Cue, LegalInput } from '../../host/game/ruleset.ts';
import type { Json, Side } from '../../host/ids.ts';
import { lightsAt } from '../../host/scene/lights.ts';
import type { Scene } from '../../host/scene/scene.ts';
import { STANDARD_THEME } from '../../host/scene/theme.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { BallRuling, RollRuling } from '../../host/sensing/ruling.ts';
import type { CellLevel, LinkSeen } from '../../host/sensing/seen.ts';

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

const CORE_PRINTS: Readonly<Record<string, readonly [CoreType, number]>> = {
  A1: ['FT', 4],
  A2: ['FF', 18],
  A3: ['SD', 24],
  A4: ['MS', 39],
  A5: ['HE', 47],
  A6: ['FT', 12],
  B1: ['SD', 26],
  B2: ['MS', 38],
  B3: ['FF', 19],
  B4: ['HE', 43],
  B5: ['FT', 7],
  B6: ['SD', 32],
};

function coresWith(held: Readonly<Record<string, readonly string[]>>): readonly CoreSeen[] {
  return Object.entries(CORE_PRINTS).map(([core, [type, print]], i) => {
    const cell = FIXED_12.cells[i]?.cell;
    const holders = held[core] ?? [];
    const base = { core, owner: core.startsWith('A') ? ('A' as const) : ('B' as const), type, print };
    return holders.length > 0 || cell === undefined
      ? { ...base, heldBy: holders }
      : { ...base, cell, heldBy: [] };
  });
}

function cellOf(core: string): string {
  return FIXED_12.cells[Object.keys(CORE_PRINTS).indexOf(core)]?.cell ?? 'q0r0';
}

type Toy = readonly [id: string, name: string, faction: Faction, bPower: number, damage: number];
const TEAM_A: readonly Toy[] = [
  ['A/1', 'Dragonoid Ultra', 'Pyrus', 500, 5],
  ['A/2', 'Fangzor', 'Haos', 100, 7],
  ['A/3', 'Trox Ultra', 'Aurelus', 800, 1],
];
const TEAM_B: readonly Toy[] = [
  ['B/1', 'Turtonium', 'Aquos', 500, 2],
  ['B/2', 'Hydorous', 'Darkus', 300, 4],
  ['B/3', 'Fangzor Ultra', 'Ventus', 100, 1],
];

function bakugan(toy: Toy, more: Partial<BakuganSeen> = {}): BakuganSeen {
  const [id, name, faction, printedB, printedD] = toy;
  const bPowerParts = [
    { source: 'printed', label: 'Printed', amount: printedB },
    ...(more.bPowerParts ?? []),
  ];
  const damageParts = [
    { source: 'printed', label: 'Printed', amount: printedD },
    ...(more.damageParts ?? []),
  ];
  const sum = (parts: readonly { readonly amount: number }[]): number =>
    parts.reduce((total, part) => total + part.amount, 0);
  return {
    id,
    name,
    faction,
    open: false,
    selected: false,
    revealed: more.open ?? false,
    cores: [],
    keywords: [],
    ...more,
    bPower: sum(bPowerParts),
    bPowerParts,
    damage: sum(damageParts),
    damageParts,
  };
}

const OPEN_DRAGONOID: Partial<BakuganSeen> = {
  open: true,
  selected: true,
  cores: ['A3', 'B3'],
  bPowerParts: [
    { source: 'core', label: 'BakuCore #24', amount: 200 },
    { source: 'core', label: 'BakuCore #19', amount: 250 },
  ],
  damageParts: [{ source: 'core', label: 'BakuCore #19', amount: 3 }],
};
const OPEN_TURTONIUM: Partial<BakuganSeen> = {
  open: true,
  selected: true,
  cores: ['B1'],
  keywords: ['FrostStrike +2'],
  bPowerParts: [
    { source: 'core', label: 'BakuCore #26', amount: 300 },
    { source: 'icon', label: 'Shield icon', amount: 100 },
  ],
};

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

const CLEAN_ROLL: RollRuling = {
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
const EARLIER_ROLL: RollRuling = {
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
const DOUBTFUL_ROLL: RollRuling = {
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

const LINKS_WELL: readonly LinkSeen[] = [
  {
    link: 'serial-a',
    up: true,
    device: 'A1B2C3D4',
    side: 'A',
    heardAtMs: 81_190,
    complaints: [],
    counts: { lines: 41_208 },
  },
  {
    link: 'serial-b',
    up: true,
    device: '0F0E11AA',
    side: 'B',
    heardAtMs: 81_192,
    complaints: [],
    counts: { lines: 41_190, repeats: 2 },
  },
];
const LINKS_ILL: readonly LinkSeen[] = [
  ...LINKS_WELL.slice(0, 1),
  {
    link: 'serial-b',
    up: false,
    device: '0F0E11AA',
    side: 'B',
    heardAtMs: 77_020,
    complaints: [
      'The board of side B went away in mid-roll. Plug its USB cable in again; the roll needs a judge.',
      'Tile B4 shows contact without pause. Lift the steel plate and look for a wire that touches it.',
    ],
    counts: { gaps: 3, badChecksum: 14, resets: 1 },
  },
];

const LOG: readonly LogLine[] = [
  {
    turn: 2,
    state: 'ST-10',
    type: 'damage/dealt',
    text: 'B deals 4 damage to A; 4 cards flipped.',
    rules: ['5.11.1'],
  },
  { turn: 2, state: 'ST-12', type: 'retract/done', text: 'A retracts Fangzor.', rules: ['5.13.2'] },
  { turn: 3, state: 'ST-1', type: 'draw/done', text: 'Both players draw a card.', rules: ['5.3.1'] },
  {
    turn: 3,
    state: 'ST-2',
    type: 'energize/done',
    text: 'A energizes; B does not.',
    rules: ['5.4.1', '5.4.2'],
  },
  {
    turn: 3,
    state: 'ST-3',
    type: 'select/done',
    text: 'B selects Turtonium, then A selects Dragonoid Ultra.',
    rules: ['5.6.1'],
  },
  {
    turn: 3,
    state: 'ST-4',
    type: 'window/closed',
    text: 'Both passed in a row: the window before the roll closes.',
    rules: ['5.6.2', '5.1.3'],
  },
  {
    turn: 3,
    state: 'ST-6',
    type: 'roll/opened',
    text: 'Dragonoid Ultra opened and holds A3 and B3.',
    rules: ['5.7.1.4', '5.7.2'],
  },
  {
    turn: 3,
    state: 'ST-6',
    type: 'roll/opened',
    text: 'Turtonium opened and holds B1.',
    rules: ['5.7.1.4', '5.7.2'],
  },
  {
    turn: 3,
    state: 'ST-7',
    type: 'reveal/done',
    text: 'Both Character cards are turned face up.',
    rules: ['5.7.2'],
  },
];

function legal(
  player: Side | 'judge',
  label: string,
  rules: readonly string[],
  input: LegalInput['input'],
  ask: LegalInput['ask'] = [],
): LegalInput {
  return { player, label, rules, input, ask };
}

const PASSES: readonly LegalInput[] = [
  legal('A', 'Pass', ['5.1.3'], { type: 'pass' }),
  {
    ...legal(
      'A',
      'Play a card on Dragonoid Ultra',
      ['6.2.1', '1.3.1'],
      { type: 'modify', bakugan: 'A/1', bPower: 100, damage: 0, until: 'turn', label: 'Card', cost: 0 },
      [
        { field: 'bPower', kind: 'integer', min: -5000, max: 5000 },
        { field: 'damage', kind: 'integer', min: -50, max: 50 },
        { field: 'label', kind: 'text', longest: 80 },
        { field: 'cost', kind: 'integer', min: 0, max: 2 },
      ],
    ),
    aside: true,
  },
  { ...legal('A', 'Concede: Jonas wins', ['1.5'], { type: 'concede' }), aside: true },
  { ...legal('B', 'Concede: Mira wins', ['1.5'], { type: 'concede' }), aside: true },
];

/** As the ruleset lists them: every set of cores each ball may hold, a new roll, and corrections aside. */
const JUDGING: readonly LegalInput[] = [
  ...(['A', 'B'] as const).flatMap((player) =>
    [undefined, [], ['A3'], ['B3'], ['A3', 'B3'], ['B1'], ['A4'], ['B2'], ['A4', 'B2']].map((cores) =>
      legal(
        'judge',
        cores === undefined
          ? `${player} did not open`
          : `${player} opened and holds ${cores.join(' and ') || 'no core'}`,
        ['5.7.2', 'AM-39'],
        {
          type: 'judge-roll',
          roll: 't3.2',
          reason: 'Judge ruling',
          results: [{ player, opened: cores === undefined ? 'no' : 'yes', cores: cores ?? [] }],
        },
        [{ field: 'reason', kind: 'text', longest: 200 }],
      ),
    ),
  ),
  legal('judge', 'Both roll again', ['5.7.2', 'AM-39'], {
    type: 'judge-roll',
    roll: 't3.2',
    reason: 'Judge ruling',
    verdict: 'again',
  }),
  {
    ...legal(
      'judge',
      "Correct Mira's deck",
      ['AM-39'],
      { type: 'count', player: 'A', zone: 'deck', count: 24, reason: 'Judge ruling' },
      [
        { field: 'count', kind: 'integer', min: 0, max: 60 },
        { field: 'reason', kind: 'text', longest: 200 },
      ],
    ),
    aside: true,
  },
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

const SKETCHES: Readonly<Record<DemoMoment, Sketch>> = {
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

/** A scene as the operator sees it at a moment of a made-up match. */
export function demoScene(moment: DemoMoment, table = 't1'): Scene {
  const sketch = SKETCHES[moment];
  const cores = coresWith(sketch.held ?? {});
  const heldCells = new Set(Object.keys(sketch.held ?? {}).map(cellOf));
  const cues: readonly Cue[] = [
    ...cores.flatMap((core): Cue[] =>
      core.cell === undefined ? [] : [{ cue: 'core', cell: core.cell, owner: core.owner }],
    ),
    ...[...heldCells].map((cell): Cue => ({ cue: 'vacant', cell })),
    ...(sketch.cues ?? []),
  ];
  const view: BakuganView = {
    ruleset: 'bakugan',
    turn: 3,
    state: sketch.state,
    phase: sketch.phase,
    step: sketch.step,
    startingPlayer: 'B',
    waitingFor: [],
    players: {
      A: {
        side: 'A',
        name: 'Mira',
        deck: 24,
        hand: 5,
        discard: 8,
        energyCharged: 2,
        energyUncharged: 1,
        bakugan: TEAM_A.map((toy, i) => bakugan(toy, sketch.a?.[i])),
      },
      B: {
        side: 'B',
        name: 'Jonas',
        deck: moment === 'game-over' ? 0 : 17,
        hand: 4,
        discard: 15,
        energyCharged: 3,
        energyUncharged: 0,
        bakugan: TEAM_B.map((toy, i) => bakugan(toy, sketch.b?.[i])),
      },
    },
    cores,
    teamAttack: false,
    log: LOG,
    ...sketch.more,
  };
  return {
    table,
    atMs: 81_200,
    view: asJson(view),
    legal: sketch.legal ?? [],
    cues,
    levels: FIXED_12.cells.map(({ cell }): CellLevel => {
      const [first, second, contact] = sketch.levels?.[cell] ?? [0.04, -0.02, false];
      return { cell, fieldMt: [first, second], contact };
    }),
    rulings: sketch.rulings ?? [EARLIER_ROLL, CLEAN_ROLL],
    retracted: sketch.retracted ?? [],
    links: sketch.links ?? LINKS_WELL,
    health: [],
    start: { begun: true, blocks: [], overrode: null },
    calibrating: null,
    lights: lightsAt(cues, FIXED_12, STANDARD_THEME).map((light) => ({
      ...light,
      rgb: `#${light.rgb.toString(16).padStart(6, '0')}`,
    })),
    simulated: true,
    trouble: null,
  };
}

function asJson(view: BakuganView): Json {
  return JSON.parse(JSON.stringify(view));
}

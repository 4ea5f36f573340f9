import type { BakuganView, LogLine } from '../../host/game/bakugan/view.ts';
import type { Cue } from '../../host/game/ruleset.ts';
import type { Json } from '../../host/ids.ts';
import { lightsAt } from '../../host/scene/lights.ts';
import type { Scene } from '../../host/scene/scene.ts';
import { STANDARD_THEME } from '../../host/scene/theme.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { CellLevel } from '../../host/sensing/seen.ts';
import { LINKS_WELL } from './demo-links.ts';
import { type DemoMoment, SKETCHES } from './demo-moments.ts';
import { CLEAN_ROLL, EARLIER_ROLL } from './demo-rolls.ts';
import { bakugan, cellOf, coresWith, TEAM_A, TEAM_B } from './demo-teams.ts';

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

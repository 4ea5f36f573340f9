import type { Audience, Cue, LegalInput } from '../game/ruleset.ts';
import type { AtMs, Json, RollId, TableId } from '../ids.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { CellLevel, LinkSeen } from '../sensing/seen.ts';
import type { CellLight } from './lights.ts';
import type { Scene } from './scene.ts';

/** What a table knows at one moment, before it is decided who may see it. */
export type Known = {
  readonly table: TableId;
  readonly atMs: AtMs;
  readonly cues: readonly Cue[];
  readonly levels: readonly CellLevel[];
  readonly rulings: readonly RollRuling[];
  readonly retracted: readonly { readonly roll: RollId; readonly revision: number; readonly why: string }[];
  readonly links: readonly LinkSeen[];
  readonly lights: readonly CellLight[];
  readonly simulated: boolean;
  view(audience: Audience): Json;
  legal(player: 'A' | 'B' | 'judge'): readonly LegalInput[];
};

/**
 * The scene that one audience may see. Judges and operators see everything at once; players see what they may do;
 * the venue and the public see settled rulings only and nothing of wires and sensors.
 */
export function composeScene(known: Known, audience: Audience): Scene {
  const staff = audience.kind === 'judge' || audience.kind === 'operator';
  return {
    table: known.table,
    atMs: known.atMs,
    view: known.view(audience),
    legal: legalFor(known, audience),
    cues: known.cues,
    levels: staff ? known.levels : [],
    rulings: staff ? known.rulings : known.rulings.filter((ruling) => ruling.stage === 'final'),
    retracted: known.retracted,
    links: staff ? known.links : [],
    lights: known.lights.map((light) => ({
      cell: light.cell,
      rgb: `#${light.rgb.toString(16).padStart(6, '0')}`,
      level: light.level,
      animation: light.animation,
    })),
    simulated: known.simulated,
  };
}

function legalFor(known: Known, audience: Audience): readonly LegalInput[] {
  switch (audience.kind) {
    case 'player':
      return known.legal(audience.player);
    case 'judge':
      return known.legal('judge');
    case 'operator':
      return [...known.legal('A'), ...known.legal('B'), ...known.legal('judge')];
    case 'venue':
    case 'public':
      return [];
    default:
      return audience satisfies never;
  }
}

import type { Audience, Cue, LegalInput } from '../game/ruleset.ts';
import type { AtMs, Json, RollId, TableId } from '../ids.ts';
import type { CalibratingSeen } from '../sensing/calibrate-seen.ts';
import type { HealthFinding } from '../sensing/health-finding.ts';
import type { RollRuling } from '../sensing/ruling.ts';
import type { CellLevel, LinkSeen } from '../sensing/seen.ts';
import type { CellLight } from './lights.ts';
import type { MatchSeen, Scene, StartSeen } from './scene.ts';

/** A ruling that was taken back. */
export type Retracted = {
  readonly roll: RollId;
  readonly revision: number;
  /** Stage of what was taken back. */
  readonly stage: RollRuling['stage'];
  readonly why: string;
};

/** What a table knows at one moment, before it is decided who may see it. */
export type Known = {
  readonly table: TableId;
  readonly atMs: AtMs;
  readonly cues: readonly Cue[];
  readonly levels: readonly CellLevel[];
  readonly rulings: readonly RollRuling[];
  readonly retracted: readonly Retracted[];
  readonly links: readonly LinkSeen[];
  readonly health: readonly HealthFinding[];
  readonly start: StartSeen;
  readonly match?: MatchSeen | undefined;
  readonly calibrating: CalibratingSeen | null;
  readonly lights: readonly CellLight[];
  readonly simulated: boolean;
  /** What stops the whole table, in words, with the remedy. */
  readonly trouble?: { readonly sentence: string; readonly remedy: string } | undefined;
  view(audience: Audience): Json;
  legal(player: 'A' | 'B' | 'judge'): readonly LegalInput[];
};

/**
 * The scene that one audience may see. Judges and operators see everything at once, and players what they may do.
 * Players, venue and public see settled rulings only, and nothing of wires and sensors.
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
    retracted: known.retracted
      .filter((one) => staff || one.stage === 'final')
      .map(({ roll, revision, why }) => ({ roll, revision, why })),
    links: staff ? known.links : [],
    health: staff ? known.health : [],
    start: staff ? known.start : { begun: known.start.begun, blocks: [], overrode: null },
    ...(known.match === undefined ? {} : { match: known.match }),
    calibrating: staff ? known.calibrating : null,
    lights: known.lights.map((light) => ({
      cell: light.cell,
      rgb: `#${light.rgb.toString(16).padStart(6, '0')}`,
      level: light.level,
      animation: light.animation,
    })),
    simulated: known.simulated,
    trouble: known.trouble === undefined ? null : troubleFor(known.trouble, staff),
  };
}

function troubleFor(trouble: NonNullable<Known['trouble']>, staff: boolean): string {
  if (staff) return `${trouble.sentence} ${trouble.remedy}`;
  return 'Play waits: what happens cannot be recorded at the moment.';
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

import type { Known } from '../scene/compose.ts';
import { healthOf } from '../sensing/health.ts';
import type { HealthFinding } from '../sensing/health-finding.ts';
import { linksSeen } from '../sensing/links.ts';
import { levelsOf } from '../sensing/sensing.ts';
import { standingOn } from '../sensing/standing.ts';
import { cuesNow, matchSeen } from './best-of.ts';
import { calibrationSeen } from './calibrating.ts';
import { startBlocks } from './match-start.ts';
import type { TableSetting } from './setting.ts';
import { blockedCells, cuesFree, legalFree, vacantIn } from './standing.ts';
import type { TableState } from './state.ts';

/** The decisions of a table at one moment: values that are replaced, never changed, so holding them costs nothing. */
export type Decided = Pick<
  TableState,
  'game' | 'play' | 'activity' | 'lights' | 'rulings' | 'retracted' | 'start' | 'standing' | 'alone' | 'match'
>;

/** What is decided now. */
export function decidedIn(state: TableState): Decided {
  const { game, play, activity, lights, rulings, retracted, start, standing, alone, match } = state;
  return { game, play, activity, lights, rulings, retracted, start, standing, alone, match };
}

/** What may be shown: these decisions, with links and sensor levels as they are now. */
export function knownOf(state: TableState, decided: Decided, setting: TableSetting): Known {
  const { ruleset } = setting;
  const game = decided.play.state;
  const cues = cuesNow(decided, setting);
  const blocked = blockedCells(cues, decided);
  const links = linksSeen(state.links);
  const health = healthOf(state.sensing, links, state.atMs, vacantIn(cues));
  return {
    table: setting.table,
    atMs: state.atMs,
    cues: cuesFree(cues, blocked),
    levels: levelsOf(state.sensing),
    rulings: decided.rulings,
    retracted: decided.retracted,
    links,
    health: decided.start.begun ? withoutBalls(health, state) : health,
    start: { ...decided.start, blocks: decided.start.begun ? [] : startBlocks(state, setting, state.atMs) },
    match: matchSeen(decided, setting),
    calibrating: calibrationSeen(state),
    lights: decided.lights,
    simulated: setting.simulated,
    view: (audience) => ruleset.view(game, audience),
    legal: (player) =>
      decided.match.ended === undefined ? legalFree(ruleset.legalInputs(game, player), blocked) : [],
  };
}

/** What a ball on a tile, which its neighbours feel too, brings about by lying and rolling there. */
const OF_A_BALL = new Set(['health/magnet-near', 'health/hall-noisy']);

/** While a match is on that is play: no magnet that somebody forgot there and no phone beside the mat. */
function withoutBalls(health: readonly HealthFinding[], { sensing }: TableState): readonly HealthFinding[] {
  return standingOn(sensing).length === 0 ? health : health.filter(({ code }) => !OF_A_BALL.has(code));
}

import type { Command } from '../host/advance/input.ts';
import { blockedCells, legalFree } from '../host/advance/standing.ts';
import type { Ruleset } from '../host/game/ruleset.ts';
import type { Activity } from '../host/sensing/activity.ts';
import type { Table } from '../host/table.ts';
import { type AutoState, autoplay, HUMAN_PACE, type Pace, startAutoplay } from '../sim/autoplay.ts';
import type { LiveTable, WorldSeen } from '../sim/live.ts';

/** How often automatic players look at the table, ms. */
const LOOK_MS = 40;
/** A judge takes this long to come, ms. */
const JUDGE_MS = 4000;
/** A game that is over stands on the screens this long, ms. */
const APPLAUSE_MS = 12_000;

/** The mat is cleared, and its sensors have come to rest, this long after hands began to, ms. */
const CLEARED_MS = 3000;

export interface Autopilot {
  stop(): void;
}

/**
 * Plays both sides of a simulated table as people would, while automatic play is on: throws balls, presses studs,
 * decides; sends for a judge who orders a new roll when the sensors are in doubt; begins the next game.
 */
export function startAutopilot(options: {
  readonly table: Table;
  readonly world: LiveTable;
  readonly ruleset: Ruleset;
  readonly seed: number;
  readonly now: () => number;
  readonly pace?: Pace;
}): Autopilot {
  const { table, world, ruleset, now, pace = HUMAN_PACE } = options;
  let state: AutoState = startAutoplay(options.seed);
  let commands = 0;
  let wakeMs = 0;
  let waitingSinceMs: number | undefined;
  let activity = '';
  let play = table.decided().play;

  const say = (command: Command): void => table.command(`auto-${++commands}`, command);

  const look = (): void => {
    const decided = table.decided();
    const text = JSON.stringify(decided.activity);
    if (text !== activity) {
      activity = text;
      world.know(decided.activity);
    }
    const seen = world.seen();
    if (!seen.auto) {
      waitingSinceMs = undefined;
      return;
    }
    const atMs = now();
    if (decided.play !== play) {
      play = decided.play;
      wakeMs = 0;
      waitingSinceMs = undefined;
    }
    // Hands off while somebody calibrates, and until the sensors were looked at.
    if (isCalibrating(decided.activity)) return;
    if (attend(atMs, seen) || atMs < wakeMs) return;
    if (!decided.start.begun && table.scene({ kind: 'operator' }).start.blocks.length > 0) return;
    const game = play.state;
    const blocked = blockedCells(ruleset.cues(game), decided);
    const result = autoplay(
      state,
      {
        atMs,
        activity: decided.activity,
        legal: {
          A: legalFree(ruleset.legalInputs(game, 'A'), blocked),
          B: legalFree(ruleset.legalInputs(game, 'B'), blocked),
        },
        thrown: seen.thrown,
        standing: seen.standing,
      },
      pace,
    );
    state = result.state;
    wakeMs = Math.min(result.wakeMs, atMs + 1000);
    for (const doing of result.doings) {
      if (doing.kind === 'act') world.act(doing.action);
      else say(doing.command);
    }
  };

  /** True while everybody waits for a judge or for the next game. */
  const attend = (atMs: number, seen: WorldSeen): boolean => {
    const over = ruleset.over(play.state) !== undefined;
    const asked = over ? undefined : judgeAsked(ruleset, play.state);
    if (!over && asked === undefined) return false;
    waitingSinceMs ??= atMs;
    if (atMs - waitingSinceMs < (over ? APPLAUSE_MS : JUDGE_MS)) return true;
    waitingSinceMs = undefined;
    if (asked === undefined) {
      // The mat is cleared first, as people do; a ball that lies there keeps the match from beginning.
      if (seen.standing.length > 0) {
        world.act({ act: 'clear' });
        waitingSinceMs = atMs - APPLAUSE_MS + CLEARED_MS;
      } else say({ do: 'new-game', by: { role: 'automatic' } });
    } else say({ do: 'play', input: { ...asked, by: { role: 'judge', name: 'automatic judge' } } });
    return true;
  };

  const timer = setInterval(look, LOOK_MS);
  return { stop: () => clearInterval(timer) };
}

function isCalibrating(activity: Activity): boolean {
  return activity.kind === 'hands' && activity.why === 'calibration';
}

/** The judge's input that orders a new roll, when a judge is waited for. */
function judgeAsked(
  ruleset: Ruleset,
  game: Parameters<Ruleset['legalInputs']>[0],
): { readonly type: string } | undefined {
  if (!ruleset.cues(game).some((cue) => cue.cue === 'judge-needed')) return undefined;
  return ruleset
    .legalInputs(game, 'judge')
    .find(({ input }) => input.type === 'judge-roll' && input.verdict === 'again')?.input;
}

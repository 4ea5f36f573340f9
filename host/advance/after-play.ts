import type { GameEvent } from '../game/ruleset.ts';
import { type AtMs, SIDES, type Side } from '../ids.ts';
import type { Activity } from '../sensing/activity.ts';
import { type SenseOutput, setActivity } from '../sensing/sensing.ts';
import type { Output } from './input.ts';
import type { TableSetting } from './setting.ts';
import type { TableState } from './state.ts';

/** Hands sensing the activity that is wanted now, and starts the wait of automatic passes. */
export function afterPlay(state: TableState, setting: TableSetting, atMs: AtMs, sensed: SenseOutput[]): void {
  state.lightsStale = true;
  const activity = activityNow(state, setting);
  if (JSON.stringify(activity) !== JSON.stringify(state.activity)) {
    state.activity = activity;
    setActivity(state.sensing, activity, atMs, sensed);
  }
  state.passSinceMs = setting.autoPassMs !== undefined && passer(state, setting) !== undefined ? atMs : null;
}

/**
 * What is going on: what the game says, but hands on the mat while it is calibrated, and nothing before the match has
 * begun, so that its sensors are watched, nor once it was ended.
 */
function activityNow(state: TableState, setting: TableSetting): Activity {
  if (state.calibrating !== null) return { kind: 'hands', why: 'calibration' };
  if (!state.start.begun || state.match.ended !== undefined) return { kind: 'idle' };
  return setting.ruleset.activity(state.play.state);
}

/** Who may pass now in an open priority window. */
export function passer(state: TableState, setting: TableSetting): Side | undefined {
  return SIDES.find((side) => setting.ruleset.studInput(state.play.state, side) !== undefined);
}

export function tell(events: readonly GameEvent[], atMs: AtMs, outputs: Output[]): void {
  for (const event of events) outputs.push({ kind: 'event', atMs, event });
}

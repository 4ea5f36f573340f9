import type { AtMs } from '../ids.ts';
import type { Calibration } from './calibration.ts';
import { setActivity } from './sensing.ts';
import { createSensing, type Sensing } from './state.ts';

/**
 * The same detector under another calibration from now on. What is known of boards, studs and doubts stays; levels,
 * baselines and health are learnt anew from the new rest. Only for moments in which nobody rolls.
 */
export function recalibrated(was: Sensing, calibration: Calibration, atMs: AtMs): Sensing {
  const now = createSensing({ ...was.setting, calibration });
  for (const side of ['A', 'B', 'both', 'unset'] as const) Object.assign(now.boards[side], was.boards[side]);
  for (const side of ['A', 'B'] as const) {
    Object.assign(now.studs[side], was.studs[side]);
    Object.assign(now.gates[side].near, was.gates[side].near);
    Object.assign(now.gates[side].far, was.gates[side].far);
  }
  now.newest.set(was.newest);
  now.doubts.push(...was.doubts);
  setActivity(now, was.activity, atMs, []);
  return now;
}

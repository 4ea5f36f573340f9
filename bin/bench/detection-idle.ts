/** Armed and nobody rolls: how often an open is invented. */
import type { Activity } from '../../host/sensing/activity.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import { ownCores } from '../../sim/calibration.ts';
import { type IdleKind, idle, idleRoom } from '../../sim/idle.ts';
import { bodiesOf, CALL_US, matOf } from '../../sim/played.ts';
import { calibrationUnder, optionsOf } from './detection-hear.ts';
import { watchTable } from './watch.ts';

export type { IdleKind };

export interface IdleResult {
  /** Watched while armed, hours. */
  hours: number;
  /** Rulings that said, even for a moment, that a ball had opened. */
  falseOpens: number;
  /** Final rulings that said so. */
  falseFinals: number;
  /** Things that people did to the table meanwhile. */
  events: number;
}

const CALL_MS = CALL_US / 1000;
/** An armed roll that nobody rolls ends undetermined after 20 s; then play arms anew. */
const WINDOW_MS = 20_000;
/** Warming up takes this long; windows are spread over it. */
const WARM_MS = 3_600_000;

/** One armed window after the other until `hours` are over; `said` hears of each false open. */
export function runIdle(
  kind: IdleKind,
  firstSeed: number,
  hours: number,
  said: (line: string) => void = () => {},
  progress: (done: number) => void = () => {},
  armed = true,
): IdleResult {
  const result: IdleResult = { hours: 0, falseOpens: 0, falseFinals: 0, events: 0 };
  for (let i = 0; result.hours < hours; i += 1) {
    const seed = firstSeed + i;
    const options = optionsOf({ effects: [] }, seed);
    const mat = matOf(options, seed);
    const room = idleRoom(kind);
    // Time on the mat is short; a window within the warm-up begins warm by as much as it would be then.
    const before = kind === 'warm-up' ? ((i * 7919) % 1000) / 1000 : 0;
    mat.disturb(kind === 'warm-up' ? { ...room, warmUpK: 8 * (1 - before), extraK: 8 * before } : room);
    result.events += idle(mat, kind, seed, CALL_MS, CALL_MS + WINDOW_MS).length;
    const bodies = bodiesOf(options);
    const balls = (['A', 'B'] as const).flatMap((player) => {
      const body = bodies.find((b) => b.player === player);
      return body === undefined ? [] : [{ player, bakugan: body.bakugan }];
    });
    const roll: Activity = { kind: 'roll', roll: `i${seed}.1`, balls, cores: ownCores(mat) };
    const activity: Activity = armed ? roll : { kind: 'idle' };
    const watched = watchTable({
      layout: FIXED_12,
      calibration: calibrationUnder(options),
      worlds: { A: mat.world('A'), B: mat.world('B') },
      halls: mat.halls,
      activity,
      callMs: CALL_MS,
      untilMs: CALL_MS + WINDOW_MS,
      goOn: true,
    });
    const opens = watched.said.some(
      ({ output }) => output.kind === 'ruling' && output.ruling.balls.some((b) => b.opened === 'yes'),
    );
    if (opens) {
      result.falseOpens += 1;
      said(`${kind} ${seed}`);
    }
    if (watched.final?.balls.some((b) => b.opened === 'yes') === true) result.falseFinals += 1;
    result.hours += WINDOW_MS / WARM_MS;
    progress(result.hours);
  }
  return result;
}

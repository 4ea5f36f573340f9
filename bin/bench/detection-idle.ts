/** Armed and nobody rolls: how often an open is invented. */
import type { Activity } from '../../host/sensing/activity.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { RollRuling } from '../../host/sensing/ruling.ts';
import { setActivity } from '../../host/sensing/sensing.ts';
import { ownCores } from '../../sim/calibration.ts';
import { type IdleKind, idle, idleRoom } from '../../sim/idle.ts';
import { bodiesOf, CALL_US, matOf } from '../../sim/played.ts';
import { calibrationUnder, optionsOf } from './detection-hear.ts';
import { watchTable } from './watch.ts';

export type { IdleKind };

export interface IdleResult {
  /** Watched while armed, hours, and of these on tables that went on from one armed window to the next. */
  hours: number;
  runningHours: number;
  /** Windows in which a ruling said, even for a moment, that a ball had opened. */
  falseOpens: number;
  /** Windows whose final ruling said so. */
  falseFinals: number;
  /** Things that people did to the table meanwhile. */
  events: number;
}

const CALL_MS = CALL_US / 1000;
/** An armed roll that nobody rolls ends undetermined after 20 s; then play arms anew. */
const WINDOW_MS = 20_000;
const HOUR_MS = 3_600_000;
/** After so many tables that are watched for one window, one is watched for so many windows on end. */
const FRESH = 20;
const RUNNING = 10;
/** Every second time a running table is idle for so long before it is armed anew, ms. */
const PAUSE_MS = 1000;

/** Armed windows until `hours` are over, every third one on a table that keeps running; `said` hears of each false open. */
export function runIdle(
  kind: IdleKind,
  firstSeed: number,
  hours: number,
  said: (line: string) => void = () => {},
  progress: (done: number) => void = () => {},
  armed = true,
): IdleResult {
  const result: IdleResult = { hours: 0, runningHours: 0, falseOpens: 0, falseFinals: 0, events: 0 };
  const all = Math.max(1, Math.ceil((hours * HOUR_MS) / WINDOW_MS - 1e-6));
  let done = 0;
  for (let i = 0; done < all; i += 1) {
    const running = i % (FRESH + 1) === FRESH;
    const windows = Math.min(all - done, running ? RUNNING : 1);
    const { opens, finals, events } = watchWindows(kind, firstSeed + i, i, windows, armed);
    for (const roll of opens) said(`${kind} ${firstSeed + i}, window ${roll}`);
    result.falseOpens += opens.length;
    result.falseFinals += finals.length;
    result.events += events;
    done += windows;
    if (running) result.runningHours += (windows * WINDOW_MS) / HOUR_MS;
    result.hours = (done * WINDOW_MS) / HOUR_MS;
    progress(windows);
  }
  return result;
}

/** One table, armed anew for so many windows; gives the rolls in which an open was invented. */
function watchWindows(kind: IdleKind, seed: number, i: number, windows: number, armed: boolean) {
  const options = optionsOf({ effects: [] }, seed);
  const mat = matOf(options, seed);
  const room = idleRoom(kind);
  // Time on the mat is short; a window within the warm-up begins warm by as much as it would be then.
  const before = kind === 'warm-up' ? ((i * 7919) % 1000) / 1000 : 0;
  mat.disturb(kind === 'warm-up' ? { ...room, warmUpK: 8 * (1 - before), extraK: 8 * before } : room);
  const calls = Array.from(
    { length: windows },
    (_, k) => CALL_MS + k * WINDOW_MS + Math.ceil(k / 2) * PAUSE_MS,
  );
  const untilMs = (calls.at(-1) ?? CALL_MS) + WINDOW_MS;
  const events = idle(mat, kind, seed, CALL_MS, untilMs).length;
  const bodies = bodiesOf(options);
  const balls = (['A', 'B'] as const).flatMap((player) => {
    const body = bodies.find((b) => b.player === player);
    return body === undefined ? [] : [{ player, bakugan: body.bakugan }];
  });
  const activityOf = (k: number): Activity =>
    armed ? { kind: 'roll', roll: `i${seed}.${k + 1}`, balls, cores: ownCores(mat) } : { kind: 'idle' };
  let at = 0;
  const watched = watchTable({
    layout: FIXED_12,
    calibration: calibrationUnder(options),
    worlds: { A: mat.world('A'), B: mat.world('B') },
    halls: mat.halls,
    activity: activityOf(0),
    callMs: CALL_MS,
    untilMs,
    goOn: true,
    before(sensing, atMs, out) {
      const next = calls[at + 1] ?? Infinity;
      if (atMs >= (calls[at] ?? 0) + WINDOW_MS && atMs < next) {
        setActivity(sensing, { kind: 'idle' }, atMs, out);
      } else if (atMs >= next) {
        at += 1;
        setActivity(sensing, activityOf(at), atMs, out);
      }
      return sensing;
    },
  });
  const rulings = watched.said.flatMap(({ output }) => (output.kind === 'ruling' ? [output.ruling] : []));
  const opened = rulings.filter((ruling) => ruling.balls.some((b) => b.opened === 'yes'));
  const rolls = (of: readonly RollRuling[]): string[] => [...new Set(of.map(({ roll }) => roll))];
  const lasting = opened.filter((ruling) => rulings.findLast(({ roll }) => roll === ruling.roll) === ruling);
  return { opens: rolls(opened), finals: rolls(lasting.filter(({ stage }) => stage === 'final')), events };
}

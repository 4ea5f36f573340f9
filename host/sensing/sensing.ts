import type { BoardSide, UplinkFrame } from '../../firmware-protocol/frame.ts';
import type { AtMs } from '../ids.ts';
import type { Activity } from './activity.ts';
import { MAGNET_MT, magnetAt } from './baseline.ts';
import { hallFor, seesAt } from './blind.ts';
import { shiftsBefore } from './common-shift.ts';
import { closedAt } from './contact.ts';
import { addDoubt, doubtOf } from './doubts.ts';
import { clearGates } from './gates.ts';
import { forgetHealth } from './health-watch.ts';
import { takeFrame } from './hear.ts';
import { beginRoll, keepLeftovers } from './live-roll.ts';
import { forgetReports, reportsDueAt } from './neighbours.ts';
import { clearOnsets, NO_HALL, setThreshold } from './onset.ts';
import { REASONS } from './reasons.ts';
import { reviewRoll } from './roll.ts';
import type { CellLevel, LinkNotice } from './seen.ts';
import type { SenseOutput, Sensing } from './state.ts';

export { loadSensing, saveSensing } from './save.ts';
export {
  createSensing,
  gatesFitted,
  heardMs,
  type SenseOutput,
  type Sensing,
  type SensingSetting,
} from './state.ts';

/** A settle that finds more than this due at once has met a mistake in the limits; it stops instead of hanging. */
const MOST_REVIEWS = 100_000;

/**
 * One frame of a board that a link has admitted. `atMs` is host time of the frame's device time, `errorMs` how far that
 * may be off. What was due before the frame arrived must have been settled. Frames of unset boards are not for us.
 */
export function hearFrame(
  sensing: Sensing,
  side: BoardSide,
  frame: UplinkFrame,
  atMs: AtMs,
  errorMs: number,
  out: SenseOutput[],
): void {
  takeFrame(sensing, side, frame, atMs, errorMs, out);
}

/** What a link noticed: gaps, resets, losses and clock trouble make the roll they fall into doubtful. */
export function hearNotice(sensing: Sensing, notice: LinkNotice, _out: SenseOutput[]): void {
  const doubt = doubtOf(notice, sensing.limits.missingMs);
  if (doubt !== undefined) addDoubt(sensing.doubts, doubt);
}

/** Nobody watched for a while: the roll that was going on, if any, is in doubt as a whole. */
export function interruptRoll(sensing: Sensing, atMs: AtMs): void {
  const { activity, live, doubts } = sensing;
  if (activity.kind !== 'roll') return;
  const { code, text } = REASONS.interrupted;
  addDoubt(doubts, {
    side: 'both',
    fromMs: live.fromMs,
    toMs: atMs,
    hidesMs: atMs - live.fromMs,
    code,
    text,
  });
}

/** What play says is going on from now. A roll is watched until the activity changes. */
export function setActivity(sensing: Sensing, activity: Activity, atMs: AtMs, _out: SenseOutput[]): void {
  const { live, tiles, base, contacts, limits, onsets } = sensing;
  const before = sensing.activity;
  sensing.activity = activity;
  if (activity.kind === 'idle' && before.kind !== 'idle') forgetHealth(sensing.health);
  if (activity.kind !== 'roll') {
    live.nextReviewMs = Infinity;
    live.finalDueMs = Infinity;
    if (before.kind === 'roll') for (let c = 0; c < tiles.cells.length; c += 1) base.disturbedMs[c] = atMs;
    return;
  }
  if (before.kind === 'roll' && before.roll === activity.roll) return;
  if (before.kind !== 'roll') live.leftover.fill(0);
  // A ball that holds its core stands there for longer; its cell is vacant and nobody waits for it.
  const holds = (cell: number): boolean => !activity.cores.some((on) => on.cell === tiles.cells[cell]?.cell);
  keepLeftovers(live, (cell) => before.kind === 'roll' || (!holds(cell) && stillLies(sensing, cell)));
  beginRoll(live, activity, tiles.cells, atMs);
  clearGates(sensing.gates.A);
  clearGates(sensing.gates.B);
  clearOnsets(onsets);
  base.common.fill(0);
  const shifts = shiftsBefore(sensing);
  for (let cell = 0; cell < tiles.cells.length; cell += 1) {
    live.sees[cell] = seesAt(base, tiles, sensing.health, cell);
    const hall = hallFor(live.sees[cell] ?? 0);
    onsets.hall[cell] = hall;
    setThreshold(onsets, base, tiles, limits, cell);
    live.stuck[cell] = closedAt(contacts, cell, atMs) ? 1 : 0;
    const magnet = hall !== NO_HALL && magnetAt(base, tiles, limits, cell, hall, shifts[cell]);
    live.magnets[cell] = magnet ? 1 : 0;
    if (live.magnets[cell] === 1 && live.cores[cell] !== undefined && live.leftover[cell] === 0) {
      live.leftover[cell] = 1;
    }
  }
  live.finalDueMs = atMs + limits.unseenLimitMs + limits.lateMs;
}

/** Whether what stood on a tile in the last roll has not been fetched since: zeros are too slow to tell right after it. */
function stillLies({ base, tiles, limits, newest }: Sensing, cell: number): boolean {
  for (let at = cell * tiles.halls; at < (cell + 1) * tiles.halls; at += 1) {
    if (Math.abs((newest[at] ?? 0) - (base.slow[at] ?? 0)) * limits.mtPerCount > MAGNET_MT) return true;
  }
  return false;
}

/** When this detector next wants to be settled; undefined while it waits for frames only. */
export function dueAt(sensing: Sensing): AtMs | undefined {
  const due = Math.min(rollDueAt(sensing), reportsDueAt(sensing.neighbours));
  return due < Infinity ? due : undefined;
}

function rollDueAt({ live, activity }: Sensing): AtMs {
  return activity.kind === 'roll' ? Math.min(live.nextReviewMs, live.finalDueMs) : Infinity;
}

/** Does everything that fell due up to `toMs`, each at its own due time. Settling late gives what settling on time does. */
export function settle(sensing: Sensing, toMs: AtMs, out: SenseOutput[]): void {
  for (let n = 0; n < MOST_REVIEWS; n += 1) {
    const due = dueAt(sensing);
    if (due === undefined || due > toMs) return;
    if (reportsDueAt(sensing.neighbours) <= due) forgetReports(sensing.neighbours, due);
    else reviewRoll(sensing, due, out);
  }
}

/** What every cell reads now, for pictures. */
export function levelsOf(sensing: Sensing): CellLevel[] {
  const { tiles, newest, base, limits, contacts } = sensing;
  return tiles.cells.map((cell, i) => ({
    cell: cell.cell,
    fieldMt: Array.from({ length: tiles.halls }, (_, h) => {
      const at = i * tiles.halls + h;
      return Math.round(((newest[at] ?? 0) - (base.slow[at] ?? 0)) * limits.mtPerCount * 100) / 100;
    }),
    contact: closedAt(contacts, i, Infinity),
  }));
}

import type { BoardSide, QuietFrame } from '../../firmware-protocol/frame.ts';
import type { AtMs } from '../ids.ts';
import { type Learning, learnLevel, MAGNET_MT } from './baseline.ts';
import { noteShift, sharedBy } from './common-shift.ts';
import { addLevel, closedAt, closedMs } from './contact.ts';
import { watchContact, watchHall } from './health-watch.ts';
import { hearLevels, watching } from './hear-inputs.ts';
import { endField, setThreshold, watchMean } from './onset.ts';
import { learnRemains, REMAINS_LINES } from './remains.ts';
import { RING_MS, STEPS_PER_COUNT, writeMean } from './rings.ts';
import { boardOf, type SenseOutput, type Sensing } from './state.ts';
import { touch } from './touch.ts';

/** Of its own for the loops below: what a module shares, engines look up anew at every use. */
const STEPS = STEPS_PER_COUNT;
const LINES = REMAINS_LINES;
/** Quiet lines come this often: the first one, or one after a gap, stands for so long. */
const QUIET_MS = 20;
/** One that comes late stands for no more than this. */
const QUIET_SPAN_MS = 25;

/** A tile on which something lay is free once its contact has been open for a while and its field is gone and still. */
function endLeftover(sensing: Sensing, cell: number, atMs: number, counts: number): void {
  const { live, base, contacts, limits, onsets, tiles } = sensing;
  const at = cell * tiles.halls + (onsets.hall[cell] ?? 0);
  const mt = (level: number): number => Math.abs(counts - level) * limits.mtPerCount;
  if (mt(base.slow[at] ?? 0) > MAGNET_MT || mt(base.zero[at] ?? 0) > limits.onsetMt / 2) return;
  if (closedAt(contacts, cell, atMs) || closedMs(contacts, cell, atMs - limits.leaveMs, atMs) > 0) return;
  // What the roll straight before has left is fetched by hands; anything else may be a ball that opened before the call.
  live.magnets[cell] = live.leftover[cell] === 1 ? 2 : 0;
  live.leftover[cell] = 0;
  live.stuck[cell] = 0;
  endField(onsets, cell);
}

/** What quiet levels are used for now. */
function learning(sensing: Sensing): Learning {
  const { activity, live } = sensing;
  if (activity.kind === 'idle') return 'drift';
  if (activity.kind === 'hands') return 'frozen';
  return live.firstSignMs >= 0 ? 'frozen' : 'zero';
}

/** A quiet line: what all inputs and tiles of a board are like now, 50 times a second. */
export function hearQuiet(
  sensing: Sensing,
  side: BoardSide,
  frame: QuietFrame,
  atMs: AtMs,
  errorMs: number,
  out: SenseOutput[],
): void {
  const { tiles, rings, contacts, onsets, base, limits, newest, health } = sensing;
  const map = sensing.maps[side];
  const board = boardOf(sensing, side);
  const since = atMs - board.quietMs;
  const fromMs = Math.floor(atMs - (since > 0 && since < QUIET_SPAN_MS ? since : QUIET_MS));
  const toMs = Math.floor(atMs);
  const count = sensing.tilesOf[side];
  const halls = Math.floor(frame.means.length / Math.max(1, count));
  const armed = watching(sensing);
  hearLevels(sensing, side, frame.inputs, atMs, errorMs, out);
  const usual = learning(sensing);
  const common = usual === 'zero' ? 0 : sharedBy(sensing, map, frame.means, count, halls, usual);
  const shiftFrom = since > 0 && since < RING_MS ? Math.floor(atMs - since) : fromMs;
  for (let tile = 0; tile < count && halls > 0; tile += 1) {
    const cell = map[tile] ?? -1;
    if (cell < 0) continue;
    const offset = tile * halls;
    writeMean(rings, cell, fromMs, toMs, frame.means, offset, halls);
    const closed = ((frame.inputs >> tile) & 1) === 1;
    if (addLevel(contacts, cell, atMs, closed) && closed) touch(sensing, cell, atMs, 'contact');
    const hall = onsets.hall[cell] ?? 0;
    const mean = frame.means[offset + hall] ?? 0;
    const watch = armed && hall < halls;
    if (watch && usual === 'frozen') noteShift(sensing, cell, shiftFrom, toMs, common, mean);
    if (watch && watchMean(onsets, tiles, cell, fromMs, toMs, mean)) touch(sensing, cell, fromMs, 'field');
    if (closed) base.disturbedMs[cell] = atMs;
    // The zero of a tile on which something still lies follows it until it is gone.
    const left = armed && sensing.live.leftover[cell] !== 0;
    const mode = left ? 'zero' : usual;
    if (left && hall < halls) endLeftover(sensing, cell, atMs, mean / STEPS);
    for (let h = 0; h < tiles.halls && h < halls; h += 1) {
      const counts = (frame.means[offset + h] ?? 0) / STEPS;
      newest[cell * tiles.halls + h] = counts;
      if (mode === 'drift') watchHall(health, cell * tiles.halls + h, counts, health.heard[cell] === 0);
      if (mode !== 'frozen')
        learnLevel(base, tiles, limits, cell, h, counts, atMs, since > 0 ? since : QUIET_MS, mode, common);
    }
    if (mode === 'drift') {
      watchContact(health, cell, closed, atMs);
      if ((health.heard[cell] ?? 0) % LINES === 0 && common === 0) learnRemains(sensing, cell, atMs);
    }
    base.heard[cell] = 1;
    if (mode !== 'frozen') setThreshold(onsets, base, tiles, limits, cell);
  }
  board.quietMs = atMs;
}

import {
  BLOCK_MS,
  type BoardSide,
  type BurstFrame,
  CAPABILITY,
  type EdgeFrame,
  MAX_TILES,
  type QuietFrame,
  type UplinkFrame,
} from '../../firmware-protocol/frame.ts';
import type { AtMs } from '../ids.ts';
import { type Learning, learnLevel, MAGNET_MT } from './baseline.ts';
import { noteShift, sharedBy } from './common-shift.ts';
import { addBits, addEdge, addLevel, closedAt, closedMs, lastEdgeMs } from './contact.ts';
import { addDoubt } from './doubts.ts';
import { watchContact, watchHall } from './health-watch.ts';
import { hearBeam, hearLevels, hearStud, INPUTS_OF, playersOf, sign, watching } from './hear-inputs.ts';
import { beginStand, standAt } from './live-roll.ts';
import { meetBoard, takeReport } from './neighbours.ts';
import { endField, goesOn, setThreshold, sizeUp, takeCross, watchMean, watchSamples } from './onset.ts';
import { RING_MS, STEPS_PER_COUNT, writeDense, writeMean } from './rings.ts';
import { boardOf, type SenseOutput, type Sensing } from './state.ts';

/** A first look at a new visit this long after its first sign, beside the allowance for lines on their way. */
const FIRST_LOOK_MS = 2;
/** Times stamped on arrival at a translator are off by its sampling interval besides. */
const COARSE_MS = 19;
/** A quiet line stands for no more than this. */
const QUIET_SPAN_MS = 25;

/** Contact or field on a tile: a visit begins or goes on. */
function touch(sensing: Sensing, cell: number, atMs: number, what: 'contact' | 'field'): void {
  if (!watching(sensing) || sensing.live.leftover[cell] !== 0) return;
  if (atMs < sensing.live.fromMs) {
    // Flicker told late, from right before the call, must not hide what comes to the tile after it.
    if (what === 'field') endField(sensing.onsets, cell);
    return;
  }
  const { live, limits, onsets } = sensing;
  let stand = standAt(live, cell);
  if (stand !== undefined && what === 'contact') {
    // Contact anew after a pause without any field: another ball, or the same one once more.
    const before = lastEdgeMs(sensing.contacts, cell, atMs - 0.001);
    const fieldMs = onsets.aboveMs[cell] ?? -Infinity;
    const sinceMs = onsets.sinceMs[cell] ?? NaN;
    const bare = atMs - fieldMs > limits.pauseMs;
    // A field that began only after the contact had gone is the next ball's, which rolls up.
    if (stand.visit.contactMs < before && atMs - before > limits.pauseMs && (bare || sinceMs > before)) {
      stand.visit.endMs = before;
      if (bare) endField(onsets, cell);
      stand = undefined;
    }
  }
  stand ??= beginStand(live, cell, atMs);
  if (stand === undefined) return;
  const { visit } = stand;
  if (what === 'contact' && !(visit.contactMs <= atMs)) visit.contactMs = atMs;
  if (what === 'field' && !(visit.onsetMs <= atMs)) visit.onsetMs = atMs;
  if (atMs < visit.startMs && stand.arrived === 0) {
    visit.startMs = atMs;
    if (visit.bins === 0) visit.fromMs = Math.floor(atMs) - 32;
  }
  sign(sensing, atMs);
  const due = atMs + limits.lateMs + FIRST_LOOK_MS;
  if (due < live.nextReviewMs) live.nextReviewMs = due;
}

/** Every tile a board may have. */
const ALL_TILES = (1 << MAX_TILES) - 1;

/** Number of the lowest bit of a mask that is not 0. */
function lowest(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

function hearBurst(sensing: Sensing, map: Int16Array, frame: BurstFrame, atMs: AtMs): void {
  const { rings, onsets, contacts, limits, tiles, newest } = sensing;
  const { samples, halls } = frame;
  const tileMask = frame.tileMask & ALL_TILES;
  const fromMs = Math.floor(atMs);
  const watch = watching(sensing);
  const own = tiles.halls;
  const kept = Math.min(halls, own);
  const blockLength = BLOCK_MS * halls;
  let block = 0;
  let busy = 0;
  for (let rest = tileMask; rest !== 0; rest &= rest - 1) {
    const tile = lowest(rest);
    const offset = block * blockLength;
    const bits = frame.contacts[block] ?? 0;
    block += 1;
    const cell = map[tile] ?? -1;
    if (cell < 0) continue;
    writeDense(rings, cell, fromMs, samples, offset, halls, BLOCK_MS);
    const last = offset + blockLength - halls;
    for (let h = 0; h < kept; h += 1) newest[cell * own + h] = samples[last + h] ?? 0;
    const changed = addBits(contacts, cell, fromMs, bits, BLOCK_MS);
    if (!watch) continue;
    if (changed && bits !== 0) touch(sensing, cell, fromMs, 'contact');
    const hall = onsets.hall[cell] ?? 0;
    if (hall < halls && sizeUp(onsets, cell, samples, offset + hall, halls, BLOCK_MS)) busy |= 1 << tile;
  }
  if (busy === 0) return;
  // Only now are the fields of all neighbours on this line known, and with them what appears of them elsewhere.
  const { onsetHoldMs, pauseMs } = limits;
  block = 0;
  for (let rest = tileMask; rest !== 0; rest &= rest - 1) {
    const tile = lowest(rest);
    const offset = block * blockLength;
    block += 1;
    if (((busy >> tile) & 1) === 0) continue;
    const cell = map[tile] ?? -1;
    takeCross(onsets, tiles, cell);
    if (goesOn(onsets, cell, fromMs, BLOCK_MS, pauseMs)) continue;
    const at = offset + (onsets.hall[cell] ?? 0);
    if (watchSamples(onsets, cell, fromMs, samples, at, halls, BLOCK_MS, onsetHoldMs, pauseMs)) {
      touch(sensing, cell, onsets.sinceMs[cell] ?? fromMs, 'field');
    }
  }
}

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

function learning(sensing: Sensing): Learning {
  const { activity, live } = sensing;
  if (activity.kind === 'idle') return 'drift';
  if (activity.kind === 'hands') return 'frozen';
  return live.firstSignMs >= 0 ? 'frozen' : 'zero';
}

function hearQuiet(
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
  const fromMs = Math.floor(atMs - (since > 0 && since < QUIET_SPAN_MS ? since : 20));
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
    if (left && hall < halls) endLeftover(sensing, cell, atMs, mean / STEPS_PER_COUNT);
    for (let h = 0; h < tiles.halls && h < halls; h += 1) {
      const counts = (frame.means[offset + h] ?? 0) / STEPS_PER_COUNT;
      newest[cell * tiles.halls + h] = counts;
      if (mode === 'drift') watchHall(health, cell * tiles.halls + h, counts, health.heard[cell] === 0);
      learnLevel(base, tiles, limits, cell, h, counts, atMs, since > 0 ? since : 20, mode, common);
    }
    if (mode === 'drift') watchContact(health, cell, closed, atMs);
    base.heard[cell] = 1;
    if (mode !== 'frozen') setThreshold(onsets, base, tiles, limits, cell);
  }
  board.quietMs = atMs;
}

function hearEdge(
  sensing: Sensing,
  side: BoardSide,
  frame: EdgeFrame,
  atMs: AtMs,
  errorMs: number,
  out: SenseOutput[],
): void {
  if (frame.input < MAX_TILES) {
    const cell = sensing.maps[side][frame.input] ?? -1;
    if (cell < 0 || closedAt(sensing.contacts, cell, atMs) === frame.closed) return;
    addEdge(sensing.contacts, cell, atMs, frame.closed);
    if (frame.closed) touch(sensing, cell, atMs, 'contact');
    return;
  }
  const players = playersOf(side);
  for (let i = 0; i < players.length; i += 1) {
    const player = players[i];
    const its = INPUTS_OF[i];
    if (player === undefined) continue;
    const gates = sensing.gates[player];
    if (frame.input === its?.near) hearBeam(sensing, gates.near, frame.closed, atMs, errorMs);
    else if (frame.input === its?.far) hearBeam(sensing, gates.far, frame.closed, atMs, errorMs);
    else if (frame.input === its?.stud) hearStud(sensing, player, frame.closed, atMs, out);
  }
}

/** Takes in one frame. `atMs` is host time of its device time, `errorMs` how far that may be off. */
export function takeFrame(
  sensing: Sensing,
  side: BoardSide,
  frame: UplinkFrame,
  atMs: AtMs,
  errorMs: number,
  out: SenseOutput[],
): void {
  if (side === 'unset') return;
  const board = boardOf(sensing, side);
  if (board.coarse) errorMs += COARSE_MS;
  const { limits } = sensing;
  if (watching(sensing)) {
    const gap = atMs - board.heardMs;
    if (gap > limits.staleMs && atMs > sensing.live.fromMs) {
      addDoubt(sensing.doubts, {
        side: side === 'both' ? 'both' : side,
        fromMs: board.heardMs,
        toMs: atMs,
        hidesMs: gap,
        code: 'doubt/board-silent',
        text: `Side ${side} was not heard for ${Math.round(gap)} ms.`,
      });
    }
    // A translator's stamps are coarse by their nature: scores and tracks of such boards are asked for more instead.
    if (errorMs > limits.clockDoubtMs + (board.coarse ? COARSE_MS : 0)) {
      addDoubt(sensing.doubts, {
        side: side === 'both' ? 'both' : side,
        fromMs: atMs - errorMs,
        toMs: atMs + errorMs,
        hidesMs: Math.max(2 * errorMs, limits.missingMs),
        code: 'doubt/clock',
        text: `Times of side ${side} are known to ${Math.round(errorMs)} ms only.`,
      });
    }
  }
  if (!(board.heardMs >= atMs)) board.heardMs = atMs;
  switch (frame.kind) {
    case 'burst':
      hearBurst(sensing, sensing.maps[side], frame, atMs);
      break;
    case 'quiet':
      hearQuiet(sensing, side, frame, atMs, errorMs, out);
      break;
    case 'edge':
      hearEdge(sensing, side, frame, atMs, errorMs, out);
      break;
    case 'hello':
      board.gates = (frame.capabilities & CAPABILITY.gates) !== 0;
      board.coarse = (frame.capabilities & CAPABILITY.arrivalStamped) !== 0;
      meetBoard(sensing, frame);
      break;
    case 'health':
    case 'answer':
    case 'fault':
      break;
    case 'adjacency':
      takeReport(sensing, side, frame, atMs);
      break;
    default:
      frame satisfies never;
  }
}

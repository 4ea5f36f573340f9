import {
  BLOCK_MS,
  type BoardSide,
  type BurstFrame,
  CAPABILITY,
  type EdgeFrame,
  MAX_TILES,
  type UplinkFrame,
} from '../../firmware-protocol/frame.ts';
import type { AtMs } from '../ids.ts';
import { addBits, addEdge, closedAt } from './contact.ts';
import { addDoubt } from './doubts.ts';
import { hearBeam, hearStud, INPUTS_OF, playersOf, watching } from './hear-inputs.ts';
import { hearQuiet } from './hear-quiet.ts';
import { meetBoard, takeReport } from './neighbours.ts';
import { goesOn, sizeUp, takeCross, watchSamples } from './onset.ts';
import { writeDense } from './rings.ts';
import { boardOf, type SenseOutput, type Sensing } from './state.ts';
import { touch } from './touch.ts';

/** Times stamped on arrival at a translator are off by its sampling interval besides. */
const COARSE_MS = 19;
/** Of its own for the loops below: what a module shares, engines look up anew at every use. */
const BLOCK = BLOCK_MS;
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
  const blockLength = BLOCK * halls;
  let block = 0;
  let busy = 0;
  for (let rest = tileMask; rest !== 0; rest &= rest - 1) {
    const tile = lowest(rest);
    const offset = block * blockLength;
    const bits = frame.contacts[block] ?? 0;
    block += 1;
    const cell = map[tile] ?? -1;
    if (cell < 0) continue;
    writeDense(rings, cell, fromMs, samples, offset, halls, BLOCK);
    const last = offset + blockLength - halls;
    for (let h = 0; h < kept; h += 1) newest[cell * own + h] = samples[last + h] ?? 0;
    const changed = addBits(contacts, cell, fromMs, bits, BLOCK);
    if (!watch) continue;
    if (changed && bits !== 0) touch(sensing, cell, fromMs, 'contact');
    const hall = onsets.hall[cell] ?? 0;
    if (hall < halls && sizeUp(onsets, cell, samples, offset + hall, halls, BLOCK)) busy |= 1 << tile;
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
    if (goesOn(onsets, cell, fromMs, BLOCK, pauseMs)) continue;
    const at = offset + (onsets.hall[cell] ?? 0);
    if (watchSamples(onsets, cell, fromMs, samples, at, halls, BLOCK, onsetHoldMs, pauseMs)) {
      touch(sensing, cell, onsets.sinceMs[cell] ?? fromMs, 'field');
    }
  }
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

/** Every line that the two boards of a mat say, as it arrives over their wires. */
import type { Side } from '../host/ids.ts';
import { SIDES } from '../host/ids.ts';
import type { RawLine } from '../host/record.ts';
import { createDelivery } from './delivery.ts';
import type { WireUnder } from './effects.ts';
import { rawLine } from './line-cutter.ts';
import type { Mat } from './mat.ts';
import { createChance, hash32 } from './random.ts';
import { createScriptedBoard } from './scripted-board.ts';
import type { BoardFactory } from './table.ts';
import { type Chunk, createWireFaults } from './wire-faults.ts';

/** One line of a capture. `via` is the link it came over. */
export type CaptureLine = { readonly atMs: number; readonly via: string } & RawLine;

const STEP_US = 1000;
/** A board that starts anew does so at least this long before the end, ms. */
const BEFORE_END_MS = 1200;

/** Lines from power on to `toMs`, in order of arrival. `fromMs`: from here on a board may start anew. */
export function linesOf(
  mat: Mat,
  seed: number,
  wire: WireUnder,
  fromMs: number,
  toMs: number,
  boards?: BoardFactory,
): CaptureLine[] {
  const make = boards ?? createScriptedBoard;
  const lines: CaptureLine[] = [];
  const chance = createChance(hash32(seed, 49, mat.seed));
  const unlucky: Side = chance.happens(0.5) ? 'A' : 'B';
  const resetMs = chance.between(fromMs, Math.max(fromMs, toMs - BEFORE_END_MS));
  for (const side of SIDES) {
    const board = make({
      world: mat.world(side),
      side,
      tiles: mat.tiles.filter((tile) => tile.side === side).length,
      halls: mat.halls,
      device: side === 'A' ? 'A0000001' : 'B0000001',
      bootId: 1,
      clockError: chance.between(-wire.clockError, wire.clockError),
    });
    const faults = createWireFaults(hash32(seed, side === 'A' ? 43 : 44, mat.seed), wire.plan);
    const delivery = createDelivery(hash32(seed, side === 'A' ? 47 : 48, mat.seed), wire.delivery);
    let due = wire.reset && side === unlucky;
    let pending: number[] = [];
    const take = (chunks: readonly Chunk[]): void => {
      for (const chunk of delivery.pass(chunks)) {
        // The usual case: a chunk is a line.
        const end = chunk.bytes.length - 1;
        if (pending.length === 0 && chunk.bytes.indexOf(10) === end) {
          const via = side === 'A' ? 'sim-a' : 'sim-b';
          lines.push({ atMs: chunk.atUs / 1000, via, ...rawLine(chunk.bytes.subarray(0, end)) });
          continue;
        }
        for (const byte of chunk.bytes) {
          if (byte !== 10) {
            pending.push(byte);
            continue;
          }
          const via = side === 'A' ? 'sim-a' : 'sim-b';
          lines.push({ atMs: chunk.atUs / 1000, via, ...rawLine(pending) });
          pending = [];
        }
      }
    };
    for (let at = STEP_US; at <= toMs * 1000; at += STEP_US) {
      board.runTo(at);
      if (due && at >= resetMs * 1000) {
        due = false;
        board.reset();
        faults.beginSpell();
      }
      take(faults.pass(board.takeBytes()));
      take(faults.due(at));
    }
  }
  return lines.sort((a, b) => a.atMs - b.atMs || (a.via < b.via ? -1 : a.via > b.via ? 1 : 0));
}

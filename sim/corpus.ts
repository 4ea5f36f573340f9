/** Rolls as capture files with their truth beside them: what `bakucore replay` and `bakucore bench` read. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawLine } from '../host/record.ts';
import type { Activity } from '../host/sensing/activity.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { calibrationOf } from './calibration.ts';
import { rawLine } from './line-cutter.ts';
import { createMat } from './mat.ts';
import { bodiesOf, IMPAIRED_LOSS, playRoll, type SampleOptions } from './played.ts';
import { hash32 } from './random.ts';
import { createScriptedBoard } from './scripted-board.ts';
import type { BoardFactory } from './table.ts';
import { type RollTruth, truthLine } from './truth.ts';
import { createWireFaults, SOUND_WIRE } from './wire-faults.ts';

/** One line of a capture. `via` is the link it came over. */
export type CaptureLine = { readonly atMs: number; readonly via: string } & RawLine;

/** A roll as it was heard. */
export interface CapturedRoll {
  readonly truth: RollTruth;
  readonly activity: Activity & { readonly kind: 'roll' };
  readonly lines: readonly CaptureLine[];
}

export interface CorpusOptions extends SampleOptions {
  /** Boards that run firmware; scripted ones when left out. */
  readonly boards?: BoardFactory;
}

const STEP_US = 1000;

/** Plays roll `seed` through two boards and takes down every line. */
export function captureRoll(seed: number, options: CorpusOptions = {}): CapturedRoll {
  const { mat, truth, activity } = playRoll(seed, options);
  const make = options.boards ?? createScriptedBoard;
  const wire = options.conditions === 'impaired' ? { ...SOUND_WIRE, lost: IMPAIRED_LOSS } : SOUND_WIRE;
  const lines: CaptureLine[] = [];
  for (const side of ['A', 'B'] as const) {
    const board = make({
      world: mat.world(side),
      side,
      tiles: mat.tiles.filter((tile) => tile.side === side).length,
      halls: mat.halls,
      device: side === 'A' ? 'A0000001' : 'B0000001',
      bootId: 1,
    });
    const faults = createWireFaults(hash32(seed, side === 'A' ? 43 : 44, mat.seed), wire);
    let pending: number[] = [];
    for (let at = STEP_US; at <= truth.toMs * 1000; at += STEP_US) {
      board.runTo(at);
      for (const chunk of faults.pass(board.takeBytes())) {
        for (const byte of chunk.bytes) {
          if (byte !== 10) pending.push(byte);
          else {
            const via = side === 'A' ? 'sim-a' : 'sim-b';
            lines.push({ atMs: chunk.atUs / 1000, via, ...rawLine(pending) });
            pending = [];
          }
        }
      }
    }
  }
  lines.sort((a, b) => a.atMs - b.atMs || (a.via < b.via ? -1 : a.via > b.via ? 1 : 0));
  return { truth, activity, lines };
}

/**
 * Writes `count` rolls from seed `first` on: `roll-<seed>.jsonl` with the lines, `truth.jsonl` and `activity.jsonl`
 * with one roll a line, `calibration.json`.
 */
export function writeCorpus(
  folder: string,
  first: number,
  count: number,
  options: CorpusOptions = {},
): { readonly rolls: number; readonly lines: number } {
  mkdirSync(folder, { recursive: true });
  const layout = options.layout ?? FIXED_12;
  const matSeed = options.matSeed ?? 1;
  const calibration = calibrationOf(createMat(layout, matSeed), bodiesOf(options));
  writeFileSync(join(folder, 'calibration.json'), `${JSON.stringify(calibration, null, 2)}\n`);
  const truths: string[] = [];
  const activities: string[] = [];
  let lines = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const captured = captureRoll(seed, options);
    truths.push(truthLine(captured.truth));
    activities.push(JSON.stringify(captured.activity));
    const text = captured.lines.map((line) => JSON.stringify(line)).join('\n');
    writeFileSync(join(folder, `roll-${seed}.jsonl`), `${text}\n`);
    lines += captured.lines.length;
  }
  writeFileSync(join(folder, 'truth.jsonl'), `${truths.join('\n')}\n`);
  writeFileSync(join(folder, 'activity.jsonl'), `${activities.join('\n')}\n`);
  return { rolls: count, lines };
}

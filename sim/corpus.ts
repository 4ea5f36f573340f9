/** Rolls as capture files with their truth beside them: what `bakucore replay` and `bakucore bench` read. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawLine } from '../host/record.ts';
import type { Activity } from '../host/sensing/activity.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { drawBodies } from './bodies.ts';
import { calibrationOf, ownCores } from './calibration.ts';
import { createMat } from './mat.ts';
import { BAD_ROOM } from './noise.ts';
import { perform } from './perform.ts';
import { createChance, hash32 } from './random.ts';
import { drawRoll } from './roll.ts';
import type { SampleOptions } from './sample.ts';
import { createScriptedBoard } from './scripted-board.ts';
import { CLEAN, WORN } from './shares.ts';
import type { BoardFactory } from './table.ts';
import { rawLine } from './transport.ts';
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

/** The call comes this long after power on: boards boot for a second and settle, µs. */
const CALL_US = 3_000_000;
const STEP_US = 1000;

/** Plays roll `seed` through two boards and takes down every line. */
export function captureRoll(seed: number, options: CorpusOptions = {}): CapturedRoll {
  const layout = options.layout ?? FIXED_12;
  const matSeed = options.matSeed ?? 1;
  const conditions = options.conditions ?? 'clean';
  const mat = createMat(layout, matSeed, seed);
  if (conditions === 'impaired') mat.disturb(BAD_ROOM);
  const bodies = drawBodies({ seed: matSeed, samePolarity: options.samePolarity ?? false });
  const chance = createChance(hash32(seed, 41, matSeed));
  const empty = options.vacantCells ?? chance.below(4);
  const left = new Set(Array.from({ length: empty }, () => chance.below(mat.tiles.length)));
  const cores = ownCores(mat).filter((_, i) => !left.has(i));
  const pair = (['A', 'B'] as const).map((side) => chance.pick(bodies.filter((b) => b.player === side)));
  const shares = options.shares ?? (conditions === 'clean' ? CLEAN : WORN);
  const roll = `t${seed}.1`;
  const truth = perform(mat, drawRoll(mat, { roll, seed, startUs: CALL_US, bodies: pair, cores, shares }));
  const make = options.boards ?? createScriptedBoard;
  const wire = conditions === 'impaired' ? { ...SOUND_WIRE, lost: 0.02 } : SOUND_WIRE;
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
    const faults = createWireFaults(hash32(seed, side === 'A' ? 43 : 44, matSeed), wire);
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
  const balls = pair.map((body) => ({ player: body.player, bakugan: body.bakugan }));
  return { truth, activity: { kind: 'roll', roll, balls, cores }, lines };
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
  const bodies = drawBodies({ seed: matSeed, samePolarity: options.samePolarity ?? false });
  const calibration = calibrationOf(createMat(layout, matSeed), bodies);
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

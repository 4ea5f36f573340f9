/** Rolls as capture files with their truth beside them: what `bakucore replay` and `bakucore bench` read. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Side } from '../host/ids.ts';
import type { RawLine } from '../host/record.ts';
import type { Activity } from '../host/sensing/activity.ts';
import { calibrationOf } from './calibration.ts';
import { createDelivery } from './delivery.ts';
import { type WireUnder, wireUnder } from './effects.ts';
import { rawLine } from './line-cutter.ts';
import { bodiesOf, matOf, playRoll, type SampleOptions } from './played.ts';
import { type Chance, createChance, hash32 } from './random.ts';
import { createScriptedBoard } from './scripted-board.ts';
import type { BoardFactory } from './table.ts';
import { type RollTruth, truthLine } from './truth.ts';
import { type Chunk, createWireFaults } from './wire-faults.ts';

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
  /** Lines go on this long after the samples that belong to the roll, ms; 0 by default. */
  readonly afterMs?: number;
}

const STEP_US = 1000;

/** Plays roll `seed` through two boards and takes down every line. */
export function captureRoll(seed: number, options: CorpusOptions = {}): CapturedRoll {
  const { mat, truth, activity } = playRoll(seed, options);
  const make = options.boards ?? createScriptedBoard;
  const wire = wireOf(options);
  const lines: CaptureLine[] = [];
  const chance = createChance(hash32(seed, 49, mat.seed));
  const unlucky: Side = chance.happens(0.5) ? 'A' : 'B';
  for (const side of ['A', 'B'] as const) {
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
    const resetUs = wire.reset && side === unlucky ? resetAtUs(chance, truth) : Infinity;
    let resets = 0;
    let pending: number[] = [];
    const take = (chunks: readonly Chunk[]): void => {
      for (const chunk of delivery.pass(chunks)) {
        for (const byte of chunk.bytes) {
          if (byte !== 10) pending.push(byte);
          else {
            const via = side === 'A' ? 'sim-a' : 'sim-b';
            lines.push({ atMs: chunk.atUs / 1000, via, ...rawLine(pending) });
            pending = [];
          }
        }
      }
    };
    const endUs = (truth.toMs + (options.afterMs ?? 0)) * 1000;
    for (let at = STEP_US; at <= endUs; at += STEP_US) {
      board.runTo(at);
      if (at >= resetUs && resets === 0) {
        resets = 1;
        board.reset();
        faults.beginSpell();
      }
      take(faults.pass(board.takeBytes()));
      take(faults.due(at));
    }
  }
  lines.sort((a, b) => a.atMs - b.atMs || (a.via < b.via ? -1 : a.via > b.via ? 1 : 0));
  return { truth, activity, lines };
}

function wireOf(options: CorpusOptions): WireUnder {
  if (options.effects !== undefined) return wireUnder(options.effects);
  return wireUnder(options.conditions === 'impaired' ? ['lost-lines'] : []);
}

/** Some moment between the call and the end of the roll. */
function resetAtUs(chance: Chance, truth: RollTruth): number {
  return Math.round(chance.between(truth.fromMs, Math.max(truth.fromMs, truth.toMs - 1200)) * 1000);
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
  const calibration = calibrationOf(matOf(options), bodiesOf(options));
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

/** Rolls as capture files with their truth beside them: what `bakucore bench captures` hears and scores. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exp } from '../host/exact.ts';
import type { Activity } from '../host/sensing/activity.ts';
import { calibrationOf } from './calibration.ts';
import { type CaptureLine, linesOf } from './captured-lines.ts';
import { type Effects, type WireUnder, wireUnder } from './effects.ts';
import { type IdleKind, idle, idleRoom } from './idle.ts';
import { bodiesOf, matOf, playRoll, type SampleOptions } from './played.ts';
import type { BoardFactory } from './table.ts';
import { type RollTruth, truthLine } from './truth.ts';

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
  /** How the lines come, in the place of what the conditions or effects say. */
  readonly wire?: WireUnder;
}

/** Plays roll `seed` through two boards and takes down every line. */
export function captureRoll(seed: number, options: CorpusOptions = {}): CapturedRoll {
  const { mat, truth, activity } = playRoll(seed, options);
  const toMs = truth.toMs + (options.afterMs ?? 0);
  const lines = linesOf(mat, seed, wireOf(options), truth.fromMs, toMs, options.boards);
  return { truth, activity, lines };
}

/**
 * How long boards must go on speaking after a roll for its last word to be said, ms: longer where it waits for a ball
 * that left the tiles, longest for one that was never on them.
 */
export function spokenOnMs({ balls }: RollTruth): number {
  if (balls.some(({ path }) => path.length === 0)) return 20_500;
  return balls.every(({ path }) => path.some(({ toMs }) => toMs === undefined)) ? 0 : 2500;
}

/** Clocks that are off are known only after a while: boards under such effects have been on for longer at the call, ms. */
const WARM_CALL_MS = 15_000;

/** When the roll is called under these effects, where the usual moment is too early. */
export function callMsUnder(effects: Effects): { readonly callMs?: number } {
  return effects.includes('mqtt') || effects.includes('clock') ? { callMs: WARM_CALL_MS } : {};
}

/** What a folder of rolls says of itself: `recorded.json`. */
export interface RecordedUnder {
  readonly version: 1;
  /** Names of `EFFECTS` that were on the table, the wire among them. */
  readonly effects: readonly string[];
}

function wireOf(options: CorpusOptions): WireUnder {
  if (options.wire !== undefined) return options.wire;
  if (options.effects !== undefined) return wireUnder(options.effects);
  return wireUnder(options.conditions === 'impaired' ? ['lost-lines'] : []);
}

/**
 * Writes `count` rolls from seed `first` on: `roll-<seed>.jsonl` with the lines, `truth.jsonl` and `activity.jsonl`
 * with one roll a line, `calibration.json`, and `recorded.json` with the effects. Lines go on until a last word can be said.
 */
export function writeCorpus(
  folder: string,
  first: number,
  count: number,
  options: CorpusOptions = {},
  progress: (done: number) => void = () => {},
): { readonly files: number; readonly lines: number } {
  writeCalibration(folder, options);
  const truths: string[] = [];
  const activities: string[] = [];
  let lines = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const short = captureRoll(seed, options);
    const afterMs = options.afterMs ?? spokenOnMs(short.truth);
    const captured = afterMs === (options.afterMs ?? 0) ? short : captureRoll(seed, { ...options, afterMs });
    truths.push(truthLine(captured.truth));
    activities.push(JSON.stringify(captured.activity));
    const text = captured.lines.map((line) => JSON.stringify(line)).join('\n');
    writeFileSync(join(folder, `roll-${seed}.jsonl`), `${text}\n`);
    lines += captured.lines.length;
    progress(1);
  }
  writeFileSync(join(folder, 'truth.jsonl'), `${truths.join('\n')}\n`);
  const under: RecordedUnder = { version: 1, effects: options.effects ?? [] };
  writeFileSync(join(folder, 'recorded.json'), `${JSON.stringify(under)}\n`);
  writeFileSync(join(folder, 'activity.jsonl'), `${activities.join('\n')}\n`);
  return { files: count, lines };
}

function writeCalibration(folder: string, options: CorpusOptions): void {
  mkdirSync(folder, { recursive: true });
  const calibration = calibrationOf(matOf(options), bodiesOf(options));
  writeFileSync(join(folder, 'calibration.json'), `${JSON.stringify(calibration, null, 2)}\n`);
}

/** Speaking begins after the boot loader's second and the settling of the levels, ms. */
const SPEAKS_MS = 1500;
const MINUTE_MS = 60_000;

/**
 * Writes minutes in which nobody rolls: `<kind>-<minute>.jsonl` with the lines, `truth.jsonl` with what was done to the
 * table in each, `calibration.json`. The mat is switched on `first` minutes before the first of them.
 */
export function captureIdle(
  folder: string,
  kind: IdleKind,
  first: number,
  count: number,
  options: CorpusOptions = {},
  progress: (done: number) => void = () => {},
): { readonly files: number; readonly lines: number } {
  writeCalibration(folder, options);
  const truths: string[] = [];
  let lines = 0;
  for (let minute = first; minute < first + count; minute += 1) {
    const mat = matOf(options, minute);
    const room = idleRoom(kind);
    // Warm by as much as the minutes before have made it: a time constant of 8 minutes.
    const warm = room.warmUpK * (1 - exp(-(minute - 1) / 8));
    mat.disturb({ ...room, warmUpK: room.warmUpK - warm, extraK: warm });
    const events = idle(mat, kind, minute, SPEAKS_MS, MINUTE_MS);
    const heard = linesOf(mat, minute, wireOf(options), SPEAKS_MS, MINUTE_MS, options.boards);
    writeFileSync(
      join(folder, `${kind}-${minute}.jsonl`),
      `${heard.map((line) => JSON.stringify(line)).join('\n')}\n`,
    );
    truths.push(JSON.stringify({ minute, kind, rolls: 0, events }));
    lines += heard.length;
    progress(1);
  }
  writeFileSync(join(folder, 'truth.jsonl'), `${truths.join('\n')}\n`);
  return { files: count, lines };
}

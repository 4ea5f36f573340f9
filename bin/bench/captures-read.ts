/** A folder that `bakucore sim record` wrote, file by file. What is not as it should be is named with file and line. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { calibrationIn } from '../../host/calibration-file.ts';
import { systemCodeOf, TableFault, wordsOf } from '../../host/fault.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { calibrationProblem } from '../../host/sensing/check-calibration.ts';
import { FIXED_12, HEX_19, type Layout } from '../../host/sensing/layout.ts';
import type { CaptureLine } from '../../sim/captured-lines.ts';
import type { CapturedRoll } from '../../sim/corpus.ts';
import { EFFECTS, type Effect } from '../../sim/effects.ts';
import type { RollTruth } from '../../sim/truth.ts';

/** Rolls that share a mat, as one folder holds them. */
export interface RecordedMat {
  readonly folder: string;
  readonly name: string;
  readonly layout: Layout;
  readonly calibration: Calibration;
  /** What was wrong with table and wire; nothing where the folder does not say. */
  readonly effects: readonly Effect[];
  readonly truths: readonly RollTruth[];
  readonly activities: readonly CapturedRoll['activity'][];
}

const LAYOUTS = [FIXED_12, HEX_19];
const AGAIN = 'Record it anew with: bakucore sim record --out FOLDER.';

/** The folder itself, or every `mat-…` folder in it, in order. Throws a TableFault where there is none. */
export function recordedMats(folder: string): readonly RecordedMat[] {
  const folders = existsSync(join(folder, 'truth.jsonl')) ? [folder] : matsIn(folder);
  if (folders.length === 0) {
    throw new TableFault(
      'replay/unreadable',
      `${folder} holds no recorded rolls (no mat-… with truth.jsonl).`,
      AGAIN,
    );
  }
  return folders.map(matAt);
}

function matsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((one) => statSync(one).isDirectory() && existsSync(join(one, 'truth.jsonl')))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  } catch (error) {
    throw new TableFault(
      'replay/unreadable',
      `${folder} cannot be read: ${systemCodeOf(error) ?? wordsOf(error)}.`,
      AGAIN,
    );
  }
}

function matAt(folder: string): RecordedMat {
  const truthFile = join(folder, 'truth.jsonl');
  const activityFile = join(folder, 'activity.jsonl');
  if (!existsSync(activityFile)) {
    throw new TableFault(
      'replay/unreadable',
      `${folder} has no activity.jsonl: nobody rolls in it.`,
      'Name a folder of rolls; hours without rolls are scored by: bakucore bench detection.',
    );
  }
  const truths = linesOf(truthFile, isTruth, 'the truth of a roll');
  const activities = linesOf(activityFile, isRoll, 'a roll as play knew it');
  for (const [i, { roll }] of truths.entries()) {
    if (activities[i]?.roll !== roll) {
      throw bad(activityFile, i + 1, `it is not of roll ${roll}, of which the same line of truth.jsonl is`);
    }
  }
  const named = truths[0]?.layout ?? '';
  const layout = LAYOUTS.find(({ name }) => name === named);
  if (layout === undefined) throw bad(truthFile, 1, `no layout is called "${named}"`);
  const { calibration } = calibrationAt(join(folder, 'calibration.json'));
  const problem = calibrationProblem(calibration, layout);
  if (problem !== undefined) throw bad(join(folder, 'calibration.json'), 1, problem);
  return {
    folder,
    name: basename(folder),
    layout,
    calibration,
    effects: effectsAt(folder),
    truths,
    activities,
  };
}

/** Every line that the boards said in one roll. */
export function captureAt(mat: RecordedMat, i: number): CapturedRoll {
  const truth = mat.truths[i];
  const activity = mat.activities[i];
  if (truth === undefined || activity === undefined)
    throw new RangeError(`roll ${i} of ${mat.name} is not there`);
  return { truth, activity, lines: linesOf(captureFile(mat, truth), isCaptureLine, 'a line of a board') };
}

/** File of the lines of one roll. */
export function captureFile({ folder }: RecordedMat, { seed }: RollTruth): string {
  return join(folder, `roll-${seed}.jsonl`);
}

function calibrationAt(file: string): ReturnType<typeof calibrationIn> {
  try {
    return calibrationIn(textOf(file));
  } catch (error) {
    if (error instanceof TableFault) throw error;
    throw bad(file, 1, wordsOf(error));
  }
}

function effectsAt(folder: string): readonly Effect[] {
  const file = join(folder, 'recorded.json');
  if (!existsSync(file)) return [];
  const [said] = linesOf(file, isUnder, 'what was recorded');
  return (said?.effects ?? []).map((name): Effect => {
    const known = (Object.keys(EFFECTS) as Effect[]).find((effect) => effect === name);
    if (known === undefined) throw bad(file, 1, `no effect is called "${String(name)}"`);
    return known;
  });
}

function linesOf<T>(file: string, fits: (value: unknown) => value is T, what: string): readonly T[] {
  return textOf(file)
    .trimEnd()
    .split('\n')
    .map((text, i) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        throw bad(file, i + 1, 'it is no JSON');
      }
      if (!fits(value)) throw bad(file, i + 1, `it is not ${what}`);
      return value;
    });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new TableFault(
      'replay/unreadable',
      `${file} cannot be read: ${systemCodeOf(error) ?? wordsOf(error)}.`,
      AGAIN,
    );
  }
}

function bad(file: string, line: number, why: string): TableFault {
  return new TableFault('replay/unreadable', `${file}:${line} cannot be used: ${why}.`, AGAIN);
}

type Bag = { readonly [key: string]: unknown };

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areAll(value: unknown, fits: (one: Bag) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isBag(one) && fits(one));
}

function isTruth(value: unknown): value is RollTruth {
  if (!isBag(value) || typeof value.roll !== 'string' || typeof value.layout !== 'string') return false;
  const { seed, fromMs, toMs } = value;
  if (![seed, fromMs, toMs].every(Number.isFinite)) return false;
  const ball = (one: Bag): boolean =>
    (one.player === 'A' || one.player === 'B') &&
    typeof one.opened === 'boolean' &&
    Number.isFinite(one.restMs) &&
    [one.path, one.contact, one.attached].every(Array.isArray);
  return areAll(value.balls, ball) && areAll(value.cores, (one) => typeof one.core === 'string');
}

function isRoll(value: unknown): value is CapturedRoll['activity'] {
  return (
    isBag(value) &&
    value.kind === 'roll' &&
    typeof value.roll === 'string' &&
    areAll(value.balls, (one) => typeof one.bakugan === 'string') &&
    areAll(value.cores, (one) => typeof one.core === 'string')
  );
}

function isCaptureLine(value: unknown): value is CaptureLine {
  if (!isBag(value) || !Number.isFinite(value.atMs)) return false;
  if (value.via !== 'sim-a' && value.via !== 'sim-b') return false;
  return typeof value.line === 'string' || typeof value.b64 === 'string';
}

function isUnder(value: unknown): value is { readonly effects: readonly unknown[] } {
  return isBag(value) && Array.isArray(value.effects);
}

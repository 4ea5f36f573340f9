/** Lines of emulated boards, kept in a folder: emulating is slow, and another detector can hear the same lines again. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureLine } from '../../sim/captured-lines.ts';
import { type CorpusOptions, captureRoll } from '../../sim/corpus.ts';
import { playRoll } from '../../sim/played.ts';
import { type RollTruth, truthLine } from '../../sim/truth.ts';
import { AFTER_MS, type Capture } from './detection-lines.ts';

/** What lies in a file. `of`: what the lines were made from, so that lines of another roll or image are not taken. */
interface Kept {
  readonly of: string;
  readonly lines: readonly CaptureLine[];
}

/** A corpus in the name of a file. */
export const slugOf = (row: string): string => row.replaceAll(/[^a-z0-9]+/g, '-');

/** Name of the file with the lines of a roll, up to `afterMs` after its samples. */
export const nameOf = (row: string, seed: number, afterMs: number): string =>
  `${slugOf(row)}-${seed}-${afterMs}.json`;

function stampOf(image: string, truth: RollTruth, options: CorpusOptions): string {
  const { boards: _boards, afterMs: _afterMs, ...drawn } = options;
  return createHash('sha256')
    .update(image)
    .update(truthLine(truth))
    .update(JSON.stringify(drawn))
    .digest('hex');
}

/**
 * A capture that takes lines from a folder where they are there, and puts them there where not. Lines that go on for
 * longer than asked serve as well: at least `expectMs` after the samples are made at once.
 */
export function keepingIn(folder: string, row: string, image: string, expectMs: number): Capture {
  mkdirSync(folder, { recursive: true });
  return (seed, options) => {
    const played = playRoll(seed, options);
    const of = stampOf(image, played.truth, options);
    const least = options.afterMs ?? 0;
    for (const afterMs of AFTER_MS) {
      const file = join(folder, nameOf(row, seed, afterMs));
      if (afterMs < least || !existsSync(file)) continue;
      const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
      if (kept.of === of) return { truth: played.truth, activity: played.activity, lines: kept.lines };
    }
    const afterMs = Math.max(least, expectMs);
    const captured = captureRoll(seed, { ...options, afterMs });
    const file = join(folder, nameOf(row, seed, afterMs));
    const kept: Kept = { of, lines: captured.lines };
    // Moved into place whole: a run that is broken off leaves no half of a file.
    writeFileSync(`${file}.new`, JSON.stringify(kept));
    renameSync(`${file}.new`, file);
    return captured;
  };
}

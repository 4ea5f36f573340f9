import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { benchCaptures, capturesText } from '../bin/bench/captures.ts';
import { claimsOf } from '../bin/bench/detection-claims.ts';
import { hearBoards } from '../bin/bench/detection-hear.ts';
import { freshScore, scoreRoll } from '../bin/bench/detection-score.ts';
import { writeCorpus } from '../sim/corpus.ts';
import { ran } from './support/program.ts';

vi.setConfig({ testTimeout: 240_000 });

const FIRST = 100;
const ROLLS = 12;
const MAT = 6;
const folder = mkdtempSync(join(tmpdir(), 'captures-'));
const mat = join(folder, `mat-${MAT}`);
writeCorpus(mat, FIRST, ROLLS, { matSeed: MAT });
afterAll(() => rmSync(folder, { recursive: true }));

/** Lines of a file changed while something is looked at, and put back. */
function changed<T>(name: string, change: (lines: string[]) => void, look: () => T): T {
  const file = join(mat, name);
  const before = readFileSync(file, 'utf8');
  const lines = before.trimEnd().split('\n');
  change(lines);
  writeFileSync(file, `${lines.join('\n')}\n`);
  try {
    return look();
  } finally {
    writeFileSync(file, before);
  }
}

describe('recorded rolls against their truth', () => {
  it('score as the same rolls do in the detection bench, line by line', () => {
    const score = freshScore();
    for (let seed = FIRST; seed < FIRST + ROLLS; seed += 1) {
      const heard = hearBoards({ effects: [] }, seed, undefined);
      scoreRoll(score, heard.truth, claimsOf(heard, heard.truth.balls));
    }
    const { rows, wrong, lines } = benchCaptures(folder);
    expect(lines).toBeGreaterThan(ROLLS * 200);
    expect(rows.map(([name]) => name)).toEqual([`mat-${MAT}`]);
    expect(rows[0]?.[1].own).toEqual(score);
    expect(score.balls).toBe(2 * ROLLS);
    expect(score.unfinished).toBe(0);
    expect(wrong).toHaveLength(score.wrong.any);
  });

  it('names every ruling that is not the truth, by its file', () => {
    const flip = (lines: string[]): void => {
      for (const i of [1, 4]) {
        const text = lines[i] ?? '';
        const truth = JSON.parse(text) as { balls: { opened: boolean; attached: string[] }[] };
        for (const ball of truth.balls) {
          ball.opened = !ball.opened;
          ball.attached = [];
        }
        lines[i] = JSON.stringify(truth);
      }
    };
    const result = changed('truth.jsonl', flip, () => benchCaptures(mat));
    for (const i of [1, 4]) {
      expect(result.wrong.filter((miss) => miss.includes(`roll-${FIRST + i}.jsonl: `))).toHaveLength(2);
    }
    const text = capturesText(result, false).join('\n');
    for (const miss of result.wrong) expect(text).toContain(miss);
    expect(text).toMatch(/\| mat-6 \| 12 \| 24 \| \d+\/4\/\d+ \|/);
  });

  it.each<[string, string, (lines: string[]) => void, RegExp]>([
    [
      'a line that is no JSON',
      'roll-101.jsonl',
      (lines) => lines.splice(2, 1, '{"atMs":'),
      /roll-101\.jsonl:3 /,
    ],
    ['a truth that is none', 'truth.jsonl', (lines) => lines.splice(0, 1, '{"seed":1}'), /truth\.jsonl:1 /],
    [
      'rolls of another order',
      'activity.jsonl',
      (lines) => lines.reverse(),
      /activity\.jsonl:1 .*not of roll/,
    ],
    [
      'a calibration of another mat',
      'calibration.json',
      (lines) =>
        lines.splice(
          0,
          lines.length,
          lines.join('').replace(/"layoutHash": *"\w+"/, '"layoutHash":"00000000"'),
        ),
      /calibration\.json:1 .*calibrate anew/,
    ],
  ])('refuse %s by file and line', (_what, file, change, words) => {
    expect(() => changed(file, change, () => benchCaptures(mat))).toThrow(words);
  });
});

describe('bakucore bench captures', () => {
  it('prints the table of a folder that sim record wrote', async () => {
    const out = join(folder, 'recorded');
    expect(
      (await ran(['sim', 'record', '--rolls', '4', '--seed', '7', '--impair', 'mqtt', '--out', out], folder))
        .code,
    ).toBe(0);
    const { code, stdout } = await ran(['bench', 'captures', out], folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^4 recorded rolls, /);
    expect(stdout).toMatch(/\| mat-1 \| 4 \| 8 \| 0\/0\/0 \|/);
    expect(stdout).toMatch(/Wrong rulings: 0/);
    // The wire is heard as what it was.
    expect(readFileSync(join(out, 'mat-1/recorded.json'), 'utf8')).toContain('mqtt');
  });

  it('says what is missing and what to do, and exits with 1', async () => {
    const { code, stderr } = await ran(['bench', 'captures', join(folder, 'nowhere')], folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/nowhere.*cannot be read.*ENOENT/);
    expect(stderr).toMatch(/bakucore sim record/);
    expect(stderr).not.toMatch(/at .*\.js:/);
  });
});

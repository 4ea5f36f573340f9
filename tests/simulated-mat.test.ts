/** A calibration belongs to the mat it was made on: a simulated table of another seed does not use it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Program, program, ran } from './support/program.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder = '';
let file = '';
let kept: { readonly tiles: unknown; readonly mat?: string } = { tiles: [] };
const running: Program[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-mat-'));
  mkdirSync(join(folder, 'data'));
  file = join(folder, 'data/t1.calibration.json');
  const { code, stderr } = await ran(['calibrate', '--simulated', '--seed', '4', '--out', file], folder);
  expect(stderr).toContain('Calibration kept');
  expect(code).toBe(0);
  kept = JSON.parse(readFileSync(file, 'utf8'));
});
afterEach(async () => {
  for (const one of running.splice(0)) if (one.alive) await one.stop('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a simulated table on this folder and stops it; gives what it said and the calibration it began to play with. */
async function session(seed: number): Promise<{ readonly said: string; readonly calibration: typeof kept }> {
  const args = ['start', '--seed', String(seed), '--boards', 'scripted', '--port', '0', '--new-match'];
  const one = program([...args, '--data-dir', join(folder, 'data')], { cwd: folder });
  running.push(one);
  await one.port();
  expect((await one.stop('SIGTERM')).code).toBe(0);
  const segments = readdirSync(join(folder, 'data/t1')).filter((name) => name.endsWith('.jsonl'));
  const text = readFileSync(join(folder, 'data/t1', segments.sort().at(-1) ?? ''), 'utf8');
  const opened = text.split('\n').findLast((line) => line.includes('"kind":"open"')) ?? '{}';
  return { said: one.stderr, calibration: JSON.parse(opened).data.calibration };
}

describe('a simulated table', () => {
  it('plays with the calibration that was kept of its mat', async () => {
    const { said, calibration } = await session(4);
    expect(said).not.toMatch(/left aside/);
    expect(calibration.tiles).toEqual(kept.tiles);
  });

  it('leaves the one of another mat aside, says so, and plays with that of its own', async () => {
    const before = readFileSync(file, 'utf8');
    const { said, calibration } = await session(5);
    expect(said).toMatch(
      /t1\.calibration\.json was made on the simulated mat of seed 4, and this is the simulated mat of seed 5: it is left aside\./,
    );
    expect(calibration.tiles).not.toEqual(kept.tiles);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('takes one that does not say which mat it is of, and diff takes either', async () => {
    const { mat: _, ...bare } = kept;
    const named = readFileSync(file, 'utf8');
    writeFileSync(file, JSON.stringify(bare));
    const { said, calibration } = await session(5);
    expect(said).not.toMatch(/left aside/);
    expect(calibration.tiles).toEqual(kept.tiles);
    writeFileSync(file, named);
    const { code, stderr } = await ran(['diff', join(folder, 'data/t1'), '--calibration', file], folder);
    expect(stderr).toMatch(/^0 of 0 rolls/m);
    expect(code).toBe(0);
  });
});

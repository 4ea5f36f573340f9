import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'tests/corpus/sound-1.jsonl.gz');

/** Runs `bakucore replay` on a recorded match as a person would, with what is typed. */
async function replay(args: readonly string[], typed = '') {
  const child = spawn(process.execPath, [join(ROOT, 'dist/bin/bakucore.js'), 'replay', FILE, ...args]);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes) => {
    said.stdout += bytes;
  });
  child.stderr.on('data', (bytes) => {
    said.stderr += bytes;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(typed);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, ...said, lines: said.stdout.split('\n').filter((line) => line !== '') };
}

type Told = {
  readonly kind: string;
  readonly atMs: number;
  readonly ruling?: { readonly roll: string; readonly stage: string };
};
const toldIn = (lines: readonly string[]): readonly Told[] => lines.map((line): Told => JSON.parse(line));
const finalOf = (roll: string) => (one: Told) => one.ruling?.roll === roll && one.ruling.stage === 'final';

describe('bakucore replay', () => {
  it('prints what was told as JSON, one object a line and nothing else', async () => {
    const { code, lines, stderr } = await replay(['--json']);
    expect([code, stderr]).toEqual([0, '']);
    const told = toldIn(lines);
    expect(told.filter(({ kind }) => kind === 'event').length).toBeGreaterThan(10);
    expect(told.some(finalOf('t2.1'))).toBe(true);
    expect(told.some(({ kind }) => kind === 'send')).toBe(false);
  });

  it('stops after a roll, before a record and at a time', async () => {
    const told = toldIn((await replay(['--json', '--until', 't1.1'])).lines);
    expect(told.some(finalOf('t1.1'))).toBe(true);
    expect(told.some(finalOf('t2.1'))).toBe(false);
    expect((await replay(['--until', '#100'])).stdout).toMatch(/^100 records: 0 rulings, /);
    const early = toldIn((await replay(['--json', '--until', '3000ms'])).lines);
    expect(early.length).toBeGreaterThan(0);
    expect(Math.max(...early.map(({ atMs }) => atMs))).toBeLessThanOrEqual(3000);
  });

  it('says when a place is never come to, and takes no other words for one', async () => {
    for (const place of ['t99.1', '#99999999', '99999999ms']) {
      const { code, stderr } = await replay(['--until', place]);
      expect([place, code]).toEqual([place, 1]);
      expect(stderr).toContain(`ends before ${place}`);
    }
    const { code, stderr } = await replay(['--until', 'tomorrow']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/a roll as t3\.1/);
  });

  it('steps from one thing told to the next by Enter, and stops where the input ends', async () => {
    const { code, lines, stderr } = await replay(['--step'], '\n\n\n');
    expect(code).toBe(0);
    expect(stderr.match(/Enter for the next/g)).toHaveLength(4);
    // Four things told, the last not confirmed, and what was run up to there.
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toMatch(/^\d+ records: 0 rulings, /);
    const json = await replay(['--step', '--json'], '\n');
    expect(toldIn(json.lines).filter(({ kind }) => kind === 'event')).toHaveLength(2);
  });

  it('tells things as they come at a speed, in the same words', async () => {
    const { code, lines } = await replay(['--speed', '1000', '--until', 't1.1']);
    expect(code).toBe(0);
    expect(lines.some((line) => /^Roll t1\.1, final: A opened: \w+, B opened: \w+$/.test(line))).toBe(true);
    for (const speed of ['0', '-1', 'fast', '1001']) expect((await replay(['--speed', speed])).code).toBe(2);
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const HAS_GXX = spawnSync('g++', ['--version']).status === 0;
const NEEDS_GXX = HAS_GXX ? '' : ' (skipped: needs g++, Debian package g++)';

const ROOT = resolve('firmware-protocol/arduino');
const FLAGS = ['-std=gnu++14', '-Wall', '-Wextra', '-Werror'];
const BOARD_FLAGS = { uno: [], mega: ['-D__AVR_ATmega2560__'] } as const;
const GROUPS = [
  ['reader', 'cuts lines out of noise, overlong lines and lines run together'],
  ['ring', 'keeps scans in order, with gaps and times, across every wrap'],
  ['onset', 'tells an onset at the third sample beyond the threshold and lets spikes and drift pass'],
  ['debounce', 'closes a contact after 1 ms and opens it after 20 ms'],
  ['activity', 'sends from 16 ms before an onset, without gap or repeat, until a tile has been quiet'],
  ['edges', 'lets at most 32 edges pass in any 100 ms and keeps room for gates'],
  ['means', 'rounds means to the nearest quarter count and notices halls at a rail or dead'],
  ['identity', 'keeps identity and boot count through damage and torn writes'],
  ['lights', 'turns colours and animations into LEDs in wire order'],
] as const;

describe.skipIf(!HAS_GXX)(`the firmware's headers on this machine${NEEDS_GXX}`, () => {
  let folder = '';
  /** Runs a compiled test program; what it prints says where it failed. */
  const run = (program: string, ...args: readonly string[]): string => {
    const { stdout, status } = spawnSync(join(folder, program), args, { encoding: 'utf8' });
    expect(stdout).toMatch(/\d+ passed, 0 failed/);
    expect(status).toBe(0);
    return stdout;
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'headers-'));
    const build = (source: string, program: string, flags: readonly string[]) =>
      execFileSync(
        'g++',
        [...FLAGS, '-O1', ...flags, '-o', join(folder, program), join(ROOT, 'test', source)],
        {
          stdio: 'pipe',
        },
      );
    build('vectors_test.cpp', 'vectors', []);
    for (const [board, flags] of Object.entries(BOARD_FLAGS)) build('headers_test.cpp', board, flags);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compile each by itself without a warning', () => {
    const headers = readdirSync(join(ROOT, 'BakuTile/src')).filter((name) => name.endsWith('.h'));
    expect(headers.length).toBeGreaterThan(12);
    for (const flags of Object.values(BOARD_FLAGS)) {
      const includes = headers.flatMap((name) => ['-include', join(ROOT, 'BakuTile/src', name)]);
      execFileSync('g++', [...FLAGS, ...flags, '-fsyntax-only', ...includes, '-x', 'c++', '/dev/null'], {
        stdio: 'pipe',
      });
    }
  });

  it('write and read the golden lines', () => {
    expect(run('vectors', resolve('firmware-protocol/vectors.tsv'))).toMatch(/\d+ lines up, \d+ lines down/);
  });

  describe.each(['uno', 'mega'] as const)('built for the %s', (board) => {
    it.each(GROUPS)('%s: %s', (group) => {
      run(board, group);
    });
  });

  it('plan: reads watched tiles every millisecond and all others in four, never more than fit', () => {
    run('mega', 'plan');
  });
});

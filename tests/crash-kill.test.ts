import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killTrials } from './support/kill-trials.ts';
import { has } from './support/system.ts';
import { wireTrials } from './support/wire-trials.ts';

const ROOT = join(import.meta.dirname, '..');
const hasSocat = has('socat');

/** Program and arguments that run a function of a module of the tests with what is added to them. */
function childOf(module: string, call: string) {
  // The modules stay loadable: a transport is loaded when it is opened.
  const script = `
    import { createServer } from 'vite';
    process.chdir(${JSON.stringify(ROOT)});
    const server = { middlewareMode: true, ws: false, watch: null };
    const vite = await createServer({ configFile: false, appType: 'custom', logLevel: 'error', server });
    const module = await vite.ssrLoadModule(${JSON.stringify(module)});
    const given = process.argv.slice(1);
    await module.${call};`;
  return [process.execPath, '--input-type=module', '-e', script, '--'] as const;
}

describe('a host that is killed', () => {
  const child = childOf(
    './tests/support/kill-child.ts',
    "playUntilKilled(given[0], Number(given[1]), Number(given[2]), given[3] === 'fills')",
  );

  it('goes on 20 ms later where it was; nothing told is missing, nothing is invented', {
    timeout: 300_000,
  }, async () => {
    const found = await killTrials({ seed: 5, kills: 2, lifeMs: 600, child });
    expect(found.wrong).toEqual([]);
    expect(found.records).toBeGreaterThan(50);
  });

  it('does so on a disk that fills up and is freed meanwhile', { timeout: 300_000 }, async ({ skip }) => {
    const small = mountSmall();
    if (small === undefined) return skip('a small disk cannot be mounted by this user');
    try {
      const found = await killTrials({ seed: 6, kills: 2, lifeMs: 1500, smallDisk: small, child });
      expect(found.wrong).toEqual([]);
      expect(found.records).toBeGreaterThan(20);
    } finally {
      spawnSync('umount', [small]);
      rmdirSync(small);
    }
  });

  const needs = hasSocat ? '' : ' (skipped: needs socat)';
  it.skipIf(!hasSocat)(
    `does so with one board on a serial port and one on a broker${needs}`,
    {
      timeout: 600_000,
    },
    async () => {
      const onWires = childOf(
        './tests/support/wire-child.ts',
        'hostUntilKilled(given[0], given[1], Number(given[2]))',
      );
      const found = await wireTrials({ seed: 3, kills: 2, lifeMs: 4000, child: onWires });
      expect(found.wrong).toEqual([]);
      expect(found.kills).toBe(2);
      // Both wires brought lines of their boards.
      expect(Object.keys(found.lines).sort()).toEqual(['air', 'side-a']);
      for (const count of Object.values(found.lines)) expect(count).toBeGreaterThan(10);
    },
  );
});

/** A disk of a few megabytes in memory; undefined where this user may not mount one. */
function mountSmall(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-small-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]);
  if (status === 0) return folder;
  rmdirSync(folder);
  return undefined;
}

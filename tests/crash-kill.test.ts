import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killTrials } from './support/kill-trials.ts';

describe('a host that is killed', () => {
  it('goes on 20 ms later where it was; nothing told is missing, nothing is invented', {
    timeout: 60_000,
  }, async () => {
    const root = join(import.meta.dirname, '..');
    const script = `
      import { runnerImport } from 'vite';
      process.chdir(${JSON.stringify(root)});
      const { module } = await runnerImport('./tests/support/kill-child.ts', { logLevel: 'error' });
      const [dataDir, seed, life] = process.argv.slice(1);
      await module.playUntilKilled(dataDir, Number(seed), Number(life));`;
    const child = [process.execPath, '--input-type=module', '-e', script, '--'] as const;
    const found = await killTrials({ seed: 5, kills: 2, lifeMs: 600, child });
    expect(found.wrong).toEqual([]);
    expect(found.records).toBeGreaterThan(100);
  });
});

/** What the guide for stores says of wear is what a table asks of its disk. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { wearOf } from './support/wear.ts';

vi.setConfig({ testTimeout: 120_000 });

const guide = readFileSync(join(import.meta.dirname, '../host/guides/store.md'), 'utf8');

/** Megabytes, flushes and pages of a row of the table, and what stands in its first cell. */
function row(name: string) {
  const found = new RegExp(`^\\| (${name}[^|]*) \\| ([\\d.]+) MB \\| (\\d+) \\| (\\d+) \\|$`, 'm').exec(
    guide,
  );
  const [, what = '', ...figures] = found ?? [];
  const [megabytes, flushes, pages] = figures.map(Number);
  return { what, megabytes, flushes, pages };
}

describe('wear, as the guide has it', () => {
  it.each([
    ['idle', false],
    ['in play', true],
  ] as const)('%s is what is counted, to 5 %%', async (name, auto) => {
    const said = row(name);
    const counted = await wearOf(auto, 60_000);
    for (const key of ['megabytes', 'flushes', 'pages'] as const) {
      expect(counted[key] / (said[key] ?? Number.NaN), key).toBeGreaterThan(0.95);
      expect(counted[key] / (said[key] ?? Number.NaN), key).toBeLessThan(1.05);
    }
    // Lines are at most 50 ms behind: 20 flushes a second at least, and no more than the ticks of 25 ms allow by much.
    expect(counted.flushes / 3600).toBeGreaterThan(20);
    expect(counted.flushes / 3600).toBeLessThan(60);
    if (auto) expect(said.what).toContain(`${counted.rolls * 60} rolls`);
  });

  it('adds up', () => {
    const { flushes = 0, pages = 0 } = row('idle');
    const gigabytes = (bytes: number): string =>
      (bytes / 1e9).toFixed(bytes > 1e10 ? 0 : bytes > 1e9 ? 1 : 2);
    expect(guide).toContain(`${pages} × 4 KiB = ${gigabytes(pages * 4096)} GB`);
    expect(guide).toContain(`${flushes} × 12 KiB = ${gigabytes(pages * 4096 + flushes * 12 * 1024)} GB`);
    expect(guide).toContain(`${flushes} × 4 MiB = ${gigabytes(flushes * 4 * 1024 * 1024)} GB`);
  });
});

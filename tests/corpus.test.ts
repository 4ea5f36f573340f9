import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { flipPage } from '../host/audit/flip-page.ts';
import { NODE_TOOLS } from '../host/audit/node-tools.ts';
import { type Otherwise, type Rejudged, rejudge } from '../host/audit/rejudge.ts';
import { openSource } from '../host/audit/source.ts';
import { verifySource } from '../host/audit/verify-source.ts';
import type { Ruleset } from '../host/game/ruleset.ts';
import { PARTS, type Parts } from '../host/parts.ts';

vi.setConfig({ testTimeout: 180_000 });

const FOLDER = join(import.meta.dirname, 'corpus');
const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.gz'))
  .map((name) => join(FOLDER, name));

async function judged(
  otherwise: Otherwise,
  files = FILES,
  parts: Parts = PARTS,
): Promise<readonly Rejudged[]> {
  const rolls: Rejudged[] = [];
  for (const file of files)
    await rejudge(await openSource(file), parts, otherwise, (roll) => void rolls.push(roll));
  return rolls;
}

const flipsIn = (rolls: readonly Rejudged[]) =>
  rolls.flatMap(({ roll, flips }) => flips.map((flip) => `${roll} ${flip}`));

describe('the corpus of recorded matches', () => {
  it('is small and intact', async () => {
    const bytes = FILES.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(2_000_000);
    for (const file of FILES)
      expect(await verifySource(await openSource(file), NODE_TOOLS)).toMatchObject({ state: 'intact' });
  });

  it('is ruled by the code of today as it was recorded', async () => {
    // A file may end in the middle of a roll.
    const rolls = (await judged({})).filter(({ before }) => before !== undefined);
    expect(rolls.length).toBeGreaterThanOrEqual(20);
    const opened = rolls.flatMap(({ before }) => before?.balls.map((ball) => ball.opened) ?? []);
    expect(opened).toContain('yes');
    expect(opened).toContain('no');
    expect(
      flipsIn(rolls),
      'Where this is meant: look at each by `bakucore diff tests/corpus/*.gz --trace flips`, then run tests/corpus/record.ts.',
    ).toEqual([]);
  });

  it('flips under a limit that is wrong on purpose, each roll by itself, and shows the traces', async () => {
    const rolls = await judged({ limits: { openYes: 1.01 }, traces: 'flips' }, FILES.slice(0, 1));
    const flipped = rolls.filter(({ flips }) => flips.length > 0);
    expect(flipsIn(flipped).join()).toMatch(/opened: yes → undetermined/);
    // A roll in which nothing opened has nothing to flip: play went on as it was recorded, not as it flipped.
    const shut = rolls.filter(({ before }) => before?.balls.every(({ opened }) => opened === 'no') === true);
    expect(flipsIn(shut)).toEqual([]);
    const [first] = flipped;
    expect(first?.trace?.cells.some(({ contact }) => contact.some((closed) => closed === 1))).toBe(true);
    if (first === undefined) return;
    const page = flipPage('corpus', 'under openYes = 1.01', first);
    expect(page).toMatch(/<svg[\s\S]*yes → undetermined|yes → undetermined[\s\S]*<svg/);
  });

  it('flips where a roll leads to something else by other rules', async () => {
    const [bakugan] = PARTS.rulesets;
    if (bakugan === undefined) throw new Error('no rules');
    const deaf: Ruleset = {
      ...bakugan,
      version: '0.0.1',
      // Rules under which nobody ever attaches.
      step: (state, input) =>
        bakugan.step(
          state,
          input.type === 'rolled' && Array.isArray(input.results)
            ? { ...input, results: input.results.map((one) => ({ ...Object(one), opened: 'no', cores: [] })) }
            : input,
        ),
    };
    const parts = { ...PARTS, rulesets: [{ ...bakugan, earlier: [...(bakugan.earlier ?? []), deaf] }] };
    const [file = ''] = FILES;
    const flips = flipsIn(await judged({ rules: '0.0.1' }, [file], parts));
    expect(flips).toHaveLength(1);
    expect(flips[0]).toMatch(/→ 0\.0\.1, rolled: /);
    await expect(judged({ rules: '9.9.9' }, [file], parts)).rejects.toMatchObject({
      code: 'config/unknown-part',
      remedy: expect.stringContaining('0.0.1'),
    });
  });
});

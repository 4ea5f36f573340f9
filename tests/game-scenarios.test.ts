import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CARDS } from '../host/game/bakugan/cards/catalog.ts';
import { playScenario, sayFailure } from '../host/game/scenarios/check.ts';
import { coverageTable, uncovered } from '../host/game/scenarios/coverage.ts';
import { NUMBERED_RULES } from '../host/game/scenarios/data/rule-notes.ts';
import { explainedRules, explainRule } from '../host/game/scenarios/explain.ts';
import type { Scenario } from '../host/game/scenarios/scenario.ts';
import { scenarioFiles } from './support/scenario-files.ts';

const ROOT = join(import.meta.dirname, '..');
const files = scenarioFiles(ROOT);
const all = files.flatMap((one) => one.scenarios);

describe.each(files)('$file', ({ scenarios }) => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
    const checked = playScenario(scenario);
    expect(sayFailure(checked)).toBe('');
  });
});

describe('scenario files', () => {
  it('name each scenario once', () => {
    const names = all.map((scenario) => scenario.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('hold every vector of the digest', () => {
    // Numbers that the digest leaves out are no vectors.
    const gaps = [8, 14, 19, 26, 30, 33, 36, 42, 46, 50, 52, 55, 57, 60, 62, 64, 66, 69];
    const wanted = Array.from({ length: 70 }, (_, index) => index + 1)
      .filter((no) => !gaps.includes(no))
      .map((no) => `TV-${String(no).padStart(2, '0')}`);
    const shown = new Set(all.flatMap((scenario) => scenario.rules));
    expect(wanted.filter((one) => !shown.has(one))).toEqual([]);
  });

  it('show step, difference and rule of a failure', () => {
    const wrong: Scenario = {
      name: 'a wrong one',
      rules: ['5.3.1'],
      steps: [{ look: true, expect: { 'A.hand': 9, 'A.colour': 'red' } }],
    };
    const checked = playScenario(wrong);
    expect(checked.failures).toEqual([
      { step: 1, what: 'A.hand', expected: 9, found: 6 },
      { step: 1, what: 'A.colour', expected: 'red', found: 'no such part' },
    ]);
    expect(sayFailure(checked)).toContain('a wrong one: step 1: A.hand should be 9, is 6 (rules 5.3.1)');
  });
});

describe('cards', () => {
  it('have a scenario each, alone, whose result is written from what they print', () => {
    const shown = new Set(all.flatMap((scenario) => scenario.rules));
    expect(CARDS.filter((card) => !shown.has(card.id)).map((card) => `${card.id} ${card.name}`)).toEqual([]);
  });
});

describe('rules', () => {
  it('have a scenario each', () => {
    expect(uncovered(files)).toEqual([]);
  });

  it('are all the numbers of the two parts that the game is built on', () => {
    // Counted in the rulebook: 4.7.3, and 5.1.1 to 5.17.1.
    expect(NUMBERED_RULES).toHaveLength(46);
  });

  it('stand in the table with their scenarios; after a change run tests/soak/rules-table.ts', () => {
    const written = readFileSync(join(ROOT, 'host/game/scenarios/RULES.md'), 'utf8');
    expect(written).toBe(coverageTable(files));
  });

  it('are explained in words of our own, with those below them', () => {
    for (const rule of explainedRules()) expect(explainRule(rule)?.length).toBeGreaterThan(20);
    expect(
      explainRule('5.7.2')
        ?.split('\n')
        .map((line) => line.split(':')[0]),
    ).toEqual(['5.7.2', '5.7.2.1', '5.7.2.2', '5.7.2.3']);
    expect(explainRule('9.9')).toBeUndefined();
  });
});

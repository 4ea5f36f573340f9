import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkScenario, playScenario, sayFailure } from '../host/game/scenarios/check.ts';
import { readScenarios } from '../host/game/scenarios/read.ts';
import type { Scenario } from '../host/game/scenarios/scenario.ts';

const FOLDER = join(import.meta.dirname, 'scenarios');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json') || name.endsWith('.yaml'));
const read = (name: string): readonly Scenario[] => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  return readScenarios(name.endsWith('.yaml') ? parse(text) : text);
};
const all = files.flatMap(read);

describe.each(files)('%s', (name) => {
  it.each(read(name).map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
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

  it('say what does not fit the form, with the place', () => {
    const broken = { name: 'x', rules: ['5.1.1'], steps: [{ pass: 1, close: true }, { dance: 1 }] };
    expect(() => checkScenario(broken)).toThrow(/x\.steps\[0\]: a step has exactly one of/);
    expect(() => checkScenario(broken)).toThrow(/x\.steps\[1\]\.dance: not known here/);
    expect(() => checkScenario('{')).toThrow(/no JSON/);
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
